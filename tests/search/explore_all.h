// An exhaustive search to its end, in one thread, for tests.
//
// Not covered: several workers (app/search/explore_jobs.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/explore/exploration.h"
#include "search/explore/path_runner.h"

namespace lockstep::search {

/// Goes on until the search is over, or for so many waves at most, of so many runs each.
inline void explore_all(Exploration& exploration, PathRunner& runner, std::size_t wave = 1,
                        std::size_t waves = SIZE_MAX) {
  for (; waves > 0 && !exploration.is_over(); --waves) {
    std::vector<PathRecord> records;
    for (const PathJob& path_job : exploration.next_path_jobs(wave)) {
      records.push_back(runner.run(path_job, exploration.visited()));
    }
    exploration.add(records);
  }
}

}  // namespace lockstep::search
