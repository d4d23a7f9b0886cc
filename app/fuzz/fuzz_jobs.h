// Making the batches of a search with several workers, each a thread with an engine of its own.
//
// Workers share nothing but the number of the next batch; what they find is put together in the
// order of the batches, so that it does not depend on how many there are. A search that stops
// after a finding finishes the batches before that one's, and drops those behind it. One that is
// interrupted keeps all that was made until then: that depends on the clock anyway, and no finding
// is to be lost.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "scenario/scenario.h"
#include "search/fuzz/fuzz.h"

namespace lockstep::app {

struct FuzzJobs {
  std::uint64_t workers = 1;
  std::vector<std::filesystem::path> script_folders;
  /// Asked between runs, by all workers at the same time: true ends the search with what there is.
  std::function<bool()> interrupted;
  /// Called now and then, by the caller's thread, with what there is so far.
  std::function<void(const search::FuzzResult&)> report_progress;
  /// Called by the caller's thread for what goes into the corpus, in the order of the runs. It must
  /// not throw.
  std::function<void(const search::Discovery&)> keep;
  /// Called for each batch that counts, in their order.
  std::function<void(const search::BatchResult&)> note;
};

/// Throws model::InputError where the scenario's lock is missing or wrong, or where nobody is there
/// for its faults.
[[nodiscard]] search::FuzzResult fuzz_in_parallel(const scenario::Scenario& scenario,
                                                  const search::FuzzPlan& plan,
                                                  const FuzzJobs& jobs);

}  // namespace lockstep::app
