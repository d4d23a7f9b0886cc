// Who is really the master of which shard, and the one place where that changes.
//
// A shard has a new master the moment that one of its nodes becomes one: by an operator (the fault
// `promote`), by a REPLICAOF NO ONE of a Sentinel's, or by a vote of the cluster. What others know
// of it is their matter: an old master that was told nothing goes on serving, and does not count.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/node/redis_node.h"
#include "model/observers/lock_observer.h"
#include "model/recorder.h"
#include "model/topology.h"

namespace lockstep::model {

class TopologyTracker final : public RoleListener {
 public:
  /// Changes the topology, and tells the observer and the recorder. Does not own; all outlive this.
  TopologyTracker(Topology& topology, LockObserver& observer, Recorder& recorder)
      : topology_(topology), observer_(observer), recorder_(recorder) {}

  /// The nodes, once, with the topology that runs start with: who belongs to a shard stays the
  /// same.
  void watch(std::span<RedisNode* const> nodes);

  /// Where an operator made it one, the other replicas are told to follow it.
  void on_promoted(RedisNode& node, Promoter by) override;
  void on_following(RedisNode& node, RedisNode& master) override;

 private:
  [[nodiscard]] Shard& shard_of(const RedisNode& node);
  void set_master(const RedisNode& node);
  void announce(const RedisNode& node);

  Topology& topology_;
  LockObserver& observer_;
  Recorder& recorder_;
  std::span<RedisNode* const> nodes_;
  std::vector<std::size_t> shards_;  // by place in nodes_
};

}  // namespace lockstep::model
