// With which horizon the runs come to an end that it cut off: found by trying longer ones.
#pragma once

#include <cstdint>

namespace lockstep::model {
class Engine;
}  // namespace lockstep::model

namespace lockstep::search {

struct ScenarioOutcome;

/// Fills in the outcome's `later_horizon_ns` where something is unknown and the horizon ended runs:
/// one of them comes to rest by then. It makes a bounded number of runs.
void suggest_later_end(ScenarioOutcome& outcome, std::uint64_t first_seed, model::Engine& engine);

}  // namespace lockstep::search
