// What of the network a scenario makes slow by itself: the latency of a link, or of a node. Whether
// it mattered is asked as it is of the faults `clog` and `slow`; a scenario that has faults asks
// what these do.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/time.h"

namespace lockstep::scenario {
struct FaultSpec;
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::model {

/// A link, or all links of a node.
struct SlowPart {
  std::string from;  ///< or the node
  std::string to;    ///< empty: a node
  sim::DurationNs by_ns = 0;

  [[nodiscard]] bool is_link() const { return !to.empty(); }
  /// "the latency of 5s from a to n1".
  [[nodiscard]] std::string describe() const;
  /// When it mattered, as one clause.
  [[nodiscard]] std::string_view mattered() const;
  /// The replica that it keeps behind; empty: it is of no replica.
  [[nodiscard]] std::string_view replica() const;
  /// A fault that makes as slow.
  [[nodiscard]] scenario::FaultSpec as_fault() const;
};

/// Links first. None where the scenario has faults.
[[nodiscard]] std::vector<SlowPart> slow_parts(const scenario::Scenario& scenario);

}  // namespace lockstep::model
