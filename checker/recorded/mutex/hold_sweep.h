// Do the bounds of hold_proof.h contradict each other? One walk over a re-entrant mutex's events
// finds it, for all owners, and with it the proof.
//
// It asks for less than an order: nothing follows where there is no contradiction. Refusals say
// nothing here.
#pragma once

#include <optional>
#include <span>

#include "checker/recorded/history.h"
#include "checker/recorded/mutex/hold_proof.h"
#include "checker/recorded/mutex/mutex_timeline.h"

namespace lockstep::checker::recorded {

/// `operations`: where each item's origin is in the history. O(n).
[[nodiscard]] std::optional<HoldProof> sweep_holds(const History& history,
                                                   std::span<const std::uint32_t> operations,
                                                   const MutexTimeline& timeline);

}  // namespace lockstep::checker::recorded
