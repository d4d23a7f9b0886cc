#include "search/runs/scenario_outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "checker/measures.h"
#include "checker/text.h"
#include "checker/verdict.h"
#include "checker/verdict_kind.h"
#include "scenario/faults/fault_spec.h"
#include "scenario/scenario.h"
#include "scenario/text/durations.h"

namespace lockstep::search {

ScenarioOutcome::ScenarioOutcome() = default;
ScenarioOutcome::ScenarioOutcome(const ScenarioOutcome&) = default;
ScenarioOutcome::ScenarioOutcome(ScenarioOutcome&&) noexcept = default;
ScenarioOutcome& ScenarioOutcome::operator=(const ScenarioOutcome&) = default;
ScenarioOutcome& ScenarioOutcome::operator=(ScenarioOutcome&&) noexcept = default;
ScenarioOutcome::~ScenarioOutcome() = default;

std::vector<checker::Verdict> verdicts_as_told(const ScenarioOutcome& outcome) {
  const auto expected_of = [&](const checker::Verdict& verdict) {
    if (verdict.kind != checker::VerdictKind::violated) return Expected::nothing;
    for (const PropertySummary& summary : outcome.properties) {
      if (summary.property == verdict.property) return summary.expected;
    }
    return Expected::nothing;
  };
  std::vector<checker::Verdict> told;
  for (const Expected expected :
       std::array{Expected::holds, Expected::violated, Expected::nothing}) {
    std::copy_if(outcome.example.verdicts.begin(), outcome.example.verdicts.end(),
                 std::back_inserter(told),
                 [&](const checker::Verdict& verdict) { return expected_of(verdict) == expected; });
  }
  return told;
}

std::string ScenarioOutcome::later_horizon() const {
  if (later_horizon_ns == 0) return {};
  return fmt::format("horizon = \"{}\"  # in [limits]: until all have come to an end",
                     scenario::format_duration(later_horizon_ns));
}

std::string_view BoundSummary::name() const {
  switch (kind) {
    case BoundKind::overlap:
      return "overlap_at_most";
    case BoundKind::wait:
      return "wait_at_most";
    case BoundKind::requests:
      return "requests_per_second_at_most";
  }
  return "?";
}

std::string BoundSummary::limit() const {
  return is_duration() ? scenario::format_duration(at_most) : std::to_string(at_most);
}

std::string BoundSummary::measured() const {
  if (!is_duration()) return std::to_string(most);
  return most == sim::never_ns ? "for ever" : checker::milliseconds(most);
}

std::string BoundSummary::complaint() const {
  switch (kind) {
    case BoundKind::overlap:
      return fmt::format("{} is {}, but two believed at once that they had the lock for longer",
                         name(), limit());
    case BoundKind::wait:
      return fmt::format("{} is {}, but a thread waited for the lock for longer", name(), limit());
    case BoundKind::requests:
      return fmt::format("{} is {}, but a client sent more requests in a second", name(), limit());
  }
  return {};
}

std::int64_t measure_of(BoundKind kind, const checker::Measures& measures) {
  switch (kind) {
    case BoundKind::overlap:
      return measures.overlap_ns;
    case BoundKind::wait:
      return measures.wait_ns;
    case BoundKind::requests:
      return measures.requests_per_second;
  }
  return 0;
}

}  // namespace lockstep::search
