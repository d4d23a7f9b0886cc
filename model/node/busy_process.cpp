#include "model/node/busy_process.h"

#include <algorithm>
#include <utility>

#include "redis/server/command_table.h"
#include "sim/digest.h"

namespace lockstep::model {

void BusyProcess::start_process() {
  busy_until_ns_ = 0;
  script_end_ = {};
  pause_ = {};
}

void BusyProcess::hang_in_script(sim::DurationNs for_ns) {
  if (context_.is_crashed()) return;
  const sim::TimeNs until_ns = context_.now() + for_ns;
  if (until_ns <= busy_until_ns_) return;
  busy_until_ns_ = until_ns;
  const std::int64_t threshold_ms = context_.server.config().busy_reply_threshold_ms;
  const bool others_are_answered = threshold_ms > 0 && for_ns / sim::millisecond_ns > threshold_ms;
  context_.host.cancel_timer(std::exchange(script_end_, {}));
  if (others_are_answered) script_end_ = context_.start_timer(for_ns, NodeTimer::script_end);
  const sim::DurationNs silent_ns =
      others_are_answered ? threshold_ms * sim::millisecond_ns : for_ns;
  paused_until_ns_ = context_.now() + silent_ns;
  pause_ = context_.host.pause(silent_ns);
}

/// Leaves other pauses of the process alone.
void BusyProcess::end_script_hang_at(sim::TimeNs until_ns) {
  if (until_ns >= busy_until_ns_ || context_.is_crashed()) return;
  busy_until_ns_ = until_ns;
  const bool others_are_answered = script_end_ != sim::TimerId{};
  const sim::TimeNs now_ns = context_.now();
  context_.host.cancel_timer(std::exchange(script_end_, {}));
  const sim::PauseId longer = pause_;
  if (until_ns > now_ns) {
    if (others_are_answered) {
      script_end_ = context_.start_timer(until_ns - now_ns, NodeTimer::script_end);
    }
    paused_until_ns_ = std::min(paused_until_ns_, until_ns);
    if (paused_until_ns_ > now_ns) pause_ = context_.host.pause(paused_until_ns_ - now_ns);
  }
  context_.host.end_pause(longer);
}

bool BusyProcess::refuses(std::string_view command) const {
  if (script_end_ == sim::TimerId{}) return false;
  const redis::CommandSpec* const spec = redis::find_command(command);
  return spec == nullptr || !spec->is(redis::CommandFlag::allow_busy);
}

void BusyProcess::begin_requested_sleep() {
  if (sleep_us_ > 0) context_.host.pause(std::exchange(sleep_us_, 0) * sim::microsecond_ns);
}

void BusyProcess::digest_into(sim::Digest& digest) const {
  digest.add_instant(busy_until_ns_);
  context_.host.digest_timer(digest, script_end_);
  if (busy_until_ns_ > digest.now()) {
    digest.name(sim::NamedKind::pause, static_cast<std::uint64_t>(context_.host.actor()),
                static_cast<std::uint64_t>(pause_));
    digest.add_instant(paused_until_ns_);
  }
  digest.add(sleep_us_);
}

}  // namespace lockstep::model
