// How a scenario's Redis nodes belong together: [redis] topology, and the table of each kind.
#pragma once

#include <string>
#include <string_view>

#include "scenario/scenario.h"
#include "scenario/text/toml_reader.h"

namespace lockstep::scenario {

/// REQUIRES: masters and replicas are read. Throws InputError for what does not go together.
void read_topology(const TableReader& redis_table, RedisSpec& redis);

/// Throws InputError where a client would have a sentinel's name.
void require_no_sentinel(const LocatedText& client_name, const RedisSpec& redis);

[[nodiscard]] std::string_view to_string(TopologyKind kind);
/// How many there are where the file does not say it.
[[nodiscard]] std::uint32_t default_master_count(TopologyKind kind);

/// A line about the topology, ended; empty where masters are independent.
[[nodiscard]] std::string explain_topology(const RedisSpec& redis, std::string_view lock_name);

}  // namespace lockstep::scenario
