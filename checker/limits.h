// Where a search gives up with "unknown".
#pragma once

#include <cstdint>

namespace lockstep::checker {

/// Both bounds hold for each search by itself: one lock of one run.
struct Limits {
  /// One step is one configuration proposed, or compared with one visited before.
  std::uint64_t steps_max = 2'000'000;
  /// What the search may reserve for its configurations, bytes.
  std::uint64_t memory_bytes_max = 256U << 20U;
};

}  // namespace lockstep::checker
