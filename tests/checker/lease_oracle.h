// The mutex with leases once more, decided by brute force: the oracle for small histories.
//
// It shares nothing with checker/linearizability/leased_mutex.h and
// checker/linearizability/linearizability.h: it tries every order of every subset of the operations
// with unknown outcome, each with expiries as steps of their own anywhere in between, and gives
// every step a real point of time (exactly, in millionths of a nanosecond). Exponential; fit for up
// to about ten operations.
#pragma once

#include <vector>

#include "checker/check.h"
#include "checker/history.h"

namespace lockstep::checker::testing {

/// REQUIRES: operations on one lock; times and leases below 10¹² ns; 0 ≤ drift ≤ 10⁶ ppm.
[[nodiscard]] bool is_linearizable_by_brute_force(const std::vector<Operation>& operations,
                                                  std::int64_t declared_drift_ppm, Reentry reentry);

}  // namespace lockstep::checker::testing
