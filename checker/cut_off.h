// What a run leaves open that was cut off, at its horizon or its limit of events.
//
// Whoever was still at work then may have broken anything a moment later. So what would hold is
// unknown, unless nobody was: a thread is at work where it runs, and either has steps of the lock
// before it or believes to have one (Observations::at_work). Not at work is who has waited for so
// long that the wait itself is a matter of liveness, and whom a fault that is never over keeps from
// the lock.
#pragma once

#include <string>
#include <vector>

#include "checker/check.h"
#include "checker/history.h"

namespace lockstep::checker {

class CutOff {
 public:
  /// O(n).
  void load(const Run& run);
  /// Turns "holds" into "unknown" where the run left the property open. Those of liveness, and
  /// no-leak, say by themselves what a run that was cut off leaves open.
  void judge(const Run& run, Verdict& verdict) const;

 private:
  std::vector<NameId> at_work_;
};

}  // namespace lockstep::checker
