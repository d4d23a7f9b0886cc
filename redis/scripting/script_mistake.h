// What a script's author did wrong, as an error reply tells it: a value of the wrong type, a call
// that Redis does not know. Not what a script says on purpose (redis.error_reply, error("…")), nor
// what its commands meet (WRONGTYPE, OOM).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lockstep::redis {

struct ScriptMistake {
  std::uint32_t line = 0;  ///< of the script; 0: the reply does not say
  std::string_view what;   ///< "attempt to index local 't' (a nil value)", a part of the reply
};

/// Nothing where the reply is no such error. Knows the words of all simulated versions.
[[nodiscard]] std::optional<ScriptMistake> find_script_mistake(std::string_view error_reply);

}  // namespace lockstep::redis
