// Who replaces masters that are down, and how soon: the parsed and checked form of [redis] sentinel
// and cluster.
//
// Defaults stand here only.
#pragma once

#include <cstdint>

#include "sim/time.h"

namespace lockstep::scenario {

/// Under the names of sentinel.conf, with its defaults.
struct SentinelSpec {
  std::uint32_t count = 3;
  std::uint32_t quorum = 0;  ///< how many must agree that a master is down; 0: a majority
  sim::DurationNs down_after_ns = 30 * sim::second_ns;
  sim::DurationNs failover_timeout_ns = 180 * sim::second_ns;
};

/// Under the names of redis.conf, with its defaults.
struct ClusterSpec {
  sim::DurationNs node_timeout_ns = 15 * sim::second_ns;
};

}  // namespace lockstep::scenario
