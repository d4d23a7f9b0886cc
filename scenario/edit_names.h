// Who is named in a scenario's faults, links and moments, when somebody of that name goes or is
// called otherwise. What can't do without a name that is gone is left to accepted.h.
#pragma once

#include <string>
#include <string_view>

#include "scenario/scenario.h"

namespace lockstep::scenario {

/// Everybody of that name is called otherwise, also where a phrase names them.
void rename_actor(Scenario& scenario, std::string_view name, const std::string& new_name);

/// Takes the name, and those of its threads, out of groups and of lists to choose from.
void remove_actor(Scenario& scenario, std::string_view name);

}  // namespace lockstep::scenario
