// What operations are called in files: Knossos's names, other common ones, and the longer names of
// the locks' operations.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "checker/recorded/history.h"

namespace lockstep::checker::recorded {

/// Without a colon in front; '-' and '_' are the same.
[[nodiscard]] std::optional<Function> function_named(std::string_view name);

/// "cas": as messages and docs call it.
[[nodiscard]] std::string_view to_string(Function function);

/// All of these names, for a message: "read, write, …".
[[nodiscard]] std::string all_function_names();

}  // namespace lockstep::checker::recorded
