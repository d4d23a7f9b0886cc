// The options of lockstep shrink and lockstep keep on the command line.
#pragma once

#include <CLI/CLI.hpp>

#include "app/shrink/keep_command.h"
#include "app/shrink/shrink_command.h"

namespace lockstep::app {

class ShrinkOptions {
 public:
  /// The command fills what arguments() gives; both must outlive the parsing.
  void add_to(CLI::App& command);
  /// Throws CLI::ValidationError where they don't fit together.
  [[nodiscard]] const ShrinkArguments& arguments() const;
  [[nodiscard]] OutputFormat& format() { return arguments_.format; }

 private:
  ShrinkArguments arguments_;
};

class KeepOptions {
 public:
  /// As of ShrinkOptions.
  void add_to(CLI::App& command);
  [[nodiscard]] const KeepArguments& arguments() const;

 private:
  KeepArguments arguments_;
};

}  // namespace lockstep::app
