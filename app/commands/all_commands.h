// The list of the program's commands.
#pragma once

#include <vector>

#include "app/command.h"

namespace lockstep::app {

/// In the order in which --help shows them.
[[nodiscard]] std::vector<CommandDescription> all_commands();

}  // namespace lockstep::app
