#include "scenario/file/cluster_table.h"

#include <fmt/format.h>

#include <string_view>

#include "scenario/file/file_keys.h"
#include "scenario/text/durations.h"

namespace lockstep::scenario {
namespace {

/// Each node has a link to each other.
constexpr std::uint32_t nodes_max = 100;
/// Nodes look after each other ten times a second.
constexpr sim::DurationNs node_timeout_min_ns = 200 * sim::millisecond_ns;

void read_settings(const TableReader& table, ClusterSpec& cluster) {
  table.allow_only(key_names_of(TableName::cluster));
  const auto timeout_ns = table.duration("node_timeout", DurationSign::positive);
  if (!timeout_ns) return;
  if (*timeout_ns % sim::millisecond_ns != 0 || *timeout_ns < node_timeout_min_ns) {
    table.text("node_timeout")
        ->complain(fmt::format("'node_timeout' is {}; expected whole milliseconds, 200ms or more",
                               format_duration(*timeout_ns)));
  }
  cluster.node_timeout_ns = *timeout_ns;
}

void require_size(const TableReader& redis_table, const RedisSpec& redis) {
  if (redis.masters < cluster_masters_min) {
    throw InputError(
        redis_table.value_place("masters"),
        fmt::format("{} {} can't agree on a failover; expected masters = {} or more", redis.masters,
                    redis.masters == 1 ? "master" : "masters", cluster_masters_min));
  }
  const std::uint32_t nodes = redis.masters * (1 + redis.replicas);
  if (nodes > nodes_max) {
    throw InputError(
        redis_table.value_place("topology"),
        fmt::format("this cluster has {} nodes; expected {} at most", nodes, nodes_max));
  }
}

}  // namespace

void read_cluster(const TableReader& redis_table, RedisSpec& redis) {
  const bool is_cluster = redis.topology == TopologyKind::cluster;
  const auto table = redis_table.table("cluster");
  if (table && !is_cluster) {
    throw InputError(redis_table.key_place("cluster"),
                     "there is no cluster to set; expected topology = \"cluster\" too");
  }
  if (!is_cluster) return;
  if (!redis_table.has("masters")) redis.masters = cluster_masters_min;
  require_size(redis_table, redis);
  if (table) read_settings(*table, redis.cluster);
}

}  // namespace lockstep::scenario
