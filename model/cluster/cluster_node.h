// One node of a Redis Cluster as a state machine without clock, sockets or data.
//
// Its inputs are the time (the host's wall clock, as Redis's mstime()), messages and the state of
// its links; it acts through a ClusterPort. Follows Redis 7.0: gossip, PFAIL and FAIL, elections,
// configuration epochs, the state of the cluster. cluster_gossip.cpp has failure detection,
// cluster_election.cpp votes and takes over, cluster_slots.cpp knows who has what.
//
// The rules that make it safe, all of them local:
// - A master gives at most one vote in an epoch, and none in one older than it knows of.
// - The elected replica takes over with its election's epoch, so no two masters ever get the same
//   configuration epoch by votes. A claim to slots with a higher epoch wins.
//
// Not covered: resharding (so no ASK), migration of replicas to masters without any, the handshake
// of CLUSTER MEET and CLUSTER FORGET, CLUSTER FAILOVER without FORCE or TAKEOVER.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/cluster/cluster_message.h"
#include "model/cluster/cluster_port.h"

namespace lockstep::model {

/// What redis.conf says, under its names.
struct ClusterSettings {
  std::int64_t node_timeout_ms = 15'000;
  std::int64_t replica_validity_factor = 10;     ///< 0: data is never too old
  std::int64_t repl_ping_replica_period_s = 10;  ///< how often a master pings its replicas
  bool requires_full_coverage = true;
  bool has_no_failover = false;
};

/// A node's role when the cluster is created.
struct ClusterMemberSpec {
  std::optional<ClusterIndex> master;  ///< none: it is a master and gets the next slot range
};

enum class OperatorFailover : std::uint8_t {
  force,     ///< by election, although the master may be well
  takeover,  ///< without asking anybody
};

class ClusterNode {
 public:
  /// The interval at which cron() must be called.
  static constexpr std::int64_t cron_period_ms = 100;

  /// The connection on which a message arrived.
  enum class Via : std::uint8_t { own_link, other };

  struct FailureReport {
    ClusterIndex by;
    std::int64_t at_ms;
  };
  enum class LinkState : std::uint8_t { none, opening, open };
  /// What the node knows about a node, itself included.
  struct KnownNode {
    std::optional<ClusterIndex> master;  ///< none: it is a master itself
    bool is_suspected = false;
    bool has_failed = false;
    std::uint64_t config_epoch = 0;
    std::int64_t ping_sent_ms = 0;  ///< 0: no answer is awaited
    std::int64_t pong_received_ms = 0;
    std::int64_t data_received_ms = 0;
    std::int64_t failed_at_ms = 0;
    std::int64_t voted_ms = 0;  ///< a master: when this node voted for one of its replicas
    std::int64_t offset = 0;
    LinkState link = LinkState::none;
    std::int64_t link_since_ms = 0;
    std::vector<FailureReport> reports;  ///< of masters that suspect it
  };

  explicit ClusterNode(ClusterPort& port) : port_(port) {}

  /// Starts in a healthy cluster: all nodes know each other, all links are open.
  void start(ClusterIndex self, std::span<const ClusterMemberSpec> members,
             const ClusterSettings& settings, std::int64_t now_ms);
  /// Restarts the process from its nodes.conf.
  void restart(std::int64_t now_ms);

  void cron(std::int64_t now_ms);
  void on_link_opened(ClusterIndex to, std::int64_t now_ms);
  /// Closed, or refused.
  void on_link_closed(ClusterIndex to, std::int64_t now_ms);
  void receive(const ClusterMessage& message, Via via, std::int64_t now_ms);
  /// PUBLISH: to all other nodes.
  void publish(std::string_view channel, std::string_view text);
  /// The same for the nodes of its shard, and those who listen to a shard's channel.
  void publish_to_shard(std::string_view channel, std::string_view text);
  /// CLUSTER FAILOVER. REQUIRES: is_replica().
  void fail_over(OperatorFailover how, std::int64_t now_ms);

  void digest_into(sim::Digest& digest, std::int64_t now_ms) const;  // cluster_digest.cpp

  [[nodiscard]] ClusterIndex self() const { return self_; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] const KnownNode& known(ClusterIndex node) const { return nodes_[node]; }
  [[nodiscard]] bool is_replica() const { return me().master.has_value(); }
  /// Whether the node serves requests about keys.
  [[nodiscard]] bool is_up() const { return is_up_; }
  [[nodiscard]] std::uint64_t current_epoch() const { return current_epoch_; }
  [[nodiscard]] std::size_t slot_range_count() const { return owners_.size(); }
  /// no_cluster_node if a master became a replica and no node has claimed its slots yet.
  [[nodiscard]] ClusterIndex owner_of(std::size_t range) const { return owners_[range]; }
  [[nodiscard]] bool has_slots(ClusterIndex node) const;
  /// The number of masters that have slots.
  [[nodiscard]] std::size_t voter_count() const;

 private:
  [[nodiscard]] KnownNode& me() { return nodes_[self_]; }
  [[nodiscard]] const KnownNode& me() const { return nodes_[self_]; }
  [[nodiscard]] std::size_t quorum() const { return voter_count() / 2 + 1; }
  [[nodiscard]] SlotRangeSet slot_ranges_of(ClusterIndex node) const;
  [[nodiscard]] bool is_master(ClusterIndex node) const { return !nodes_[node].master; }
  [[nodiscard]] bool is_forced() const { return now_ms_ < forced_until_ms_; }
  [[nodiscard]] bool is_timed_out(ClusterIndex node) const {
    return nodes_[node].is_suspected || nodes_[node].has_failed;
  }
  void tell(ClusterStep::Kind kind, ClusterIndex about, ClusterIndex from = 0,
            std::int64_t number = 0) {
    port_.on_step({kind, about, from, number});
  }
  /// Fills outgoing_ with the fields that every message carries.
  ClusterMessage& begin(ClusterMessage::Kind kind);
  void send_to_all();
  /// What Redis does in beforeSleep, after the events of a call are handled.
  void before_sleep();

  // cluster_gossip.cpp
  void ping(ClusterIndex to);
  void add_gossip();
  void add_gossip_about(ClusterIndex node);
  void ping_somebody();
  void watch(ClusterIndex node);
  void broadcast_pong();
  void process_pong(ClusterIndex from);
  void process_gossip(const ClusterMessage& message);
  void report_failure(ClusterIndex node, ClusterIndex by);
  void forget_old_reports(ClusterIndex node);
  void mark_as_failed_if_agreed(ClusterIndex node);
  void mark_as_failed(ClusterIndex node);
  void clear_failure_if_over(ClusterIndex node);

  // cluster_election.cpp
  void stand_for_election();
  void begin_campaign();
  void request_votes();
  void take_over(std::uint64_t epoch);
  void vote_if_eligible(const ClusterMessage& request);
  [[nodiscard]] bool is_data_too_old() const;
  [[nodiscard]] std::size_t rank() const;

  // cluster_slots.cpp
  void learn_role(const ClusterMessage& message);
  void learn_slot_ranges(ClusterIndex claimant, std::uint64_t epoch, const SlotRangeSet& claimed);
  void correct_claims(const ClusterMessage& message);
  void resolve_epoch_collision(const ClusterMessage& message);
  void set_as_master(ClusterIndex node);
  void follow(ClusterIndex master);
  void update_state();

  ClusterPort& port_;
  ClusterSettings settings_;
  ClusterIndex self_ = 0;
  std::int64_t now_ms_ = 0;
  std::vector<KnownNode> nodes_;
  std::vector<ClusterIndex> owners_;  // of the slot ranges

  // Kept in nodes.conf, as are roles, epochs, owners and failures.
  std::uint64_t current_epoch_ = 0;
  std::uint64_t last_vote_epoch_ = 0;

  bool is_up_ = true;
  std::int64_t started_ms_ = 0;  // 0: long ago
  std::int64_t in_minority_ms_ = 0;
  bool should_update_state_ = false;
  bool should_start_election_ = false;
  std::uint64_t crons_ = 0;
  std::size_t suspected_count_ = 0;  // at the last cron

  // The election that the node stands for.
  std::int64_t election_ms_ = 0;  // when it asks for votes
  std::uint64_t election_epoch_ = 0;
  std::size_t votes_ = 0;
  std::size_t rank_ = 0;
  bool has_asked_ = false;
  std::int64_t forced_until_ms_ = 0;  // by an operator
  bool reported_ineligible_ = false;  // in this campaign

  ClusterMessage outgoing_;  // memory
};

}  // namespace lockstep::model
