#include "tests/reports/survival_example.h"

#include <utility>

#include "checker/property.h"
#include "checker/verdict.h"
#include "model/engine/run_result.h"
#include "model/faults/strike_effects.h"
#include "scenario/faults/fault_forms.h"
#include "scenario/faults/fault_spec.h"

namespace lockstep::reports::test {
namespace {

using checker::Property;
using model::Assumption;
using scenario::FaultKind;

SavedIncident incident_of(search::IncidentKind kind, std::uint64_t seen) {
  SavedIncident saved;
  saved.incident.kind = kind;
  saved.incident.what = "the horizon came first";
  saved.incident.run = 17;
  saved.incident.seen = seen;
  saved.scenario_path = "out/plain-unknown.toml";
  saved.replay_command = "lockstep replay out/plain-unknown.found.trace.jsonl";
  return saved;
}

}  // namespace

void add_runs(search::Survival& survival, const std::vector<FaultKind>& kinds,
              const std::vector<Property>& held, std::uint64_t count) {
  std::vector<scenario::FaultSpec> faults;
  for (const FaultKind kind : kinds) faults.push_back(scenario::fault_of(kind));
  const std::vector<model::Mattered> effects(kinds.size(), model::Mattered::to_writers);
  std::vector<checker::Verdict> verdicts(held.size());
  for (std::size_t i = 0; i < held.size(); ++i) {
    verdicts[i].property = held[i];
    verdicts[i].put_to_the_test = true;
  }
  model::RunResult run;
  run.faults = &faults;
  run.fault_strikes.assign(kinds.size(), 1);
  run.fault_effects = effects;
  run.verdicts = &verdicts;
  search::Survival runs;  // 1, 2, 4, … of them
  runs.add(run);
  for (; count > 0; count >>= 1U) {
    if ((count & 1U) != 0) survival.add(runs);
    const search::Survival as_many = runs;
    runs.add(as_many);
  }
}

CampaignFinding found(FindingKind kind, Property property, const std::vector<FaultKind>& kinds,
                      model::AssumptionSet broken) {
  CampaignFinding finding;
  finding.kind = kind;
  finding.property = property;
  finding.finding.property = property;
  finding.finding.kinds = kinds;
  finding.finding.broken = broken;
  finding.finding.run = 7;
  finding.breaks_always = true;
  return finding;
}

SurvivalReport sound_report() {
  SurvivalReport report;
  report.name = "plain";
  report.lock = "plain";
  report.promises = {Property::mutual_exclusion, Property::harm, Property::fifo};
  const model::AssumptionSet leases = {Assumption::holds_within_lease, Assumption::writes_survive,
                                       Assumption::clocks_steady};
  report.contract.assumes = {
      {Property::mutual_exclusion, leases}, {Property::harm, leases}, {Property::fifo, {}}};
  report.runs = 41'200;
  report.strategy = "portfolio";
  report.elapsed_ms = 58'000;
  const std::vector<Property> both = {Property::mutual_exclusion, Property::harm};
  add_runs(report.survival, {}, both, 412);
  add_runs(report.survival, {FaultKind::pause, FaultKind::slow}, both, 1'299);
  add_runs(report.survival, {FaultKind::pause, FaultKind::drop}, {Property::mutual_exclusion}, 5);
  add_runs(report.survival, {FaultKind::clock_step}, {Property::harm}, 12'345);
  return report;
}

SurvivalReport broken_report() {
  SurvivalReport report = sound_report();
  CampaignFinding bug =
      found(FindingKind::bug, Property::mutual_exclusion, {FaultKind::pause, FaultKind::drop});
  bug.finding.also = {Property::harm};
  bug.finding.seen = 1'200;
  bug.workload = "reentry";
  bug.violation = "a/1 and b/1 both believed";
  bug.cause = {"The reply to acquire was lost.", "a/1 took the lock a second time."};
  bug.scenario_path = "out/plain-mutual-exclusion-pause-drop.toml";
  bug.artifacts.timeline = "out/plain-mutual-exclusion-pause-drop.svg";
  bug.artifacts.replay_command =
      "lockstep replay out/plain-mutual-exclusion-pause-drop.trace.jsonl";
  CampaignFinding known = found(FindingKind::known, Property::fifo, {});
  known.workload = "waiters";
  known.known = "a release wakes a waiter that has given up (https://example.org/1)";
  CampaignFinding step = found(FindingKind::limit, Property::mutual_exclusion,
                               {FaultKind::clock_step}, {Assumption::clocks_steady});
  step.scenario_path = "out/limits/plain-mutual-exclusion-clock_step.toml";
  CampaignFinding freeze = found(FindingKind::limit, Property::mutual_exclusion,
                                 {FaultKind::clock_freeze}, {Assumption::clocks_steady});
  CampaignFinding pause =
      found(FindingKind::limit, Property::harm, {FaultKind::pause, FaultKind::promote},
            {Assumption::holds_within_lease, Assumption::writes_survive});
  report.findings = {std::move(bug), std::move(known), std::move(step), std::move(freeze),
                     std::move(pause)};
  report.incidents = {incident_of(search::IncidentKind::unknown, 3)};
  return report;
}

SurvivalReport hostile_report() {
  const std::string hostile = "x\x1b[31m\n::error::|<b>`&\"\xff\\[a](b)";
  SurvivalReport report = broken_report();
  report.name = hostile;
  report.lock = hostile;
  report.strategy = hostile;
  const auto all = checker::all_properties();
  report.promises.assign(all.begin(), all.end());
  add_runs(report.survival, {FaultKind::crash}, report.promises, 12'345);
  report.contract.is_standard = false;
  report.contract.reasons = {{Assumption::keys_stay, hostile}};
  report.contract.executed_once = {hostile};
  report.contract.own_lease = hostile;
  report.contract.known = {{Property::fifo, hostile, {hostile}, hostile, hostile}};
  for (CampaignFinding& finding : report.findings) {
    finding.workload = hostile;
    finding.cause = {hostile, hostile};
    finding.violation = hostile;
    finding.known = hostile;
    finding.scenario_path = hostile;
    finding.found_trace = hostile;
    finding.artifacts = {hostile, hostile, hostile, hostile};
    finding.passing = {hostile, hostile, hostile};
  }
  for (SavedIncident& saved : report.incidents) {
    saved.incident.what = hostile;
    saved.scenario_path = saved.found_trace = saved.replay_command = hostile;
  }
  return report;
}

}  // namespace lockstep::reports::test
