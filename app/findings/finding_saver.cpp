#include "app/findings/finding_saver.h"

#include <fmt/format.h>

#include <ostream>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "app/context.h"
#include "app/findings/shrunk_files.h"
#include "app/output/output_file.h"
#include "app/output/run_files.h"
#include "model/engine/engine.h"
#include "reports/formats/fuzz_report.h"
#include "reports/trace/trace_file.h"
#include "search/fuzz/fuzz.h"
#include "search/runs/run_record.h"
#include "sim/recorded_choices.h"

namespace lockstep::app {
namespace {

std::vector<scenario::FaultKind> kinds_of(const std::vector<scenario::FaultSpec>& faults) {
  std::set<scenario::FaultKind> kinds;
  for (const scenario::FaultSpec& fault : faults) kinds.insert(fault.kind);
  return {kinds.begin(), kinds.end()};
}

search::Origin origin_of(const search::NotableRun& found, std::uint64_t root_seed) {
  return {found.run, std::string(search::found_by(found)), root_seed};
}

}  // namespace

FindingSaver::FindingSaver(const scenario::Scenario& scenario, std::filesystem::path folder,
                           const Context& context, model::Engine& engine,
                           std::function<bool()> is_over)
    : scenario_(scenario),
      folder_(std::move(folder)),
      context_(context),
      engine_(engine),
      is_over_(std::move(is_over)) {}

search::RunRecord FindingSaver::example_of(const search::NotableRun& found, std::uint64_t seed) {
  const std::unique_ptr<model::Simulation> simulation = engine_.prepare(scenario_);
  sim::ReplayedChoices choices(found.choices);
  search::RunRecord example = search::record_run(*simulation, choices);
  if (example.trace.hash != found.hash) {
    throw std::logic_error(
        fmt::format("run {} gave two different runs: Lockstep itself is not deterministic. {}",
                    found.run, choices.divergence().value_or("")));
  }
  example.seed = seed;
  if (provenance_.empty()) example.origin = origin_of(found, seed);
  example.trace.choices = found.choices;
  return example;
}

std::string FindingSaver::provenance_of(const search::NotableRun& found) const {
  if (!provenance_.empty()) return provenance_;
  return fmt::format("Found by lockstep {} --runs {}: run {}, {}.", command_, found.run, found.run,
                     search::found_by(found));
}

std::string FindingSaver::write_found_trace(const search::RunRecord& example,
                                            const std::string& name) const {
  std::string path = (folder_ / (name + ".found.trace.jsonl")).string();
  write_file(path,
             [&](std::ostream& stream) { reports::write_trace(stream, scenario_, example, path); });
  return path;
}

reports::SavedFinding FindingSaver::save(search::Finding finding, const NameOf& name_of,
                                         std::uint64_t seed) {
  const search::RunRecord found = example_of(finding, seed);
  FailingRun failing;
  failing.request.scenario = search::close_faults(scenario_, finding.faults);
  failing.request.property = finding.property;
  failing.request.choices = finding.choices;
  failing.request.seed = seed;
  failing.request.interrupted = is_over_;
  if (judge_ != nullptr) {
    failing.request.filter = search::filter_of(*judge_, finding);
    if (!finding.is_limit()) failing.request.isolates = search::without_limits(*judge_);
  }
  failing.origin = found.origin;
  failing.provenance = provenance_of(finding);
  SmallRun small = make_small(failing, engine_);
  finding.kinds = kinds_of(small.shrunk.scenario.faults);
  const std::string name = name_of(finding);
  std::string found_trace = write_found_trace(found, name);
  reports::SavedFinding saved;
  static_cast<reports::SavedShrunk&>(saved) =
      save_shrunk(failing, std::move(small), folder_, name, context_, engine_);
  saved.finding = std::move(finding);
  saved.found_trace = std::move(found_trace);
  return saved;
}

reports::SavedIncident FindingSaver::save(const search::Incident& incident, const std::string& name,
                                          std::uint64_t seed) {
  reports::SavedIncident saved;
  saved.incident = incident;
  saved.found_trace = write_found_trace(example_of(incident, seed), name);
  saved.replay_command = replay_command_line(saved.found_trace, context_);
  saved.scenario_path = (folder_ / (name + ".toml")).string();
  scenario::Scenario closed = search::close_faults(scenario_, incident.faults);
  closed.title = fmt::format("{} ({})", scenario_.title, search::to_string(incident.kind));
  // What breaks in some run of a search need not break in this one.
  closed.expect.violates.clear();
  save_scenario_file(
      closed, saved.scenario_path,
      {provenance_of(incident), fmt::format("In that run {}.", incident.what),
       fmt::format("Its faults are here; all that it drew besides is in {}.found.trace.jsonl.",
                   name)});
  return saved;
}

}  // namespace lockstep::app
