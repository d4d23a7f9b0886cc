// A Redis node's part in a cluster: its links to the other nodes, its clock, and what its server
// asks of the cluster.
//
// Puts a ClusterNode (model/cluster/cluster_node.h) on a simulated host. As in Redis each node has
// a link of its own to every other, so that two nodes share two connections. A master's pings on
// its replication links are not modelled; what it says on the bus stands in for them where a
// replica must know how long it has not heard of its master.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/cluster/cluster_node.h"
#include "model/cluster/cluster_port.h"
#include "model/messages.h"
#include "model/node/node_context.h"
#include "model/node/replica_link.h"
#include "redis/server/cluster_view.h"
#include "sim/host.h"

namespace lockstep::scenario {
struct RedisSpec;
}  // namespace lockstep::scenario

namespace lockstep::model {

/// What all nodes of a cluster are created with, and which connections are of the bus: they are
/// made to a port of its own.
class ClusterLayout {
 public:
  ClusterLayout(const scenario::RedisSpec& redis, const std::vector<RedisNode*>& nodes)
      : redis_(redis), nodes_(nodes) {}

  void start_run();
  [[nodiscard]] const scenario::RedisSpec& redis() const { return redis_; }
  /// In the order of their ClusterIndex.
  [[nodiscard]] const std::vector<RedisNode*>& nodes() const { return nodes_; }
  [[nodiscard]] const std::vector<ClusterMemberSpec>& members() const { return members_; }
  [[nodiscard]] const std::vector<std::string>& ids() const { return ids_; }
  /// The slot ranges of the masters, in order.
  [[nodiscard]] const std::vector<redis::SlotRange>& ranges() const { return ranges_; }
  void note_bus(sim::ConnectionId connection);
  [[nodiscard]] bool is_bus(sim::ConnectionId connection) const;
  /// Which of the connections that have a name by now are the bus's.
  void digest_into(sim::Digest& digest) const;

 private:
  const scenario::RedisSpec& redis_;
  const std::vector<RedisNode*>& nodes_;
  std::vector<ClusterMemberSpec> members_;
  std::vector<std::string> ids_;
  std::vector<redis::SlotRange> ranges_;
  std::vector<bool> is_bus_;  // by connection
};

class ClusterBus final : public redis::ClusterView, private ClusterPort {
 public:
  /// The link is the node's to its master. Does not own; all outlive this.
  ClusterBus(NodeContext& context, ReplicaLink& link, ClusterLayout& layout, ClusterIndex index);

  /// A new run begins, with a cluster that is well.
  void start_run();
  /// Opens the links that stood before the run. REQUIRES: start_run() of all nodes.
  void connect_before_run();
  void on_process_started();
  void on_crash();
  /// An operator's CLUSTER FAILOVER TAKEOVER.
  void force_takeover();
  /// False where it is none of the cluster's. A message stays the caller's to release.
  bool try_handle(const sim::Incoming& incoming);
  void digest_into(sim::Digest& digest) const;
  /// After a request: does what CLUSTER FAILOVER asked for.
  void after_request();

  // ClusterView
  [[nodiscard]] std::size_t self() const override { return cluster_.self(); }
  [[nodiscard]] std::size_t size() const override { return cluster_.size(); }
  [[nodiscard]] redis::ClusterMember member(std::size_t index) const override;
  [[nodiscard]] std::optional<std::size_t> owner_of_slot(std::uint32_t slot) const override;
  [[nodiscard]] std::size_t range_count() const override { return cluster_.slot_range_count(); }
  [[nodiscard]] redis::SlotRange range(std::size_t index) const override;
  [[nodiscard]] bool is_up() const override { return cluster_.is_up(); }
  [[nodiscard]] std::uint64_t current_epoch() const override { return cluster_.current_epoch(); }
  void publish(std::string_view channel, std::string_view message) override;
  void publish_to_shard(std::string_view channel, std::string_view message) override;
  void fail_over(redis::FailoverOption option) override { failover_ = option; }

 private:
  /// Far from those that RedisNode gives out.
  static constexpr std::uint64_t cron_cookie = UINT64_MAX;

  // ClusterPort
  void open_link(ClusterIndex to) override;
  void close_link(ClusterIndex to) override;
  void send(ClusterIndex to, const ClusterMessage& message) override;
  void answer(const ClusterMessage& message) override;
  std::uint64_t random_below(std::uint64_t bound) override;
  [[nodiscard]] std::int64_t replication_offset() const override;
  [[nodiscard]] std::int64_t master_silent_ms() const override;
  void become_master() override;
  void follow(ClusterIndex master) override;
  void on_published(std::string_view channel, std::string_view text) override;
  void on_published_to_shard(std::string_view channel, std::string_view text) override;
  void on_step(const ClusterStep& step) override;

  [[nodiscard]] ClusterSettings settings() const;
  [[nodiscard]] std::optional<ClusterIndex> link_of(sim::ConnectionId connection) const;
  void send_on(sim::ConnectionId connection, const ClusterMessage& message);
  bool try_handle_closed(sim::ConnectionId connection);
  bool try_handle_message(sim::ConnectionId connection, sim::Payload payload);
  void start_cron(sim::DurationNs after_ns);
  void apply_cluster_change();
  [[nodiscard]] const std::string& name_of(ClusterIndex node) const;

  NodeContext& context_;
  ReplicaLink& link_;
  ClusterLayout& layout_;
  ClusterIndex index_;
  ClusterNode cluster_;
  std::vector<std::optional<sim::ConnectionId>> links_;  // own, by node; open or being opened
  sim::ConnectionId answering_{};                        // what brought the message being handled
  std::int64_t master_heard_ms_ = 0;  // on the replication link, or when that broke
  std::optional<redis::FailoverOption> failover_;
  bool has_changed_ = false;  // what the server must look at
};

}  // namespace lockstep::model
