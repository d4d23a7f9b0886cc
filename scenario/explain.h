// A scenario in words, with every default printed: how a trace and a report begin.
#pragma once

#include <string>

#include "scenario/scenario.h"

namespace lockstep::scenario {

/// Several lines, each ended; the same for equal scenarios.
[[nodiscard]] std::string explain(const Scenario& scenario);

}  // namespace lockstep::scenario
