// Beliefs that never were any.
#pragma once

#include "checker/observations.h"

namespace lockstep::checker {

/// Whether it was over as it began: its owner was told of a validity that had passed already.
[[nodiscard]] inline bool never_lasted(const Belief& belief) {
  const bool is_of_one_instant = belief.from.at_ns == belief.until.at_ns;
  return !(belief.from < belief.until) || (is_of_one_instant && belief.end == BeliefEnd::validity);
}

}  // namespace lockstep::checker
