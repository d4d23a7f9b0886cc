// What a command's progress line says: which of its scenarios is running, how many runs it has made
// of all, at which rate, and for how long it goes on.
#pragma once

#include <cstdint>
#include <string>

#include "app/context.h"
#include "app/progress_line.h"

namespace lockstep::app {

/// At most one at a time.
class Progress {
 public:
  /// Of so many scenarios, as far as it is known, with so many runs each.
  Progress(const Context& context, std::uint64_t scenarios, std::uint64_t runs_each);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// Of one file there is not one scenario to run but so many: rows, or none.
  void replace_one_by(std::uint64_t scenarios);
  /// What the next runs are of.
  void begin(std::string title);
  /// Makes room for what a scenario came to.
  void clear() { line_.clear(); }

  /// For SeedRunOptions: asked between runs, it counts them, draws, and says whether to stop.
  static bool ask_between_runs();

 private:
  void count_run();

  ProgressLine line_;
  std::uint64_t scenarios_;
  std::uint64_t runs_each_;
  std::string title_;
  std::uint64_t begun_ = 0;
  std::uint64_t done_ = 0;
};

}  // namespace lockstep::app
