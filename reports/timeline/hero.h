// The short form of a timeline, for a slide or a README: time to the right, at most 10 moments.
//
// A lane for each client thread, each Redis node, the faults and the resource, one below the other.
// It shows who believed what and what was true, what struck and what went wrong; of the messages
// only those that arrive at a moment that is shown. What lies between is left out without a word,
// but for the time: the timeline tells it.
#pragma once

#include <cstddef>

#include "reports/timeline/timeline.h"

namespace lockstep::reports {

inline constexpr std::size_t hero_moments_max = 10;

/// Lays it out: the same subject gives the same picture.
[[nodiscard]] Timeline hero_layout(const TimelineSubject& subject,
                                   const TimelineOptions& options = {});

}  // namespace lockstep::reports
