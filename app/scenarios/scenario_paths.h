// Finds the scenario files that a command's paths stand for, and names their reports.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::app {

/// Whether the file itself was given, or a folder above it.
enum class FoundAs : std::uint8_t { named, in_folder };

struct ScenarioPath {
  std::string path;
  /// Base of the names of its files below the output folder: "gc-pause"; "plain/gc-pause" if the
  /// folder above was given. Unique among those found together; never leads out of a folder.
  std::string name;
  FoundAs found_as = FoundAs::named;
};

/// A file stands for itself, a folder for all *.toml below it except lock.toml, sorted by name.
/// "scenarios/…" is looked for among those that come with the program where there is no such folder
/// here. Throws scenario::InputError for a path that does not exist and a folder without any
/// scenario.
[[nodiscard]] std::vector<ScenarioPath> find_scenarios(const std::vector<std::string>& paths);

}  // namespace lockstep::app
