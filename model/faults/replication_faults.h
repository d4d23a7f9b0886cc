// Faults of replication: an operator's failover, and replicas that fall behind.
#pragma once

#include <map>

#include "model/faults/fault_environment.h"

namespace lockstep::model {

class ReplicationFaults final : public FaultHandler {
 public:
  explicit ReplicationFaults(const FaultEnvironment& environment) : environment_(environment) {}

  void start_run(sim::ChoiceSource& choices) override;
  /// Only a replica that runs is promoted.
  [[nodiscard]] bool can_strike(const scenario::FaultSpec& spec) const override;
  void strike(const Strike& strike) override;
  void end(const Strike& strike, StrikeEnd why) override;
  void digest_into(sim::Digest& digest) const;

  /// A message is sent: what a replica that lags is to get takes longer.
  void on_send(const sim::MessageInfo& message, sim::SendDecision& decision) const;

 private:
  const FaultEnvironment& environment_;
  std::map<sim::HostId, sim::DelaySum> lags_;  // the sum of those under way, by replica
};

}  // namespace lockstep::model
