// Which faults, and which clocks that are wrong from the start, each violation of a run needs:
// found by running without them, not read off the run. So is whether one of them may come at
// another time (moved_faults.h).
#pragma once

#include <string>
#include <vector>

namespace lockstep::model {
class Engine;
}  // namespace lockstep::model

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

}  // namespace lockstep::search
