// Integer arithmetic on declared clock drift: exact, without overflow, no floating point.
#pragma once

#include <algorithm>
#include <cstdint>

#include "checker/history.h"

namespace lockstep::checker {

inline constexpr std::int64_t ppm_whole = 1'000'000;

/// ⌊length × drift / 10⁶⌋, ns. `length_ns` ≥ 0; the drift counts as at most 10⁶ ppm.
/// With length = q·10⁶ + r the product is q·drift + r·drift/10⁶, and no term exceeds the length.
constexpr TimeNs drift_over(TimeNs length_ns, std::int64_t drift_ppm) {
  const std::int64_t ppm = std::clamp<std::int64_t>(drift_ppm, 0, ppm_whole);
  return length_ns / ppm_whole * ppm + length_ns % ppm_whole * ppm / ppm_whole;
}

/// The first whole nanosecond at which a lease may be over on a clock that runs fast by the drift:
/// ⌈from + lease × (1 − drift)⌉. `never_ns` where that lies beyond what a TimeNs can say.
/// `from_ns` ≥ 0, `lease_ns` ≥ 0.
constexpr TimeNs earliest_end(TimeNs from_ns, TimeNs lease_ns, std::int64_t drift_ppm) {
  const TimeNs certain_ns = lease_ns - drift_over(lease_ns, drift_ppm);
  return certain_ns > never_ns - from_ns ? never_ns : from_ns + certain_ns;
}

}  // namespace lockstep::checker
