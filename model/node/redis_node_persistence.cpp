// What a Redis node's host keeps of it: restarts, power failures, shutting down.
#include <algorithm>
#include <array>

#include "model/node/redis_node.h"
#include "model/trace_vocabulary.h"
#include "redis/server/node_event.h"

namespace lockstep::model {
namespace {

/// shutdown-timeout's default: so long a master waits for its replicas.
constexpr sim::DurationNs shutdown_timeout_ns = 10 * sim::second_ns;

constexpr std::array<std::string_view, 3> restored_from = {"nothing", "snapshot",
                                                           "append-only file"};

}  // namespace

void RedisNode::restore() {
  const redis::LoadedData restored = server_.restore();
  trace().emit(now(), trace_kind::dataset_restored, actor(),
               {{"from", restored_from[static_cast<std::size_t>(restored.from)]},
                {"keys", static_cast<std::int64_t>(restored.keys)},
                {"expired_keys", static_cast<std::int64_t>(restored.expired_keys)}});
}

void RedisNode::on_saved(std::uint64_t keys) {
  tell([] { return redis::node_event::DataSaved{}; });
  trace().emit(now(), trace_kind::dataset_saved, actor(),
               {{"keys", static_cast<std::int64_t>(keys)}});
}

// The timer runs on the monotonic clock, the server's rules on the wall clock: where that is
// changed the tick is planned anew, and where the clocks' rates differ it comes early, finds
// nothing due and is planned again, or it comes late.

void RedisNode::on_wall_clock_changed() {
  if (state() == sim::HostState::crashed) return;
  set_time();
  tick_ms_ = redis::Persistence::never_ms;
  cancel_timer(tick_);
  plan_tick();
}

void RedisNode::plan_tick() {
  const std::int64_t due_ms = server_.next_tick_ms();
  if (due_ms == tick_ms_) return;
  cancel_timer(tick_);
  tick_ms_ = due_ms;
  if (due_ms == redis::Persistence::never_ms) return;
  const bool is_ever_due = wall_clock().true_time_of(due_ms * sim::millisecond_ns) != sim::never_ns;
  if (!is_ever_due) return;  // the wall clock is frozen
  const sim::DurationNs after_ns = due_ms * sim::millisecond_ns - wall_ns();
  tick_ = start_timer(std::max<sim::DurationNs>(after_ns, 0), tick_cookie, sim::EventKind::daemon);
}

void RedisNode::lose_power() {
  // The process need not run: what it wrote before it crashed is in the machine's memory too.
  if (state() != sim::HostState::crashed) end_ = redis::node_event::ProcessKilled::How::power_lost;
  const std::size_t lost_bytes = files_.append_only.unsynced_bytes();
  files_.lose_unsynced();
  crash();
  if (lost_bytes == 0) return;
  trace().emit(now(), trace_kind::disk_lost, actor(),
               {{"bytes", static_cast<std::int64_t>(lost_bytes)}});
}

void RedisNode::shut_down() {
  if (state() != sim::HostState::crashed) run_or_defer(shutdown_work);
}

void RedisNode::begin_shutdown() {
  if (is_shutting_down_) return;
  is_shutting_down_ = true;
  if (replicas_caught_up()) return exit_cleanly();
  on_getack_wanted();
  start_timer(shutdown_timeout_ns, shutdown_cookie);
}

bool RedisNode::replicas_caught_up() const {
  if (server_.role() == redis::Role::replica) return true;
  const auto replicas = server_.replicas();
  return std::all_of(replicas.begin(), replicas.end(), [this](const redis::Replica& replica) {
    return !replica.is_attached || replica.acknowledged >= server_.replication_offset();
  });
}

void RedisNode::exit_cleanly() {
  server_.shut_down(redis::SaveAtShutdown::as_configured);
  trace().emit(now(), trace_kind::node_shut_down, actor(), {});
  end_ = redis::node_event::ProcessKilled::How::exited_cleanly;
  crash();
  environment_.network.drop_connections_of(id_);
  environment_.listener.on_ended(*this);
  environment_.recorder.milestone(scenario::Milestone::stopped, actor(), {});
}

}  // namespace lockstep::model
