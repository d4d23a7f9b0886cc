// Watches the true state of the scenario's locks on the nodes that count, and reports every change.
//
// The nodes that count are the current masters that have the lock's key: the one of its slot, or,
// for a lock whose state is a quorum, all of them. After each write there, and after a failover,
// the lock's keys are read (lock_state.h) and compared with what was known; a lease that runs out
// is noticed at the very instant, by an event of the observer's own that changes nothing in the
// simulation.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/client/client.h"
#include "model/lock_truth.h"
#include "model/node/node_listener.h"
#include "model/observers/lock_state.h"
#include "model/observers/queue_observer.h"
#include "model/observers/takeovers.h"
#include "model/recorder.h"
#include "model/topology.h"
#include "sim/event_queue.h"
#include "sim/network.h"

namespace lockstep::model {

struct LockPackage;

/// Told who holds a lock until when, whenever that may have changed.
class LeaseListener {
 public:
  virtual void on_leases(std::string_view lock, std::span<const StateHold> holds) = 0;

 protected:
  ~LeaseListener() = default;
};

/// Subscriptions that a server has at the end of a run, and that no lock has left there.
struct SubscriptionsInUse {
  std::vector<std::string> channels;      ///< of clients that still wait, once for each
  std::vector<sim::HostId> cut_off_from;  ///< once for each client that can't tell this node
};

class LockObserver final : public LockTruth, public NodeListener, private sim::EventTarget {
 public:
  LockObserver(sim::EventQueue& queue, sim::Trace& trace, Recorder& recorder,
               const LockPackage& package, const Topology& topology);

  /// The locks to watch, and who may own them; once, before the first run. Does not own the
  /// clients.
  void watch(std::span<const std::string> lock_names, std::span<Client* const> clients,
             std::span<RedisNode* const> nodes);
  /// Sets the listener to leases; nullptr clears it. Does not own it.
  void set_lease_listener(LeaseListener* listener) { lease_listener_ = listener; }
  void start_run();
  /// What is known of the locks (observers_digest.cpp).
  void digest_into(sim::Digest& digest) const;
  /// The first availability of each lock; once the nodes have started.
  void report_start();

  TrueHold hold_of(checker::NameId lock, checker::NameId owner, checker::HoldMode mode) override;
  /// The nodes that have the lock's key; none: it is watched nowhere. Valid until the next call.
  [[nodiscard]] std::span<RedisNode* const> masters_of(checker::NameId lock);
  void on_executed(RedisNode& node, std::string_view command, sim::ActorId by) override;
  void on_data_changed(RedisNode& node, std::string_view label, sim::ActorId by) override;
  void on_evicted(RedisNode& node) override;
  void on_ended(RedisNode& /*node*/) override { on_failover(); }
  /// Another node counts from now on, or one is there or gone.
  void on_failover();
  /// The same of a node that a lock's key may have been on before, or on the node that counted.
  /// `replaced`: the master until then; null if it is the same.
  void on_takeover(TakeoverKind kind, const RedisNode& node, const RedisNode* replaced);
  /// Of this run, in order: of nodes that counted for no lock, too.
  [[nodiscard]] const std::vector<Takeover>& takeovers() const { return takeovers_; }
  /// In this run; where somebody waits for replicas, these too.
  [[nodiscard]] NodesInUse nodes_in_use() const;
  /// A host's wall clock moved: leases may end at another instant.
  void on_clock_changed();
  /// What is left on the nodes that count: lock keys, subscriptions, and permits if they are known.
  void report_residues(PermitsCount permits, const SubscriptionsInUse& in_use);
  /// Of the queues. REQUIRES: nobody waits any more, nor crashed, and no call's outcome is unknown.
  void report_left_places();
  /// Whether the lock says that clients stay subscribed to it on purpose.
  [[nodiscard]] bool may_stay_subscribed(std::string_view channel) const;
  /// A lock's key that a client has written in this run on a master where nobody looks for it.
  struct MisplacedKey {
    std::string key;
    std::string node;
    std::string judged_node;
    std::string by;
  };
  [[nodiscard]] const std::optional<MisplacedKey>& misplaced_key() const { return misplaced_; }
  /// Who holds what on how many nodes, and about how much of the lease is left: the same number
  /// where that is the same.
  [[nodiscard]] std::uint64_t abstract_state(sim::TimeNs now) const;
  /// The longest span, ns, from a change to the end of the lease that it set, in this run.
  [[nodiscard]] sim::DurationNs longest_lease_ns() const { return longest_lease_ns_; }

 private:
  static constexpr std::int64_t no_number = -1;
  enum class KeysToCheck : std::uint8_t { changed, all };

  struct Watched {
    checker::NameId name;
    StateKeys keys;
    std::vector<std::string> leases;         // patterns of keys that must carry a TTL
    std::vector<std::string> kept_channels;  // patterns
    std::size_t first_shard = 0;             // of those that have the key
    std::size_t shard_count = 1;
    LockState known;
    LockState last_seen;                                // while nobody serves it: what was known
    std::vector<std::string> last_tokens;               // owner_token: by node, as known
    std::optional<checker::Availability> availability;  // as told
    bool is_reachable = false;                          // … when that was told
    std::int64_t emitted_number = no_number;            // permits, count: as told
    sim::EventHandle expiry;
    bool ttl_missing_reported = false;
    bool was_number_lost =
        false;  // with a node's data, or by an operator: not by a client's request
    std::vector<checker::NameId> changed_elsewhere = {};  // who: see TrueHold; no two the same
  };

  void on_event(std::uint32_t code, std::uint64_t argument) override;
  void digest_event(sim::Digest& digest, std::uint32_t code, std::uint64_t argument) const override;
  [[nodiscard]] std::size_t index_of(sim::HostId node) const;
  [[nodiscard]] RedisNode& master_of(std::size_t shard) const;
  /// Valid until the next call.
  [[nodiscard]] std::span<RedisNode* const> nodes_of(const Watched& watched);
  [[nodiscard]] bool counts_for(const Watched& watched, const RedisNode& node) const;
  [[nodiscard]] checker::NameId name_of(sim::ActorId actor) const;
  [[nodiscard]] bool is_reachable(const Watched& watched) const;
  static void note_last_seen(Watched& watched);
  /// What the owner of a hold thought of it when that was lost.
  enum class Thought : std::uint8_t {
    has_it,
    may_be_told,  ///< it asks for it, or did: whoever asks meanwhile tells something
    gave_it_up,   ///< it has called for its release, which may not have come yet
  };
  struct LackingHold {
    checker::NameId owner;
    checker::HoldMode mode;
    Thought thought;
  };
  [[nodiscard]] Thought thought_of(const StateHold& hold, checker::NameId lock) const;
  /// A hold, or a number, that the data lacks which counts since a takeover.
  struct Lacking {
    std::size_t takeover;  ///< its place in takeovers_
    sim::HostId node;      ///< whose data it is
    checker::NameId lock;
    sim::TimeNs until_ns;            ///< when the lease is over
    std::vector<LackingHold> holds;  ///< empty: it is a number
    bool is_since = false;           ///< the old master gave it, after the takeover
  };
  /// What lasts that the data lacks which counts now: until_ns is 0 where it has everything.
  void compare_with_last_seen(const Watched& watched, const LockState& now, Takeover& takeover,
                              Lacking& lacking) const;
  void note_asked(const RedisNode& node, checker::NameId by);
  /// Another has replaced it, and it goes on as a master.
  [[nodiscard]] bool is_old_master(const RedisNode& node) const;
  void note_served_by_old_master(const RedisNode& node);
  void note_given_by_old_master(const RedisNode& node, checker::NameId by);
  [[nodiscard]] std::uint64_t bit_of(sim::HostId node) const;
  void note_masters_in_use();
  void note_in_use(const RedisNode& node, std::string_view command);
  [[nodiscard]] bool is_believed_in(const Lacking& lacking) const;
  [[nodiscard]] static bool has_changed_key(const RedisNode& node, std::string_view key);
  static void note_change_elsewhere(Watched& watched, const RedisNode& node, checker::NameId by);
  void compare(std::size_t index, checker::ChangeCause cause, checker::NameId by);
  [[nodiscard]] checker::Availability availability_of(const Watched& watched) const;
  void emit_availability(Watched& watched, checker::NameId by);
  void tell_what_was_there(Watched& watched);
  /// What is less in found_ than `before` are leases of others than `by` that are over by now.
  [[nodiscard]] bool has_only_expired(const LockState& before, checker::NameId by) const;
  void report(const Watched& watched, checker::ChangeCause cause, checker::NameId by);
  void report_lease(const Watched& watched, checker::ChangeCause cause, checker::NameId by);
  void emit(const Watched& watched, std::string_view cause, checker::NameId by);
  void emit_number(Watched& watched, checker::NameId by);
  void tell_of_ended_permits(Watched& watched);
  void tell_of_removed_permits(const Watched& watched, checker::NameId by);
  void watch_expiry(std::size_t index);
  [[nodiscard]] static bool is_lease(const Watched& watched, std::string_view key);
  void check_ttl(Watched& watched, const RedisNode& node, KeysToCheck which);
  void report_residues_on(const RedisNode& node, const SubscriptionsInUse& in_use);
  void note_misplaced(const Watched& watched, const RedisNode& node, sim::ActorId by);

  sim::EventQueue& queue_;
  sim::Trace& trace_;
  Recorder& recorder_;
  const LockPackage& package_;
  const Topology& topology_;
  std::vector<RedisNode*> nodes_;  // in the order of their host ids, which follow one another
  LockStateReader reader_;
  QueueObserver queues_;
  std::vector<Watched> watched_;
  LockState found_;                              // memory for reading
  std::vector<RedisNode*> authoritative_nodes_;  // memory for nodes_of
  std::vector<bool> is_unchecked_;  // by node: its keys' TTLs, since it may have begun to count
  sim::DurationNs longest_lease_ns_ = 0;
  std::optional<MisplacedKey> misplaced_;
  std::vector<Takeover> takeovers_;
  NodesInUse in_use_;
  std::vector<Lacking> lacking_;  // of takeovers whose node nobody has asked yet
  LeaseListener* lease_listener_ = nullptr;
};

}  // namespace lockstep::model
