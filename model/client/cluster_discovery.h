// How a client of a cluster knows who has which slots.
//
// It starts with the whole table, as one that has asked before the run began. It asks a node
// (CLUSTER SLOTS, on a connection of its own) again every five seconds, and whenever a node is in
// trouble: it was lost, did not answer, or said CLUSTERDOWN. A MOVED tells it of one slot's node,
// and is believed for the whole range at once. Nodes are asked in turn, each within the time-out of
// a call. A shard is the range of slots that a master has when the cluster is created; nothing but
// a failover moves it. Not covered: ASK (no slot is ever under way), reading from replicas.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "model/client/discovery.h"
#include "redis/protocol/reply.h"
#include "sim/host.h"

namespace lockstep::model {

class ClusterDiscovery final : public MasterDiscovery {
 public:
  ClusterDiscovery(ClientProcess& process, NewMasterListener& listener)
      : process_(process), listener_(listener) {}

  [[nodiscard]] std::size_t shard_count() const override { return masters_.size(); }
  [[nodiscard]] std::optional<sim::HostId> master_of(std::size_t shard) const override {
    return masters_[shard];
  }
  void on_node_failure(std::size_t shard, sim::HostId node) override;
  bool on_moved(std::string_view error) override;
  bool on_opened(sim::ConnectionId connection) override;
  bool on_closed(sim::ConnectionId connection) override;
  bool on_message(sim::ConnectionId connection, sim::Payload payload) override;
  void on_timer(std::uint32_t whose) override;
  void start_run() override;
  void forget_all() override;
  void digest_into(sim::Digest& digest) const override;

 private:
  enum : std::uint32_t { scan_timer, query_timer };

  void ask();
  void ask_next();
  void end_query();
  void learn(const redis::Reply& slots);
  void set_master(std::size_t shard, sim::HostId master);

  ClientProcess& process_;
  NewMasterListener& listener_;
  std::vector<sim::HostId> masters_;  // by shard
  std::vector<sim::HostId> nodes_;    // all that can be asked
  std::size_t next_node_ = 0;
  std::size_t nodes_to_ask_ = 0;  // of this query
  std::optional<sim::HostId> failed_node_;
  std::optional<sim::ConnectionId> connection_;  // of the query under way
  sim::TimerId timer_{};
};

}  // namespace lockstep::model
