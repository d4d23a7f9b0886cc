// What fuzz and merge do with their results, and the options for it.
#pragma once

#include <optional>
#include <string>

#include "app/options.h"
#include "app/output/annotation_output.h"

namespace lockstep::app {

struct FuzzOutput {
  OutputFormat format = OutputFormat::text;
  std::string folder = "lockstep-out";
  std::optional<std::string> junit;
  std::optional<std::string> html;
  AnnotationOptions annotations;
  /// Of locks only: what they survive, for a review; and an earlier table, to compare with.
  std::optional<std::string> markdown;
  std::optional<std::string> against;
};

/// Adds the options, which write to the output while parsing.
void add_fuzz_output(CLI::App& command, FuzzOutput& output);

/// Adds what there is for locks.
void add_survival_output(CLI::App& command, FuzzOutput& output);

}  // namespace lockstep::app
