// The progress line of a command: the scenario that is running, runs made and planned, their rate,
// and the time left.
#pragma once

#include <cstdint>
#include <string>

#include "app/context.h"
#include "app/progress_line.h"

namespace lockstep::app {

/// At most one exists at a time.
class Progress {
 public:
  /// `scenarios` is the number of files, until replace_one_by corrects it.
  Progress(const Context& context, std::uint64_t scenarios, std::uint64_t runs_each);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// Counts one file as so many scenarios: its rows, or none.
  void replace_one_by(std::uint64_t scenarios);
  /// Sets the scenario of the next runs.
  void begin(std::string title);
  /// Counts runs that others have made.
  void count_runs(std::uint64_t runs);
  /// Makes room for other output.
  void clear() { line_.clear(); }

  /// Called between runs: counts them, draws, and returns whether to stop. For SeedRunOptions.
  static bool ask_between_runs();

 private:
  void count_run() { count_runs(1); }

  ProgressLine line_;
  std::uint64_t scenarios_;
  std::uint64_t runs_each_;
  std::string title_;
  std::uint64_t begun_ = 0;
  std::uint64_t done_ = 0;
};

}  // namespace lockstep::app
