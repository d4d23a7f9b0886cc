// Everything that a scenario says, field by field, one a line: two scenarios are the same where
// these are. Left out is where it was read from: path, text, bases, row, parameters and all places.
#pragma once

#include <string>

#include "scenario/scenario.h"

namespace lockstep::model {

[[nodiscard]] std::string fields_of(const scenario::Scenario& scenario);

}  // namespace lockstep::model
