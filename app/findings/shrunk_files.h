// What a search found, as files for people: a scenario; and a failing run made small, with its
// trace and its timeline, and the nearest scenario that passes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "search/runs/seed_runs.h"
#include "search/shrink/shrink.h"

namespace lockstep::model {
class Engine;
}

namespace lockstep::reports {
struct SavedShrunk;
}

namespace lockstep::scenario {
struct Scenario;
}

namespace lockstep::app {

struct Context;

/// Puts the comments at its head, a line each, without empty ones. Returns the scenario as read
/// back from the file. Throws scenario::InputError if it can't be written.
scenario::Scenario save_scenario_file(const scenario::Scenario& scenario, const std::string& path,
                                      const std::vector<std::string>& comments);

struct FailingRun {
  search::ShrinkRequest request;
  /// One line for the comment at the scenario's head: "Found by lockstep fuzz …".
  std::string provenance;
  std::optional<search::Origin> origin;  ///< none: the request's seed made it
};

/// A run that was made small, not yet saved: what it is to be called may depend on what is left.
struct SmallRun {
  search::Shrunk shrunk;
  std::uint64_t took_ms = 0;
};
[[nodiscard]] SmallRun make_small(const FailingRun& run, model::Engine& engine);

/// Writes FOLDER/NAME.toml, .trace.jsonl, .svg, .passing.toml, .passing.trace.jsonl, .beside.svg.
/// If the small scenario breaks in some runs only, it expects nothing, and its trace is of a run
/// that breaks. Throws scenario::InputError if they can't be written.
[[nodiscard]] reports::SavedShrunk save_shrunk(const FailingRun& run, SmallRun small,
                                               const std::filesystem::path& folder,
                                               const std::string& name, const Context& context,
                                               model::Engine& engine);

}  // namespace lockstep::app
