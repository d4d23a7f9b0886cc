// Reads a scenario from TOML. docs/scenarios.md describes every key.
//
// Refuses unknown keys and what can't happen, with line, column, what was expected and the nearest
// valid word. Does not check the lock's existence, options and scripts: model/lock/lock_package.h
// does.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenario/parameter_setting.h"

namespace lockstep::scenario {

struct Scenario;
struct SourceFile;

/// Parses one text; the first of several rows. Throws InputError, also if it has a base. `path` is
/// for messages, and paths in the file are relative to its folder; no file is read.
[[nodiscard]] Scenario parse_scenario(std::string path, std::string text);

/// All rows of a scenario from its files: itself, its base, the base's base. Throws InputError.
[[nodiscard]] std::vector<Scenario> parse_scenarios(const std::vector<SourceFile>& files,
                                                    const std::vector<ParameterSetting>& set = {});

/// Reads a file with its bases and parses all rows, or those that `set` selects (parameters.h).
/// Throws InputError, also for a missing script.
[[nodiscard]] std::vector<Scenario> load_scenarios(const std::filesystem::path& path,
                                                   const std::vector<ParameterSetting>& set = {});
/// The first row.
[[nodiscard]] Scenario load_scenario(const std::filesystem::path& path);

}  // namespace lockstep::scenario
