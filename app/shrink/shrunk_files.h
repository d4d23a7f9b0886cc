// Making a failing run small, and saving what comes of it: the small scenario, its trace and its
// timeline, and the nearest scenario that passes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/context.h"
#include "model/engine/engine.h"
#include "reports/formats/shrink_report.h"
#include "scenario/scenario.h"
#include "search/runs/seed_runs.h"
#include "search/shrink/shrink.h"

namespace lockstep::app {

struct FailingRun {
  search::ShrinkRequest request;
  /// "Found by lockstep fuzz …": one line, for the comment at the scenario's head.
  std::string provenance;
  std::optional<search::Origin> origin;  ///< none: the request's seed made it
};

/// Writes FOLDER/NAME.toml, .trace.jsonl, .svg, .passing.toml, .passing.trace.jsonl, .beside.svg.
/// Where the small scenario breaks in some runs only it expects nothing, and its trace is one that
/// does. Throws model::InputError where they can't be written.
[[nodiscard]] reports::SavedShrunk save_shrunk(const FailingRun& run,
                                               const std::filesystem::path& folder,
                                               const std::string& name, const Context& context,
                                               model::Engine& engine);

}  // namespace lockstep::app
