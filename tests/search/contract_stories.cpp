#include "tests/search/contract_stories.h"

#include <algorithm>
#include <vector>

#include "checker/property.h"
#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "model/lock/lock_package.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "search/contract/contract_judge.h"
#include "sim/seeded_choices.h"
#include "tests/support/script_folder.h"

namespace lockstep::search {

std::string story(const std::string& lock, const std::string& rest) {
  return "title = \"t\"\nlock = \"" + lock + "\"\nexpect = { sometimes = \"a finished\" }\n" + rest;
}

std::optional<model::AssumptionSet> broken(const std::string& text, checker::Property property) {
  const scenario::Scenario scenario = scenario::parse_scenario("s.toml", text);
  const model::LockPackage lock = model::load_lock(scenario, {support::script_folder()});
  model::Engine engine({support::script_folder()});
  const auto simulation = engine.prepare(scenario);
  sim::SeededChoices choices(1);
  const model::RunResult& run = simulation->run(choices);
  for (const checker::Verdict& verdict : *run.verdicts) {
    if (verdict.property != property) continue;
    if (verdict.kind != checker::VerdictKind::violated) return std::nullopt;
    return ContractJudge(lock).broken(scenario, run, property);
  }
  return std::nullopt;
}

checker::Verdict told_of(const std::string& text, checker::Property property) {
  const scenario::Scenario scenario = scenario::parse_scenario("s.toml", text);
  const model::LockPackage lock = model::load_lock(scenario, {support::script_folder()});
  model::Engine engine({support::script_folder()});
  const auto simulation = engine.prepare(scenario);
  sim::SeededChoices choices(1);
  const model::RunResult& run = simulation->run(choices);
  std::vector<checker::Verdict> verdicts = *run.verdicts;
  ContractJudge(lock).tell_what_counts(scenario, run, verdicts);
  return *std::ranges::find(verdicts, property, &checker::Verdict::property);
}

}  // namespace lockstep::search
