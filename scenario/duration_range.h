// A duration that a file leaves open within bounds.
#pragma once

#include "sim/time.h"

namespace lockstep::scenario {

/// Both ends included. Each use draws a value.
struct DurationRange {
  sim::DurationNs min_ns = 0;
  sim::DurationNs max_ns = 0;

  [[nodiscard]] bool is_open() const { return min_ns != max_ns; }

  friend bool operator==(const DurationRange&, const DurationRange&) = default;
};

}  // namespace lockstep::scenario
