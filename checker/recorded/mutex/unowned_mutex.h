// A mutex without owners: grants and releases alternate, and that is all.
//
// Why taking the soonest is right. Walk the completions; an operation that completes and had no
// effect yet must have it now. If the lock isn't as it needs it, one of the other kind goes just
// before it: of those under way the one that completes soonest, else an unknown one. Nothing else
// is done, and nothing is lost:
//  - An order that there uses another one, and the soonest later, may exchange the two: the soonest
//    was invoked already, and the other completes later or never.
//  - An order that does more there does it in pairs of an acquire and a release. A pair leaves the
//    lock as it was, so it may wait, until the first of the two completes.
// So one configuration is enough; unknown operations are two numbers. O(n log n) for the soonest.
#pragma once

#include <cstdint>
#include <vector>

#include "checker/recorded/mutex/mutex_timeline.h"

namespace lockstep::checker::recorded {

struct UnownedMutexResult {
  std::uint32_t stuck = no_item;      ///< none: there is an order
  std::vector<std::uint32_t> order;   ///< items
  std::vector<std::uint32_t> blamed;  ///< items
};

/// REQUIRES: no refusals.
[[nodiscard]] UnownedMutexResult sweep_unowned(const std::vector<SweepItem>& items);

}  // namespace lockstep::checker::recorded
