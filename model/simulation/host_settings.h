// What single hosts and links of a scenario have otherwise than the others: latencies, and nodes'
// clocks and settings.
#pragma once

#include <string_view>

#include "model/scenario/scenario.h"
#include "sim/network.h"

namespace lockstep::model {

/// What [redis.nodes] says of a node; all defaults where it says nothing.
[[nodiscard]] const NodeSpec& settings_of(const RedisSpec& redis, std::string_view node);

/// Sets the latency of every link: the scenario's; from and to a node its own, the slower of two;
/// and that of the [[link]] in its direction. REQUIRES: all hosts have been added.
void set_latencies(const Scenario& scenario, sim::Network& network);

}  // namespace lockstep::model
