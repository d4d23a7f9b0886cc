// The threads that unhealed faults keep from their lock, which is then not the lock's failure.
//
// Liveness is judged from the moment on at which the last fault struck or was over. What is in
// force when the run ends was so all that time, as anything later would have moved that moment. So
// it is enough to look once, at the end: a client that cannot be served then had no rights.
//
// A client can be served where it runs, and reaches more than half of the nodes that have the lock
// and run (where that is one node: this one), and one sentinel where there are any. Clocks that are
// off by more than a tenth keep a process from its work as if it stood still.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "checker/history.h"
#include "checker/pair_table.h"
#include "model/faults/fault_environment.h"

namespace lockstep::scenario {
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::model {

class Client;
class RedisNode;
struct Topology;

class UnhealedFaults {
 public:
  /// `needs_replicas`: a grant counts once a replica has it. Does not own; all outlive this.
  UnhealedFaults(const FaultEnvironment& environment, const Topology& topology,
                 std::span<const sim::HostId> sentinels, bool needs_replicas)
      : environment_(environment),
        topology_(topology),
        sentinels_(sentinels),
        needs_replicas_(needs_replicas) {}

  void clear();
  // What is in force, besides cuts, crashes, pauses and clocks, which show by themselves.
  void keep_from_work(sim::HostId host) { hosts_.push_back(host); }
  /// The network is so slow by itself, as a whole or to and from some hosts, that no answer comes
  /// in time.
  void keep_from_slow_network(const scenario::Scenario& scenario, sim::DurationNs slowness_max_ns);
  void keep_apart(sim::HostId one, sim::HostId other) { pairs_.push_back({one, other}); }
  void keep_from_following(sim::HostId replica) { replicas_.push_back(replica); }

  /// Tells the recorder which waits could not be ended by any lock.
  void mark_waits();

 private:
  enum class Answer : std::uint8_t { not_asked, can_be_served, kept_off };
  struct Pair {
    sim::HostId one;
    sim::HostId other;
  };

  [[nodiscard]] bool works(sim::HostId host) const;
  [[nodiscard]] bool reach_each_other(sim::HostId one, sim::HostId other) const;
  [[nodiscard]] bool has_follower(const RedisNode& master) const;
  [[nodiscard]] bool can_be_served(const Client& client, checker::NameId lock) const;
  [[nodiscard]] bool can_be_served(checker::NameId waiter, checker::NameId lock) const;

  const FaultEnvironment& environment_;
  const Topology& topology_;
  const std::span<const sim::HostId> sentinels_;
  const bool needs_replicas_;
  bool none_works_ = false;
  std::vector<sim::HostId> hosts_;
  std::vector<sim::HostId> replicas_;
  std::vector<Pair> pairs_;
  checker::PairTable<Answer> answers_;  // by owner and lock
};

}  // namespace lockstep::model
