// Man pages in the format of man(7): lockstep.1, and lockstep-COMMAND.1 for each command.
#pragma once

#include <span>
#include <string>

#include "app/manual/command_pages.h"

namespace lockstep::app {

/// lockstep(1): the list of commands.
[[nodiscard]] std::string program_man_page(std::span<const CommandPage> commands);

/// lockstep-NAME(1).
[[nodiscard]] std::string command_man_page(const CommandPage& command);

}  // namespace lockstep::app
