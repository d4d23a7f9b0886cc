// The [[fault]] tables of a scenario file.
#pragma once

#include <vector>

#include "model/scenario/cast.h"
#include "model/scenario/scenario.h"
#include "model/scenario/toml_reader.h"

namespace lockstep::model {

/// Reads the faults into a scenario that is whole but for them. Throws InputError: keys and values
/// that are wrong, names of nobody, faults that can't strike.
void read_faults(const std::vector<TableReader>& tables, const Cast& cast, Scenario& scenario);

/// Throws InputError where the fault with this index waits for what can't happen in the scenario: a
/// restart of what never ends, a moment that never comes.
void require_possible(const Scenario& scenario, std::size_t fault, const PlacedText& when);

}  // namespace lockstep::model
