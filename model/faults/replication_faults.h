// Faults of replication: an operator's failover, and replicas that fall behind.
#pragma once

#include <map>

#include "model/faults/fault_environment.h"
#include "sim/delay_sum.h"

namespace lockstep::sim {
struct MessageInfo;
struct SendDecision;
}  // namespace lockstep::sim

namespace lockstep::model {

class ReplicationFaults {
 public:
  explicit ReplicationFaults(const FaultEnvironment& environment) : environment_(environment) {}

  /// Forgets the last run.
  void start_run() { lags_.clear(); }
  void promote(const Strike& strike);
  void start_lag(const Strike& strike);
  void end_lag(const Strike& strike, StrikeEnd why);
  void stall(const Strike& strike);
  void end_stall(const Strike& strike, StrikeEnd why);
  void disconnect(const Strike& strike);
  void reconnect(const Strike& strike, StrikeEnd why);
  void digest_into(sim::Digest& digest) const;

  /// A message is sent: what a replica that lags is to get takes longer.
  void on_send(const sim::MessageInfo& message, sim::SendDecision& decision) const;

 private:
  const FaultEnvironment& environment_;
  std::map<sim::HostId, sim::DelaySum> lags_;  // the sum of those under way, by replica
};

}  // namespace lockstep::model
