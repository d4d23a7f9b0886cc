// Why the units of a lock that only counts have no order: a chain of bounds, each a count that
// anybody can repeat.
//
// A bound says how many units have been acquired (or released) at least, in any order, when some
// operation completes. It has two parts: what was so when another operation completed, and what
// was invoked after that and has completed. The first bound begins at the beginning, with nothing.
// Bounds on acquires and on releases take turns: at any moment at least as many units were acquired
// as released, and at most the capacity more. The last bound exceeds what can be: more releases
// than acquires were invoked, or more acquires than releases and the capacity.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "checker/recorded/counting/counting_lock.h"
#include "checker/recorded/history.h"

namespace lockstep::checker::recorded {

struct CountingStep {
  bool acquires = false;        ///< what is counted; or else releases
  std::uint32_t operation = 0;  ///< index in the history: the bound holds when this one completes
  std::uint32_t until = 0;      ///< the position of its completion
  std::int64_t within = 0;      ///< units of what was invoked since the step before and completed
  std::int64_t at_least = 0;    ///< units, since the beginning
  friend bool operator==(const CountingStep&, const CountingStep&) = default;
};

struct CountingProof {
  std::int64_t capacity = 1;
  std::vector<CountingStep> steps;  ///< at least one; the last ends at the stuck completion
  std::int64_t others_invoked = 0;  ///< by then: units of releases, if acquires are counted last
  bool counts_permits = false;      ///< of a semaphore
  /// Indices in the history, of some operations: the last that the last step counts, and the last
  /// of the others that were under way then or began.
  std::vector<std::uint32_t> counted;
  std::vector<std::uint32_t> others;

  /// How many units of the others can have had their effect since the step before the last.
  [[nodiscard]] std::int64_t others_since() const {
    return others_invoked - (steps.size() == 1 ? 0 : steps[steps.size() - 2].at_least);
  }
};

/// How many operations `counted` and `others` have, at most.
inline constexpr std::size_t counted_told_max = 8;

/// Counts everything anew, and whether the last bound exceeds what can be. O(n log steps).
[[nodiscard]] bool is_true(const CountingProof& proof, const CountingLock& lock);

/// For a person: what can't be, in one sentence.
[[nodiscard]] std::string claim_in_words(const History& history, const CountingProof& proof);

/// For a person: what is known of the others, in one line; empty where there is one step only.
[[nodiscard]] std::string why_in_words(const History& history, const CountingProof& proof);

/// For a person: how that is known, in a line for each step but the last; of all these the last.
[[nodiscard]] std::vector<std::string> reasons_in_words(const History& history,
                                                        const CountingProof& proof,
                                                        std::size_t lines_max = SIZE_MAX);

}  // namespace lockstep::checker::recorded
