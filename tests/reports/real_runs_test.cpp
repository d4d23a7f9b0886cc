// Every scenario of scenarios/, run for real: its trace reads back, its pictures are well-formed
// and the same from the outcome and from the file.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <variant>

#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "reports/cause/cause.h"
#include "reports/drawing/palette.h"
#include "reports/drawing/picture.h"
#include "reports/formats/console.h"
#include "reports/scene/scene.h"
#include "reports/timeline/hero.h"
#include "reports/timeline/mermaid.h"
#include "reports/timeline/timeline.h"
#include "reports/timeline/timeline_scene.h"
#include "reports/trace/trace_file.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "search/runs/scenario_outcome.h"
#include "search/runs/seed_runs.h"
#include "tests/reports/mermaid_check.h"
#include "tests/reports/picture_check.h"
#include "tests/reports/xml_check.h"
#include "tests/support/scenario_share.h"
#include "tests/support/script_folder.h"
#include "tests/support/source_folder.h"

namespace lockstep::reports {
namespace {

std::filesystem::path scenarios() { return std::filesystem::path(source_folder()) / "scenarios"; }

search::ScenarioOutcome run(const std::filesystem::path& path) {
  model::Engine engine({support::script_folder()});
  return search::run_scenario(scenario::load_scenario(path), {}, engine);
}

std::string svg_of(const Timeline& timeline) {
  std::ostringstream out;
  render(timeline, PictureFormat::svg, out);
  return out.str();
}

/// Not only that a fault struck: who lost what, when, and why.
void expect_a_cause(const search::RunRecord& example) {
  const bool is_violated = std::any_of(
      example.verdicts.begin(), example.verdicts.end(),
      [](const auto& verdict) { return verdict.kind == checker::VerdictKind::violated; });
  const std::vector<std::string> why = explain(example);
  EXPECT_EQ(why.empty(), !is_violated);
  if (!why.empty()) {
    EXPECT_FALSE(why.front().starts_with("At ")) << why.front();
  }
}

/// A reader counts the nodes that a client had.
TEST(RealRuns, ShowHoldsThatBeginAndEndWithinAFold) {
  const search::ScenarioOutcome outcome =
      run(scenarios() / "known-bugs" / "pause-and-clock-set-back.toml");
  const Timeline timeline = layout(timeline_subject(outcome, ""));
  std::set<Tenths> lanes;
  for (const auto& shape : timeline.picture.background) {
    const auto* const area = std::get_if<Area>(&shape);
    const bool is_a_hold =
        area != nullptr && area->frame == palette::clients[0] && area->fill == palette::white;
    if (is_a_hold) lanes.insert(area->corners.front().x);
  }
  EXPECT_EQ(lanes.size(), 6U);  // a's own, and five nodes
}

TEST(RealRuns, AllGiveTracesAndPicturesThatAgree) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(scenarios())) {
    if (scenario::is_scenario_file(entry.path())) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  EXPECT_GE(files.size(), 5U);
  const std::size_t step = support::scenario_step();
  for (std::size_t i = 0; i < files.size(); i += step) {
    const std::filesystem::path& path = files[i];
    SCOPED_TRACE(path.string());
    const search::ScenarioOutcome outcome = run(path);
    std::stringstream stream;
    write_trace(stream, *outcome.scenario, outcome.example);
    const TraceFile file = read_trace("run.trace", stream);
    EXPECT_EQ(file.example.trace.hash, outcome.example.trace.hash);
    const Timeline timeline = layout(timeline_subject(outcome, "x"));
    EXPECT_EQ(render_dot(layout(timeline_subject(file, "x"))), render_dot(timeline));
    EXPECT_EQ(test::xml_problem(svg_of(timeline)), "");
    EXPECT_GE(timeline.rows, 3U);
    // A story is told in few rows; what a search makes up has more that counts.
    const bool is_story = path.parent_path().filename() != "open";
    EXPECT_LE(timeline.rows, is_story ? 40U : 50U);
    EXPECT_EQ(test::overlaps_in(timeline.picture), "");
    if (path.parent_path().filename() != "known-bugs") continue;
    expect_a_cause(outcome.example);
    EXPECT_EQ(test::mermaid_problem(mermaid_of(timeline_subject(outcome, "x"))), "");
    EXPECT_LE(hero_layout(timeline_subject(outcome, "x")).rows, hero_moments_max);
  }
}

TEST(RealRuns, OfThePauseTellWhatWentWrong) {
  const search::ScenarioOutcome outcome = run(scenarios() / "known-bugs" / "gc-pause.toml");
  const std::string report = console_report(outcome, Style::plain, {});
  EXPECT_NE(report.find("  why  The lease of a/1 ended at "), std::string::npos) << report;
  EXPECT_NE(report.find("while a was paused from "), std::string::npos) << report;
  const Timeline timeline = layout(timeline_subject(outcome, ""));
  EXPECT_LE(timeline.rows, 40U);
  EXPECT_NE(test::xml_text(svg_of(timeline)).find("both believe: "), std::string::npos);
}

TEST(RealRuns, OfTheFailoverTellWhatWentWrong) {
  const search::ScenarioOutcome outcome =
      run(scenarios() / "known-bugs" / "failover-before-replication.toml");
  const std::string report = console_report(outcome, Style::plain, {});
  EXPECT_NE(report.find("without knowing of a/1's lock"), std::string::npos) << report;
}

// -- what pictures once told wrong or left out, as a reader found who saw nothing else --

struct ToldCase {
  std::string name;
  std::string scenario;  ///< below scenarios/
  std::string told;
  std::string not_told;  ///< empty: nothing in particular
};

/// With one blank between words, however lines were broken.
std::string in_one_line(const std::string& text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

class Told : public ::testing::TestWithParam<ToldCase> {};

TEST_P(Told, Right) {
  const search::ScenarioOutcome outcome = run(scenarios() / GetParam().scenario);
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
  const search::ScenarioOutcome outcome =
      run(scenarios() / "cluster/batched-renewal-crosses-slots.toml");
  const Scene scene = scene_of(timeline_subject(outcome, ""), {});
  ASSERT_TRUE(scene.overlap);
  EXPECT_EQ(scene.locks[scene.overlap->lock], "orders");
}

}  // namespace
}  // namespace lockstep::reports
