// What the program's commands say of themselves, as data: man pages and completions are made of it.
//
// Reads the same descriptions as --help does, so nothing is written twice.
#pragma once

#include <string>
#include <vector>

#include "app/command.h"

namespace lockstep::app {

struct OptionText {
  std::vector<std::string> names;  ///< "--output", "-o"; of an argument its one name: "TRACE"
  std::string value;               ///< "FILE"; empty: the option takes no value
  std::string summary;
};

struct CommandPage {
  CommandText text;
  std::vector<OptionText> arguments;
  std::vector<OptionText> options;
};

/// Of all commands, in the order of --help.
[[nodiscard]] std::vector<CommandPage> command_pages();

}  // namespace lockstep::app
