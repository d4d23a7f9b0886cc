// Reads the command line: a command with its arguments, or what is wrong with it.
#pragma once

#include <memory>
#include <string>

#include "app/command.h"

namespace lockstep::app {

/// A command to run, or the text that answers the command line and the exit code with it.
struct CommandLine {
  std::unique_ptr<const CommandCall> call;  ///< nullptr: the text is the answer
  std::string text;                         ///< help, the version, or what is wrong
  ExitCode exit_code = ExitCode::as_expected;
};

/// Reads the arguments of main.
[[nodiscard]] CommandLine read_command_line(int count, const char* const* words);

}  // namespace lockstep::app
