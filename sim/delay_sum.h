// The sum of what several faults add to one delay.
//
// The sum stays exact as parts are added and taken back. It counts as a hundred years at most: more
// than any run lasts, and small enough that instants computed with it fit into 64 bits.
#pragma once

#include <algorithm>
#include <cassert>

#include "sim/time.h"

namespace lockstep::sim {

class DelaySum {
 public:
  static constexpr DurationNs counted_ns_max = DurationNs{100} * 365 * 24 * 3'600 * second_ns;

  /// A negative number takes back what was added. REQUIRES: not more than that.
  void add(DurationNs by_ns) {
    total_ns_ += by_ns;
    assert(total_ns_ >= 0);
  }
  [[nodiscard]] DurationNs value() const {
    return static_cast<DurationNs>(std::min<Wide>(total_ns_, counted_ns_max));
  }

 private:
  __extension__ using Wide = __int128;

  Wide total_ns_ = 0;
};

}  // namespace lockstep::sim
