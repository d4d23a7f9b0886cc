// The limits at which a search gives up with "unknown".
#pragma once

#include <cstdint>
#include <functional>

namespace lockstep::checker {

/// Both bounds hold for each search by itself: one lock of one run.
struct Limits {
  /// One step is a try to place an operation, or sixteen looks: at what was visited before, and at
  /// operations that then aren't tried. So a step takes much the same time in every history.
  std::uint64_t steps_max = 2'000'000;
  /// Memory for the configurations that the search visited, bytes. A few hundred kilobytes are
  /// always used.
  std::uint64_t memory_bytes_max = 256U << 20U;
  /// Called every thousand steps, if set; true stops the search. The checker itself has no clock.
  std::function<bool()> is_over = nullptr;
};

/// What a history from elsewhere may take where nobody says otherwise: of time, in seconds, and of
/// memory, with the history itself, in GiB.
inline constexpr std::uint64_t recorded_seconds_max = 60;
inline constexpr std::uint64_t recorded_gib_max = 4;

}  // namespace lockstep::checker
