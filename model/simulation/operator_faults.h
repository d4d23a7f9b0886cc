// What a careless operator does to a server, and what befalls one that runs on.
//
// Of several limits on one node's connections the lowest counts.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "model/simulation/fault_environment.h"

namespace lockstep::model {

class OperatorFaults final : public FaultTheme {
 public:
  explicit OperatorFaults(const FaultEnvironment& environment) : environment_(environment) {}

  void start_run(sim::ChoiceSource& choices) override;
  void strike(const Strike& strike) override;
  void end(const Strike& strike, StrikeEnd why) override;

 private:
  /// Of a strike that is under way.
  struct Limit {
    std::size_t fault;
    std::size_t clients;
  };
  static void apply(RedisNode& node, const std::vector<Limit>& limits);

  const FaultEnvironment& environment_;
  std::map<sim::HostId, std::vector<Limit>> limits_;  // by node
};

}  // namespace lockstep::model
