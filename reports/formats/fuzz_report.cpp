#include "reports/formats/fuzz_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "checker/property.h"
#include "checker/text.h"
#include "reports/cause/cause.h"
#include "reports/text.h"
#include "reports/trace/json_values.h"
#include "scenario/scenario.h"
#include "scenario/text/suggest.h"
#include "search/runs/tally.h"
#include "sim/versions.h"

namespace lockstep::reports {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t fuzz_line_characters_max = 96;
constexpr int json_indentation = 2;

std::string so_many(std::uint64_t count, std::string_view noun) {
  return checker::counted(static_cast<std::int64_t>(count), noun);
}

void add_wrapped(std::string& text, std::string_view indent, std::string_view words) {
  for (const std::string& line : wrapped(words, fuzz_line_characters_max - indent.size())) {
    text += fmt::format("{}{}\n", indent, line);
  }
}

std::string rate_in_words(const FuzzReport& report) {
  if (report.elapsed_ms == 0) return "";
  return fmt::format(", {} runs/s", report.result.outcome.runs * 1000 / report.elapsed_ms);
}

void add_finding(std::string& text, const SavedFinding& saved, Style style) {
  const search::Finding& finding = saved.finding;
  text += fmt::format("\n  ✗ {}: seen in {}, first in run {} ({})\n", finding_in_words(finding),
                      so_many(finding.seen, "run"), finding.run, search::found_by(finding));
  if (!saved.found_trace.empty()) {
    add_wrapped(text, "    ", fmt::format("as found: {}", sanitized(saved.found_trace)));
  }
  text += shrunk_in_words(saved, style);
}

/// What the scenario's budget rules out, of the faults that it leaves open.
std::vector<std::string_view> kinds_not_tried(const scenario::Scenario& scenario) {
  std::vector<std::string_view> kinds;
  if (!scenario.open_faults) return kinds;
  for (const scenario::FaultKind kind : scenario.open_faults->kinds) {
    if (!scenario.open_faults->allows(kind)) kinds.push_back(scenario::to_string(kind));
  }
  return kinds;
}

std::string corpus_in_words(const CorpusCounts& corpus) {
  std::string words = fmt::format(
      "corpus: {}", corpus.entries == 1 ? "1 entry" : fmt::format("{} entries", corpus.entries));
  if (corpus.of_another_lock > 0) {
    words += fmt::format(" ({} made before the lock's files changed)", corpus.of_another_lock);
  }
  if (corpus.passed_over > 0) words += fmt::format(", {} passed over", corpus.passed_over);
  return words + fmt::format(", {} added  {}", corpus.added, sanitized(corpus.folder));
}

Json corpus_of(const std::optional<CorpusCounts>& corpus) {
  if (!corpus) return {};
  return Json::object({{"folder", sanitized(corpus->folder)},
                       {"entries", json_number(corpus->entries)},
                       {"passed_over", json_number(corpus->passed_over)},
                       {"of_another_lock", json_number(corpus->of_another_lock)},
                       {"added", json_number(corpus->added)}});
}

Json target_of(const FuzzReport& report) {
  Json findings = Json::array();
  for (const SavedFinding& saved : report.saved) findings.push_back(finding_json(saved));
  Json incidents = Json::array();
  for (const SavedIncident& saved : report.incidents) incidents.push_back(incident_json(saved));
  Json complaints = Json::array();
  for (const std::string& each : report.result.outcome.complaints) {
    complaints.push_back(sanitized_lines(each));
  }
  Json untested = Json::array();
  for (const search::Untested& each : report.result.outcome.untested) {
    untested.push_back(sanitized_lines(each.why));
  }
  Json target =
      Json::object({{"target", sanitized(report.name)},
                    {"title", sanitized(report.result.outcome.scenario->title)},
                    {"outcome", search::to_string(report.result.outcome.kind)},
                    {"runs", json_number(report.result.outcome.runs)},
                    {"interrupted", report.result.outcome.interrupted},
                    {"states", json_number(report.result.states.size())},
                    {"elapsed_ms", json_number(report.elapsed_ms)},
                    {"seed", json_number(report.root_seed)},
                    {"strategy", report.strategy},
                    {"corpus", corpus_of(report.corpus)},
                    {"complaints", std::move(complaints)},
                    {"untested", std::move(untested)},
                    {"opens_faults", report.result.outcome.scenario->open_faults.has_value()},
                    {"not_tried", kinds_not_tried(*report.result.outcome.scenario)},
                    {"findings", std::move(findings)},
                    {"incidents", std::move(incidents)}});
  const std::string failures = search::script_failures_in_words(report.result.outcome);
  if (!failures.empty()) target["script_failure"] = sanitized_lines(failures);
  return target;
}

bool broke_what_was_to_hold(const search::Finding& finding,
                            const search::ScenarioOutcome& outcome) {
  return std::any_of(outcome.properties.begin(), outcome.properties.end(), [&](const auto& each) {
    const bool broke =
        each.property == finding.property ||
        std::find(finding.also.begin(), finding.also.end(), each.property) != finding.also.end();
    return broke && each.expected == search::Expected::holds;
  });
}

/// How search/runs/tally.cpp begins its complaint that it did not.
std::string complaint_of_holding(checker::Property property) {
  return fmt::format("{} was expected to hold", checker::to_string(property));
}

/// The search's complaint that the incident belongs to: it counts the runs. Of what nobody knows
/// there is none.
std::string complaint_about(const search::Incident& incident,
                            const search::ScenarioOutcome& outcome) {
  const auto beginning = [&]() -> std::string_view {
    switch (incident.kind) {
      case search::IncidentKind::client_failed:
        return search::client_failed_words(*outcome.scenario);
      case search::IncidentKind::error_without_fault:
      case search::IncidentKind::script_failed:
        return "a request of the lock failed";
      case search::IncidentKind::overlap:
        return "overlap_at_most is";
      case search::IncidentKind::wait:
        return "wait_at_most is";
      case search::IncidentKind::requests:
        return "requests_per_second_at_most is";
      case search::IncidentKind::unknown:
        return "nobody knows";
    }
    return "nobody knows";
  }();
  const auto found =
      std::find_if(outcome.complaints.begin(), outcome.complaints.end(),
                   [&](const std::string& complaint) { return complaint.starts_with(beginning); });
  return found == outcome.complaints.end() ? incident.what : *found;
}

}  // namespace

std::string incident_console(const SavedIncident& saved) {
  const search::Incident& incident = saved.incident;
  std::string text = fmt::format("  {} {}: seen in {}, first in run {} ({})\n",
                                 incident.kind == search::IncidentKind::unknown ? "?" : "✗",
                                 search::to_string(incident.kind), so_many(incident.seen, "run"),
                                 incident.run, search::found_by(incident));
  add_wrapped(text, "    ", sanitized(incident.what));
  add_wrapped(text, "    ", fmt::format("its faults: {}", sanitized(saved.scenario_path)));
  add_wrapped(text, "    ", fmt::format("the run: {}", sanitized(saved.replay_command)));
  return text;
}

nlohmann::ordered_json finding_json(const SavedFinding& saved) {
  const search::Finding& finding = saved.finding;
  Json kinds = Json::array();
  for (const scenario::FaultKind kind : finding.kinds) kinds.push_back(scenario::to_string(kind));
  Json also = Json::array();
  for (const checker::Property each : finding.also) also.push_back(checker::to_string(each));
  Json object = Json::object({{"property", checker::to_string(finding.property)},
                              {"also", std::move(also)},
                              {"kinds", std::move(kinds)},
                              {"run", json_number(finding.run)},
                              {"seen", json_number(finding.seen)},
                              {"strategy", search::found_by(finding)},
                              {"hash", fmt::format("{:016x}", finding.hash)}});
  add_shrunk(saved, object);
  object["found_trace"] = saved.found_trace.empty() ? Json() : Json(sanitized(saved.found_trace));
  return object;
}

nlohmann::ordered_json incident_json(const SavedIncident& saved) {
  const search::Incident& incident = saved.incident;
  return Json::object({{"kind", search::to_string(incident.kind)},
                       {"what", sanitized_lines(incident.what)},
                       {"run", json_number(incident.run)},
                       {"seen", json_number(incident.seen)},
                       {"strategy", search::found_by(incident)},
                       {"hash", fmt::format("{:016x}", incident.hash)},
                       {"scenario", sanitized(saved.scenario_path)},
                       {"found_trace", sanitized(saved.found_trace)},
                       {"replay", sanitized(saved.replay_command)}});
}

std::string incident_in_words(const SavedIncident& saved) {
  const search::Incident& incident = saved.incident;
  return fmt::format("{} in {}, first in run {}: {} ({})", search::to_string(incident.kind),
                     so_many(incident.seen, "run"), incident.run, incident.what,
                     saved.replay_command);
}

std::string finding_in_words(const search::Finding& finding) {
  std::vector<std::string_view> words;
  for (const scenario::FaultKind kind : finding.kinds) words.push_back(scenario::to_string(kind));
  return fmt::format("{}, {}", checker::to_string(finding.property),
                     words.empty() ? std::string("without any fault")
                                   : fmt::format("because of {}", scenario::listed(words)));
}

std::string fuzz_console(const FuzzReport& report, Style style) {
  const search::ScenarioOutcome& outcome = report.result.outcome;
  std::string text = fmt::format("{}\n", sanitized(outcome.scenario->title));
  text += fmt::format("  {}{}: {} in {} ({} reached{})  {}\n", search::to_string(outcome.kind),
                      outcome.interrupted ? ", ended early" : "",
                      so_many(report.saved.size(), "finding"), so_many(outcome.runs, "run"),
                      so_many(report.result.states.size(), "abstract state"), rate_in_words(report),
                      sanitized(report.name));
  const std::vector<std::string_view> not_tried = kinds_not_tried(*outcome.scenario);
  if (!not_tried.empty()) {
    add_wrapped(text, "  ",
                fmt::format("not tried: {}, for a budget of 0; a scenario file may try them",
                            scenario::listed(not_tried)));
  }
  if (!outcome.scenario->open_faults) {
    add_wrapped(text, "  ",
                "only delays and what else its runs draw were varied, for it leaves no fault open: "
                "--faults any opens it");
  }
  if (report.corpus) text += fmt::format("  {}\n", corpus_in_words(*report.corpus));
  const std::string failures = search::script_failures_in_words(outcome);
  if (!failures.empty()) add_wrapped(text, "  ", sanitized(failures));
  for (const std::string& complaint : outcome.complaints) {
    add_wrapped(text, "  ", sanitized_lines(complaint));
  }
  for (const search::Untested& each : outcome.untested) {
    add_wrapped(text, "  ", sanitized_lines(each.why));
  }
  for (const SavedFinding& saved : report.saved) add_finding(text, saved, style);
  for (const SavedIncident& saved : report.incidents) text += "\n" + incident_console(saved);
  return text;
}

std::string fuzz_json(const std::vector<FuzzReport>& reports) {
  Json targets = Json::array();
  for (const FuzzReport& report : reports) targets.push_back(target_of(report));
  const Json document = Json::object({{"schema", fuzz_document_version},
                                      {"model_version", model_version},
                                      {"targets", std::move(targets)}});
  return document.dump(json_indentation, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::vector<Annotation> annotations_of(const FuzzReport& report) {
  std::vector<Annotation> annotations;
  std::vector<std::string> told;  // how complaints begin that need no line of their own
  for (const SavedFinding& saved : report.saved) {
    if (!broke_what_was_to_hold(saved.finding, report.result.outcome)) continue;
    std::string why;
    for (const std::string& sentence : explain(saved.shrunk.example, saved.property)) {
      why += (why.empty() ? "" : " ") + sentence;
    }
    if (!saved.artifacts.replay_command.empty())
      why += fmt::format(" ({})", saved.artifacts.replay_command);
    annotations.push_back({AnnotationLevel::error,
                           std::string(checker::to_string(saved.finding.property)),
                           saved.scenario_path, 0, 0, finding_in_words(saved.finding), why});
    told.push_back(complaint_of_holding(saved.finding.property));
    for (const checker::Property also : saved.finding.also) {
      told.push_back(complaint_of_holding(also));
    }
  }
  for (const SavedIncident& saved : report.incidents) {
    const bool is_unknown = saved.incident.kind == search::IncidentKind::unknown ||
                            saved.incident.kind == search::IncidentKind::error_without_fault ||
                            saved.incident.kind == search::IncidentKind::script_failed;
    const std::string complaint = complaint_about(saved.incident, report.result.outcome);
    annotations.push_back({is_unknown ? AnnotationLevel::warning : AnnotationLevel::error,
                           std::string(search::to_string(saved.incident.kind)), saved.scenario_path,
                           0, 0, report.name,
                           fmt::format("{} ({})", complaint, saved.replay_command)});
    told.push_back(complaint);
  }
  for (const std::string& complaint : report.result.outcome.complaints) {
    const bool is_told = std::any_of(told.begin(), told.end(), [&](const std::string& beginning) {
      return complaint.starts_with(beginning);
    });
    if (is_told) continue;
    annotations.push_back(
        {AnnotationLevel::error, "not-as-expected", "", 0, 0, report.name, complaint});
  }
  return annotations;
}

}  // namespace lockstep::reports
