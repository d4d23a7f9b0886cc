// Reading a scenario from TOML. docs/scenarios.md describes every key.
//
// Strict: what the format does not know, and what can't happen, is refused with its line and
// column, what was expected, and the nearest valid word. Not checked here: whether the lock exists
// and has these options and scripts (model/client/lock_package.h), and what its scripts are called.
#pragma once

#include <filesystem>
#include <string>

#include "model/scenario/scenario.h"

namespace lockstep::model {

/// Throws InputError. `path` is for complaints, and paths in the file are relative to its folder;
/// nothing is read from there.
[[nodiscard]] Scenario parse_scenario(std::string path, std::string text);

/// Reads and parses a file. Throws InputError, also where a script that it names is missing.
[[nodiscard]] Scenario load_scenario(const std::filesystem::path& path);

}  // namespace lockstep::model
