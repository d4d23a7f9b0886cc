// What the clients of a run drew, said: a scenario whose steps stand there as they were.
//
// Steps that are drawn, ranges of durations and starts are replaced by what the run drew of them,
// so that its other choices can change and the clients still do the same. Rounds that differ are
// written one after the other.
//
// Not covered: what faults leave open; who made the run has them closed (seed_runs.h).
#pragma once

#include <span>
#include <vector>

#include "scenario/edits.h"
#include "sim/recorded_choices.h"
#include "sim/trace.h"

namespace lockstep::search {

/// Nothing where nothing of it is open, or where it would be too long to be tried. `actors`: of a
/// simulation of the scenario; `choices`: of its run.
[[nodiscard]] scenario::Edited with_drawn_workload(const scenario::Scenario& scenario,
                                                   std::span<const sim::Actor> actors,
                                                   std::span<const sim::Choice> choices);

}  // namespace lockstep::search
