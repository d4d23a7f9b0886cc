// Running a scenario over seeds, and comparing what happened with what it expects.
//
// In a closed scenario `violates` means in every run, `holds` means in every run. A fault that is
// written in the file must strike in at least one run: otherwise the expectation was met by nothing
// happening, and the scenario is not as expected. The same goes for what it expects sometimes; what
// it sets bounds to must stay within them in every run.
//
// Where the scenario leaves its faults open, each run draws its own, and `violates` means in at
// least one run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checker/history.h"
#include "checker/observations.h"
#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "model/recorded_trace.h"
#include "scenario/scenario.h"

namespace lockstep::search {

struct SeedRunOptions {
  std::uint64_t first_seed = 1;
  std::uint64_t seeds = 1;
  /// Asked between runs; true stops with what there is. Null: never.
  bool (*interrupted)() = nullptr;
};

enum class OutcomeKind : std::uint8_t { as_expected, not_as_expected, unknown };
[[nodiscard]] std::string_view to_string(OutcomeKind kind);

/// What is said of a property by the file.
enum class Expected : std::uint8_t { nothing, holds, violated };

struct PropertySummary {
  checker::Property property;
  Expected expected = Expected::nothing;
  std::uint64_t held = 0;
  std::uint64_t violated = 0;
  std::uint64_t unknown = 0;
  std::uint64_t first_violating_seed = 0;  ///< meaningful where violated > 0
  std::uint64_t first_holding_seed = 0;    ///< meaningful where held > 0
};

struct ProbeSummary {
  std::string fault;  ///< "pause a for 15s when a acquired"
  std::uint64_t runs_struck = 0;
};

/// A kind of fault among those that runs drew.
struct DrawnKindSummary {
  scenario::FaultKind kind;
  std::uint64_t drawn = 0;   ///< in all runs
  std::uint64_t struck = 0;  ///< of these, how many struck
};

/// What was expected to happen sometimes.
struct SometimesSummary {
  std::string what;  ///< "b acquired while a believes"
  std::uint64_t runs_seen = 0;
};

/// A bound, and what was measured.
struct BoundSummary {
  std::string name;  ///< "overlap_at_most"
  std::string what;  ///< "two believed at once to have the lock"
  sim::DurationNs at_most_ns = 0;
  sim::DurationNs longest_ns = 0;  ///< never_ns: for ever
  std::uint64_t longest_seed = 0;
  std::uint64_t runs_over = 0;
  std::uint64_t first_seed_over = 0;  ///< meaningful where runs_over > 0

  /// "5,001.5 ms", or "for ever".
  [[nodiscard]] std::string longest() const;
};

/// Where a run of a search came from: its number, who made its choices, what all began with.
struct Origin {
  std::uint64_t run = 0;
  std::string strategy;
  std::uint64_t root_seed = 0;
};

/// One run with everything that a report needs, independent of the engine.
struct RunRecord {
  std::uint64_t seed = 0;
  /// A run of a search is what its choices made it, not its seed.
  std::optional<Origin> origin;
  model::RecordedTrace trace;
  checker::Names names;
  checker::History history;
  checker::Observations observations;
  std::vector<checker::Verdict> verdicts;
  model::RunEnd end = model::RunEnd::at_rest;
  sim::TimeNs ended_at_ns = 0;
  std::uint64_t lock_digest = 0;
  /// The scenario's, and behind them those that the run drew.
  std::vector<scenario::FaultSpec> faults;
};

/// The scenario with these faults, and none left open: a run with the same choices is the same.
[[nodiscard]] scenario::Scenario close_faults(const scenario::Scenario& scenario,
                                              const std::vector<scenario::FaultSpec>& faults);

/// The faults without which a violation does not happen (minimal_faults.h).
struct NeededFaults {
  checker::Property property;
  std::vector<std::size_t> faults;  ///< numbers in the example's faults
};

/// What the numbers of runs are: seeds, or places in a search.
enum class RunNumbering : std::uint8_t { seeds, places };

struct ScenarioOutcome {
  scenario::Scenario scenario;
  RunNumbering numbers = RunNumbering::seeds;
  OutcomeKind kind = OutcomeKind::unknown;
  std::uint64_t runs = 0;
  bool interrupted = false;
  std::vector<PropertySummary> properties;
  std::vector<ProbeSummary> probes;
  std::vector<DrawnKindSummary> drawn_kinds;  ///< where faults are left open
  std::vector<SometimesSummary> sometimes;
  std::vector<BoundSummary> bounds;
  std::uint64_t runs_failed = 0;  ///< in which a client model made a mistake of its own
  std::uint64_t first_failed_seed = 0;
  std::string first_failure;             ///< "a/1: plain/client.lua:12: …"
  std::uint64_t runs_out_of_time = 0;    ///< ended by the scenario's horizon
  std::uint64_t runs_out_of_events = 0;  ///< ended by the scenario's event limit
  /// What happened instead of what was expected, one sentence each. Empty where as expected.
  std::vector<std::string> complaints;
  /// The first run that shows what matters: the complaint, else the violation, also one that nobody
  /// asked for.
  RunRecord example;
  /// What a violation of the example needs; none where nothing broke, or without faults.
  std::optional<NeededFaults> needed;
};

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
/// observer, if any, is told what happens to the Redis nodes.
[[nodiscard]] ReplayResult replay(const scenario::Scenario& scenario, const RunRecord& recorded,
                                  model::Engine& engine, redis::NodeObserver* observer = nullptr);

}  // namespace lockstep::search
