#include "search/fuzz/incident.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "checker/measures.h"
#include "checker/observations.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "scenario/text/durations.h"
#include "search/runs/scenario_outcome.h"
#include "search/runs/tally.h"

namespace lockstep::search {
namespace {

constexpr std::array<std::string_view, incident_kind_count> incident_words = {
    "client-failed", "error-without-fault", "script-failed", "overlap", "wait", "requests",
    "unknown"};

Incident incident(IncidentKind kind, std::string what) {
  Incident made;
  made.kind = kind;
  made.what = std::move(what);
  return made;
}

IncidentKind kind_of(BoundKind kind) {
  switch (kind) {
    case BoundKind::overlap:
      return IncidentKind::overlap;
    case BoundKind::wait:
      return IncidentKind::wait;
    case BoundKind::requests:
      return IncidentKind::requests;
  }
  return IncidentKind::overlap;
}

std::string why_it_ended(model::RunEnd end) {
  switch (end) {
    case model::RunEnd::horizon:
      return "; the run came to its scenario's horizon";
    case model::RunEnd::event_limit:
      return "; the run came to its scenario's limit of events";
    case model::RunEnd::at_rest:
    case model::RunEnd::stopped:
      break;
  }
  return "";
}

/// "client.lua:12" of "a/1: plain/client.lua:12: oh".
std::string_view line_of(std::string_view what) {
  constexpr std::string_view suffix = ".lua:";
  const std::size_t at = what.find(suffix);
  if (at == std::string_view::npos) return {};
  const std::size_t begin = what.rfind('/', at) + 1;
  const std::size_t end = what.find_first_not_of("0123456789", at + suffix.size());
  return what.substr(begin, end == std::string_view::npos ? end : end - begin);
}

}  // namespace

std::string_view to_string(IncidentKind kind) {
  return incident_words[static_cast<std::size_t>(kind)];
}

std::optional<IncidentKind> incident_from(std::string_view word) {
  for (std::size_t i = 0; i < incident_words.size(); ++i) {
    if (incident_words[i] == word) return static_cast<IncidentKind>(i);
  }
  return std::nullopt;
}

std::vector<Incident> incidents_of(const ScenarioOutcome& outcome, const model::RunResult& result) {
  std::vector<Incident> incidents;
  if (!result.client_failures.empty()) {
    incidents.push_back(incident(IncidentKind::client_failed,
                                 fmt::format("{}: {}", client_failed_words(*outcome.scenario),
                                             result.client_failures.front())));
  }
  const bool may_break =
      std::any_of(outcome.properties.begin(), outcome.properties.end(),
                  [](const PropertySummary& each) { return each.expected == Expected::violated; });
  if (!result.script_failures.empty() && !may_break) {
    const IncidentKind kind = result.observations->has_fault_struck
                                  ? IncidentKind::script_failed
                                  : IncidentKind::error_without_fault;
    incidents.push_back(incident(
        kind, fmt::format("a request of the lock failed: {}", result.script_failures.front())));
  }
  for (const BoundSummary& bound : outcome.bounds) {
    if (measure_of(bound.kind, *result.measures) <= bound.at_most) continue;
    incidents.push_back(incident(kind_of(bound.kind), bound.complaint()));
  }
  for (std::size_t i = 0; i < outcome.properties.size(); ++i) {
    const checker::Verdict& verdict = (*result.verdicts)[i];
    const bool is_asked = outcome.properties[i].expected != Expected::nothing;
    if (!is_asked || verdict.kind != checker::VerdictKind::unknown) continue;
    incidents.push_back(incident(
        IncidentKind::unknown,
        fmt::format("nobody knows whether {} held: {}{}", checker::to_string(verdict.property),
                    verdict.summary, why_it_ended(result.end))));
    break;
  }
  return incidents;
}

bool is_the_same(const Incident& one, const Incident& other) {
  if (one.kind != other.kind) return false;
  const bool has_line = one.kind == IncidentKind::client_failed ||
                        one.kind == IncidentKind::error_without_fault ||
                        one.kind == IncidentKind::script_failed;
  return !has_line || line_of(one.what) == line_of(other.what);
}

void add_incident(std::vector<Incident>& incidents, Incident later) {
  const auto same = std::find_if(incidents.begin(), incidents.end(),
                                 [&](const Incident& each) { return is_the_same(each, later); });
  if (same == incidents.end()) {
    incidents.push_back(std::move(later));
  } else {
    same->seen += later.seen;
  }
}

}  // namespace lockstep::search
