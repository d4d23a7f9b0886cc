// Watches the true state of the scenario's locks on the node that counts, and reports every change.
//
// The node that counts is the current master of the first shard. After each write there, and after
// a failover, the lock's key is read and compared with what was known; a lease that runs out is
// noticed at the very instant, by an event of the observer's own that changes nothing in the
// simulation. Not covered yet: locks whose true state is a quorum of several masters, or several
// keys.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/client/client.h"
#include "model/client/lock_package.h"
#include "model/lock_truth.h"
#include "model/recorder.h"
#include "model/simulation/redis_node.h"
#include "model/topology.h"
#include "sim/event_queue.h"
#include "sim/network.h"

namespace lockstep::model {

class LockObserver final : public LockTruth, public NodeListener, private sim::EventTarget {
 public:
  LockObserver(sim::EventQueue& queue, sim::Trace& trace, Recorder& recorder,
               const LockPackage& package, const Topology& topology);

  /// The locks to watch, and who may own them; once, before the first run. Does not own the
  /// clients.
  void watch(std::span<const std::string> lock_names, std::span<Client* const> clients,
             std::span<RedisNode* const> nodes);
  void start_run();

  TrueHold hold_of(checker::NameId lock, checker::NameId owner) override;
  void on_data_changed(RedisNode& node, std::string_view label, sim::ActorId by) override;
  void on_evicted(RedisNode& node) override;
  void on_ended(RedisNode& /*node*/) override { on_failover(); }
  /// Another node counts from now on.
  void on_failover();
  /// A host's wall clock moved: leases may end at another instant.
  void on_clock_changed();
  /// What is left on the node that counts: lock keys and subscriptions.
  void report_residues();
  /// The longest span, ns, from a change to the end of the lease that it set, in this run.
  [[nodiscard]] sim::DurationNs longest_lease_ns() const { return longest_lease_ns_; }

 private:
  struct Hold {
    checker::NameId owner;
    std::int64_t count;
  };
  struct Watched {
    checker::NameId name;
    std::string key;
    std::vector<Hold> holds;  // as known
    std::string token;        // owner_token: the value as known
    sim::TimeNs lease_ends_ns = 0;
    sim::EventHandle expiry;
    bool ttl_missing_reported = false;
  };

  void on_event(std::uint32_t code, std::uint64_t argument) override;
  [[nodiscard]] RedisNode& node_that_counts() const;
  void read_holds(const Watched& watched, const RedisNode& node, checker::NameId writer);
  void compare(std::size_t index, checker::ChangeCause cause, checker::NameId by);
  void report(const Watched& watched, checker::ChangeCause cause, checker::NameId by);
  void emit(const Watched& watched, std::string_view cause, checker::NameId by);
  void watch_expiry(std::size_t index, sim::TimeNs lease_ends_ns);
  [[nodiscard]] bool is_lease(const Watched& watched, std::string_view key) const;
  void check_ttl(Watched& watched, const RedisNode& node);
  [[nodiscard]] checker::NameId owner_of_field(std::string_view field);
  [[nodiscard]] checker::NameId owner_of_token(std::string_view token) const;

  sim::EventQueue& queue_;
  sim::Trace& trace_;
  Recorder& recorder_;
  const LockPackage& package_;
  const Topology& topology_;
  std::vector<Client*> clients_;
  std::vector<RedisNode*> nodes_;  // by host id
  std::vector<Watched> watched_;
  std::vector<Hold> found_;                                      // memory for read_holds
  std::vector<std::pair<std::string, checker::NameId>> tokens_;  // who wrote which, this run
  sim::DurationNs longest_lease_ns_ = 0;
};

}  // namespace lockstep::model
