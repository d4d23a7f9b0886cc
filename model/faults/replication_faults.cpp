#include "model/faults/replication_faults.h"

namespace lockstep::model {

void ReplicationFaults::start_run(sim::ChoiceSource& /*choices*/) { lags_.clear(); }

bool ReplicationFaults::can_strike(const scenario::FaultSpec& spec) const {
  if (spec.kind != scenario::FaultKind::promote) return true;
  const RedisNode& replica = environment_.node(spec.target);
  return replica.state() != sim::HostState::crashed &&
         replica.server().role() == redis::Role::replica;
}

void ReplicationFaults::strike(const Strike& strike) {
  const scenario::FaultSpec& fault = strike.spec;
  RedisNode& replica = environment_.node(fault.target);
  switch (fault.kind) {
    case scenario::FaultKind::lag:
      lags_[replica.host_id()].add(fault.by_ns);
      return;
    case scenario::FaultKind::stall:
      return replica.stall_link();
    case scenario::FaultKind::disconnect:
      return replica.forbid_link();
    default:
      return replica.promote();
  }
}

void ReplicationFaults::end(const Strike& strike, StrikeEnd /*why*/) {
  const scenario::FaultSpec& fault = strike.spec;
  RedisNode& replica = environment_.node(fault.target);
  switch (fault.kind) {
    case scenario::FaultKind::lag: {
      sim::DelaySum& lag = lags_[replica.host_id()];
      lag.add(-fault.by_ns);
      if (lag.value() == 0) lags_.erase(replica.host_id());
      return;
    }
    case scenario::FaultKind::stall:
      return replica.end_stall();
    case scenario::FaultKind::disconnect:
      return replica.allow_link();
    default:
      return;
  }
}

void ReplicationFaults::on_send(const sim::MessageInfo& message,
                                sim::SendDecision& decision) const {
  if (lags_.empty()) return;
  const auto lag = lags_.find(message.to);
  const bool is_stream = message.label == "replication" || message.label == "full synchronisation";
  if (lag == lags_.end() || !is_stream) return;
  if (decision.kind == sim::SendDecision::Kind::deliver)
    decision.kind = sim::SendDecision::Kind::delay;
  if (decision.kind == sim::SendDecision::Kind::delay)
    decision.extra_delay_ns += lag->second.value();
}

}  // namespace lockstep::model
