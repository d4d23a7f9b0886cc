// Writes a scenario that a search found as a file for people.
#pragma once

#include <string>
#include <vector>

namespace lockstep::scenario {
struct Scenario;
}

namespace lockstep::app {

/// Puts the comments at its head, a line each, without empty ones. Returns the scenario as read
/// back from the file. Throws scenario::InputError if it can't be written.
scenario::Scenario save_scenario_file(const scenario::Scenario& scenario, const std::string& path,
                                      const std::vector<std::string>& comments);

}  // namespace lockstep::app
