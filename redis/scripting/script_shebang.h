// A script's shebang line: `#!lua flags=no-writes,allow-oom`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

#include "redis/scripting/script_engine.h"

namespace lockstep::redis {

struct ScriptShebang {
  ScriptFlags declaration;
  std::size_t length = 0;  ///< of the line without its end; 0 if there is none
};

/// Reads the line if the body begins with one. Returns the error reply's text if it is invalid.
[[nodiscard]] std::variant<ScriptShebang, std::string> read_shebang(std::string_view body);

}  // namespace lockstep::redis
