// Makes the runs of an exhaustive search with several workers, each a thread with its own engine.
//
// Workers make the runs of a wave against the states known before it; then the wave is added in its
// order. The result does not depend on the number of workers (search/explore/exploration.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "search/explore/certificate.h"

namespace lockstep::scenario {
struct Scenario;
}

namespace lockstep::search {
class Exploration;
class PathRunner;
}  // namespace lockstep::search

namespace lockstep::app {

struct ExploreJobs {
  std::uint64_t workers = 1;
  std::uint64_t memory_bytes_max = UINT64_MAX;
  std::vector<std::filesystem::path> script_folders;
  /// Asked between runs, by the caller's thread; true ends the search.
  std::function<bool()> interrupted;
  /// Called between waves, by the caller's thread.
  std::function<void()> report_progress;
};

/// Continues the search until it is over, interrupted, or out of memory.
[[nodiscard]] search::ExploreEnd explore_in_parallel(const scenario::Scenario& scenario,
                                                     search::Exploration& exploration,
                                                     search::PathRunner& runner,
                                                     const ExploreJobs& jobs);

}  // namespace lockstep::app
