// A parameter of a scenario with a value, for one row of it.
#pragma once

#include <string>

namespace lockstep::scenario {

/// A parameter's value as a user sets it: lease=7s.
struct ParameterSetting {
  std::string name;
  std::string value;
};

}  // namespace lockstep::scenario
