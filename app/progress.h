// The line that says how far a long campaign is: runs, rate, time left. On a terminal one line that
// is drawn again and again; in a log one every ten seconds.
#pragma once

#include <cstdint>
#include <string>

#include "app/context.h"

namespace lockstep::app {

/// At most one at a time. Draws nothing where the context shows no progress, nor in the first
/// moment.
class Progress {
 public:
  Progress(const Context& context, std::string title, std::uint64_t runs);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// Takes the line away.
  ~Progress();

  /// For CampaignOptions: asked between runs, it counts them, draws, and says whether to stop.
  static bool ask_between_runs();

 private:
  void count_run();
  void draw(std::int64_t now_ms);

  const Context& context_;
  std::string title_;
  std::uint64_t runs_;
  std::uint64_t done_ = 0;
  std::int64_t started_at_ms_;
  std::int64_t next_drawing_at_ms_;
  bool is_drawn_ = false;
};

}  // namespace lockstep::app
