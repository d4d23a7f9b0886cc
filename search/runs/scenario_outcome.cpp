#include "search/runs/scenario_outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

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

}  // namespace lockstep::search
