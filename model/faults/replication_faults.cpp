#include "model/faults/replication_faults.h"

#include "model/node/redis_node.h"
#include "scenario/faults/fault_spec.h"
#include "sim/network.h"

namespace lockstep::model {

void ReplicationFaults::promote(const Strike& strike) {
  environment_.node(strike.spec.target).promote();
}

void ReplicationFaults::start_lag(const Strike& strike) {
  lags_[environment_.host_id(strike.spec.target)].add(strike.spec.by_ns);
}

void ReplicationFaults::end_lag(const Strike& strike, StrikeEnd /*why*/) {
  const sim::HostId replica = environment_.host_id(strike.spec.target);
  sim::DelaySum& lag = lags_[replica];
  lag.add(-strike.spec.by_ns);
  if (lag.value() == 0) lags_.erase(replica);
}

void ReplicationFaults::stall(const Strike& strike) {
  environment_.node(strike.spec.target).stall_link();
}

void ReplicationFaults::end_stall(const Strike& strike, StrikeEnd /*why*/) {
  environment_.node(strike.spec.target).end_stall();
}

void ReplicationFaults::disconnect(const Strike& strike) {
  environment_.node(strike.spec.target).forbid_link();
}

void ReplicationFaults::reconnect(const Strike& strike, StrikeEnd /*why*/) {
  environment_.node(strike.spec.target).allow_link();
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
