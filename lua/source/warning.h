// What a script's text tells at load of how it may behave otherwise than in Redis.
#pragma once

#include <cstdint>
#include <string>

namespace lockstep::lua {

struct ScriptWarning {
  std::uint32_t line;     ///< from 1, in the script as it was given
  std::string construct;  ///< as spelt: "pairs"
  std::string text;       ///< what may differ

  friend bool operator==(const ScriptWarning&, const ScriptWarning&) = default;
};

}  // namespace lockstep::lua
