#include "search/runs/seed_runs.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <stdexcept>
#include <utility>

#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "scenario/scenario.h"
#include "scenario/text/durations.h"
#include "scenario/text/input_error.h"
#include "search/runs/needed_faults.h"
#include "search/runs/run_record.h"
#include "search/runs/suggested_change.h"
#include "search/runs/tally.h"
#include "search/runs/with_programs.h"
#include "sim/seeded_choices.h"

namespace lockstep::search {
namespace {

/// Without which something holds that broke, and that the file asks about, mattered in the run that
/// is shown, whatever became of its strikes.
void count_what_is_needed(ScenarioOutcome& outcome) {
  for (const NeededFaults& needed : outcome.needed) {
    const bool is_asked = std::any_of(
        outcome.properties.begin(), outcome.properties.end(), [&](const PropertySummary& each) {
          return each.property == needed.property && each.expected != Expected::nothing;
        });
    if (!is_asked) continue;
    for (const std::size_t fault : needed.faults) {
      if (fault >= outcome.probes.size()) continue;  // the run drew it
      ProbeSummary& probe = outcome.probes[fault];
      if (probe.runs_struck > 0)
        probe.runs_mattered = std::max<std::uint64_t>(probe.runs_mattered, 1);
    }
  }
}

}  // namespace

scenario::Scenario close_faults(const scenario::Scenario& scenario,
                                const std::vector<scenario::FaultSpec>& faults) {
  scenario::Scenario closed = scenario;
  closed.faults = faults;
  closed.open_faults.reset();
  return closed;
}

std::string_view to_string(OutcomeKind kind) {
  switch (kind) {
    case OutcomeKind::as_expected:
      return "as expected";
    case OutcomeKind::not_as_expected:
      return "not as expected";
    case OutcomeKind::unknown:
      return "unknown";
  }
  return "unknown";
}

namespace {

CountedRuns count_runs(const scenario::Scenario& scenario, const SeedRunOptions& options,
                       model::Simulation& simulation) {
  CountedRuns runs{empty_outcome(scenario, simulation.judged()), std::nullopt};
  sim::SeededChoices choices(options.first_seed);
  for (std::uint64_t i = 0; i < options.seeds; ++i) {
    if (options.interrupted != nullptr && options.interrupted()) {
      runs.outcome.interrupted = true;
      break;
    }
    const std::uint64_t seed = options.first_seed + i;
    choices.reset(seed);
    const model::RunResult& result = simulation.run(choices);
    const int rank = rank_of(add_run(runs.outcome, seed, result));
    if (!runs.shown || rank > runs.shown->rank) {
      runs.shown = CountedRuns::Shown{rank, seed, result.hash};
    }
  }
  return runs;
}

ScenarioOutcome conclude_runs(CountedRuns runs, const SeedRunOptions& options,
                              model::Simulation& simulation, model::Engine& engine) {
  ScenarioOutcome outcome = std::move(runs.outcome);
  if (!runs.shown) return outcome;
  outcome.example = record_seed(simulation, runs.shown->seed);
  if (outcome.example.trace.hash != runs.shown->hash) {
    const RunRecord again = record_seed(simulation, runs.shown->seed);
    blame_programs(*outcome.scenario, outcome.example, again);
    throw std::logic_error("seed " + std::to_string(runs.shown->seed) +
                           " gave two different runs: Lockstep itself is not deterministic. " +
                           first_difference(outcome.example.trace, again.trace));
  }
  if (options.needs == SeedRunOptions::Needs::found_out) {
    find_needed_faults(outcome, engine);
    count_what_is_needed(outcome);
  }
  conclude(outcome);
  if (options.needs == SeedRunOptions::Needs::found_out) {
    suggest_changes(outcome, options.first_seed, engine);
  }
  return outcome;
}

}  // namespace

CountedRuns count_runs(const scenario::Scenario& scenario, const SeedRunOptions& options,
                       model::Engine& engine) {
  return count_runs(scenario, options, *engine.prepare(scenario));
}

void add_runs(CountedRuns& runs, const CountedRuns& later) {
  add_runs(runs.outcome, later.outcome);
  if (!later.shown) return;
  if (!runs.shown || later.shown->rank > runs.shown->rank) runs.shown = later.shown;
}

ScenarioOutcome conclude_runs(CountedRuns runs, const SeedRunOptions& options,
                              model::Engine& engine) {
  const scenario::Scenario scenario = *runs.outcome.scenario;
  return conclude_runs(std::move(runs), options, *engine.prepare(scenario), engine);
}

ScenarioOutcome run_scenario(const scenario::Scenario& scenario, const SeedRunOptions& options,
                             model::Engine& engine) {
  // One for both: real programs are not started again.
  const std::unique_ptr<model::Simulation> simulation = engine.prepare(scenario);
  return conclude_runs(count_runs(scenario, options, *simulation), options, *simulation, engine);
}

ReplayResult replay(const scenario::Scenario& scenario, const RunRecord& recorded,
                    model::Engine& engine, redis::NodeObserver* observer) {
  const std::unique_ptr<model::Simulation> simulation = engine.prepare(scenario);
  ReplayResult result;
  sim::ReplayedChoices choices(recorded.trace.choices);
  result.example = record_run(*simulation, choices, observer);
  result.example.seed = recorded.seed;
  result.example.trace.choices = recorded.trace.choices;
  if (result.example.trace.hash == recorded.trace.hash) {
    result.same = true;
    return result;
  }
  // First what explains the rest.
  if (simulation->lock_digest() != recorded.lock_digest) {
    result.difference = "The lock's files have changed since the trace was made. ";
  }
  if (choices.divergence()) {
    result.difference += *choices.divergence() + ". ";
  } else if (choices.unread_count() > 0) {
    result.difference +=
        std::to_string(choices.unread_count()) + " recorded choices were not asked for. ";
  }
  const std::string stuck = stuck_program(result.example.trace);
  if (!stuck.empty()) result.difference += "This time " + stuck + ". ";
  result.difference += first_difference(recorded.trace, result.example.trace);
  return result;
}

}  // namespace lockstep::search
