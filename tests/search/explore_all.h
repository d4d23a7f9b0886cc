// An exhaustive search to its end, in one thread, for tests.
//
// Not covered: several workers (app/explore_jobs.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/exploration.h"
#include "search/path_runner.h"

namespace lockstep::search {

/// Goes on until the search is over, or for so many batches at most, of so many runs each.
inline void explore_all(Exploration& exploration, PathRunner& runner, std::size_t batch = 1,
                        std::size_t batches = SIZE_MAX) {
  for (; batches > 0 && !exploration.is_over(); --batches) {
    std::vector<PathRecord> records;
    for (const Errand& errand : exploration.next_errands(batch)) {
      records.push_back(runner.run(errand, exploration.visited()));
    }
    exploration.add(records);
  }
}

}  // namespace lockstep::search
