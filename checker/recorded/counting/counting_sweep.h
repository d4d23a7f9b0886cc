// Do the units of a lock that only counts have an order? Two numbers decide it.
//
// Let A(t) and R(t) be how many units have been acquired and released just before the completion t.
// An order exists iff there are such numbers with
//   0 ≤ A(t) − R(t) ≤ capacity,
//   A(t) − A(s) ≥ the known acquires that were invoked after s and have completed by t,
//   A(t) ≤ all acquires invoked before t, known or not; and the same two for R.
// They are needed: each known operation has its effect between its invocation and its completion.
// They suffice: let what completes soonest go first, of those invoked. If one were late at t, let s
// be the last time before t at which one that completes later went; all that went since then were
// invoked after s, and completed by t, and together with the late one they are more than
// A(t) − A(s).
//
// All these bound a difference of two numbers, so there is a least solution, or none. The sweep
// walks the completions and finds it: a unit goes only where it must, at its own completion, or
// where one of the other kind needs it to. Where the least is more than was invoked, the bounds
// that demanded it are the proof (counting_proof.h): walking back from there, each is found as one
// that is met exactly. O(n log n) for the soonest.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "checker/recorded/counting/counting_lock.h"
#include "checker/recorded/counting/counting_proof.h"

namespace lockstep::checker::recorded {

struct CountingResult {
  std::optional<CountingProof> proof;  ///< none: the units have an order
  /// Where each operation is one unit and they have an order: indices in the history.
  std::vector<std::uint32_t> order;
};

[[nodiscard]] CountingResult sweep_counting(const CountingLock& lock);

}  // namespace lockstep::checker::recorded
