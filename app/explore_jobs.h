// Making the runs of an exhaustive search with several workers, each a thread with an engine of its
// own.
//
// Workers make the runs of a batch against the states that were known before it; then the batch is
// added in its order. What comes of it does not depend on how many there are
// (search/exploration.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "model/scenario/scenario.h"
#include "search/certificate.h"
#include "search/exploration.h"

namespace lockstep::app {

struct ExploreJobs {
  std::uint64_t workers = 1;
  std::uint64_t memory_bytes_max = UINT64_MAX;
  std::vector<std::filesystem::path> script_folders;
  /// Asked between runs, by the caller's thread: true ends the search with what there is.
  std::function<bool()> interrupted;
  /// Called between batches, by the caller's thread.
  std::function<void()> tell_progress;
};

/// Goes on with the search until it is over, interrupted, or out of memory.
[[nodiscard]] search::ExploreEnd explore_on(const model::Scenario& scenario,
                                            search::Exploration& exploration,
                                            search::PathRunner& runner, const ExploreJobs& jobs);

}  // namespace lockstep::app
