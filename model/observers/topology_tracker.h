// The true master of each shard, and the one place where that changes.
//
// A shard has a new master at the moment when one of its nodes becomes one: by an operator (the
// fault `promote`), by a Sentinel's REPLICAOF NO ONE, or by a vote of the cluster. Others may not
// know yet: an old master that was not told goes on serving, and does not count.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/node/node_listener.h"
#include "model/observers/lock_observer.h"
#include "model/topology.h"

namespace lockstep::model {

class Recorder;

class TopologyTracker final : public RoleListener {
 public:
  /// Changes the topology, and tells the observer and the recorder. Does not own; all outlive this.
  TopologyTracker(Topology& topology, LockObserver& observer, Recorder& recorder)
      : topology_(topology), observer_(observer), recorder_(recorder) {}

  /// Sets the nodes, once, with the topology that runs start with: a node never changes its shard.
  void watch(std::span<RedisNode* const> nodes);

  /// If an operator promoted it, the other replicas are told to follow it.
  void on_promoted(RedisNode& node, Promoter by) override;
  void on_following(RedisNode& node, RedisNode& master) override;

 private:
  [[nodiscard]] Shard& shard_of(const RedisNode& node);
  /// Returns the master until then.
  const RedisNode& set_master(const RedisNode& node);
  void announce(const RedisNode& node, const RedisNode& replaced);

  Topology& topology_;
  LockObserver& observer_;
  Recorder& recorder_;
  std::span<RedisNode* const> nodes_;
  std::vector<std::size_t> shards_;  // by place in nodes_
};

}  // namespace lockstep::model
