// What a careless operator does to a server, and what befalls one that runs on.
//
// Of several limits on one node's connections the lowest counts, of several scripts that hang the
// one that ends last. A process that has died answers no operator: nothing strikes.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "model/faults/fault_environment.h"

namespace lockstep::model {

class OperatorFaults {
 public:
  explicit OperatorFaults(const FaultEnvironment& environment) : environment_(environment) {}

  /// Forgets the last run.
  void start_run();
  void delete_key(const Strike& strike);
  void evict(const Strike& strike);
  void flush_all(const Strike& strike);
  void flush_scripts(const Strike& strike);
  void hang_in_script(const Strike& strike);
  void end_script_hang(const Strike& strike, StrikeEnd why);
  void limit_clients(const Strike& strike);
  void end_client_limit(const Strike& strike, StrikeEnd why);
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
  /// The key that the fault is about.
  [[nodiscard]] std::string key_of(const scenario::FaultSpec& fault) const;

  const FaultEnvironment& environment_;
  std::map<sim::HostId, std::vector<Limit>> limits_;  // by node
  std::vector<ScriptHang> script_hangs_;              // under way
};

}  // namespace lockstep::model
