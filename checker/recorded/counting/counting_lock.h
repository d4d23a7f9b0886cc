// A recorded history read as one of a lock that only counts: a mutex without owners, a semaphore.
//
// All that such a lock knows is how many units are out, and there are never more than its
// capacity. A mutex has a capacity of one, an operation of a semaphore is about as many units as
// permits.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "checker/recorded/history.h"
#include "checker/recorded/model.h"

namespace lockstep::checker::recorded {

/// An acquire, or else a release.
struct CountingOperation {
  std::uint32_t operation = 0;  ///< index in the history
  std::uint32_t invoked = 0;
  std::uint32_t completed = never_completed;  ///< never: the outcome is unknown
  std::uint32_t units = 1;
  bool acquires = false;
};

struct CountingLock {
  std::vector<CountingOperation> operations;  ///< in order of invocation
  std::int64_t capacity = 1;                  ///< ≥ 1
  bool counts_permits = false;                ///< or else it is a mutex
  /// Indices in the history: what set the capacity before any other operation began.
  std::vector<std::uint32_t> first_sets;
  /// Whether an order of single units is an order of the operations. Else (operations of several
  /// units, refusals that say something, a capacity that changes, owners) the history has no order
  /// if the units have none, and nothing follows if they have one. The capacity is the highest
  /// then.
  bool is_exact = true;
};

/// None where the model, or these operations, may do what isn't counted.
[[nodiscard]] std::optional<CountingLock> read_as_counting(
    const History& history, Model model, const Settings& settings,
    std::span<const std::uint32_t> operations);

}  // namespace lockstep::checker::recorded
