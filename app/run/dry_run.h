// lockstep run --dry-run: a scenario in words, with every default, and nothing is run.
#pragma once

#include <string>

#include "app/context.h"
#include "scenario/scenario.h"

namespace lockstep::app {

/// Several lines, each ended. Throws model::InputError where the lock is missing or is none that
/// the scenario can use.
[[nodiscard]] std::string describe_scenario(const scenario::Scenario& scenario,
                                            const Context& context);

}  // namespace lockstep::app
