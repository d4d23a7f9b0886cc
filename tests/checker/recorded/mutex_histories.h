// Random histories of one mutex, for the tests of the sweep: linearizable by construction, or with
// some outcomes changed.
//
// A lock is simulated with clients that call it, are refused, or never hear of the outcome and go
// on; then the operation takes effect much later, or never. It shares no code with the checker.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checker/recorded/history.h"
#include "checker/recorded/mutex/mutex_sweep.h"
#include "tests/checker/random_history.h"

namespace lockstep::checker::recorded::testing {

struct MutexHistoryShape {
  MutexKind kind = MutexKind::owned;
  std::int64_t event_count = 20;
  std::int64_t owner_count = 3;
  std::int64_t unknown_one_in = 5;  ///< 0: none
  std::int64_t stray_one_in = 4;    ///< calls that make no sense: a release without a hold
  std::int64_t waits_one_in = 2;    ///< acquires that aren't refused, but wait; 0: none
  std::int64_t changes = 0;         ///< outcomes changed afterwards
};

[[nodiscard]] std::vector<Operation> random_mutex_history(const MutexHistoryShape& shape,
                                                          checker::testing::Draw& draw);

/// "0 acquire [3, 9] ok" a line.
[[nodiscard]] std::string to_text(const std::vector<Operation>& operations);

}  // namespace lockstep::checker::recorded::testing
