// A parameter of a scenario with a value, for one row of it.
#pragma once

#include <string>

namespace lockstep::scenario {

/// A parameter's value as a user sets it: lease=7s.
struct ParameterSetting {
  std::string name;
  std::string value;
};

/// A parameter's name: a letter, then letters, digits and '_'.
[[nodiscard]] bool is_name_start(char byte);
[[nodiscard]] bool is_name_part(char byte);

}  // namespace lockstep::scenario
