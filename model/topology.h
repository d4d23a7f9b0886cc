// The master and the replicas of each shard: what a client library learns from its configuration.
//
// This is the truth. An operator's failover changes it at one instant, and clients know at once.
// Where sentinels or the nodes themselves elect a master, clients learn of it by message and may be
// wrong for a while (model/client/discovery.h).
#pragma once

#include <cstddef>
#include <vector>

#include "sim/host.h"

namespace lockstep::model {

struct Shard {
  sim::HostId master;
  std::vector<sim::HostId> replicas;
};

struct Topology {
  std::vector<Shard> shards;

  [[nodiscard]] sim::HostId master_of(std::size_t shard) const { return shards[shard].master; }
};

}  // namespace lockstep::model
