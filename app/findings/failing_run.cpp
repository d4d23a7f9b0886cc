#include "app/findings/failing_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <span>

#include "app/interruption.h"
#include "checker/property.h"
#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "reports/shown_run.h"
#include "reports/trace/trace_file.h"
#include "scenario/text/input_error.h"
#include "search/fuzz/fuzz.h"
#include "search/runs/seed_runs.h"
#include "sim/recorded_choices.h"
#include "sim/seeded_choices.h"

namespace lockstep::app {
namespace {

using Properties = std::vector<checker::Property>;

bool is_in(const Properties& properties, checker::Property property) {
  return std::find(properties.begin(), properties.end(), property) != properties.end();
}

/// The property that was asked for; else those that the scenario names; else all.
Properties wanted_of(const scenario::Scenario& scenario, const FailingRunQuery& wanted,
                     std::span<const checker::Property> judged) {
  const Properties all(judged.begin(), judged.end());
  if (wanted.property) {
    if (!is_in(all, *wanted.property)) {
      throw scenario::InputError::about(
          "--property", fmt::format("the lock '{}' is not judged by {}", scenario.lock,
                                    checker::to_string(*wanted.property)));
    }
    return {*wanted.property};
  }
  Properties asked;
  for (const checker::Property each : all) {
    if (is_in(scenario.expect.violates, each) || is_in(scenario.expect.holds, each)) {
      asked.push_back(each);
    }
  }
  return asked.empty() ? all : asked;
}

std::optional<checker::Property> broken_of(const std::vector<checker::Verdict>& verdicts,
                                           const Properties& wanted) {
  for (const checker::Verdict& verdict : verdicts) {
    if (verdict.kind == checker::VerdictKind::violated && is_in(wanted, verdict.property)) {
      return verdict.property;
    }
  }
  return std::nullopt;
}

std::string nothing_in(std::uint64_t runs, const Properties& wanted) {
  const std::string what = wanted.size() == 1
                               ? fmt::format("{} holds", checker::to_string(wanted.front()))
                               : std::string("nothing breaks");
  return fmt::format("{} in {} run{}, so there is nothing to shrink", what, runs,
                     runs == 1 ? "" : "s");
}

FailingRun failing_run(const scenario::Scenario& scenario,
                       const std::vector<scenario::FaultSpec>& faults, checker::Property property,
                       std::vector<sim::Choice> choices, std::uint64_t seed) {
  FailingRun run;
  run.request.scenario = search::close_faults(scenario, faults);
  run.request.property = property;
  run.request.choices = std::move(choices);
  run.request.seed = seed;
  run.request.interrupted = &is_interrupted;
  return run;
}

FailingRunResult among_seeds(const scenario::Scenario& scenario, const FailingRunQuery& wanted,
                             const Properties& properties, model::Simulation& simulation) {
  std::uint64_t runs = 0;
  for (; runs < wanted.runs && !is_interrupted(); ++runs) {
    const std::uint64_t seed = wanted.seed + runs;
    sim::SeededChoices seeded(seed);
    sim::RecordingChoices recording(seeded);
    const model::RunResult& result = simulation.run(recording);
    const auto broken = broken_of(*result.verdicts, properties);
    if (!broken) continue;
    FailingRun run = failing_run(scenario, *result.faults, *broken, recording.record(), seed);
    run.provenance = fmt::format("Shrunk from {}, seed {}.", scenario.name(), seed);
    return {std::move(run), {}};
  }
  return {std::nullopt, nothing_in(runs, properties)};
}

FailingRunResult by_search(const scenario::Scenario& scenario, const FailingRunQuery& wanted,
                           const Properties& properties, model::Engine& engine,
                           model::Simulation& simulation) {
  scenario::Scenario asked = scenario;
  asked.expect.violates.clear();
  asked.expect.holds = properties;
  search::FuzzPlan plan;
  plan.root_seed = wanted.seed;
  plan.runs = wanted.runs;
  std::uint64_t runs = 0;
  for (std::uint64_t i = 0; i < plan.batches() && !is_interrupted(); ++i) {
    const search::BatchResult batch =
        search::fuzz_batch(asked, plan, i, engine, simulation, &is_interrupted);
    runs += batch.outcome.runs;
    if (batch.findings.empty()) continue;
    const search::Finding& finding = batch.findings.front();
    FailingRun run =
        failing_run(scenario, finding.faults, finding.property, finding.choices, plan.root_seed);
    run.origin = {finding.run, std::string(search::found_by(finding)), plan.root_seed};
    run.provenance =
        fmt::format("Shrunk from {}: run {} of a search with seed {}, {}.", scenario.name(),
                    finding.run, plan.root_seed, run.origin->strategy);
    return {std::move(run), {}};
  }
  return {std::nullopt, nothing_in(runs, properties)};
}

}  // namespace

bool is_trace_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  char first = ' ';
  while (file && (first == ' ' || first == '\n' || first == '\r' || first == '\t')) {
    if (!file.get(first)) break;
  }
  return first == '{';
}

FailingRunResult find_failing_run(const scenario::Scenario& scenario, const FailingRunQuery& wanted,
                                  model::Engine& engine) {
  const std::unique_ptr<model::Simulation> simulation = engine.prepare(scenario);
  const Properties properties = wanted_of(scenario, wanted, simulation->judged());
  return scenario.open_faults ? by_search(scenario, wanted, properties, engine, *simulation)
                              : among_seeds(scenario, wanted, properties, *simulation);
}

FailingRunResult failing_run_of_trace(const std::string& path, const FailingRunQuery& wanted,
                                      model::Engine& engine) {
  const reports::TraceFile file = reports::read_trace_file(path);
  const scenario::Scenario scenario = reports::scenario_of(file);
  const search::ReplayResult replayed = search::replay(scenario, file.example, engine);
  if (!replayed.same) return {std::nullopt, "its run is another today: " + replayed.difference};
  const Properties properties = wanted_of(scenario, wanted, engine.prepare(scenario)->judged());
  const auto broken = broken_of(replayed.example.verdicts, properties);
  if (!broken) return {std::nullopt, nothing_in(1, properties)};
  FailingRun run = failing_run(scenario, replayed.example.faults, *broken,
                               file.example.trace.choices, file.example.seed);
  run.origin = file.example.origin;
  run.provenance = fmt::format("Shrunk from {}: {} of {}.", path, reports::made_by(file.example),
                               scenario.name());
  return {std::move(run), {}};
}

}  // namespace lockstep::app
