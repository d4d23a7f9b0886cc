// Makes the batches of a search with several workers, each a thread with its own engine.
//
// Workers share only the number of the next batch. Results are added in the order of the batches,
// so they don't depend on the number of workers. A search that stops after a finding completes the
// batches before that finding's, and drops those behind it. An interrupted search keeps every
// batch: it depends on the clock anyway, and must lose no finding.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "search/fuzz/fuzz.h"

namespace lockstep::model {
class ProgramLauncher;
}  // namespace lockstep::model

namespace lockstep::scenario {
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::app {

struct FuzzJobs {
  std::uint64_t workers = 1;
  std::vector<std::filesystem::path> script_folders;
  model::ProgramLauncher* programs = nullptr;  ///< as Engine's; used by all workers
  /// Asked between runs, by all workers at the same time; true ends the search.
  std::function<bool()> interrupted;
  /// Called now and then, by the caller's thread, with the result so far.
  std::function<void(const search::FuzzResult&)> report_progress;
  /// Called by the caller's thread for each run to keep in the corpus, in their order. Must not
  /// throw.
  std::function<void(const search::Discovery&)> keep;
  /// Called for each batch that counts, in their order.
  std::function<void(const search::BatchResult&)> note;
};

/// Throws scenario::InputError if the scenario's lock is missing or wrong, or has nothing that
/// its faults could strike.
[[nodiscard]] search::FuzzResult fuzz_in_parallel(const scenario::Scenario& scenario,
                                                  const search::FuzzPlan& plan,
                                                  const FuzzJobs& jobs);

}  // namespace lockstep::app
