// The options of lockstep check on the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "app/history/check_command.h"

namespace lockstep::app {

class CheckOptions {
 public:
  /// The command fills what arguments() gives; both must outlive the parsing.
  void add_to(CLI::App& command);
  /// Throws CLI::ValidationError where they don't fit together.
  [[nodiscard]] CheckArguments arguments() const;
  [[nodiscard]] OutputFormat& format() { return arguments_.format; }

 private:
  void add_reading(CLI::App& command);
  void add_settings(CLI::App& command);
  void add_limits(CLI::App& command);

  CheckArguments arguments_;
  std::optional<std::string> initial_;  // a number or a text, as the model has it
};

}  // namespace lockstep::app
