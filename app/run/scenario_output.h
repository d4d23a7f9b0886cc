// Writing a scenario that a search came to as a file that a person can read.
#pragma once

#include <string>
#include <vector>

#include "scenario/scenario.h"

namespace lockstep::app {

/// With these comments at its head, a line each (empty ones are left out). Returns it as it is read
/// from there. Throws model::InputError where it can't be written.
scenario::Scenario save_scenario_file(const scenario::Scenario& scenario, const std::string& path,
                                      const std::vector<std::string>& comments);

}  // namespace lockstep::app
