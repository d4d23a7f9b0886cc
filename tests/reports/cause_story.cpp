#include "tests/reports/cause_story.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "model/engine/engine.h"
#include "reports/cause/cause.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "search/runs/seed_runs.h"
#include "tests/support/script_folder.h"
#include "tests/support/source_folder.h"

namespace lockstep::reports {
namespace {

scenario::Scenario scenario_of(const CauseStory& told) {
  const std::string story(told.story);
  const std::filesystem::path folder =
      std::filesystem::path(source_folder()) / "scenarios" / "known-bugs";
  if (story.ends_with(".toml")) return scenario::load_scenario(folder / story);
  return scenario::parse_scenario((folder / "test.toml").string(), "title = \"t\"" + story);
}

}  // namespace

void expect_told(const CauseStory& story) {
  model::Engine engine({support::script_folder()});
  const search::ScenarioOutcome outcome =
      search::run_scenario(scenario_of(story), {.first_seed = 1, .seeds = 1}, engine);
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

}  // namespace lockstep::reports
