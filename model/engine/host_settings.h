// What single hosts and links of a scenario have otherwise than the others: latencies, and nodes'
// clocks and settings.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/network.h"
#include "sim/time.h"

namespace lockstep::scenario {
struct NodeSpec;
struct RedisSpec;
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::model {

/// What every wall clock shows when a run begins (2024-01-01 00:00:00 UTC): a plausible date, so
/// that absolute times have the number of digits that they have in production.
inline constexpr std::int64_t wall_clock_at_start_ns = 1'704'067'200LL * sim::second_ns;

/// What [redis.nodes] says of a node; all defaults where it says nothing.
[[nodiscard]] const scenario::NodeSpec& settings_of(const scenario::RedisSpec& redis,
                                                    std::string_view node);

/// Sets the latency of every link: the scenario's; from and to a node its own, the slower of two;
/// and that of the [[link]] in its direction. REQUIRES: all hosts have been added.
void set_latencies(const scenario::Scenario& scenario, sim::Network& network);
/// The longest of them.
[[nodiscard]] sim::DurationNs slowest_hop_ns(const scenario::Scenario& scenario);

}  // namespace lockstep::model
