// Which lines of a scenario file put to the test what none of its runs did: found by trying them.
//
// What a person would change is changed: a fault strikes somebody else, sooner or for longer, a
// failover comes faster or loses more, somebody holds the lock for longer, somebody else asks for
// it. One change is tried alone, then two together, and so on. Not covered: drawn steps are left as
// they are, and of a scenario with real clients nothing is tried.
#pragma once

#include <cstdint>

namespace lockstep::model {
class Engine;
}  // namespace lockstep::model

namespace lockstep::search {

struct ScenarioOutcome;

/// Fills in `later_horizon_ns` where something is unknown and the horizon ended runs, one of which
/// comes to rest by then; and `change` of each of the outcome's `untested`: the fewest changes with
/// which a run of the outcome's first seeds puts it to the test, or one more where something breaks
/// with that. Where none was found, `change` is empty and `why` says so. It makes a bounded number
/// of runs, which the properties share.
void suggest_changes(ScenarioOutcome& outcome, std::uint64_t first_seed, model::Engine& engine);

}  // namespace lockstep::search
