// The names of messages that a scenario's faults wait for.
#pragma once

#include <filesystem>
#include <vector>

namespace lockstep::scenario {
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::model {

/// Throws InputError at the first fault that waits for a message that nobody sends and whose name
/// is nearly that of a script, or where the lock can't be loaded. Says nothing of scenarios with
/// programs, which may send anything. Not to be asked of what a search keeps or a trace has: their
/// lock may have changed since. REQUIRES: the scenario as it was read.
void require_known_messages(const scenario::Scenario& scenario,
                            const std::vector<std::filesystem::path>& script_folders);

}  // namespace lockstep::model
