// What the judges of liveness are told of a scenario.
#pragma once

#include <cstdint>

namespace lockstep::checker {

/// How long waiters may have to wait once the last fault is over.
struct LivenessBounds {
  std::int64_t progress_ns =
      60'000'000'000;  ///< without any grant, while no one believes they hold it
  std::int64_t wakeup_ns = 10'000'000'000;  ///< asleep while the lock is free
  std::int64_t overtakings = 100;           ///< grants to others during one wait
};

/// How much later than its time a try may end, or sooner: the lock may ask now and then, and may
/// have begun to ask several nodes one after the other, and give back what it has got.
[[nodiscard]] constexpr std::int64_t slack_of_tries_ns(const LivenessBounds& bounds,
                                                       std::int64_t slowest_hop_ns) {
  constexpr std::int64_t part = 10;
  constexpr std::int64_t hops = 40;
  return bounds.wakeup_ns / part + hops * slowest_hop_ns;
}

}  // namespace lockstep::checker
