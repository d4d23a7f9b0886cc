// Who is master of which shard: what a client library learns from its configuration.
//
// An operator's failover changes it at one instant; clients look when they open a connection and
// when a node refuses a write (READONLY). Sentinel and Cluster, which tell clients by message,
// replace this directory in their own topologies later.
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
