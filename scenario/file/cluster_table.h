// A cluster as a scenario says it: [redis] topology = "cluster" and [redis.cluster].
#pragma once

#include <cstdint>

#include "scenario/scenario.h"
#include "scenario/text/toml_reader.h"

namespace lockstep::scenario {

/// Fewer can't vote, and redis-cli --cluster create refuses them. So many where the file says none.
inline constexpr std::uint32_t cluster_masters_min = 3;

/// REQUIRES: topology, masters and replicas are read. Throws InputError for what does not go
/// together. Where the file does not say how many masters there are, there are three.
void read_cluster(const TableReader& redis_table, RedisSpec& redis);

}  // namespace lockstep::scenario
