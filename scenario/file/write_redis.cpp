// The nodes as [redis] and the tables below it: the way back from redis_topology.cpp and nodes.cpp.
#include <fmt/format.h>

#include <algorithm>

#include "scenario/file/redis_topology.h"
#include "scenario/file/write_parts.h"
#include "scenario/steps.h"
#include "scenario/text/durations.h"

namespace lockstep::scenario {
namespace {

constexpr std::size_t digits_of_number_max = 18;

/// A whole number stands there as one.
std::string write_setting(const std::string& value) {
  const bool is_number = !value.empty() && value.size() <= digits_of_number_max &&
                         value.find_first_not_of("0123456789") == std::string::npos &&
                         (value.front() != '0' || value.size() == 1);
  return is_number ? value : toml_string(value);
}

TomlTable settings_table(const std::vector<std::pair<std::string, std::string>>& settings) {
  TomlTable table;
  for (const auto& [name, value] : settings) table.add(name, write_setting(value));
  return table;
}

TomlTable sentinel_table(const SentinelSpec& sentinel) {
  const SentinelSpec defaults;
  TomlTable table;
  if (sentinel.count != defaults.count) table.add_number("count", sentinel.count);
  if (sentinel.quorum != defaults.quorum) table.add_number("quorum", sentinel.quorum);
  if (sentinel.down_after_ns != defaults.down_after_ns) {
    table.add_text("down_after", format_duration(sentinel.down_after_ns));
  }
  if (sentinel.failover_timeout_ns != defaults.failover_timeout_ns) {
    table.add_text("failover_timeout", format_duration(sentinel.failover_timeout_ns));
  }
  return table;
}

TomlTable cluster_table(const ClusterSpec& cluster) {
  TomlTable table;
  if (cluster.node_timeout_ns != ClusterSpec{}.node_timeout_ns) {
    table.add_text("node_timeout", format_duration(cluster.node_timeout_ns));
  }
  return table;
}

std::string write_node(const NodeSpec& node) {
  TomlTable table;
  std::string later;
  if (node.wall_offset_ns != 0) table.add_text("wall_offset", format_duration(node.wall_offset_ns));
  if (node.drift_ppm != 0) table.add_text("drift", fmt::format("{}ppm", node.drift_ppm));
  if (node.latency) table.add_text("latency", write_latency(*node.latency));
  if (!node.settings.empty()) {
    add_table(table, "config", settings_table(node.settings),
              fmt::format("redis.nodes.{}.config", node.name), later);
  }
  return fmt::format("[redis.nodes.{}]\n{}{}", node.name, table.lines(), later);
}

bool is_same_latency(const sim::Latency& one, const sim::Latency& other) {
  return one.delay_ns_min == other.delay_ns_min && one.delay_ns_max == other.delay_ns_max;
}

}  // namespace

std::string write_latency(const sim::Latency& latency) {
  return write_range(latency.delay_ns_min, latency.delay_ns_max);
}

std::vector<std::string> write_redis(const RedisSpec& redis, const sim::Latency& latency) {
  const bool is_independent = redis.topology == TopologyKind::independent;
  TomlTable table;
  std::string later;
  if (!is_independent) table.add_text("topology", to_string(redis.topology));
  if (redis.masters != default_master_count(redis.topology)) {
    table.add_number("masters", redis.masters);
  }
  if (redis.replicas != 0) table.add_number("replicas", redis.replicas);
  if (!is_same_latency(latency, {})) table.add_text("latency", write_latency(latency));
  const TomlTable sentinel = sentinel_table(redis.sentinel);
  const TomlTable cluster = cluster_table(redis.cluster);
  if (!sentinel.empty()) add_table(table, "sentinel", sentinel, "redis.sentinel", later);
  if (!cluster.empty()) add_table(table, "cluster", cluster, "redis.cluster", later);
  if (!redis.settings.empty()) {
    add_table(table, "config", settings_table(redis.settings), "redis.config", later);
  }
  std::vector<std::string> tables;
  if (!table.empty()) tables.push_back(fmt::format("[redis]\n{}{}", table.lines(), later));
  // Without a line of its own, [redis] is nothing above [redis.config].
  if (table.empty() && !later.empty()) tables.push_back(later.substr(1));
  for (const NodeSpec& node : redis.nodes) tables.push_back(write_node(node));
  return tables;
}

}  // namespace lockstep::scenario
