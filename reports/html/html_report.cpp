#include "reports/html/html_report.h"

#include <fmt/format.h>

#include <sstream>
#include <utility>

#include "reports/formats/json_report.h"
#include "reports/formats/survival_report.h"
#include "reports/html/html_page.h"
#include "reports/html/html_run.h"
#include "reports/states/event_words.h"
#include "reports/text.h"
#include "scenario/scenario.h"
#include "search/runs/scenario_outcome.h"
#include "sim/versions.h"

namespace lockstep::reports {
namespace {

/// Of the data that the page's script reads; both change together.

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string with_commas(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += ",\n";
    text += part;
  }
  return text;
}

}  // namespace

bool HtmlReport::has_room(std::size_t events, search::OutcomeKind kind) const {
  if (runs_.empty() && events <= limits_.events_of_first_max) return true;
  const std::size_t times = kind == search::OutcomeKind::as_expected ? 1 : 2;
  return runs_.size() < limits_.runs_max * times && events_ + events <= limits_.events_max * times;
}

void HtmlReport::add(const search::ScenarioOutcome& outcome, const RunArtifacts& artifacts,
                     const States* states, const std::vector<std::string>& notes) {
  counts_.add(outcome);
  Json entry = entry_of(outcome, artifacts, states);
  for (const std::string& note : notes) entry["complaints"].push_back(sanitized_lines(note));
  add_entry(entry, outcome, artifacts, states);
}

void HtmlReport::add_finding(const search::ScenarioOutcome& outcome, const RunArtifacts& artifacts,
                             const States* states) {
  Json entry = entry_of(outcome, artifacts, states);
  entry["outcome"] = "finding";
  add_entry(entry, outcome, artifacts, states);
}

Json HtmlReport::entry_of(const search::ScenarioOutcome& outcome, const RunArtifacts& artifacts,
                          const States* states) const {
  Json entry = Json::parse(scenario_json(outcome, artifacts));
  if (entry.contains("script_failure")) {
    Json& complaints = entry["complaints"];
    complaints.insert(complaints.begin(), entry["script_failure"]);
  }
  entry["tested"] = tested_in_words(outcome);
  entry["run"] = states != nullptr ? Json(runs_.size()) : Json();
  return entry;
}

void HtmlReport::add_entry(const Json& entry, const search::ScenarioOutcome& outcome,
                           const RunArtifacts& artifacts, const States* states) {
  scenarios_.push_back(dumped(entry));
  if (states != nullptr) add_run({&*outcome.scenario, &outcome.example, states, artifacts});
}

void HtmlReport::add(const SurvivalReport& report,
                     const std::vector<std::optional<std::size_t>>& entries) {
  Json target = survival_target(report);
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    target["findings"][i]["entry"] = i < entries.size() && entries[i] ? Json(*entries[i]) : Json();
  }
  survival_.push_back(dumped(target));
}

void HtmlReport::add(const HtmlRun& run) {
  scenarios_.push_back(dumped({{"path", brief(run.scenario->name(), 500)},
                               {"title", brief(run.scenario->title, 300)},
                               {"lock", brief(run.scenario->lock)},
                               {"run", runs_.size()}}));
  add_run(run);
}

void HtmlReport::add_run(const HtmlRun& run) {
  const Timeline timeline =
      layout({run.scenario->title, run.artifacts.replay_command, run.example}, {});
  std::ostringstream picture;
  render(timeline, PictureFormat::svg, picture);
  pictures_.push_back(picture.str());
  runs_.push_back(dumped(html_run_data(run, timeline)));
  events_ += run.example->trace.events.size();
}

void HtmlReport::pass_over(const scenario::Scenario& scenario) {
  ++counts_.passed_over;
  passed_over_.push_back(sanitized(scenario.name()));
}

std::string HtmlReport::text() const {
  Json sentences = Json::object();
  for (const EventPattern& each : event_patterns())
    sentences[std::string(each.kind)] = each.pattern;
  const std::uint64_t asked_about = counts_.as_expected + counts_.not_as_expected + counts_.unknown;
  std::string title = "Lockstep: ";
  title += !survival_.empty() ? std::string("what locks survive")
           : asked_about <= 1 && !scenarios_.empty()
               ? std::string(Json::parse(scenarios_.front())["title"])
               : fmt::format("{} scenarios", asked_about);
  std::string data = fmt::format(
      "{{\"version\":{},\"model_version\":{},\"summary\":{},\"patterns\":{},\"passed_over\":{},\n"
      "\"scenarios\":[",
      html_data_version, model_version,
      dumped(counts_.runs + counts_.files_refused > 0 ? Json(summary_line(counts_, Style::plain))
                                                      : Json()),
      dumped(sentences), dumped(passed_over_));
  data.append(with_commas(scenarios_))
      .append("],\n\"survival\":[")
      .append(with_commas(survival_))
      .append("],\n\"runs\":[")
      .append(with_commas(runs_))
      .append("]}");
  return html_of({brief(title, 200), std::move(data), pictures_});
}

}  // namespace lockstep::reports
