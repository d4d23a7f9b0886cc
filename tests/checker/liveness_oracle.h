// Random runs with waiters, and what liveness says of them, by looking at every millisecond.
//
// It shares no code with the checker, and no idea: time is walked in steps of a millisecond, in
// which nothing but its beginning matters.
#pragma once

#include "run_builder.h"

namespace lockstep::checker::testing {

/// A small run of a few owners and locks in which waits, beliefs, grants, stops and availability
/// come without much sense. All moments are whole milliseconds; bounds are small.
[[nodiscard]] RunBuilder random_waiting();

struct Expected {
  VerdictKind kind = VerdictKind::holds;
  std::size_t violations = 0;
};

[[nodiscard]] Expected no_deadlock_by_brute_force(const RunBuilder& run);
[[nodiscard]] Expected no_lost_wakeup_by_brute_force(const RunBuilder& run);
[[nodiscard]] Expected no_starvation_by_brute_force(const RunBuilder& run);

/// In a RapidCheck property: the verdict on a random run, and how many violations it counts, are
/// those of the brute force.
void expect_agreement(Property property, Expected (*by_brute_force)(const RunBuilder&));

}  // namespace lockstep::checker::testing
