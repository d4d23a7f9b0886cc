// [heal]: when the faults of a scenario end, and what is to hold from then on is judged.
#pragma once

#include "scenario/scenario.h"
#include "scenario/text/toml_reader.h"

namespace lockstep::scenario {

/// Throws InputError. REQUIRES: the limits are read.
void read_healing(const TableReader& file, Scenario& scenario);

}  // namespace lockstep::scenario
