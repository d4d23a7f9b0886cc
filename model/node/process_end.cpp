#include "model/node/process_end.h"

#include "model/node/node_listener.h"
#include "model/recorder.h"
#include "model/trace_vocabulary.h"
#include "scenario/milestones.h"
#include "sim/digest.h"
#include "sim/network.h"

namespace lockstep::model {
namespace {

/// shutdown-timeout's default: a master waits for its replicas for this long.
constexpr sim::DurationNs shutdown_timeout_ns = 10 * sim::second_ns;

}  // namespace

void ProcessEnd::begin_shutdown() {
  if (is_shutting_down_) return;
  is_shutting_down_ = true;
  const bool waits = context_.server.version().waits_for_replicas_at_end;
  if (!waits || replicas_.are_replicas_caught_up()) return exit_cleanly();
  context_.server.pause_writes();
  context_.tell([] { return redis::node_event::WritesPaused{}; });
  replicas_.request_acknowledgements();
  context_.start_timer(shutdown_timeout_ns, NodeTimer::shutdown);
}

void ProcessEnd::exit_if_caught_up() {
  if (is_shutting_down_ && replicas_.are_replicas_caught_up()) exit_cleanly();
}

void ProcessEnd::exit_cleanly() {
  context_.server.shut_down(redis::SaveAtShutdown::as_configured);
  context_.emit(trace_kind::node_shut_down, {});
  how_ = redis::node_event::ProcessKilled::How::exited_cleanly;
  context_.host.crash();
  context_.environment.network.drop_connections_of(context_.id);
  context_.environment.listener.on_ended(context_.node);
  context_.environment.recorder.milestone(scenario::Milestone::stopped, context_.host.actor(), {});
}

void ProcessEnd::on_crash() {
  is_shutting_down_ = false;
  context_.tell([this] { return redis::node_event::ProcessKilled{how_}; });
  how_ = redis::node_event::ProcessKilled::How::killed;
}

void ProcessEnd::digest_into(sim::Digest& digest) const {
  digest.add(is_shutting_down_);
  digest.add(how_);
}

}  // namespace lockstep::model
