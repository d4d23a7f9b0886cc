// Which runs belong to which batch of a search.
//
// Not covered: who makes a batch (app/search/), and which scenario it is of.
#pragma once

#include <cstdint>

namespace lockstep::search {

inline constexpr std::uint64_t runs_per_batch = 500;

/// The first batches may be shorter than the others. All counts are of runs, or of batches.
struct BatchSizes {
  std::uint64_t runs = runs_per_batch;  ///< of a batch; at least 1
  std::uint64_t short_batches = 0;      ///< that come first
  std::uint64_t runs_of_short = 0;      ///< at least 1 where there are any

  /// The number of the batch's first run, from 0.
  [[nodiscard]] std::uint64_t first_run(std::uint64_t batch) const {
    if (batch <= short_batches) return batch * runs_of_short;
    return short_batches * runs_of_short + (batch - short_batches) * runs;
  }
  /// How many batches so many runs are; the last may be cut short.
  [[nodiscard]] std::uint64_t batches(std::uint64_t all_runs) const {
    const std::uint64_t in_short = short_batches * runs_of_short;
    if (all_runs < in_short) return (all_runs + runs_of_short - 1) / runs_of_short;
    return short_batches + (all_runs - in_short + runs - 1) / runs;
  }
};

}  // namespace lockstep::search
