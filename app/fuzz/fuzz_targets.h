// What the words that lockstep fuzz is told stand for: scenarios that are to be searched.
#pragma once

#include <string>
#include <vector>

#include "app/context.h"
#include "scenario/scenario.h"

namespace lockstep::app {

struct FuzzTarget {
  scenario::Scenario scenario;
  std::string name;       ///< as the user named it
  std::string file_name;  ///< of what is saved of it
};

/// Each word is a scenario file, a folder of them, the name of a lock, or a folder with a
/// lock.toml, behind which "/" and a variant may stand. Throws model::InputError where one is none
/// of these, or wrong.
[[nodiscard]] std::vector<FuzzTarget> find_targets(const std::vector<std::string>& words,
                                                   const Context& context);

}  // namespace lockstep::app
