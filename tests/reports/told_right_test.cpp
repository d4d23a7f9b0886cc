// What pictures of real runs once told wrong or left out, as a reader found who saw nothing else.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>

#include "model/engine/engine.h"
#include "reports/scene/scene.h"
#include "reports/timeline/timeline.h"
#include "reports/timeline/timeline_scene.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "search/runs/scenario_outcome.h"
#include "search/runs/seed_runs.h"
#include "tests/reports/xml_check.h"
#include "tests/support/script_folder.h"
#include "tests/support/source_folder.h"

namespace lockstep::reports {
namespace {

struct ToldCase {
  std::string name;
  std::string scenario;  ///< below scenarios/
  std::string told;
  std::string not_told;  ///< empty: nothing in particular
};

search::ScenarioOutcome run(const std::string& scenario) {
  const std::filesystem::path path =
      std::filesystem::path(source_folder()) / "scenarios" / scenario;
  model::Engine engine({support::script_folder()});
  return search::run_scenario(scenario::load_scenario(path), {}, engine);
}

/// With one blank between words, however lines were broken.
std::string in_one_line(const std::string& text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

class Told : public ::testing::TestWithParam<ToldCase> {};

TEST_P(Told, Right) {
  const search::ScenarioOutcome outcome = run(GetParam().scenario);
  std::ostringstream svg;
  render(layout(timeline_subject(outcome, "")), PictureFormat::svg, svg);
  const std::string text = in_one_line(test::xml_text(svg.str()));
  EXPECT_NE(text.find(GetParam().told), std::string::npos) << text;
  if (GetParam().not_told.empty()) return;
  EXPECT_EQ(text.find(GetParam().not_told), std::string::npos) << text;
}

INSTANTIATE_TEST_SUITE_P(
    Pictures, Told,
    ::testing::Values(
        ToldCase{"ARenewalThatFailsIsNeverFolded", "cluster/batched-renewal-crosses-slots.toml",
                 "error: CROSSSLOT Keys in request don't hash to the same slot", ""},
        ToldCase{"AnErrorIsNoRefusal", "connections/offline-queue.toml", "error: NOSCRIPT", ""},
        ToldCase{"WhatAnOldMasterGrantsWasNotRefused", "sentinel/old-master-comes-back.toml",
                 "believes what the old master said", "though it was refused"},
        ToldCase{"WhoNeverHearsOfAReleaseIsNamed", "sentinel/subscription-dies-in-failover.toml",
                 "c/1 never hears of it", "release is lost"},
        ToldCase{"WhoWritesAndReadsIsOne", "readwrite/nested-read-cuts-lease.toml",
                 "the lease of a/1 is over", "a/1, a/1"},
        ToldCase{"WhoGaveUpIsToldOf", "safe/queue-through-crashes.toml",
                 "Folded with all their rows: c/1", ""}),
    [](const auto& each) { return each.param.name; });

TEST(Overlaps, AreOfTheLockThatBothBelieveIn) {
  const search::ScenarioOutcome outcome = run("cluster/batched-renewal-crosses-slots.toml");
  const Scene scene = scene_of(timeline_subject(outcome, ""), {});
  ASSERT_TRUE(scene.overlap);
  EXPECT_EQ(scene.locks[scene.overlap->lock], "orders");
}

}  // namespace
}  // namespace lockstep::reports
