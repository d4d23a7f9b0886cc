// What a campaign's progress line says: how many runs it has made, at which rate, and for how long
// it goes on.
#pragma once

#include <cstdint>
#include <string>

#include "app/context.h"
#include "app/progress_line.h"

namespace lockstep::app {

/// At most one at a time.
class Progress {
 public:
  Progress(const Context& context, std::string title, std::uint64_t runs);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// For CampaignOptions: asked between runs, it counts them, draws, and says whether to stop.
  static bool ask_between_runs();

 private:
  void count_run();

  ProgressLine line_;
  std::string title_;
  std::uint64_t runs_;
  std::uint64_t done_ = 0;
};

}  // namespace lockstep::app
