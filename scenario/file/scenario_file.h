// Reading a scenario from TOML. docs/scenarios.md describes every key.
//
// Strict: what the format does not know, and what can't happen, is refused with its line and
// column, what was expected, and the nearest valid word. Not checked here: whether the lock exists
// and has these options and scripts (model/lock/lock_package.h), and what its scripts are called.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenario/scenario.h"

namespace lockstep::scenario {

/// Reads one text; of several rows the first. Throws InputError, also where it has a base. `path`
/// is for complaints, and paths in the file are relative to its folder; nothing is read from there.
[[nodiscard]] Scenario parse_scenario(std::string path, std::string text);

/// All rows of a scenario whose files are read: itself, its base, the base's. Throws InputError.
[[nodiscard]] std::vector<Scenario> parse_scenarios(const std::vector<SourceFile>& files,
                                                    const std::vector<ParameterSetting>& set = {});

/// Reads a file with its bases and parses all its rows, or those that `set` chooses (parameters.h).
/// Throws InputError, also where a script that it names is missing.
[[nodiscard]] std::vector<Scenario> load_scenarios(const std::filesystem::path& path,
                                                   const std::vector<ParameterSetting>& set = {});
/// The first row.
[[nodiscard]] Scenario load_scenario(const std::filesystem::path& path);

}  // namespace lockstep::scenario
