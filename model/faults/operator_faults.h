// What a careless operator does to a server, and what befalls one that runs on.
//
// Of several limits on one node's connections the lowest counts, of several scripts that run away
// the one that ends last. A process that has died answers no operator: nothing strikes.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "model/faults/fault_environment.h"

namespace lockstep::model {

class OperatorFaults final : public FaultHandler {
 public:
  explicit OperatorFaults(const FaultEnvironment& environment) : environment_(environment) {}

  void start_run(sim::ChoiceSource& choices) override;
  [[nodiscard]] bool can_strike(const scenario::FaultSpec& spec) const override;
  void strike(const Strike& strike) override;
  void end(const Strike& strike, StrikeEnd why) override;
  void digest_into(sim::Digest& digest) const;

 private:
  /// Of a strike that is under way.
  struct Limit {
    std::uint64_t strike;
    std::size_t clients;
  };
  struct ScriptHang {
    std::uint64_t strike;
    sim::HostId node;
    sim::TimeNs until;
  };
  static void apply(RedisNode& node, const std::vector<Limit>& limits);
  void hang_in_script(RedisNode& node, const Strike& strike);
  void end_script_hang(RedisNode& node, const Strike& strike, StrikeEnd why);

  const FaultEnvironment& environment_;
  std::map<sim::HostId, std::vector<Limit>> limits_;  // by node
  std::vector<ScriptHang> script_hangs_;              // under way
};

}  // namespace lockstep::model
