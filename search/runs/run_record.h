// Making a run with everything that a report needs, and telling two traces apart.
#pragma once

#include <cstdint>
#include <string>

#include "model/engine/engine.h"
#include "model/recorded_trace.h"
#include "search/runs/seed_runs.h"
#include "sim/choice_source.h"

namespace lockstep::search {

/// Runs once with these choices, trace recorded; `seed` and the trace's choices are left empty. The
/// observer, if any, is told what happens to the Redis nodes.
[[nodiscard]] RunRecord record_run(model::Simulation& simulation, sim::ChoiceSource& choices,
                                   redis::NodeObserver* observer = nullptr);

/// Runs once with this seed, trace and choices recorded.
[[nodiscard]] RunRecord record_seed(model::Simulation& simulation, std::uint64_t seed);

/// The first event in which two traces differ, in words, with both texts; empty where they are
/// equal.
[[nodiscard]] std::string first_difference(const model::RecordedTrace& expected,
                                           const model::RecordedTrace& found);

/// One event on one line: "12 1,000,000 ns n1 command-executed label=acquire …".
[[nodiscard]] std::string describe_event(const model::RecordedTrace& trace, std::size_t index);

}  // namespace lockstep::search
