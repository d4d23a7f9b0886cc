#include "app/fuzz_findings.h"

#include <fmt/format.h>

#include <ostream>
#include <stdexcept>
#include <utility>

#include "app/interruption.h"
#include "app/output_file.h"
#include "app/run_files.h"
#include "model/scenario/scenario_file.h"
#include "model/scenario/write_scenario.h"
#include "reports/trace_file.h"
#include "search/example_run.h"
#include "search/streamwise_choices.h"
#include "sim/recorded_choices.h"

namespace lockstep::app {
namespace {

/// The saved scenario is run with so many seeds.
constexpr std::uint64_t seeds_checked = 20;

/// "mutual-exclusion of plain: pause a for 11s when a acquired"
std::string title_of(const model::Scenario& shrunk, const search::Finding& finding) {
  std::string title = fmt::format("{} of {}", checker::to_string(finding.property), shrunk.lock);
  std::string faults;
  for (const model::FaultSpec& fault : shrunk.faults) {
    faults += (faults.empty() ? ": " : "; ") + fault.describe();
  }
  return title + faults;
}

}  // namespace

FindingSaver::FindingSaver(const model::Scenario& scenario, std::filesystem::path folder,
                           const Context& context, model::Engine& engine)
    : scenario_(scenario), folder_(std::move(folder)), context_(context), engine_(engine) {}

search::Example FindingSaver::example_of(const search::Finding& finding) {
  const std::unique_ptr<model::Simulation> simulation = engine_.prepare(scenario_);
  sim::ReplayedChoices choices(finding.choices);
  search::Example example = search::record_run(*simulation, choices);
  if (example.trace.hash != finding.hash) {
    throw std::logic_error(
        fmt::format("run {} gave two different runs: Lockstep itself is not deterministic. {}",
                    finding.run, choices.divergence().value_or("")));
  }
  example.seed = finding.run;
  example.trace.choices = finding.choices;
  return example;
}

/// The run of the shrunk scenario with the choices of the run that was found.
search::Example FindingSaver::example_like(const model::Scenario& shrunk,
                                           const search::ShrinkRequest& request) {
  search::StreamwiseChoices choices;
  choices.reset(request.choices, request.seed);
  sim::RecordingChoices recording(choices);
  search::Example example = search::record_run(*engine_.prepare(shrunk), recording);
  example.seed = request.seed;
  example.trace.choices = recording.record();
  return example;
}

reports::SavedFinding FindingSaver::save(const search::Finding& finding, const std::string& name,
                                         std::uint64_t seed) {
  reports::SavedFinding saved;
  saved.finding = finding;
  const search::Example found = example_of(finding);
  saved.found_trace = (folder_ / (name + ".found.trace.jsonl")).string();
  write_file(saved.found_trace,
             [&](std::ostream& stream) { reports::write_trace(stream, scenario_, found); });
  search::ShrinkRequest request;
  request.scenario = search::close_faults(scenario_, finding.faults);
  request.property = finding.property;
  request.choices = finding.choices;
  request.seed = seed;
  request.interrupted = &is_interrupted;
  search::Shrunk shrunk = search::shrink(request, engine_);
  saved.breaks_always = shrunk.breaks_always;
  saved.shrink_runs = shrunk.runs;
  shrunk.scenario.title = title_of(shrunk.scenario, finding);
  saved.scenario_path = (folder_ / (name + ".toml")).string();
  const std::string text = model::write_scenario(shrunk.scenario, saved.scenario_path);
  write_file(saved.scenario_path, [&text](std::ostream& stream) { stream << text; });
  const model::Scenario written = model::load_scenario(saved.scenario_path);
  saved.shrunk = search::run_scenario(written, {1, seeds_checked, nullptr}, engine_);
  if (!saved.breaks_always) saved.shrunk.example = example_like(written, request);
  saved.places = write_run_files(saved.shrunk, folder_, name, LongTraces::left_out, context_);
  return saved;
}

}  // namespace lockstep::app
