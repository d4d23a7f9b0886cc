// Scenarios in which a lock's bug may break its property alone.
//
// A stale release, say, comes from a client that slept past its lease, and where another took the
// lock meanwhile both believed in it: so does every lock break, and who mends the bug sees the
// story break as before. The bug alone shows where the other one takes the lock between the two
// ends of the release.
//
// Not covered: whether a scenario does show it alone; making its run does.
#pragma once

#include <vector>

#include "scenario/scenario.h"

namespace lockstep::model {
class Engine;
}  // namespace lockstep::model

namespace lockstep::search {

/// In each one client asks for longer leases, or begins when somebody begins an operation in the
/// run with seed 1 (which is made), or a little before or after; what is refused as a scenario is
/// left out.
[[nodiscard]] std::vector<scenario::Scenario> isolating_scenarios(
    const scenario::Scenario& scenario, model::Engine& engine);

}  // namespace lockstep::search
