// Which faults, and which clocks that are wrong from the start, each violation of a run needs:
// found by running without them, not read off the run. So is whether one of them may come at
// another time (moved_faults.h).
//
// A run is made again with the same seed and some faults left out, as long as the property still
// breaks. What is left can't do without any one of its faults; another choice of faults may do too,
// and with another seed it may be another one.
// Not covered: making what is left milder, or the workload smaller (shrinking).
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "checker/property.h"
#include "search/runs/rerun.h"

namespace lockstep::model {
class Engine;
}  // namespace lockstep::model

namespace lockstep::scenario {
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::search {
struct RunRecord;
struct ScenarioOutcome;

/// Fills `needed` of the outcome, and `with_fewer_faults` of its example; nothing where that has
/// neither faults nor wrong clocks. It makes a bounded number of runs, which the properties share;
/// where that is not enough, more faults are named than are needed.
void find_needed_faults(ScenarioOutcome& outcome, model::Engine& engine);

/// How reports name a fault.
struct FaultName {
  std::string words;              ///< "pause a for 15s when a read"; not sanitized
  bool strikes_messages = false;  ///< single ones: it is moved by messages (moved_faults.h)
};
/// Of the example's faults, in their order.
[[nodiscard]] std::vector<FaultName> fault_names(const RunRecord& example);

/// The scenario with only these faults. The others keep their numbers, so that those that are left
/// make the same choices, but never strike.
[[nodiscard]] scenario::Scenario with_faults(const scenario::Scenario& scenario,
                                             const std::vector<std::size_t>& faults);

/// Whether the property still breaks with only these faults.
using BreaksWith = std::function<bool(const std::vector<std::size_t>& faults)>;

/// Of so many faults the numbers of those that are left, ascending. `interrupted` as below.
/// REQUIRES: with all of them it breaks.
[[nodiscard]] std::vector<std::size_t> fewest_faults(std::size_t count,
                                                     const BreaksWith& breaks_with,
                                                     const std::function<bool()>& interrupted = {});

/// The numbers of the faults that are left, ascending. It takes a number of runs that is quadratic
/// in that of the faults. `interrupted`, asked between runs, may end it early, with more faults
/// than are needed (empty: never). REQUIRES: with the rerun's choices the property breaks.
[[nodiscard]] std::vector<std::size_t> minimal_faults(
    const scenario::Scenario& scenario, checker::Property property, Rerun& rerun,
    const std::function<bool()>& interrupted = {});

}  // namespace lockstep::search
