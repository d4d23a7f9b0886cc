#include "model/node/server_ticks.h"

#include <algorithm>

#include "sim/digest.h"

namespace lockstep::model {

void ServerTicks::start_process() {
  tick_ms_ = redis::Persistence::never_ms;
  tick_ = {};  // the ids of an earlier run may name other timers now
}

void ServerTicks::plan() {
  const std::int64_t due_ms = context_.server.next_tick_ms();
  if (due_ms == tick_ms_) return;
  context_.host.cancel_timer(tick_);
  tick_ms_ = due_ms;
  if (due_ms == redis::Persistence::never_ms) return;
  const sim::Clock& wall = context_.host.wall_clock();
  const bool is_ever_due = wall.true_time_of(due_ms * sim::millisecond_ns) != sim::never_ns;
  if (!is_ever_due) return;  // the wall clock is frozen
  const sim::DurationNs after_ns = due_ms * sim::millisecond_ns - context_.host.wall_ns();
  tick_ = context_.start_timer(std::max<sim::DurationNs>(after_ns, 0), NodeTimer::tick,
                               sim::EventKind::daemon);
}

void ServerTicks::on_due() {
  tick_ms_ = redis::Persistence::never_ms;
  context_.server.tick();
  plan();
}

void ServerTicks::on_wall_clock_changed() {
  if (context_.is_crashed()) return;
  context_.set_time();
  tick_ms_ = redis::Persistence::never_ms;
  context_.host.cancel_timer(tick_);
  plan();
}

void ServerTicks::digest_into(sim::Digest& digest) const {
  const sim::Host& host = context_.host;
  host.digest_timer(digest, tick_);
  const bool has_tick = tick_ms_ != redis::Persistence::never_ms;
  digest.add(has_tick ? tick_ms_ - sim::floor_to_ms(host.wall_clock().reading_at(digest.now()))
                      : -1);
}

}  // namespace lockstep::model
