// The rows of [redis] and of the tables below it.
#pragma once

#include <array>
#include <string_view>

#include "scenario/file/field.h"

namespace lockstep::scenario {

[[nodiscard]] std::string_view to_string(TopologyKind kind);

/// The settings of a `config` table. Throws InputError for a setting on which the simulation does
/// not act, and for a value that Redis refuses.
[[nodiscard]] ConfigSettings read_redis_config(const TableReader& table);

/// Throws InputError where a client would have a sentinel's name.
void require_no_sentinel(const LocatedText& client_name, const RedisSpec& redis);

// Codecs.
CheckCode<SentinelSpec> require_reachable_quorum;
CheckCode<SentinelSpec> require_sentinel_time;
CheckCode<ClusterSpec> require_cluster_time;
ReadCode<Scenario> read_topology;
WriteCode<Scenario> write_topology;
WriteCode<Scenario> write_masters;
ReadCode<Scenario> read_sentinel;
ReadCode<Scenario> read_cluster;
ReadCode<Scenario> read_config;
WriteCode<Scenario> write_config;
ReadCode<NodeSpec> read_node_config;
WriteCode<NodeSpec> write_node_config;
ReadCode<Scenario> read_nodes;
WriteCode<Scenario> write_nodes;
CompareCode<Scenario> compare_nodes;
/// Throw InputError where no such version is simulated.
ReadCode<Scenario> read_version;
WriteCode<Scenario> write_version;
ReadCode<NodeSpec> read_node_version;
WriteCode<NodeSpec> write_node_version;

/// Under the names of sentinel.conf.
inline constexpr std::array sentinel_fields = {
    field<WholeNumber, &SentinelSpec::count>("count", "Sentinels s1, s2, …", {.numbers = {1, 9}})
        .shows(nullptr),
    field<WholeNumber, &SentinelSpec::quorum>(
        "quorum", "How many must agree that the master is down", {.numbers = {1, 9}})
        .checks(require_reachable_quorum)
        .shows(nullptr),
    field<Duration, &SentinelSpec::down_after_ns>(
        "down_after", "How long the master must be silent", {.sign = DurationSign::positive})
        .checks(require_sentinel_time)
        .says("down after {}"),
    field<Duration, &SentinelSpec::failover_timeout_ns>("failover_timeout", "As in sentinel.conf",
                                                        {.sign = DurationSign::positive})
        .checks(require_sentinel_time)
        .says("failover timeout {}"),
};
static_assert(members_of(sentinel_fields) == member_count<SentinelSpec>());

inline constexpr std::array cluster_fields = {
    field<Duration, &ClusterSpec::node_timeout_ns>("node_timeout", "cluster-node-timeout",
                                                   {.sign = DurationSign::positive})
        .checks(require_cluster_time)
        .says("node timeout {}"),
};
static_assert(members_of(cluster_fields) == member_count<ClusterSpec>());

inline constexpr std::array node_fields = {
    field<Duration, &NodeSpec::wall_offset_ns>("wall_offset", "By how much its wall clock is wrong")
        .says("wall clock off by {}"),
    field<Ppm, &NodeSpec::drift_ppm>("drift", "Of both its clocks").says("drift {}"),
    field<LatencyRange, &NodeSpec::latency>("latency", "Of each hop from and to it").shows(nullptr),
    row<NodeSpec>("config", KeyType::settings_by_name, "Settings over those of [redis] config")
        .covers<&NodeSpec::settings>()
        .reads(read_node_config)
        .writes(write_node_config),
    row<NodeSpec>("version", KeyType::text,
                  "The version that it runs, where the others run another")
        .covers<&NodeSpec::version>()
        .reads(read_node_version)
        .writes(write_node_version),
};
inline constexpr std::size_t node_heading = 1;  // its name
static_assert(members_of(node_fields) + node_heading == member_count<NodeSpec>());

inline constexpr std::string_view masters_key = "masters";
inline constexpr std::string_view topology_key = "topology";

// What the topology allows is known once it and [redis.cluster] are read.
inline constexpr std::array redis_fields = {
    field<WholeNumber, &Scenario::redis, &RedisSpec::masters>(masters_key, "Masters n1, n2, …",
                                                              {.numbers = {1, 100}})
        .writes(write_masters),
    field<WholeNumber, &Scenario::redis, &RedisSpec::replicas>(
        "replicas", "Replicas of each master: n1-replica-1, …", {.numbers = {0, 10}}),
    row<Scenario>(topology_key, KeyType::text, "How nodes belong together: \"independent\", …")
        .covers_path<&Scenario::redis, &RedisSpec::topology>()
        .reads(read_topology)
        .writes(write_topology, -1),
    table<sentinel_fields, &Scenario::redis, &RedisSpec::sentinel>("sentinel", "The sentinels")
        .reads(read_sentinel, 1)
        .writes_at(1),
    table<cluster_fields, &Scenario::redis, &RedisSpec::cluster>("cluster", "The cluster")
        .reads(read_cluster)
        .writes_at(1),
    field<LatencyRange, &Scenario::latency>("latency", "How long one hop takes").reads_at(1),
    row<Scenario>("config", KeyType::settings_by_name, "Settings under Redis's own names")
        .covers_path<&Scenario::redis, &RedisSpec::settings>()
        .reads(read_config, 1)
        .writes(write_config, 1),
    row<Scenario>("version", KeyType::text, "What runs: \"redis-7.0\" (default), \"valkey-8.0\", …")
        .covers_path<&Scenario::redis, &RedisSpec::version>()
        .reads(read_version, 1)
        .writes(write_version, 1),
    row<Scenario>("nodes", KeyType::tables_by_name, "What single nodes have otherwise")
        .with_keys([] { return forms_of(node_fields); })
        .compares(compare_nodes, 1)
        .reads(read_nodes, 1)
        .writes(write_nodes, 1),
};
static_assert(members_of(redis_fields) == member_count<RedisSpec>() + 1, "and Scenario::latency");

}  // namespace lockstep::scenario
