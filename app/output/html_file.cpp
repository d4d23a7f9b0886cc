#include "app/output/html_file.h"

#include <fmt/format.h>

#include <ostream>
#include <stdexcept>
#include <utility>

#include "app/context.h"
#include "app/output/output_file.h"
#include "app/output/run_files.h"
#include "model/engine/engine.h"
#include "reports/formats/survival_report.h"
#include "reports/text.h"
#include "reports/trace/trace_file.h"
#include "scenario/scenario.h"
#include "scenario/text/input_error.h"
#include "search/runs/seed_runs.h"

namespace lockstep::app {

HtmlFile::HtmlFile(std::string path, const Context& context)
    : path_(std::move(path)), context_(context) {}

void HtmlFile::add(const search::ScenarioOutcome& outcome, const reports::RunArtifacts& artifacts,
                   model::Engine& engine) {
  const auto taken = states_of(outcome, engine);
  report_.add(outcome, artifacts_in_file(artifacts, context_), taken ? &taken->states : nullptr);
}

void HtmlFile::add_search(const search::ScenarioOutcome& outcome,
                          const std::vector<std::string>& notes) {
  report_.add(outcome, {}, nullptr, notes);
}

void HtmlFile::add_finding(const search::ScenarioOutcome& small,
                           const reports::RunArtifacts& artifacts, model::Engine& engine) {
  const auto taken = states_of(small, engine);
  report_.add_finding(small, artifacts_in_file(artifacts, context_),
                      taken ? &taken->states : nullptr);
}

void HtmlFile::add(reports::SurvivalReport report, model::Engine& engine) {
  std::vector<std::optional<std::size_t>> entries;
  for (reports::CampaignFinding& finding : report.findings) {
    finding.artifacts = artifacts_in_file(std::move(finding.artifacts), context_);
    if (finding.scenario_path.empty()) {
      entries.emplace_back();
      continue;
    }
    entries.emplace_back(report_.entry_count());
    add_finding(finding.shrunk, finding.artifacts, engine);
  }
  report_.add(report, entries);
}

std::optional<reports::CapturedStates> HtmlFile::states_of(const search::ScenarioOutcome& outcome,
                                                           model::Engine& engine) const {
  const std::size_t events = outcome.example.trace.events.size();
  if (events == 0 || !report_.has_room(events, outcome.kind)) return std::nullopt;
  reports::CapturedStates taken =
      reports::capture_states(*outcome.scenario, outcome.example, engine);
  if (!taken.difference.empty()) {
    throw std::logic_error(
        fmt::format("a run made again was another one: Lockstep itself is not deterministic. {}",
                    taken.difference));
  }
  return taken;
}

void HtmlFile::write() const {
  write_file(path_, [this](std::ostream& stream) { stream << report_.text(); });
}

/// What can be stepped through is made again. Who asks for a drawing doesn't ask for a program to
/// be started.
void write_html(const std::string& path, const reports::TraceFile& file, const Context& context) {
  model::Engine engine(context.script_folders);
  const scenario::Scenario scenario = reports::scenario_of(file);
  search::ReplayResult replayed = search::replay(scenario, file.example, engine);
  if (!replayed.same) {
    throw scenario::InputError::about(file.path,
                                      fmt::format("the run is not the same any more: {}",
                                                  reports::sanitized(replayed.difference)));
  }
  replayed.example.origin = file.example.origin;
  const reports::CapturedStates taken = reports::capture_states(scenario, replayed.example, engine);
  reports::RunArtifacts artifacts;
  artifacts.trace = file.path;
  artifacts.replay_command = replay_command_in_file(file.path, context);
  reports::HtmlReport report;
  report.add({&scenario, &replayed.example, &taken.states, artifacts});
  write_file(path, [&report](std::ostream& stream) { stream << report.text(); });
}

}  // namespace lockstep::app
