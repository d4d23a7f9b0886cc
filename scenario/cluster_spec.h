// The Redis nodes of a scenario: the parsed and checked form of [redis].
//
// Defaults stand here only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenario/failover_spec.h"
#include "scenario/topology_kind.h"
#include "sim/network.h"
#include "sim/time.h"

namespace lockstep::redis {
struct Config;
enum class ServerVersion : std::uint8_t;
}  // namespace lockstep::redis

namespace lockstep::scenario {

/// redis::default_version, whose header would come with this one everywhere.
inline constexpr redis::ServerVersion version_by_default{1};

/// Settings of redis.conf as the file sets them, in its order: {"appendonly", "yes"}. Redis accepts
/// each of them.
using ConfigSettings = std::vector<std::pair<std::string, std::string>>;

/// One node's own settings: [redis.nodes.n1].
struct NodeSpec {
  std::string name;
  sim::DurationNs wall_offset_ns = 0;
  std::int64_t drift_ppm = 0;                   ///< of both clocks
  std::optional<sim::Latency> latency;          ///< of each hop from and to it
  ConfigSettings settings;                      ///< besides those of every node
  std::optional<redis::ServerVersion> version;  ///< nothing: that of every node
};

struct RedisSpec {
  TopologyKind topology = TopologyKind::independent;
  SentinelSpec sentinel;
  ClusterSpec cluster;
  std::vector<NodeSpec> nodes;  ///< those that differ
  std::uint32_t masters = 1;    ///< named n1, n2, …
  std::uint32_t replicas = 0;   ///< of each master, named n1-replica-1, …
  ConfigSettings settings;      ///< of every node
  redis::ServerVersion version = version_by_default;
};

/// The configuration of a node without settings of its own: Redis's defaults without save points,
/// and the settings. A run is too short for save points, and a scenario should say what a restart
/// finds.
[[nodiscard]] redis::Config config_of(const RedisSpec& redis);
[[nodiscard]] redis::Config config_of(const RedisSpec& redis, const NodeSpec& node);

}  // namespace lockstep::scenario
