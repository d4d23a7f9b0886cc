// Virtual time: integer nanoseconds since the start of a run.
//
// The whole simulation shares one true time; sim/clock.h models what a host believes it to be. No
// floating point enters here, so that every build computes the same instants.
#pragma once

#include <cstdint>

namespace lockstep::sim {

/// An instant of true time, in nanoseconds since the run began (0 ≤ t < never_ns).
using TimeNs = std::int64_t;
/// A span of time in nanoseconds; negative only where a contract says so.
using DurationNs = std::int64_t;

inline constexpr DurationNs microsecond_ns = 1'000;
inline constexpr DurationNs millisecond_ns = 1'000'000;
inline constexpr DurationNs second_ns = 1'000'000'000;
/// An instant that no run reaches; "no deadline".
inline constexpr TimeNs never_ns = INT64_MAX;

/// Whole milliseconds, rounded down: as a program reads a clock, also one that shows less than 0.
constexpr std::int64_t floor_to_ms(std::int64_t nanoseconds) {
  const std::int64_t quotient = nanoseconds / millisecond_ns;
  return quotient - static_cast<std::int64_t>(nanoseconds % millisecond_ns < 0);
}

}  // namespace lockstep::sim
