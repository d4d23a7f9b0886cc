// A server that does nothing for a while: a script hangs, or DEBUG SLEEP.
//
// While a script hangs, requests wait; after busy-reply-threshold they are refused with BUSY.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/node/node_context.h"

namespace lockstep::model {

class BusyProcess {
 public:
  explicit BusyProcess(NodeContext& context) : context_(context) {}

  void start_process();
  /// A script without effect runs for this long. Of two the later end counts.
  void hang_in_script(sim::DurationNs for_ns);
  /// The script is killed at that instant, if it would run for longer; at once if that is past.
  void end_script_hang_at(sim::TimeNs until_ns);
  void on_script_end() { script_end_ = {}; }
  /// Whether the command is refused with BUSY now.
  [[nodiscard]] bool refuses(std::string_view command) const;

  /// DEBUG SLEEP, once the reply to the request under way is out.
  void request_sleep(std::int64_t us) { sleep_us_ = us; }
  void begin_requested_sleep();

  void digest_into(sim::Digest& digest) const;

 private:
  NodeContext& context_;
  sim::TimeNs busy_until_ns_ = 0;  // of true time
  sim::TimerId script_end_{};      // while requests are refused
  sim::PauseId pause_{};           // before that
  sim::TimeNs paused_until_ns_ = 0;
  std::int64_t sleep_us_ = 0;
};

}  // namespace lockstep::model
