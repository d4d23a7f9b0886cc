// Functions (FUNCTION LOAD): what a library's code registers when it is loaded.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "redis/scripting/script_engine.h"

namespace lockstep::redis {

/// A function of a library, as one server has it: functions keep the state of their library's
/// local variables, so that each server loads the code for itself.
struct LibraryFunction {
  std::string name;
  std::optional<std::string> description;
  ScriptFlags flags;
  int reference = 0;  ///< into the engine; to be released
};

/// What redis.register_function adds to while a library is loaded.
struct LibraryLoading {
  std::vector<LibraryFunction> functions;
};

/// Only letters, digits and underscores, at least one.
[[nodiscard]] bool is_library_name(std::string_view name);

}  // namespace lockstep::redis
