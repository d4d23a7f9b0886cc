// no-lost-wakeup: nobody sleeps on while the lock could be had.
//
// Judged after the last fault was over:
// 1. no waiter waits for longer than the bound while, without interruption, as much of the lock is
//    available as it asks for and its process runs;
// 2. when the run has come to rest, nobody is left waiting for what is available.
// What is available is what the true state says, for who excludes and for who shares. A run that
// was cut off within such a span leaves it unknown.
//
// Algorithm. Waits that ask for the same (lock, mode, permits) share the spans in which so much was
// available, found in one pass over what became of that lock; each wait then asks for the first
// span that overlaps it for too long (stretches.h). O(n log n) for each amount that is asked for of
// a lock, of which a scenario names a few; nothing is allocated once warm while the property holds.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "checker/check.h"
#include "checker/stretches.h"
#include "checker/wait_findings.h"

namespace lockstep::checker {

class NoLostWakeup {
 public:
  /// REQUIRES: `verdict` is fresh (holds, empty).
  void judge(const Run& run, Verdict& verdict);

 private:
  void load(const Observations& observations);
  void load_spans(const Wait& wait, TimeNs bound_ns);
  void judge_wait(const Wait& wait, bool came_to_rest);
  [[nodiscard]] static std::string describe(const Run& run, const WaitFinding& finding);

  std::vector<const Wait*> waits_;                 ///< by lock, mode and permits
  std::vector<const Availability*> availability_;  ///< by lock, then moment
  Stretches stretches_;
  ServingSpans spans_;
  WaitFindings findings_;
};

}  // namespace lockstep::checker
