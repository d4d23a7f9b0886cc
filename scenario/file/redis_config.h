// The settings of a scenario's Redis nodes, under Redis's own names: [redis] config.
#pragma once

#include "scenario/scenario.h"
#include "scenario/text/toml_reader.h"

namespace lockstep::scenario {

/// The settings of the table. Throws InputError for a name that the simulation does not act on, and
/// for a value that Redis refuses.
[[nodiscard]] ConfigSettings read_redis_config(const TableReader& table);

}  // namespace lockstep::scenario
