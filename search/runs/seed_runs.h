// Running a scenario over seeds, and comparing what happened with what it expects.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "search/runs/scenario_outcome.h"

namespace lockstep::model {
class Engine;
}  // namespace lockstep::model

namespace lockstep::redis {
class NodeObserver;
}  // namespace lockstep::redis

namespace lockstep::search {

struct SeedRunOptions {
  std::uint64_t first_seed = 1;
  std::uint64_t seeds = 1;
  /// Called between runs; true stops the search and keeps what it has. Null: never stops.
  bool (*interrupted)() = nullptr;
  /// Whether to find out which faults the example needs, and what would put to the test what
  /// nothing did; that takes runs.
  enum class Needs : std::uint8_t { left_open, found_out };
  Needs needs = Needs::found_out;
};

/// The scenario with these faults, and none left open: a run with the same choices is the same.
[[nodiscard]] scenario::Scenario close_faults(const scenario::Scenario& scenario,
                                              const std::vector<scenario::FaultSpec>& faults);

/// Runs of successive seeds of one scenario, counted; of which one is to be shown yet.
struct CountedRuns {
  /// The first run of the highest rank (tally.h).
  struct Shown {
    int rank = 0;
    std::uint64_t seed = 0;
    std::uint64_t hash = 0;
  };

  ScenarioOutcome outcome;
  std::optional<Shown> shown;  ///< none: there were no runs
};

/// Runs the scenario with seeds first_seed, first_seed + 1, … and counts what they came to.
[[nodiscard]] CountedRuns count_runs(const scenario::Scenario& scenario,
                                     const SeedRunOptions& options, model::Engine& engine);
/// Adds the runs of the seeds that come after those there are: what comes out is what
/// count_runs makes of all of them.
void add_runs(CountedRuns& runs, const CountedRuns& later);
/// Makes the run that is to be shown again, with its trace, and says what all came to. `options`
/// are those of all the seeds.
[[nodiscard]] ScenarioOutcome conclude_runs(CountedRuns runs, const SeedRunOptions& options,
                                            model::Engine& engine);

/// Runs the scenario with seeds first_seed, first_seed + 1, … and judges every run. The example run
/// is made again with its trace recorded; a difference in its hash is an error of Lockstep itself
/// and throws std::logic_error that names the first differing event.
[[nodiscard]] ScenarioOutcome run_scenario(const scenario::Scenario& scenario,
                                           const SeedRunOptions& options, model::Engine& engine);

struct ReplayResult {
  bool same = false;
  std::string difference;  ///< the first difference in words, with both texts; empty where same
  RunRecord example;
};

/// Runs a scenario again with recorded choices, and compares event by event with the record. The
/// observer, if any, sees what happens to the Redis nodes.
[[nodiscard]] ReplayResult replay(const scenario::Scenario& scenario, const RunRecord& recorded,
                                  model::Engine& engine, redis::NodeObserver* observer = nullptr);

}  // namespace lockstep::search
