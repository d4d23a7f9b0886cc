// Finds the scenarios to search that the words given to lockstep fuzz stand for.
#pragma once

#include <string>
#include <vector>

#include "scenario/scenario.h"

namespace lockstep::app {

struct FuzzTarget {
  scenario::Scenario scenario;  ///< of a lock: only its name
  bool is_lock = false;
  std::string name;       ///< as the user named it
  std::string file_name;  ///< base of the names of its files
};

/// Each word is a scenario file, a folder of them, the name of a lock, or a folder with a
/// lock.toml, optionally followed by "/" and a variant. Throws scenario::InputError if one is none
/// of these, or wrong.
[[nodiscard]] std::vector<FuzzTarget> find_targets(const std::vector<std::string>& words);

}  // namespace lockstep::app
