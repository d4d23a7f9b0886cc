// valid-grant: when acquire returns ok, the lock is still the caller's in true state, and a
// validity that the client model reports never outlasts the true lease beyond the declared drift.
//
// It catches grants of leases that are already over, which mutual-exclusion and harm would blame on
// the next owner. How long the grant stays valid afterwards is not asked here.
#pragma once

namespace lockstep::checker {

struct Run;
struct Verdict;

/// A reported validity of length v may end at most ⌊v × drift⌋ after the true lease: that is how
/// far a clock within its declared drift can be off over that time. O(n). REQUIRES: `verdict` is
/// fresh (holds, empty).
void judge_valid_grant(const Run& run, Verdict& verdict);

}  // namespace lockstep::checker
