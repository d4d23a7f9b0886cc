#include "app/findings/counterexample.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "app/findings/finding_saver.h"
#include "app/interruption.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "reports/formats/fuzz_report.h"
#include "scenario/file/scenario_file.h"
#include "scenario/file/write_scenario.h"
#include "search/explore/exploration.h"
#include "search/explore/path_runner.h"
#include "search/fuzz/fuzz.h"
#include "search/runs/seed_runs.h"
#include "sim/recorded_choices.h"

namespace lockstep::app {
namespace {

bool is_violated(const model::RunResult& result, checker::Property property) {
  return std::any_of(result.verdicts->begin(), result.verdicts->end(),
                     [property](const checker::Verdict& verdict) {
                       return verdict.property == property &&
                              verdict.kind == checker::VerdictKind::violated;
                     });
}

}  // namespace

reports::SavedFinding save_counterexample(const scenario::Scenario& scenario,
                                          const search::Counterexample& found,
                                          search::PathRunner& runner, model::Engine& engine,
                                          const std::filesystem::path& folder,
                                          const std::string& name, const Context& context) {
  search::PathRunner::Finding run = runner.run_to_end(found.path);
  // Replaying its trace needs the text of a file.
  const std::string path = (folder / (name + ".found.toml")).string();
  const scenario::Scenario closed = scenario::parse_scenario(
      path, scenario::write_scenario(
                search::close_faults(search::without_open_faults(scenario), run.faults), path));
  search::Finding finding;
  finding.run = found.run;
  finding.property = found.property;
  for (const checker::Property each : run.violated) {
    if (each != found.property) finding.also.push_back(each);
  }
  finding.faults = std::move(run.faults);
  for (const scenario::FaultSpec& fault : finding.faults) {
    const auto place = std::lower_bound(finding.kinds.begin(), finding.kinds.end(), fault.kind);
    if (place == finding.kinds.end() || *place != fault.kind) {
      finding.kinds.insert(place, fault.kind);
    }
  }
  finding.choices = std::move(run.choices);
  sim::ReplayedChoices choices(finding.choices);
  const std::unique_ptr<model::Simulation> simulation = engine.prepare(closed);
  const model::RunResult& again = simulation->run(choices);
  finding.hash = again.hash;
  if (!is_violated(again, found.property)) {
    throw std::logic_error(
        fmt::format("{} breaks in run {}, but not with its faults written out: {}",
                    checker::to_string(found.property), found.run,
                    choices.divergence().value_or("its choices are the same")));
  }
  FindingSaver saver(closed, folder, context, engine, &is_interrupted);
  saver.set_provenance(
      fmt::format("Found by lockstep explore {}: run {}.", scenario.path, found.run));
  return saver.save(
      std::move(finding), [&](const search::Finding&) { return name; }, 1);
}

}  // namespace lockstep::app
