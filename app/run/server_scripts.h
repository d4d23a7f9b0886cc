// What becomes of a lock's server scripts when they are loaded: for `lockstep run --verbose`.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <vector>

#include "scenario/scenario.h"

namespace lockstep::app {

/// Writes for each server script of the scenario's lock whether it runs as it stands, the lines
/// that were rewritten, and the warnings. Throws model::InputError where the lock can't be loaded.
void describe_server_scripts(const scenario::Scenario& scenario,
                             const std::vector<std::filesystem::path>& script_folders,
                             std::ostream& output);

}  // namespace lockstep::app
