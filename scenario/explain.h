// A scenario in words, defaults included: the beginning of traces and reports.
#pragma once

#include <string>

namespace lockstep::scenario {

struct Scenario;

/// Lines, each with its newline. Equal scenarios have equal texts.
[[nodiscard]] std::string explain(const Scenario& scenario);

}  // namespace lockstep::scenario
