// Finds the scenarios to search that the words given to lockstep fuzz stand for.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scenario/faults/fault_choice.h"

namespace lockstep::scenario {
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::search {
struct FuzzPlan;
}  // namespace lockstep::search

namespace lockstep::app {

struct FuzzTarget {
  std::shared_ptr<const scenario::Scenario> scenario;  ///< of a lock: only its name
  bool is_lock = false;
  std::string name;                   ///< as the user named it
  std::string file_name;              ///< base of the names of its files
  scenario::FaultChoice faults = {};  ///< that were asked for; a scenario is narrowed to them
};

/// With these faults only. Each word is a scenario file, a folder of them, the name of a lock, or a
/// folder with a lock.toml, optionally followed by "/" and a variant. Throws scenario::InputError
/// if one is none of these, or wrong.
[[nodiscard]] std::vector<FuzzTarget> find_targets(const std::vector<std::string>& words,
                                                   const scenario::FaultChoice& faults = {});

/// The words behind "lockstep" that search the target so: "fuzz plain --seed 1", quoted for a
/// shell.
[[nodiscard]] std::string search_command(const FuzzTarget& target, const search::FuzzPlan& plan);

}  // namespace lockstep::app
