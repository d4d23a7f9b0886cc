// Saving the counterexample of an exhaustive search: as a scenario with its few faults written out,
// made small as a search's findings are, with its trace and timeline.
#pragma once

#include <filesystem>
#include <string>

#include "app/context.h"
#include "model/engine/engine.h"
#include "reports/formats/fuzz_report.h"
#include "scenario/scenario.h"
#include "search/explore/exploration.h"
#include "search/explore/path_runner.h"

namespace lockstep::app {

/// Writes FOLDER/NAME.toml and what belongs to it. Throws model::InputError where it can't be
/// written, std::logic_error where the scenario with the faults written out does not break.
[[nodiscard]] reports::SavedFinding save_counterexample(
    const scenario::Scenario& scenario, const search::Counterexample& found,
    search::PathRunner& runner, model::Engine& engine, const std::filesystem::path& folder,
    const std::string& name, const Context& context);

}  // namespace lockstep::app
