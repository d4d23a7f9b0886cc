// The sequential specification of a mutex with an owner, a hold count and leases.
//
// It is what a lock service should look like from outside; it knows neither Redis nor any script.
// Fair queues, read-write modes and fencing tokens are not covered.
//
// The object is free, or held by an owner with a count ≥ 1 and a deadline. Operations:
//   acquire        granted: the lock was free (count 1), or the caller held it (count + 1; only if
//                  re-entry counts). Replaces the deadline. Refused: somebody else held it
//                  (anybody, if re-entry is refused).
//   renew          ok: the caller held it; replaces the deadline. Refused: it didn't.
//   release        ok: the caller held it; count − 1. A hold that stays gets a new deadline if the
//                  operation carries a lease, else keeps the old one. Refused: it didn't hold it.
//   force_release  ok: somebody held it; it is free. Refused: it was free.
//   expiry         spontaneous: frees a held lock at its deadline or at any later time, or never.
// A deadline is the invocation of the operation that set it plus its lease × (1 − declared drift),
// rounded up to whole nanoseconds: the operation took effect no earlier than that, and a clock
// within its drift lets no lease end sooner. A granted acquire without a lease never expires.
//
// Ghosts. Where the client counts, an acquire with unknown outcome makes a hold that its owner may
// not know of (a ghost), and so does a release with unknown outcome that has not yet taken effect.
// A ghost refuses its owner, like everybody else, or is its owner's after all: that depends on
// whether the lock tells an owner's acquisitions apart. So whatever its owner is answered is legal:
// a refusal, which leaves it as it is; a grant, which makes it a hold with count 1; a renewal; a
// release. One that a release has left may go at any time, as if its deadline were 0. And an inner
// release is the client's own matter: it is granted, and does nothing, where the lock was lost.
//
// Time. Each operation takes effect at a point between its invocation and its return; points follow
// the order of effects. An operation that needs an expiry at deadline D has its point at D or
// later, and so has whatever is placed after it. So a prefix of an order can be timed iff every
// operation placed after an expiry at D returns at D or later: then each takes the earliest point
// that it can, the largest of its invocation and of the invocations and deadlines before it.
// (Invocations never contradict returns: precedence is kept. Nothing asks for a point to be early,
// as an expiry may be late.) All operations not yet placed come after the expiry, and of these
// `next` returns first. So:
//
//     the expiry may be used now  iff  D ≤ return of `next`,
//
// and no clock is needed in the state.
//
// Expiry on demand. An expiry is used only together with an operation that isn't legal without it,
// or where the owner itself sets a new deadline that it may have come too late for: an acquire
// (which may have re-entered, or taken a lock that had expired) or an inner release with a lease
// (which is granted in either case): two successors. Nothing is lost: call a hold *lapsed* at a
// moment if D ≤ return of `next`; as returns only grow it stays lapsed until its deadline is
// replaced. A lapsed hold imitates the free lock: whatever is legal on a free lock is legal on it
// by expiring first, and leads to the same state or, for a refusal that leaves the free lock free,
// to the free lock itself or again the lapsed hold.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "checker/drift.h"
#include "checker/history.h"
#include "checker/lock_semantics.h"

namespace lockstep::checker {

class LeasedMutex {
 public:
  struct Input {
    OperationKind kind = OperationKind::acquire;
    bool refused = false;   ///< completed with `fail`; an unknown outcome counts as not refused
    bool is_inner = false;  ///< a release, granted by the client that counts, whatever is true
    NameId owner = no_name;
    TimeNs returns_ns = never_ns;  ///< never_ns: outcome unknown
    bool has_lease = false;
    TimeNs deadline_ns = never_ns;  ///< what it sets if it has a lease
  };

  struct State {
    NameId owner = no_name;  ///< no_name: free, and then the rest is zero
    std::uint32_t count = 0;
    TimeNs deadline_ns = 0;

    [[nodiscard]] bool is_free() const { return owner == no_name; }
    friend bool operator==(const State&, const State&) = default;
  };

  static constexpr std::size_t successors_max = 2;
  using Successors = std::array<State, successors_max>;

  explicit LeasedMutex(Reentry reentry) : reentry_(reentry) {}

  /// What the specification needs to know of an operation. `declared_drift_ppm` ≥ 0.
  [[nodiscard]] static Input input_of(const Operation& operation, std::int64_t declared_drift_ppm);

  /// Stands for the owner in acquires that may make a ghost. REQUIRES: the owner is below
  /// ghost_bit.
  [[nodiscard]] static NameId ghost_of(NameId owner) {
    return NameId{static_cast<std::uint32_t>(owner) | ghost_bit};
  }

  // What the search asks: see Specification in linearizability.h.
  [[nodiscard]] State initial() const { return {}; }
  std::size_t successors(const State& state, const Input& operation, const Input& next,
                         Successors& out) const;

  /// Refusals that are legal without an expiry. Placing one now changes nothing. A completion that
  /// places it later may there have used it to expire its caller's hold; without it, that hold is
  /// lapsed from there on and imitates the free lock.
  [[nodiscard]] bool observes(const State& state, const Input& operation) const {
    return operation.refused && is_refused_by(state, operation);
  }

  /// An earlier deadline forbids less, and of lapsed ones none forbids anything: every operation
  /// treats both states alike, or needs the expiry.
  [[nodiscard]] bool covers(const State& state, const State& other, const Input& next) const {
    return state.owner == other.owner && state.count == other.count &&
           state.deadline_ns <= std::max(other.deadline_ns, next.returns_ns);
  }

  /// Same kind, same owner, and deadlines that are equal or that no expiry has to wait for any
  /// more.
  [[nodiscard]] bool interchangeable(const Input& one, const Input& two, const Input& next) const {
    if (one.kind != two.kind || one.has_lease != two.has_lease) return false;
    if (one.is_inner != two.is_inner) return false;
    if (one.kind == OperationKind::force_release) return true;
    const bool both_lapsed = std::max(one.deadline_ns, two.deadline_ns) <= next.returns_ns;
    return one.owner == two.owner && (one.deadline_ns == two.deadline_ns || both_lapsed);
  }

  [[nodiscard]] std::uint64_t hash_of_effect(const Input& operation, const Input& next) const {
    if (operation.kind == OperationKind::force_release) return 1;
    const TimeNs until_ns = std::max(operation.deadline_ns, next.returns_ns);  // of no use before
    const std::uint64_t flags = static_cast<std::uint64_t>(operation.kind) << 2U |
                                static_cast<std::uint64_t>(operation.has_lease) << 1U |
                                static_cast<std::uint64_t>(operation.is_inner);
    constexpr std::uint64_t odd = 0x9E3779B97F4A7C15U;  // spreads what follows over all bits
    return ((static_cast<std::uint64_t>(until_ns) * odd) ^
            (static_cast<std::uint64_t>(operation.owner) << 8U | flags)) *
           odd;
  }

  [[nodiscard]] std::uint64_t hash(const State& state) const {
    return static_cast<std::uint64_t>(state.owner) << 32U | state.count;
  }

 private:
  static constexpr std::uint32_t ghost_bit = 1U << 31U;

  /// REQUIRES: somebody holds it.
  [[nodiscard]] static bool is_ghost(const State& state) {
    return (static_cast<std::uint32_t>(state.owner) & ghost_bit) != 0;
  }
  [[nodiscard]] static bool is_own_ghost(const State& state, const Input& operation) {
    return !state.is_free() && state.owner == ghost_of(operation.owner);
  }
  [[nodiscard]] bool may_leave_ghost(const Input& operation) const {
    return reentry_ == Reentry::counted_by_client && operation.kind == OperationKind::release &&
           operation.returns_ns == never_ns;
  }
  [[nodiscard]] bool is_refused_by(const State& state, const Input& operation) const;
  std::size_t apply_refused(const State& state, const Input& operation, bool may_expire,
                            Successors& out) const;
  std::size_t apply_acquire(const State& state, const Input& operation, bool may_expire,
                            Successors& out) const;

  Reentry reentry_;
};

inline LeasedMutex::Input LeasedMutex::input_of(const Operation& operation,
                                                std::int64_t declared_drift_ppm) {
  const bool known = operation.outcome_is_known();
  Input input;
  input.kind = operation.kind;
  input.refused = known && operation.outcome == Outcome::fail;
  input.owner = operation.owner;
  input.returns_ns = known ? operation.completed->at_ns : never_ns;
  input.has_lease = operation.lease_ns > 0;
  if (input.has_lease) {
    input.deadline_ns =
        earliest_end(operation.invoked.at_ns, operation.lease_ns, declared_drift_ppm);
  }
  return input;
}

/// Whether the state refuses the operation as it stands, without an expiry.
inline bool LeasedMutex::is_refused_by(const State& state, const Input& operation) const {
  switch (operation.kind) {
    case OperationKind::acquire:
      return !state.is_free() &&
             (reentry_ == Reentry::refused || is_ghost(state) || state.owner != operation.owner);
    case OperationKind::renew:
    case OperationKind::release:
      return state.owner != operation.owner;
    case OperationKind::force_release:
      return state.is_free();
  }
  return false;
}

inline std::size_t LeasedMutex::apply_refused(const State& state, const Input& operation,
                                              bool may_expire, Successors& out) const {
  if (is_refused_by(state, operation)) {
    out[0] = state;
    return 1;
  }
  if (operation.kind == OperationKind::acquire || !may_expire) return 0;
  out[0] = State{};
  return 1;
}

inline std::size_t LeasedMutex::apply_acquire(const State& state, const Input& operation,
                                              bool may_expire, Successors& out) const {
  const State granted{operation.owner, 1, operation.deadline_ns};
  if (state.is_free()) {
    out[0] = granted;
    return 1;
  }
  std::size_t count = 0;
  if (!is_refused_by(state, operation)) {
    out[count] = state;
    ++out[count].count;
    if (operation.has_lease) out[count].deadline_ns = operation.deadline_ns;
    ++count;
  }
  if (may_expire || is_own_ghost(state, operation)) out[count++] = granted;
  return count;
}

inline std::size_t LeasedMutex::successors(const State& state, const Input& operation,
                                           const Input& next, Successors& out) const {
  const bool may_expire = !state.is_free() && state.deadline_ns <= next.returns_ns;
  if (operation.refused) return apply_refused(state, operation, may_expire, out);
  if (operation.kind == OperationKind::acquire) {
    return apply_acquire(state, operation, may_expire, out);
  }
  if (is_refused_by(state, operation) && !is_own_ghost(state, operation)) {
    out[0] = state;
    return operation.is_inner ? 1 : 0;
  }
  std::size_t count = 1;
  if (may_leave_ghost(operation)) out[count++] = State{ghost_of(operation.owner), 1, 0};
  const bool stays = operation.kind == OperationKind::renew ||
                     (operation.kind == OperationKind::release && state.count > 1);
  out[0] = stays ? state : State{};
  if (!stays) return count;
  if (operation.kind == OperationKind::release) --out[0].count;
  if (!operation.has_lease) return count;
  out[0].deadline_ns = operation.deadline_ns;
  if (operation.is_inner && may_expire) out[count++] = State{};
  return count;
}

}  // namespace lockstep::checker
