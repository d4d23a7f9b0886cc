#include "lease_oracle.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "checker/history.h"

namespace lockstep::checker::testing {
namespace {

/// A point of time in millionths of a nanosecond.
using Point = std::int64_t;
constexpr Point point_of(TimeNs time_ns) { return time_ns * 1'000'000; }

/// Of an owner that may not know of its hold.
constexpr std::uint32_t first_ghost = 1000;
constexpr bool is_ghost_id(NameId owner) {
  return static_cast<std::uint32_t>(owner) >= first_ghost;
}
constexpr NameId ghost_id(NameId owner) {
  return is_ghost_id(owner) ? owner : NameId{static_cast<std::uint32_t>(owner) + first_ghost};
}

struct Lock {
  std::optional<NameId> owner;
  int count = 0;
  std::optional<Point> deadline;  ///< none: it never expires
};

class BruteForce {
 public:
  BruteForce(const std::vector<Operation>& operations, std::int64_t drift_ppm, Reentry reentry)
      : operations_(operations),
        drift_ppm_(drift_ppm),
        reentry_(reentry),
        done_(operations.size(), false) {}

  /// Whether what is not yet done can be done from here on, no sooner than `now`. What is found in
  /// vain is remembered: attempts that nobody knows the end of lead to the same in any order.
  bool can_finish(const Lock& lock, Point now) {
    if (nothing_left()) return true;
    const Place place{done_, lock.owner, lock.count, lock.deadline, now};
    if (in_vain_.contains(place)) return false;
    if (goes_on(lock, now)) return true;
    in_vain_.insert(place);
    return false;
  }

 private:
  using Place =
      std::tuple<std::vector<bool>, std::optional<NameId>, int, std::optional<Point>, Point>;

  bool goes_on(const Lock& lock, Point now) {
    if (lock.owner && lock.deadline && can_finish(Lock{}, std::max(now, *lock.deadline))) {
      return true;
    }
    for (std::size_t index = 0; index < operations_.size(); ++index) {
      if (done_[index] || must_wait(operations_[index])) continue;
      const Operation& operation = operations_[index];
      const Point point = std::max(now, point_of(operation.invoked.at_ns));
      if (is_definite(operation) && point > point_of(operation.completed->at_ns)) continue;
      Lock after = lock;
      if (!apply(operation, after)) continue;
      done_[index] = true;
      const bool finished = can_finish(after, point) ||
                            (may_come_later(operation) && can_finish(left_by(operation), point));
      done_[index] = false;
      if (finished) return true;
    }
    return false;
  }

  static bool is_definite(const Operation& operation) {
    return operation.completed.has_value() && operation.outcome != Outcome::info;
  }

  /// A release that nobody heard of: its owner goes on without the hold, which goes when it likes.
  [[nodiscard]] bool may_come_later(const Operation& operation) const {
    return reentry_ == Reentry::counted_by_client && operation.kind == OperationKind::release &&
           !is_definite(operation);
  }
  /// Whether a client that counts has the hold twice as it gives one back.
  [[nodiscard]] bool is_inner(const Operation& release) const {
    if (reentry_ != Reentry::counted_by_client || !is_definite(release)) return false;
    int count = 0;
    for (const Operation& other : operations_) {
      if (!(other.invoked < release.invoked)) continue;
      if (other.owner != release.owner) continue;
      const bool is_ok = is_definite(other) && other.outcome == Outcome::ok;
      if (other.kind == OperationKind::acquire && is_ok) ++count;
      if (other.kind != OperationKind::release) continue;
      count = is_definite(other) && !is_ok ? 0 : std::max(count - 1, 0);
    }
    return count > 1;
  }
  static Lock left_by(const Operation& release) { return {ghost_id(release.owner), 1, Point{0}}; }

  [[nodiscard]] bool nothing_left() const {
    for (std::size_t index = 0; index < operations_.size(); ++index) {
      if (!done_[index] && is_definite(operations_[index])) return false;
    }
    return true;
  }

  /// Whether an operation not yet done completed before this one was invoked.
  [[nodiscard]] bool must_wait(const Operation& operation) const {
    for (std::size_t index = 0; index < operations_.size(); ++index) {
      const Operation& other = operations_[index];
      if (!done_[index] && is_definite(other) && *other.completed < operation.invoked) return true;
    }
    return false;
  }

  void set_deadline(const Operation& operation, Lock& lock) const {
    if (operation.lease_ns <= 0) return;
    lock.deadline =
        point_of(operation.invoked.at_ns) + operation.lease_ns * (1'000'000 - drift_ppm_);
  }

  /// The deterministic part: what the operation does to the lock, false if its outcome is
  /// impossible.
  bool apply(const Operation& operation, Lock& lock) const {
    const bool own_ghost = lock.owner && lock.owner == ghost_id(operation.owner);
    const bool same_owner = lock.owner == operation.owner;
    const bool is_ghost = lock.owner && is_ghost_id(*lock.owner);
    const bool mine = same_owner && !is_ghost;
    const bool refused = is_definite(operation) && operation.outcome == Outcome::fail;
    switch (operation.kind) {
      case OperationKind::acquire: {
        const bool granted = !lock.owner || (mine && reentry_ != Reentry::refused);
        if (refused) return !granted;
        if (!granted && !own_ghost) return false;
        if (!lock.owner || own_ghost) lock = Lock{operation.owner, 0, std::nullopt};
        ++lock.count;
        set_deadline(operation, lock);
        return true;
      }
      case OperationKind::renew:
        if (refused) return !same_owner;
        if (!mine && !own_ghost) return false;
        set_deadline(operation, lock);
        return true;
      case OperationKind::release:
        if (refused) return !same_owner;
        if (!mine && !own_ghost) return is_inner(operation);
        set_deadline(operation, lock);
        if (--lock.count == 0) lock = Lock{};
        return true;
      case OperationKind::force_release:
        if (refused || !lock.owner) return refused && !lock.owner;
        lock = Lock{};
        return true;
    }
    return false;
  }

  const std::vector<Operation>& operations_;
  std::int64_t drift_ppm_;
  Reentry reentry_;
  std::vector<bool> done_;
  std::set<Place> in_vain_;
};

/// When its owner came to know how an acquire ended, or gave up on it.
const Moment& told_at(const Operation& acquire) {
  return acquire.completed ? *acquire.completed : acquire.invoked;
}

/// Where re-entry is refused: which hold an operation is about, by the acquire that made it.
NameId hold_of(const std::vector<Operation>& operations, std::size_t index) {
  const Operation& operation = operations[index];
  if (operation.kind == OperationKind::acquire) return static_cast<NameId>(index);
  constexpr std::size_t none = SIZE_MAX;
  std::size_t granted = none;
  std::size_t unknown = none;
  const auto is_last = [&](std::size_t other, std::size_t last) {
    return last == none || !(told_at(operations[other]) < told_at(operations[last]));
  };
  for (std::size_t each = 0; each < operations.size(); ++each) {
    const Operation& other = operations[each];
    const bool is_its = other.kind == OperationKind::acquire && other.owner == operation.owner;
    if (!is_its || operation.invoked < told_at(other)) continue;
    const bool is_definite = other.completed.has_value() && other.outcome != Outcome::info;
    if (!is_definite && is_last(each, unknown)) unknown = each;
    if (is_definite && other.outcome == Outcome::ok && is_last(each, granted)) granted = each;
  }
  if (granted != none && unknown != none && !is_last(unknown, granted)) unknown = none;
  const auto releases_since =
      std::count_if(operations.begin(), operations.end(), [&](const Operation& other) {
        return granted != none && other.kind == OperationKind::release &&
               other.owner == operation.owner && other.invoked < operation.invoked &&
               !(other.invoked < told_at(operations[granted]));
      });
  const bool is_second = operation.kind == OperationKind::release && releases_since > 0;
  if (granted != none && !is_second) return static_cast<NameId>(granted);
  if (unknown != none && operation.kind == OperationKind::release) {
    return static_cast<NameId>(unknown);
  }
  return static_cast<NameId>(granted != none ? granted : operations.size() + index);
}

}  // namespace

bool is_linearizable_by_brute_force(const std::vector<Operation>& operations,
                                    std::int64_t declared_drift_ppm, Reentry reentry) {
  std::vector<Operation> about = operations;
  if (reentry == Reentry::refused) {
    for (std::size_t index = 0; index < about.size(); ++index) {
      about[index].owner = hold_of(operations, index);
    }
  }
  if (reentry == Reentry::counted_by_client) {
    for (Operation& operation : about) {
      const bool is_definite =
          operation.completed.has_value() && operation.outcome != Outcome::info;
      if (operation.kind != OperationKind::acquire || is_definite) continue;
      operation.owner = ghost_id(operation.owner);
    }
  }
  return BruteForce(about, declared_drift_ppm, reentry).can_finish(Lock{}, 0);
}

}  // namespace lockstep::checker::testing
