// Describes how a lock's server scripts are rewritten, for lockstep run --verbose.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <vector>

namespace lockstep::scenario {
struct Scenario;
}

namespace lockstep::app {

/// For each server script of the scenario's lock, writes whether it runs as it stands, the
/// rewritten lines, and the warnings. Throws scenario::InputError if the lock can't be loaded.
void describe_server_scripts(const scenario::Scenario& scenario,
                             const std::vector<std::filesystem::path>& script_folders,
                             std::ostream& output);

}  // namespace lockstep::app
