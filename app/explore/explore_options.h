// The options of lockstep explore on the command line.
#pragma once

#include <CLI/CLI.hpp>

#include "app/explore/explore_command.h"

namespace lockstep::app {

class ExploreOptions {
 public:
  /// The command fills what arguments() gives; both must outlive the parsing.
  void add_to(CLI::App& command);
  /// Throws CLI::ValidationError where they don't fit together.
  [[nodiscard]] ExploreArguments arguments() const;
  [[nodiscard]] OutputFormat& format() { return arguments_.format; }

 private:
  void add_bounds(CLI::App& command);
  void add_search(CLI::App& command);
  void add_output(CLI::App& command);

  ExploreArguments arguments_;
};

}  // namespace lockstep::app
