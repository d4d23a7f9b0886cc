// Calls of client libraries that take a script: which of their arguments it is.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace lockstep::advice {

struct ScriptCall {
  std::string_view name;
  std::size_t argument = 0;
  /// How many arguments a call must have to be taken for one that runs scripts.
  std::size_t arguments_min = 1;
  bool is_method = true;  ///< only as a member: redis.eval, not eval
};

/// By the name of what is called.
[[nodiscard]] std::optional<ScriptCall> script_call(std::string_view name);

}  // namespace lockstep::advice
