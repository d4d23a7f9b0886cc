// What fuzz and merge do with their results, and the options for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/options.h"

namespace lockstep::app {

struct FuzzOutput {
  OutputFormat format = OutputFormat::text;
  std::string folder = "lockstep-out";
  std::optional<std::string> junit;
  std::optional<std::string> html;
  /// Whether to write findings as commands that GitHub shows beside the files of a pull request.
  enum class Annotations : std::uint8_t { none, github };
  Annotations annotations = Annotations::none;
  /// Of locks only: what they survive, for a review; and an earlier table, to compare with.
  std::optional<std::string> markdown;
  std::optional<std::string> against;
};

/// Adds the options, which write to the output while parsing.
void add_fuzz_output(CLI::App& command, FuzzOutput& output);

/// Adds what there is for locks.
void add_survival_output(CLI::App& command, FuzzOutput& output);

}  // namespace lockstep::app
