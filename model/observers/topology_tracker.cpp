#include "model/observers/topology_tracker.h"

#include <algorithm>
#include <cassert>

#include "model/node/redis_node.h"
#include "scenario/milestones.h"

namespace lockstep::model {

void TopologyTracker::watch(std::span<RedisNode* const> nodes) {
  nodes_ = nodes;
  shards_.assign(nodes.size(), 0);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (std::size_t shard = 0; shard < topology_.shards.size(); ++shard) {
      const auto& replicas = topology_.shards[shard].replicas;
      const sim::HostId id = nodes[i]->host_id();
      const bool is_replica = std::find(replicas.begin(), replicas.end(), id) != replicas.end();
      if (is_replica || topology_.master_of(shard) == id) shards_[i] = shard;
    }
  }
}

Shard& TopologyTracker::shard_of(const RedisNode& node) {
  const auto found = std::find(nodes_.begin(), nodes_.end(), &node);
  assert(found != nodes_.end());
  return topology_.shards[shards_[static_cast<std::size_t>(found - nodes_.begin())]];
}

const RedisNode& TopologyTracker::set_master(const RedisNode& node) {
  Shard& shard = shard_of(node);
  const auto replaced = std::find_if(nodes_.begin(), nodes_.end(), [&](const RedisNode* each) {
    return each->host_id() == shard.master;
  });
  assert(replaced != nodes_.end());
  std::erase(shard.replicas, node.host_id());
  shard.master = node.host_id();
  return **replaced;
}

void TopologyTracker::announce(const RedisNode& node, const RedisNode& replaced) {
  observer_.on_takeover(TakeoverKind::promotion, node, &replaced);
  recorder_.milestone(scenario::Milestone::promoted, node.actor(), {});
}

void TopologyTracker::on_promoted(RedisNode& node, Promoter by) {
  if (shard_of(node).master == node.host_id()) return;
  const RedisNode& replaced = set_master(node);
  if (by == Promoter::operator_) {
    const std::vector<sim::HostId> replicas = shard_of(node).replicas;
    for (RedisNode* sibling : nodes_) {
      const auto found = std::find(replicas.begin(), replicas.end(), sibling->host_id());
      if (found != replicas.end()) sibling->follow(node);
    }
  }
  announce(node, replaced);
}

// A master that is told to follow somebody stays the one that counts until another takes over,
// unless that is a master already: as Sentinel tells a replica that an operator promoted behind its
// back.
void TopologyTracker::on_following(RedisNode& node, RedisNode& master) {
  Shard& shard = shard_of(node);
  if (&shard != &shard_of(master)) return;
  if (shard.master == node.host_id()) {
    if (!master.is_master()) return;
    const RedisNode& replaced = set_master(master);
    observer_.on_takeover(TakeoverKind::resynchronisation, master, &replaced);
  }
  const auto known = std::find(shard.replicas.begin(), shard.replicas.end(), node.host_id());
  if (known == shard.replicas.end()) shard.replicas.push_back(node.host_id());
}

}  // namespace lockstep::model
