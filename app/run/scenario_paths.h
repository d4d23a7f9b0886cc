// Which scenario files a command's paths stand for, and what their reports are called.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::app {

/// Whether somebody asked for this very file, or for a folder that has it.
enum class FoundAs : std::uint8_t { named, in_folder };

struct ScenarioPath {
  std::string path;
  /// What its files are called below the output folder: "gc-pause"; "plain/gc-pause" where the
  /// folder above was named. Unique among those found together; never leads out of a folder.
  std::string name;
  FoundAs found_as = FoundAs::named;
};

/// Files stand for themselves, folders for all *.toml below them, in the order of their names, but
/// for lock.toml.
/// Throws model::InputError: a path that does not exist, a folder without any scenario.
[[nodiscard]] std::vector<ScenarioPath> find_scenarios(const std::vector<std::string>& paths);

}  // namespace lockstep::app
