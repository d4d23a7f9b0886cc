#include "serve/script_watch.h"

namespace lockstep::serve {
namespace {

constexpr std::int64_t library_load_ms_max = 500;  // as Redis

}  // namespace

void ScriptWatch::begin() { began_ms_ = monotonic_ms(); }

bool ScriptWatch::must_end() {
  signals_.poll();
  if (signals_.came() || node_.is_shutdown_requested()) return true;
  redis::Server& server = node_.server();
  const std::int64_t threshold_ms = server.config().busy_reply_threshold_ms;
  const std::int64_t ms_so_far = monotonic_ms() - began_ms_;
  if (!server.running_script().is_running) return ms_so_far > library_load_ms_max;
  if (!server.running_script().is_busy) {
    if (threshold_ms == 0 || ms_so_far < threshold_ms) return false;
    node_.protect_executing();
  }
  server.mark_script_busy(ms_so_far);
  loop_.wait(0);
  for (const auto& each : nodes_) {
    if (!each->server().running_script().is_running) each->resume();
    each->finish_round();
  }
  return server.running_script().is_killed || signals_.came() || node_.is_shutdown_requested();
}

}  // namespace lockstep::serve
