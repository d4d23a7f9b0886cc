// The few operations to blame for a mutex's history that has no order of effects.
//
// Each way to leave operations out keeps a legal history legal, so a core that has no order proves
// that the whole has none:
//  - What was invoked after the completion of the stuck operation; what was under way then counts
//    as unknown.
//  - Refused acquires, which ask for others; unless the stuck operation is one.
//  - All operations of an owner; unless the stuck operation is a refused acquire, which may need
//    them.
//  - An owner's known operations before one of its granted acquires, in any order of effects the
//    owner does not hold the lock there (re-entrant: if it has no unknown ones and is even). If the
//    stuck operation is a refused acquire, only where that acquire completed before its call.
//  - Unknown operations of one owner and kind beyond twice the known ones of the core: the sweep's
//    moves never use more.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "checker/recorded/mutex/mutex_timeline.h"

namespace lockstep::checker::recorded {

struct MutexCore {
  std::vector<SweepItem> items;  ///< owners counted anew; origin as before
  std::uint32_t owner_count = 0;
};

/// What is left around the item `stuck` of the owners given (none: of all), with this many of each
/// owner's last granted acquires (0: all).
[[nodiscard]] MutexCore core_around(const MutexTimeline& timeline, MutexKind kind,
                                    std::uint32_t stuck, std::span<const std::uint32_t> owners,
                                    std::uint32_t acquires_each);

}  // namespace lockstep::checker::recorded
