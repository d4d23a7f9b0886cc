// A mutex's history laid out for the sweep: small operations, dense owners, events in order.
//
// It doesn't judge anything. Positions stay those of the history.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "checker/recorded/event_order.h"
#include "checker/recorded/history.h"
#include "checker/recorded/mutex/mutex_sweep.h"

namespace lockstep::checker::recorded {

enum class SweepStep : std::uint8_t {
  acquire,
  release,
  refused_acquire,
  refused_release,
  unknown_acquire,
  unknown_release,
};

inline constexpr std::uint32_t no_item = UINT32_MAX;

struct SweepItem {
  std::uint32_t origin = 0;  ///< index in the caller's operations
  std::uint32_t owner = 0;   ///< counted from 0
  std::uint32_t invoked = 0;
  std::uint32_t completed = never_completed;  ///< unknown outcomes never complete
  std::uint32_t next_effect = no_item;        ///< the owner's next granted acquire or release
  SweepStep step = SweepStep::acquire;

  [[nodiscard]] bool is_unknown() const { return step >= SweepStep::unknown_acquire; }
  [[nodiscard]] bool has_effect() const { return step <= SweepStep::release; }
};

struct MutexTimeline {
  std::vector<SweepItem> items;  ///< in order of invocation
  std::vector<ItemEvent> events;
  std::vector<std::uint32_t> first_effect;  ///< by owner
  bool has_refused_acquires = false;
  bool has_refused_releases = false;

  [[nodiscard]] std::uint32_t owner_count() const {
    return static_cast<std::uint32_t>(first_effect.size());
  }
};

/// The operations that say something, in the sweep's terms; or why it can't judge them.
[[nodiscard]] std::optional<SweepObstacle> take_items(std::span<const Operation> operations,
                                                      Refusals refusals,
                                                      std::vector<SweepItem>& items);

/// Links each owner's effects and orders the events. O(n) where positions are dense. False if an
/// owner invokes while an operation of its own with a known outcome is under way.
[[nodiscard]] bool lay_out(std::vector<SweepItem> items, std::uint32_t owner_count,
                           MutexTimeline& timeline);

[[nodiscard]] std::uint32_t owner_count_of(const std::vector<SweepItem>& items);

}  // namespace lockstep::checker::recorded
