// A script's shebang line: `#!lua flags=no-writes,allow-oom`.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "redis/scripting/script_engine.h"

namespace lockstep::redis {

/// Sets the flag of this name; false where there is none.
bool set_script_flag(std::string_view name, ScriptFlags& flags);

/// The names of the flags that are set, in Redis's order.
[[nodiscard]] std::vector<std::string_view> script_flag_names(const ScriptFlags& flags);

/// The words of a shebang line; nothing where a quote in it is wrong.
[[nodiscard]] std::optional<std::vector<std::string>> shebang_words(std::string_view line);

struct ScriptShebang {
  ScriptFlags declaration;
  std::size_t length = 0;  ///< of the line without its end; 0 if there is none
};

/// Reads the line if the body begins with one. Returns the error reply's text if it is invalid.
[[nodiscard]] std::variant<ScriptShebang, std::string> read_shebang(std::string_view body);

}  // namespace lockstep::redis
