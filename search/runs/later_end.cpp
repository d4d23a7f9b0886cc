#include "search/runs/later_end.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "scenario/revalidation.h"
#include "scenario/scenario.h"
#include "search/runs/scenario_outcome.h"
#include "sim/seeded_choices.h"

namespace lockstep::search {
namespace {

constexpr std::uint64_t seeds_tried_max = 2;
constexpr sim::DurationNs longest_horizon_ns = sim::DurationNs{24} * 3'600 * sim::second_ns;
/// Bounds what the question costs.
constexpr std::uint64_t events_tried_max = 4'000'000;

class HorizonTrials {
 public:
  explicit HorizonTrials(model::Engine& engine) : engine_(engine) {}

  /// How the run of that seed ends with this horizon; none: the file may not say so, or enough has
  /// been tried.
  std::optional<model::RunEnd> end_of(const scenario::Scenario& scenario,
                                      sim::DurationNs horizon_ns, std::uint64_t seed) {
    scenario::Scenario changed = scenario;
    changed.horizon_ns = horizon_ns;
    const std::optional<scenario::Scenario> valid = scenario::revalidated(changed);
    if (!valid || events_ >= events_tried_max) return std::nullopt;
    sim::SeededChoices choices(seed);
    const std::unique_ptr<model::Simulation> simulation = engine_.prepare(*valid);
    const model::RunResult& run = simulation->run(choices);
    events_ += run.event_count;
    return run.end;
  }

 private:
  model::Engine& engine_;
  std::uint64_t events_ = 0;
};

std::optional<std::uint64_t> a_seed_cut_off(const ScenarioOutcome& outcome,
                                            std::uint64_t first_seed, HorizonTrials& trials) {
  if (outcome.example.end == model::RunEnd::horizon) return outcome.example.seed;
  const scenario::Scenario& scenario = *outcome.scenario;
  for (std::uint64_t i = 0; i < std::min(outcome.runs, seeds_tried_max); ++i) {
    const auto end = trials.end_of(scenario, scenario.horizon_ns, first_seed + i);
    if (end == model::RunEnd::horizon) return first_seed + i;
  }
  return std::nullopt;
}

}  // namespace

void suggest_later_end(ScenarioOutcome& outcome, std::uint64_t first_seed, model::Engine& engine) {
  const scenario::Scenario& scenario = *outcome.scenario;
  const bool is_asked = outcome.kind == OutcomeKind::unknown && outcome.runs_out_of_time > 0;
  if (!is_asked || has_program(scenario)) return;
  HorizonTrials trials(engine);
  const std::optional<std::uint64_t> seed = a_seed_cut_off(outcome, first_seed, trials);
  if (!seed) return;
  for (sim::DurationNs later_ns = 2 * scenario.horizon_ns; later_ns <= longest_horizon_ns;
       later_ns *= 2) {
    const std::optional<model::RunEnd> end = trials.end_of(scenario, later_ns, *seed);
    if (end == model::RunEnd::at_rest) outcome.later_horizon_ns = later_ns;
    if (end != model::RunEnd::horizon) return;
  }
}

}  // namespace lockstep::search
