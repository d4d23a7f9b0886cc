#include "reports/html/html_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>
#include <vector>

#include "checker/evidence.h"
#include "checker/kept_run.h"
#include "checker/property.h"
#include "checker/recorded/decide.h"
#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "reports/cause/cause.h"
#include "reports/formats/history_report.h"
#include "reports/formats/json_report.h"
#include "reports/formats/survival_report.h"
#include "reports/html/html_page.h"
#include "reports/shown_run.h"
#include "reports/states/event_words.h"
#include "reports/text.h"
#include "reports/trace/json_values.h"
#include "reports/trace/trace_history.h"
#include "scenario/scenario.h"
#include "search/runs/scenario_outcome.h"
#include "sim/versions.h"

namespace lockstep::reports {
namespace {

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

constexpr std::size_t data_characters_max = 400;
constexpr std::size_t file_characters_max = 200'000;
constexpr std::size_t history_max = 2'000;
constexpr std::uint64_t linearization_steps_max = 200'000;

/// RunTexts with numbers.
class RunTexts {
 public:
  std::size_t number_of(const std::string& raw) {
    const auto [place, is_new] = numbers_.emplace(raw, texts_.size());
    if (is_new) texts_.push_back(brief(raw, data_characters_max));
    return place->second;
  }
  [[nodiscard]] Json json() const { return texts_; }

 private:
  std::map<std::string, std::size_t> numbers_;
  std::vector<std::string> texts_;
};

Json time_data(sim::TimeNs at_ns) { return at_ns == sim::never_ns ? Json() : json_number(at_ns); }

Json actor_data(const model::RecordedTrace& trace) {
  Json actors = Json::array();
  for (const sim::Actor& actor : trace.actors) {
    actors.push_back({brief(actor.name), actor.kind, brief(actor.group)});
  }
  return actors;
}

/// `shapes`: [kind, field…], a field of text with a `$` before its name. `events`: [shape, actor or
/// −1, ns since the event before, value…].
void add_events(const model::RecordedTrace& trace, RunTexts& texts, Json& data) {
  std::map<std::vector<std::string>, std::size_t> numbers;
  Json shapes = Json::array();
  Json events = Json::array();
  sim::TimeNs last_ns = 0;
  for (const model::RecordedEvent& event : trace.events) {
    std::vector<std::string> shape = {event.kind};
    for (const auto& [name, value] : event.fields) {
      shape.push_back((std::holds_alternative<std::string>(value) ? "$" : "") + name);
    }
    const auto [place, is_new] = numbers.emplace(shape, numbers.size());
    if (is_new) shapes.push_back(shape);
    Json line = Json::array(
        {place->second, event.actor == sim::no_actor ? -1 : static_cast<std::int64_t>(event.actor),
         json_number(event.at - last_ns)});
    last_ns = event.at;
    for (const auto& [name, value] : event.fields) {
      const auto* const number = std::get_if<std::int64_t>(&value);
      line.push_back(number != nullptr ? json_number(*number)
                                       : Json(texts.number_of(std::get<std::string>(value))));
    }
    events.push_back(std::move(line));
  }
  data["shapes"] = std::move(shapes);
  data["events"] = std::move(events);
}

/// `changes`: [events since the change before, item, value (0: gone), ns at which it ends]; the
/// last is left out where it does not end.
Json states_data(const States& states) {
  Json items = Json::array();
  for (const StateItem& item : states.items) items.push_back({item.subject, item.name});
  Json changes = Json::array();
  EventIndex last = 0;
  for (const StateChange& change : states.changes) {
    Json line = Json::array({change.event - last, change.item, change.value});
    if (change.ends_ns != sim::never_ns) line.push_back(json_number(change.ends_ns));
    last = change.event;
    changes.push_back(std::move(line));
  }
  Json clocks = Json::array();
  for (const ClockChange& change : states.clocks) {
    clocks.push_back({change.event, change.host, json_number(change.at_ns),
                      json_number(change.wall.ahead_ns), change.wall.rate_ppm,
                      json_number(change.monotonic.ahead_ns), change.monotonic.rate_ppm});
  }
  return {{"items", std::move(items)},
          {"values", states.values},
          {"changes", std::move(changes)},
          {"clocks", std::move(clocks)}};
}

std::string shown_name(const checker::Names& names, checker::NameId id) {
  return id == checker::no_name ? std::string() : brief(names.text(id));
}

Json moment_data(const checker::Moment& moment) {
  const std::uint64_t event = moment.order == 0 ? 0 : moment.order - 1;
  return {json_number(moment.at_ns), json_number(event)};
}

Json verdict_data(const search::RunRecord& example) {
  Json verdicts = Json::array();
  for (const checker::Verdict& verdict : example.verdicts) {
    Json evidence = Json::array();
    for (const checker::Evidence& each : verdict.evidence) {
      evidence.push_back({{"what", sanitized_lines(each.what)},
                          {"who", shown_name(example.judged->names, each.who)},
                          {"from", moment_data(each.from)},
                          {"until", each.until ? moment_data(*each.until) : Json()}});
    }
    verdicts.push_back({{"property", checker::to_string(verdict.property)},
                        {"result", checker::to_string(verdict.kind)},
                        {"tested", verdict.put_to_the_test},
                        {"summary", sanitized_lines(verdict.summary)},
                        {"evidence", std::move(evidence)}});
  }
  return verdicts;
}

std::string_view operation_kind(checker::OperationKind kind) {
  switch (kind) {
    case checker::OperationKind::acquire:
      return "acquire";
    case checker::OperationKind::renew:
      return "renew";
    case checker::OperationKind::release:
      return "release";
    case checker::OperationKind::force_release:
      return "force-release";
  }
  return "acquire";
}

std::string_view operation_outcome(const checker::Operation& operation) {
  if (!operation.completed) return "info";
  switch (operation.outcome) {
    case checker::Outcome::ok:
      return "ok";
    case checker::Outcome::fail:
      return "fail";
    case checker::Outcome::info:
      return "info";
  }
  return "info";
}

/// [kind, owner, lock, invoked, completed or null, outcome, lease in ns].
Json history_data(const search::RunRecord& example) {
  Json history = Json::array();
  for (const checker::Operation& each : example.judged->history.operations) {
    if (history.size() == history_max) break;
    const std::string mode = each.mode == checker::HoldMode::shared ? "-shared" : "";
    history.push_back({std::string(operation_kind(each.kind)) + mode,
                       shown_name(example.judged->names, each.owner),
                       shown_name(example.judged->names, each.lock), moment_data(each.invoked),
                       each.completed ? moment_data(*each.completed) : Json(),
                       operation_outcome(each), json_number(each.lease_ns)});
  }
  return history;
}

/// Whether the lock service kept its word: [answer, order of the operations, in words], where one
/// may ask: readers and writers, and whoever has no leases, have other models.
Json linearization_data(const search::RunRecord& example, std::int64_t declared_drift_ppm) {
  checker::recorded::ReadResult read;
  read.format = checker::recorded::InputFormat::trace;
  read.history = history_of(example.trace);
  constexpr auto model = checker::recorded::Model::leased_mutex;
  const bool is_asked = !read.history.operations.empty() &&
                        read.history.operations.size() <= history_max &&
                        !checker::recorded::find_misfit(read.history, model);
  if (!is_asked) return nullptr;
  checker::Limits limits;
  limits.steps_max = linearization_steps_max;
  checker::recorded::Settings settings;
  settings.declared_drift_ppm = declared_drift_ppm;
  const checker::recorded::Decision decision =
      checker::recorded::decide(read.history, model, limits, settings);
  Json order = Json::array();
  for (const checker::recorded::KeyDecision& part : decision.parts) {
    for (const std::uint32_t operation : part.order) order.push_back(operation);
  }
  const std::string words = in_words({"the history", model, read, decision});
  return Json::array({checker::recorded::to_string(decision.answer), std::move(order), words});
}

/// Where each row of the picture is, in points: [from ns, until ns, top, bottom].
Json row_data(const Timeline& timeline) {
  Json rows = Json::array();
  for (const TimelineRow& row : timeline.row_places) {
    rows.push_back(
        {json_number(row.from_ns), json_number(row.until_ns), row.top / 10, row.bottom / 10});
  }
  return rows;
}

std::string file_text(const std::string& text) {
  return sanitized_lines(text.substr(0, file_characters_max));
}

/// A run as data for the report's script: events, states, history, verdicts.
///
/// Compact, for a run of 10,000 events is to stay well below 2 MB: text is kept once and named by
/// number, an event is a list of numbers whose meaning its shape says, a time is told as the
/// difference to the one before.
Json html_run_data(const HtmlRun& run, const Timeline& timeline) {
  const search::RunRecord& example = *run.example;
  RunTexts texts;
  Json data = {{"title", brief(run.scenario->title, 300)},
               {"made_by", made_by(example)},
               {"path", brief(run.scenario->name(), 500)},
               {"lock", brief(run.scenario->lock)},
               {"replay", sanitized(run.artifacts.replay_command)},
               {"confirm", sanitized(run.artifacts.confirm_command)},
               {"hash", json_hash(example.trace.hash)},
               {"ended", model::to_string(example.end)},
               {"ended_at", time_data(example.ended_at_ns)},
               {"verdicts", verdict_data(example)},
               {"why", explain(example)}};
  Json struck = Json::array();
  for (const StruckFault& fault : struck_faults(example)) {
    struck.push_back({time_data(fault.at_ns), fault.what});
  }
  data["struck"] = std::move(struck);
  const auto violation = violation_event(example);
  data["violation"] = violation ? Json(*violation) : Json();
  data["actors"] = actor_data(example.trace);
  add_events(example.trace, texts, data);
  data["texts"] = texts.json();
  data["states"] = run.states != nullptr ? states_data(*run.states) : Json();
  data["history"] = history_data(example);
  data["linearization"] = linearization_data(example, run.scenario->declared_drift_ppm);
  data["rows"] = row_data(timeline);
  data["heads"] = {timeline.heads_top / 10, timeline.heads_bottom / 10};
  data["scenario"] = file_text(run.scenario->text);
  Json bases = Json::array();
  for (const scenario::SourceFile& base : run.scenario->bases) {
    bases.push_back({sanitized(base.path), file_text(base.text)});
  }
  data["bases"] = std::move(bases);
  return data;
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
