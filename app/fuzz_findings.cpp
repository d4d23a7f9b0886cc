#include "app/fuzz_findings.h"

#include <fmt/format.h>

#include <ostream>
#include <stdexcept>
#include <utility>

#include "app/interruption.h"
#include "app/output_file.h"
#include "app/shrunk_files.h"
#include "reports/trace_file.h"
#include "search/example_run.h"
#include "sim/recorded_choices.h"

namespace lockstep::app {
namespace {

search::Origin origin_of(const search::Finding& finding, std::uint64_t root_seed) {
  return {finding.run, std::string(search::found_by(finding)), root_seed};
}

}  // namespace

FindingSaver::FindingSaver(const model::Scenario& scenario, std::filesystem::path folder,
                           const Context& context, model::Engine& engine)
    : scenario_(scenario), folder_(std::move(folder)), context_(context), engine_(engine) {}

search::Example FindingSaver::example_of(const search::Finding& finding, std::uint64_t seed) {
  const std::unique_ptr<model::Simulation> simulation = engine_.prepare(scenario_);
  sim::ReplayedChoices choices(finding.choices);
  search::Example example = search::record_run(*simulation, choices);
  if (example.trace.hash != finding.hash) {
    throw std::logic_error(
        fmt::format("run {} gave two different runs: Lockstep itself is not deterministic. {}",
                    finding.run, choices.divergence().value_or("")));
  }
  example.seed = seed;
  example.origin = origin_of(finding, seed);
  example.trace.choices = finding.choices;
  return example;
}

reports::SavedFinding FindingSaver::save(const search::Finding& finding, const std::string& name,
                                         std::uint64_t seed) {
  const search::Example found = example_of(finding, seed);
  const std::string found_trace = (folder_ / (name + ".found.trace.jsonl")).string();
  write_file(found_trace,
             [&](std::ostream& stream) { reports::write_trace(stream, scenario_, found); });
  FailingRun failing;
  failing.request.scenario = search::close_faults(scenario_, finding.faults);
  failing.request.property = finding.property;
  failing.request.choices = finding.choices;
  failing.request.seed = seed;
  failing.request.interrupted = &is_interrupted;
  failing.origin = found.origin;
  failing.story = fmt::format("Found by lockstep fuzz {} --seed {}: run {}, {}.", scenario_.path,
                              seed, finding.run, search::found_by(finding));
  reports::SavedFinding saved;
  static_cast<reports::SavedShrunk&>(saved) =
      save_shrunk(failing, folder_, name, context_, engine_);
  saved.finding = finding;
  saved.found_trace = found_trace;
  return saved;
}

}  // namespace lockstep::app
