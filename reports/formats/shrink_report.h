// What a failing run was made into: the small scenario, its run, and its nearest passing scenario;
// for a console and for programs.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "reports/formats/console.h"
#include "reports/run_artifacts.h"
#include "search/runs/scenario_outcome.h"
#include "search/shrink/need.h"

namespace lockstep::reports {

/// The scenario beside it that passes.
struct SavedPassingScenario {
  std::string change;         ///< "without pause a for 15s when a acquired"; empty: there is none
  std::string scenario_path;  ///< which expects that the property holds, if it is tested
  std::string trace;
};

/// A failing run that was made small and saved.
struct SavedShrunk {
  checker::Property property{};
  std::string scenario_path;        ///< the shrunk scenario
  search::ScenarioOutcome shrunk;   ///< of the saved scenario, run with several seeds
  bool breaks_always = false;       ///< whatever the messages' delays
  bool is_unconfirmed = false;      ///< it breaks with seed 1; there was no time for others
  bool is_cut_short = false;        ///< it was interrupted: it might have become smaller
  std::uint64_t shrink_runs = 0;    ///< with those that the neighbour took
  std::uint64_t shrink_ms = 0;      ///< of this machine's time
  std::vector<search::Need> needs;  ///< one for each fault of the shrunk scenario
  std::size_t rows = 0;             ///< of its timeline, as it is drawn
  RunArtifacts artifacts;           ///< of the shrunk scenario's run
  SavedPassingScenario passing;
};

/// "it breaks with 3 of the seeds 1 to 5": of what does not break always. Empty: it does.
[[nodiscard]] std::string when_it_breaks(const SavedShrunk& saved);

/// Several lines: what it took, where it is, what passes, and the story.
[[nodiscard]] std::string shrunk_in_words(const SavedShrunk& saved, Style style);

/// The keys that docs/fuzz.md describes, added to an object.
void add_shrunk(const SavedShrunk& saved, nlohmann::ordered_json& object);

/// One JSON document of what `lockstep shrink` made of its targets.
[[nodiscard]] std::string shrink_json(const std::vector<SavedShrunk>& all);

}  // namespace lockstep::reports
