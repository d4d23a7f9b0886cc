#include "search/runs/scenario_outcome.h"

#include "checker/verdict.h"
#include "scenario/faults/fault_spec.h"
#include "scenario/scenario.h"

namespace lockstep::search {

ScenarioOutcome::ScenarioOutcome() = default;
ScenarioOutcome::ScenarioOutcome(const ScenarioOutcome&) = default;
ScenarioOutcome::ScenarioOutcome(ScenarioOutcome&&) noexcept = default;
ScenarioOutcome& ScenarioOutcome::operator=(const ScenarioOutcome&) = default;
ScenarioOutcome& ScenarioOutcome::operator=(ScenarioOutcome&&) noexcept = default;
ScenarioOutcome::~ScenarioOutcome() = default;

}  // namespace lockstep::search
