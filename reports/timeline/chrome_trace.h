// The timeline as a trace in Chrome's trace event format, which Perfetto (ui.perfetto.dev) and
// chrome://tracing show: for long runs, where a picture has no room.
//
// A process for each host, a thread for each lane. What lasts (a belief, a hold, a pause) is an
// async event, what happens in an instant an instant event, a message a flow between two slices.
// Times are virtual, in microseconds with three decimals. Nothing is folded.
#pragma once

#include <string>

#include "reports/timeline/timeline.h"

namespace lockstep::reports {

/// A JSON object, an event per line; ends in a line feed. The same subject gives the same text.
[[nodiscard]] std::string chrome_trace_of(const TimelineSubject& subject,
                                          const TimelineOptions& options = {});

}  // namespace lockstep::reports
