// A run as data for the HTML report's script: events, states, history, verdicts.
//
// Compact, for a run of 10,000 events is to stay well below 2 MB: text is kept once and named by
// number, an event is a list of numbers whose meaning its shape says, a time is told as the
// difference to the one before.
#pragma once

#include <string>

#include "reports/html/html_report.h"
#include "reports/trace/json_values.h"

namespace lockstep::reports {

[[nodiscard]] Json html_run_data(const HtmlRun& run, const Timeline& timeline);

}  // namespace lockstep::reports
