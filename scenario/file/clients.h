// The [[client]] tables of a scenario file.
#pragma once

#include <vector>

#include "scenario/scenario.h"
#include "scenario/text/toml_reader.h"

namespace lockstep::scenario {

/// Reads the clients into a scenario whose lock name and horizon are known. Throws InputError.
void read_clients(const std::vector<TableReader>& tables, Scenario& scenario);

}  // namespace lockstep::scenario
