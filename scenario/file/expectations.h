// What a scenario expects: properties that hold or are violated, what happens sometimes, bounds.
#pragma once

#include "scenario/participants.h"
#include "scenario/scenario.h"
#include "scenario/text/toml_reader.h"

namespace lockstep::scenario {

/// Reads `expect`, but for `sometimes`. Throws InputError.
void read_expectation(const TableReader& file, Scenario& scenario);

/// Reads expect's `sometimes`, once it is known who takes part and what goes wrong.
///
///   sometimes := (moment | probe) ["after" (moment | probe)] ["while" client "believes" [lock]]
///   probe     := fault ["of" name] "struck" ["for the" ordinal "time"]   fault: see fault_forms.h
///   moment    := see triggers.h
void read_sometimes(const TableReader& file, const Participants& participants, Scenario& scenario);

}  // namespace lockstep::scenario
