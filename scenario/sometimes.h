// What must happen in at least one run of a scenario: the parsed and checked form of
// `expect.sometimes`.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "scenario/faults/fault_spec.h"

namespace lockstep::scenario {

/// An event that a run may have: "b acquired for the 2nd time", "pause of a struck".
struct Occurrence {
  Trigger::When when;               ///< of faults only `nth`
  std::vector<std::size_t> faults;  ///< one of these strikes; empty: `when` is a milestone

  friend bool operator==(const Occurrence&, const Occurrence&) = default;
};

/// What must happen in at least one run: "b acquired after a crashed", "pause of a struck while a
/// believes".
struct Sometimes {
  Occurrence moment;
  std::optional<Occurrence> after;  ///< has come before
  std::string believer;  ///< a client or thread that believes at that time; empty: no condition
  std::string believed_lock;  ///< in this lock; empty: in any
  std::string text;           ///< as the file says it

  friend bool operator==(const Sometimes&, const Sometimes&) = default;
};

}  // namespace lockstep::scenario
