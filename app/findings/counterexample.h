// Saves the counterexample of an exhaustive search as a scenario with its faults written out,
// shrunk like a finding of lockstep fuzz, with its trace and timeline.
#pragma once

#include <filesystem>
#include <string>

namespace lockstep::model {
class Engine;
}

namespace lockstep::reports {
struct SavedFinding;
}

namespace lockstep::scenario {
struct Scenario;
}

namespace lockstep::search {
struct Counterexample;
class PathRunner;
}  // namespace lockstep::search

namespace lockstep::app {

struct Context;

/// Writes FOLDER/NAME.toml and the files that belong to it. Throws scenario::InputError if they
/// can't be written, std::logic_error if the scenario with the faults written out does not break.
[[nodiscard]] reports::SavedFinding save_counterexample(
    const scenario::Scenario& scenario, const search::Counterexample& found,
    search::PathRunner& runner, model::Engine& engine, const std::filesystem::path& folder,
    const std::string& name, const Context& context);

}  // namespace lockstep::app
