// Two runs beside each other: the one that fails, and one that passes, with the first difference
// marked in both.
#pragma once

#include <optional>
#include <string>

#include "model/recorded_trace.h"
#include "reports/timeline/timeline.h"

namespace lockstep::reports {

/// The first event that is not the same in both.
struct Difference {
  sim::TimeNs left_ns;
  sim::TimeNs right_ns;
  std::string left;   ///< what happened in the left run, in words; "the run is over"
  std::string right;  ///< … and in the right one
};
[[nodiscard]] std::optional<Difference> first_difference(const model::RecordedTrace& left,
                                                         const model::RecordedTrace& right);

/// Lays both out. The options are those of either.
[[nodiscard]] Timeline side_by_side_layout(const TimelineSubject& left,
                                           const TimelineSubject& right,
                                           const TimelineOptions& options = {});

}  // namespace lockstep::reports
