// The first line of a script that says what runs it and how: `#!lua flags=no-writes,allow-oom`.
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

/// Reads the line, if the body begins with one; or gives the error reply's text.
[[nodiscard]] std::variant<ScriptShebang, std::string> read_shebang(std::string_view body);

}  // namespace lockstep::redis
