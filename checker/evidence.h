// What shows a verdict: the events and intervals that a reader should look at.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "checker/history.h"

namespace lockstep::checker {

/// How many violations of one property a verdict shows at most; the summary counts all of them.
inline constexpr std::size_t evidence_max = 8;

/// One thing that a reader should look at: an event (until is none) or an interval.
struct Evidence {
  std::string what;  ///< "a/1 believed that it held the lock"
  NameId who = no_name;
  Moment from;
  std::optional<Moment> until;
};

}  // namespace lockstep::checker
