// [heal]: when the faults of a scenario end, and what is to hold from then on is judged.
#pragma once

#include "model/scenario/scenario.h"
#include "model/scenario/toml_reader.h"

namespace lockstep::model {

/// Throws InputError. REQUIRES: the limits are read.
void read_healing(const TableReader& file, Scenario& scenario);

}  // namespace lockstep::model
