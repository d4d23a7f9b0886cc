// How long waiters may have to wait, for the properties of liveness.
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

}  // namespace lockstep::checker
