#include "reports/formats/json_report.h"

#include <utility>

#include "checker/evidence.h"
#include "checker/kept_run.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "reports/cause/cause.h"
#include "reports/formats/needed_words.h"
#include "reports/text.h"
#include "reports/trace/json_values.h"
#include "scenario/scenario.h"
#include "scenario/text/input_error.h"
#include "scenario/text/source_location.h"
#include "search/runs/run_record.h"
#include "search/runs/scenario_outcome.h"
#include "search/runs/tally.h"
#include "sim/versions.h"

namespace lockstep::reports {
namespace {

constexpr int indentation = 2;

std::string_view expected_word(search::Expected expected) {
  switch (expected) {
    case search::Expected::nothing:
      return "nothing";
    case search::Expected::holds:
      return "holds";
    case search::Expected::violated:
      return "violated";
  }
  return "nothing";
}

/// "as expected" → "as-expected": a word for programs.
std::string outcome_word(search::OutcomeKind kind) {
  std::string word(search::to_string(kind));
  for (char& character : word) {
    if (character == ' ') character = '-';
  }
  return word;
}

Json property_of(const search::PropertySummary& summary) {
  Json property = Json::object({{"property", checker::to_string(summary.property)},
                                {"expected", expected_word(summary.expected)},
                                {"held", json_number(summary.held)},
                                {"violated", json_number(summary.violated)},
                                {"unknown", json_number(summary.unknown)},
                                {"put_to_the_test", json_number(summary.put_to_the_test)}});
  if (summary.violated > 0) {
    property["first_violating_seed"] = json_number(summary.first_violating_seed);
  }
  return property;
}

Json evidence_of(const checker::Names& names, const checker::Evidence& evidence) {
  Json result = Json::object(
      {{"what", sanitized_lines(evidence.what)},
       {"who",
        evidence.who == checker::no_name ? Json() : Json(sanitized(names.text(evidence.who)))},
       {"from_ns", json_number(evidence.from.at_ns)}});
  if (evidence.until) result["until_ns"] = json_number(evidence.until->at_ns);
  return result;
}

Json cause_of(const Cause& cause) {
  Json says = Json::array();
  for (const std::string& sentence : cause.says) says.push_back(sentence);
  const auto text = [](const std::string& told) { return told.empty() ? Json() : Json(told); };
  return Json::object({{"kind", to_string(cause.kind)},
                       {"victim", text(cause.victim)},
                       {"culprit", text(cause.culprit)},
                       {"operation", text(cause.operation)},
                       {"server", text(cause.server)},
                       {"at_ns", json_number(cause.at_ns)},
                       {"before", text(cause.before)},
                       {"after", text(cause.after)},
                       {"says", std::move(says)},
                       {"tested", cause.is_tested}});
}

Json verdict_of(const search::RunRecord& example, const checker::Verdict& verdict) {
  Json result = Json::object({{"property", checker::to_string(verdict.property)},
                              {"result", checker::to_string(verdict.kind)},
                              {"put_to_the_test", verdict.put_to_the_test},
                              {"summary", sanitized_lines(verdict.summary)}});
  if (verdict.overlap_from_ns && verdict.overlap_until_ns) {
    result["overlap"] = Json::object({{"from_ns", json_number(*verdict.overlap_from_ns)},
                                      {"until_ns", json_number(*verdict.overlap_until_ns)}});
  }
  Json list = Json::array();
  for (const checker::Evidence& each : verdict.evidence)
    list.push_back(evidence_of(example.judged->names, each));
  result["evidence"] = std::move(list);
  if (verdict.kind == checker::VerdictKind::violated) {
    Json causes = Json::array();
    for (const Cause& cause : causes_of(example, verdict.property))
      causes.push_back(cause_of(cause));
    result["causes"] = std::move(causes);
    Json limits = Json::array();
    for (const std::string_view each : not_promised_where(example, verdict.property))
      limits.push_back(each);
    result["not_promised_where"] = std::move(limits);
    result["promised"] = is_promised(example, verdict.property);
  }
  return result;
}

Json example_of(const search::ScenarioOutcome& outcome) {
  const search::RunRecord& example = outcome.example;
  Json result = Json::object({{"seed", json_number(example.seed)},
                              {"hash", json_hash(example.trace.hash)},
                              {"events", json_number(std::uint64_t{example.trace.events.size()})},
                              {"ended", model::to_string(example.end)},
                              {"ended_at_ns", json_number(example.ended_at_ns)}});
  Json verdicts = Json::array();
  for (const checker::Verdict& verdict : example.verdicts) {
    verdicts.push_back(verdict_of(example, verdict));
  }
  result["verdicts"] = std::move(verdicts);
  Json why = Json::array();
  for (const std::string& sentence : sentences_of(causes_of(outcome))) why.push_back(sentence);
  result["why"] = std::move(why);
  Json struck = Json::array();
  for (const StruckFault& fault : struck_faults(example)) {
    struck.push_back(Json::object({{"fault", fault.what}, {"at_ns", json_number(fault.at_ns)}}));
  }
  result["struck"] = std::move(struck);
  return result;
}

Json needed_of(const search::ScenarioOutcome& outcome) {
  Json all = Json::array();
  for (const search::NeededFaults& needed : outcome.needed) {
    Json faults = Json::array();
    for (const std::size_t fault : needed.faults) {
      faults.push_back(sanitized(outcome.example.faults[fault].describe()));
    }
    Json clocks = Json::array();
    for (const std::size_t clock : needed.clocks) {
      clocks.push_back(sanitized(outcome.example.wrong_clocks[clock].host));
    }
    Json moved = Json::array();
    for (const search::MovedFault& move : needed.moved) {
      const scenario::FaultSpec& fault = outcome.example.faults[move.fault];
      const bool is_of_messages = search::strikes_single_messages(fault);
      moved.push_back(
          Json::object({{"fault", sanitized(fault.describe())},
                        {is_of_messages ? "by_messages" : "by_ns", json_number(move.by)},
                        {"breaks", move.breaks}}));
    }
    all.push_back(Json::object({{"property", checker::to_string(needed.property)},
                                {"faults", std::move(faults)},
                                {"clocks", std::move(clocks)},
                                {"moved", std::move(moved)}}));
  }
  return all;
}

/// What broke though the scenario says nothing of it, in any run.
Json unexpected_violations_list(const search::ScenarioOutcome& outcome) {
  Json list = Json::array();
  for (const search::PropertySummary& each : outcome.properties) {
    if (each.expected == search::Expected::nothing && each.violated > 0) {
      list.push_back(checker::to_string(each.property));
    }
  }
  return list;
}

Json untested_of(const search::ScenarioOutcome& outcome) {
  Json list = Json::array();
  for (const search::Untested& each : outcome.untested) {
    list.push_back(Json::object(
        {{"property", checker::to_string(each.property)},
         {"why", sanitized_lines(each.why)},
         {"change", each.change.empty() ? Json() : Json(sanitized_lines(each.change))}}));
  }
  return list;
}

/// Of each kind that happened.
Json takeovers_of(const search::ScenarioOutcome& outcome) {
  Json list = Json::array();
  for (const search::TakeoverSummary& each : outcome.takeovers) {
    if (each.runs == 0) continue;
    list.push_back(Json::object({{"kind", model::to_string(each.kind)},
                                 {"runs", json_number(each.runs)},
                                 {"runs_held", json_number(each.runs_held)},
                                 {"runs_lacked", json_number(each.runs_lacked)}}));
  }
  return list;
}

Json scenario_of(const search::ScenarioOutcome& outcome, const RunArtifacts& artifacts) {
  Json result = Json::object({{"path", sanitized(outcome.scenario->path)},
                              {"title", sanitized(outcome.scenario->title)},
                              {"lock", sanitized(outcome.scenario->lock)},
                              {"outcome", outcome_word(outcome.kind)},
                              {"runs", json_number(outcome.runs)},
                              {"interrupted", outcome.interrupted}});
  if (!outcome.scenario->parameters.empty()) {
    Json parameters = Json::object();
    for (const scenario::ParameterSetting& each : outcome.scenario->parameters) {
      parameters[each.name] = sanitized(each.value);
    }
    result["parameters"] = std::move(parameters);
  }
  Json complaints = Json::array();
  for (const std::string& complaint : outcome.complaints) {
    complaints.push_back(sanitized_lines(complaint));
  }
  result["complaints"] = std::move(complaints);
  const std::string failures = search::script_failures_in_words(outcome);
  if (!failures.empty()) result["script_failure"] = sanitized_lines(failures);
  Json properties = Json::array();
  for (const search::PropertySummary& each : outcome.properties) {
    properties.push_back(property_of(each));
  }
  result["properties"] = std::move(properties);
  result["not_asked_for"] = unexpected_violations_list(outcome);
  Json probes = Json::array();
  for (const search::ProbeSummary& probe : outcome.probes) {
    probes.push_back(Json::object({{"fault", sanitized(probe.fault)},
                                   {"runs_struck", json_number(probe.runs_struck)},
                                   {"runs_mattered", json_number(probe.runs_mattered)}}));
  }
  result["probes"] = std::move(probes);
  result["untested"] = untested_of(outcome);
  result["takeovers"] = takeovers_of(outcome);
  if (!outcome.drawn_kinds.empty()) {
    Json drawn = Json::array();
    for (const search::DrawnKindSummary& each : outcome.drawn_kinds) {
      drawn.push_back(Json::object({{"kind", scenario::to_string(each.kind)},
                                    {"drawn", json_number(each.drawn)},
                                    {"struck", json_number(each.struck)},
                                    {"mattered", json_number(each.mattered)}}));
    }
    result["drawn"] = std::move(drawn);
  }
  if (!outcome.sometimes.empty()) {
    Json sometimes = Json::array();
    for (const search::SometimesSummary& each : outcome.sometimes) {
      sometimes.push_back(Json::object(
          {{"what", sanitized(each.what)}, {"runs_seen", json_number(each.runs_seen)}}));
    }
    result["sometimes"] = std::move(sometimes);
  }
  if (!outcome.bounds.empty()) {
    Json bounds = Json::array();
    for (const search::BoundSummary& bound : outcome.bounds) {
      const bool is_duration = bound.is_duration();
      bounds.push_back(
          Json::object({{"bound", bound.name()},
                        {is_duration ? "at_most_ns" : "at_most", json_number(bound.at_most)},
                        {is_duration ? "longest_ns" : "most", json_number(bound.most)},
                        {is_duration ? "longest_seed" : "most_seed", json_number(bound.most_seed)},
                        {"runs_over", json_number(bound.runs_over)}}));
    }
    result["bounds"] = std::move(bounds);
  }
  result["runs_out_of_time"] = json_number(outcome.runs_out_of_time);
  result["runs_out_of_events"] = json_number(outcome.runs_out_of_events);
  const std::string later = outcome.later_horizon();
  result["later_horizon"] = later.empty() ? Json() : Json(later);
  result["example"] = outcome.runs > 0 ? example_of(outcome) : Json();
  result["needs"] = needed_of(outcome);
  const auto place = [](const std::string& text) {
    return text.empty() ? Json() : Json(sanitized(text));
  };
  result["timeline"] = place(artifacts.timeline);
  result["trace"] = place(artifacts.trace);
  result["replay"] = place(artifacts.replay_command);
  return result;
}

}  // namespace

void JsonReport::add(const search::ScenarioOutcome& outcome, const RunArtifacts& artifacts) {
  counts_.add(outcome);
  scenarios_.push_back(scenario_of(outcome, artifacts).dump(indentation));
}

void JsonReport::refuse(const scenario::InputError& error) {
  ++counts_.files_refused;
  const auto tell = [this](const scenario::InputError& mistake) {
    const scenario::SourceLocation& place = mistake.place();
    const auto number = [](std::uint32_t count) { return count == 0 ? Json() : Json(count); };
    refused_.push_back(Json::object({{"file", sanitized(place.file)},
                                     {"line", number(place.line)},
                                     {"column", number(place.column)},
                                     {"message", sanitized_lines(mistake.message())}})
                           .dump(indentation));
  };
  tell(error);
  for (const scenario::InputError& other : error.also()) tell(other);
}

void JsonReport::pass_over(const scenario::Scenario& scenario) {
  passed_over_.push_back(sanitized(scenario.name()));
}

std::string JsonReport::text() const {
  Json document = Json::object({{"schema", run_document_version},
                                {"model_version", model_version},
                                {"as_expected", json_number(counts_.as_expected)},
                                {"not_as_expected", json_number(counts_.not_as_expected)},
                                {"unknown", json_number(counts_.unknown)},
                                {"files_refused", json_number(counts_.files_refused)},
                                {"runs", json_number(counts_.runs)}});
  Json scenarios = Json::array();
  for (const std::string& scenario : scenarios_) scenarios.push_back(Json::parse(scenario));
  document["scenarios"] = std::move(scenarios);
  Json refused = Json::array();
  for (const std::string& mistake : refused_) refused.push_back(Json::parse(mistake));
  document["refused"] = std::move(refused);
  document["passed_over"] = passed_over_;
  return document.dump(indentation) + "\n";
}

std::string scenario_json(const search::ScenarioOutcome& outcome, const RunArtifacts& artifacts) {
  return scenario_of(outcome, artifacts).dump(indentation);
}

std::string json_report(const search::ScenarioOutcome& outcome, const RunArtifacts& artifacts) {
  JsonReport report;
  report.add(outcome, artifacts);
  return report.text();
}

}  // namespace lockstep::reports
