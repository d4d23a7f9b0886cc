#include "tests/reports/cause_story.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "model/engine/engine.h"
#include "model/lock/contract.h"
#include "model/lock/lock_package.h"
#include "reports/cause/cause.h"
#include "reports/cause/known_flaws.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "search/runs/seed_runs.h"
#include "tests/support/script_folder.h"
#include "tests/support/source_folder.h"

namespace lockstep::reports {
namespace {

scenario::Scenario scenario_of(std::string_view told) {
  const std::string story(told);
  const std::filesystem::path folder =
      std::filesystem::path(source_folder()) / "scenarios" / "known-bugs";
  if (story.ends_with(".toml")) return scenario::load_scenario(folder / story);
  return scenario::parse_scenario((folder / "test.toml").string(), "title = \"t\"" + story);
}

}  // namespace

void expect_told(const CauseStory& story) {
  model::Engine engine({support::script_folder()});
  const search::ScenarioOutcome outcome =
      search::run_scenario(scenario_of(story.story), {.first_seed = 1, .seeds = 1}, engine);
  ASSERT_EQ(outcome.complaints, std::vector<std::string>());
  std::string why;
  for (const std::string& sentence : explain(outcome.example)) why += sentence + " ";
  for (const std::string_view words : story.says) {
    EXPECT_NE(why.find(words), std::string::npos) << words << "\nis not in\n" << why;
  }
  for (const std::string_view words : story.says_not) {
    EXPECT_EQ(why.find(words), std::string::npos) << why;
  }
}

std::string known_flaw_in(std::string_view story, checker::Property broken) {
  const scenario::Scenario scenario = scenario_of(story);
  model::Engine engine({support::script_folder()});
  const search::ScenarioOutcome outcome =
      search::run_scenario(scenario, {.first_seed = 1, .seeds = 1}, engine);
  EXPECT_EQ(outcome.complaints, std::vector<std::string>());
  const model::LockPackage lock = model::load_lock(scenario, {support::script_folder()});
  const model::KnownFlaw* const flaw =
      known_flaw_of(lock.contract, broken, causes_of(outcome.example, broken));
  return flaw == nullptr ? std::string() : flaw->what;
}

}  // namespace lockstep::reports
