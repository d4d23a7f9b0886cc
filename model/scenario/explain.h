// A scenario in words, with every default printed: how a trace and a report begin.
#pragma once

#include <string>

#include "model/scenario/scenario.h"

namespace lockstep::model {

/// Several lines, each ended; the same for equal scenarios.
[[nodiscard]] std::string explain(const Scenario& scenario);

}  // namespace lockstep::model
