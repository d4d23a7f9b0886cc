#include "search/campaign.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <stdexcept>
#include <utility>

#include "checker/text.h"
#include "model/scenario/durations.h"
#include "search/example_run.h"
#include "search/fewest_faults.h"
#include "search/tally.h"
#include "sim/seeded_choices.h"

namespace lockstep::search {
namespace {

/// For the first property that broke in the example.
std::optional<NeededFaults> needed_faults(const ScenarioOutcome& outcome, model::Engine& engine) {
  if (outcome.example.faults.empty()) return std::nullopt;
  const auto& verdicts = outcome.example.verdicts;
  const auto broken =
      std::find_if(verdicts.begin(), verdicts.end(), [](const checker::Verdict& verdict) {
        return verdict.kind == checker::VerdictKind::violated;
      });
  if (broken == verdicts.end()) return std::nullopt;
  const model::Scenario closed = close_faults(outcome.scenario, outcome.example.faults);
  Retrial retrial(engine, outcome.example.seed);
  return NeededFaults{broken->property, fewest_faults(closed, broken->property, retrial)};
}

}  // namespace

model::Scenario close_faults(const model::Scenario& scenario,
                             const std::vector<model::FaultSpec>& faults) {
  model::Scenario closed = scenario;
  closed.faults = faults;
  closed.open_faults.reset();
  return closed;
}

std::string BoundSummary::longest() const {
  return longest_ns == sim::never_ns ? "for ever" : checker::milliseconds(longest_ns);
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

ScenarioOutcome run_scenario(const model::Scenario& scenario, const CampaignOptions& options,
                             model::Engine& engine) {
  const std::unique_ptr<model::Simulation> simulation = engine.prepare(scenario);
  ScenarioOutcome outcome = empty_outcome(scenario, simulation->judged());
  /// The seed to show and its hash: the first of the highest rank.
  struct Shown {
    int rank;
    std::uint64_t seed;
    std::uint64_t hash;
  };
  std::optional<Shown> shown;
  sim::SeededChoices choices(options.first_seed);
  for (std::uint64_t i = 0; i < options.seeds; ++i) {
    if (options.interrupted != nullptr && options.interrupted()) {
      outcome.interrupted = true;
      break;
    }
    const std::uint64_t seed = options.first_seed + i;
    choices.reset(seed);
    const model::RunResult& result = simulation->run(choices);
    const Judgement judgement = add_run(outcome, seed, result);
    const int rank = rank_of(judgement);
    if (!shown || rank > shown->rank) shown = Shown{rank, seed, result.hash};
  }
  if (!shown) return outcome;
  outcome.example = record_seed(*simulation, shown->seed);
  if (outcome.example.trace.hash != shown->hash) {
    const Example again = record_seed(*simulation, shown->seed);
    throw std::logic_error("seed " + std::to_string(shown->seed) +
                           " gave two different runs: Lockstep itself is not deterministic. " +
                           first_difference(outcome.example.trace, again.trace));
  }
  outcome.needed = needed_faults(outcome, engine);
  conclude(outcome);
  return outcome;
}

ReplayResult replay(const model::Scenario& scenario, const Example& recorded, model::Engine& engine,
                    model::NodeObserver* observer) {
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
  if (choices.divergence()) {
    result.difference = *choices.divergence() + ". ";
  } else if (choices.left_over() > 0) {
    result.difference =
        std::to_string(choices.left_over()) + " recorded choices were not asked for. ";
  }
  if (simulation->lock_digest() != recorded.lock_digest) {
    result.difference += "The lock's files have changed since the trace was made. ";
  }
  result.difference += first_difference(recorded.trace, result.example.trace);
  return result;
}

}  // namespace lockstep::search
