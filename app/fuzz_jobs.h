// Making the stretches of a search with several workers, each a thread with an engine of its own.
//
// Workers share nothing but the number of the next stretch; what they find is put together in the
// order of the stretches, so that it does not depend on how many there are. A search that stops
// after a finding finishes the stretches before that one's, and drops those behind it. One that is
// interrupted keeps all that was made until then: that depends on the clock anyway, and no finding
// is to be lost.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "model/scenario/scenario.h"
#include "search/fuzz.h"

namespace lockstep::app {

struct FuzzJobs {
  std::uint64_t workers = 1;
  std::vector<std::filesystem::path> script_folders;
  /// Asked between runs, by all workers at the same time: true ends the search with what there is.
  std::function<bool()> interrupted;
  /// Called now and then, by the caller's thread, with what there is so far.
  std::function<void(const search::FuzzResult&)> tell_progress;
  /// Called by the caller's thread for what goes into the corpus, in the order of the runs. It must
  /// not throw.
  std::function<void(const search::Discovery&)> keep;
  /// Called for each stretch that counts, in their order.
  std::function<void(const search::StretchResult&)> note;
};

/// Throws model::InputError where the scenario's lock is missing or wrong, or where nobody is there
/// for its faults.
[[nodiscard]] search::FuzzResult make_stretches(const model::Scenario& scenario,
                                                const search::FuzzPlan& plan, const FuzzJobs& jobs);

}  // namespace lockstep::app
