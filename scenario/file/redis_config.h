// The settings of a scenario's Redis nodes, under Redis's own names: [redis] config.
#pragma once

#include "scenario/scenario.h"
#include "scenario/text/toml_reader.h"

namespace lockstep::scenario {

/// Sets what the table says. Throws InputError for a name that the simulation does not act on, and
/// for a value that Redis refuses.
void read_redis_config(const TableReader& table, RedisSpec& redis);

}  // namespace lockstep::scenario
