// The options of lockstep fuzz on the command line.
#pragma once

#include <CLI/CLI.hpp>

#include "app/fuzz/fuzz_command.h"

namespace lockstep::app {

/// Options for what is done with results.
void add_fuzz_output(CLI::App& command, FuzzOutput& output);

class FuzzOptions {
 public:
  /// The command fills what arguments() gives; both must outlive the parsing.
  void add_to(CLI::App& command);
  /// Throws CLI::ValidationError where they don't fit together.
  [[nodiscard]] FuzzArguments arguments() const;
  [[nodiscard]] OutputFormat& format() { return arguments_.output.format; }

 private:
  void add_plan(CLI::App& command);
  void add_budget(CLI::App& command);
  void add_output(CLI::App& command);

  FuzzArguments arguments_;
  bool is_runs_given_ = false;
};

}  // namespace lockstep::app
