// The [[client]] tables of a scenario file.
#pragma once

#include <vector>

#include "model/scenario/scenario.h"
#include "model/scenario/toml_reader.h"

namespace lockstep::model {

/// Reads the clients into a scenario whose lock name and horizon are known. Throws InputError.
void read_clients(const std::vector<TableReader>& tables, Scenario& scenario);

}  // namespace lockstep::model
