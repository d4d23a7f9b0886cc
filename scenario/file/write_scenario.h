// A scenario as a file that a person would have written: the way back from scenario_file.h.
//
// Only what differs from the defaults is written, in the order in which the files of scenarios/
// have it. What came from a base, from a parameter or by `count` of threads that differ stands
// there flat; comments are lost. What is read from the text is the same scenario, but for its path,
// text, places and rows:  parse(write(s)) = s,  write(parse(write(s))) = write(s).
#pragma once

#include <filesystem>
#include <string>

#include "scenario/scenario.h"

namespace lockstep::scenario {

/// `path`: where the text is to stand. What the scenario names in folders (its scripts, a lock of
/// one's own) is written as seen from there.
[[nodiscard]] std::string write_scenario(const Scenario& scenario,
                                         const std::filesystem::path& path);
/// In the place of the file that it was read from.
[[nodiscard]] std::string write_scenario(const Scenario& scenario);

}  // namespace lockstep::scenario
