// Writes a scenario as a file, in the order of the files in scenarios/.
//
// Defaults are left out. Bases and parameters are resolved; comments are lost. The text reads back
// as the same scenario but for path, text, places and rows:  differences(parse(write(s)), s) is
// empty, and write(parse(write(s))) = write(s).
#pragma once

#include <filesystem>
#include <string>

namespace lockstep::scenario {

struct Scenario;

/// `path`: the file to be. Paths of scripts and of a lock's folder are written relative to it.
[[nodiscard]] std::string write_scenario(const Scenario& scenario,
                                         const std::filesystem::path& path);
/// For the file that it was read from.
[[nodiscard]] std::string write_scenario(const Scenario& scenario);

}  // namespace lockstep::scenario
