// Where a search gives up with "unknown".
#pragma once

#include <cstdint>
#include <functional>

namespace lockstep::checker {

/// Both bounds hold for each search by itself: one lock of one run.
struct Limits {
  /// One step is a try to place an operation, or sixteen comparisons with what was visited before.
  std::uint64_t steps_max = 2'000'000;
  /// What the search may keep for the configurations that it visited, bytes. Not minded below some
  /// hundred kilobytes.
  std::uint64_t memory_bytes_max = 256U << 20U;
  /// Asked now and then, if given; true: the caller has waited long enough. The checker itself
  /// knows no clock.
  std::function<bool()> is_over = nullptr;
};

}  // namespace lockstep::checker
