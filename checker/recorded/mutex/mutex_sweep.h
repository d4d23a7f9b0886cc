// Is the history of one mutex linearizable? Owners and intervals decide it without a search.
//
// Covered: a mutex that only its owner releases, and a re-entrant one; granted and refused
// operations, and unknown outcomes. Not covered: forced releases, renewals, and owners that call
// twice at once; there the answer is `cannot_say`. For mutexes without owners: counting/.
//
// A "yes" comes with an order of effects, a "no" with a few operations that have none even alone,
// so this code need not be trusted: decide.h replays the one and searches the other.
// docs/checker.md tells why it is right; mutex_frontier.h has the core of the argument.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "checker/linearizability/limits.h"
#include "checker/recorded/history.h"

namespace lockstep::checker::recorded {

enum class MutexKind : std::uint8_t {
  owned,      ///< only its owner, who doesn't get it a second time
  reentrant,  ///< only its owner, as often as it was granted
};

/// What an operation that failed says.
enum class Refusals : std::uint8_t {
  ignored,  ///< nothing
  /// At some moment of the call: an acquire, that the lock was held (re-entrant: by another); a
  /// release, that the caller didn't hold it.
  observed,
};

enum class SweepAnswer : std::uint8_t {
  linearizable,
  not_linearizable,
  cannot_say,
};

enum class SweepObstacle : std::uint8_t {
  none,
  function,   ///< an operation that isn't an acquire or a release
  overlap,    ///< an owner invokes while its last operation with a known outcome is under way
  steps,      ///< the limit
  memory,     ///< the limit
  time,       ///< the caller's
  elsewhere,  ///< it was refuted by what the caller asked
};

struct MutexTimeline;

struct SweepResult {
  SweepAnswer answer = SweepAnswer::cannot_say;
  SweepObstacle obstacle = SweepObstacle::none;  ///< if it cannot say
  /// Linearizable: indices of operations, in an order that explains the history. Left out are
  /// ignored failures, and unknown outcomes that need not have happened.
  std::vector<std::uint32_t> order;
  /// Not linearizable: indices of operations, ascending. In an order of effects of the whole
  /// history these alone would have one too; they haven't, where operations that complete after
  /// `stuck` did count as unknown.
  std::vector<std::uint32_t> blamed;
  std::uint32_t stuck = 0;  ///< not linearizable: index of the operation that can't be placed
  std::uint64_t steps = 0;
};

using RefutedElsewhere = std::function<bool(const MutexTimeline&)>;

/// The operations of one lock, in order of `invoked`. `is_refuted` is asked at most once, where no
/// core was found quickly: whether something else shows that there is no order; then the sweep ends
/// with SweepObstacle::elsewhere. REQUIRES: no two events share a position.
[[nodiscard]] SweepResult sweep_mutex(std::span<const Operation> operations, MutexKind kind,
                                      Refusals refusals, const Limits& limits = {},
                                      const RefutedElsewhere& is_refuted = nullptr);

}  // namespace lockstep::checker::recorded
