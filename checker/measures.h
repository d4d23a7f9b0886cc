// Figures of a run, for scenarios that set bounds to them.
//
// They judge nothing: how long is too long is the asker's matter.
#pragma once

#include "checker/check.h"
#include "checker/properties/mutual_exclusion.h"

namespace lockstep::checker {

struct Measures {
  /// The longest time for which two owners that exclude each other both believed to have a lock.
  TimeNs overlap_ns = 0;
  /// The longest wait for a lock, until it was had or refused; never_ns: one that could never end,
  /// for the run came to rest. What a crash or an error ended does not count.
  TimeNs wait_ns = 0;
};

class Measurer {
 public:
  [[nodiscard]] Measures measure(const Run& run);

 private:
  MutualExclusion mutual_exclusion_;
};

}  // namespace lockstep::checker
