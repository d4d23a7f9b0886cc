// Every scenario of scenarios/, run for real: its trace reads back, its pictures are well-formed,
// the same from the outcome and from the file, and no text of them lies on anything.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "reports/cause/cause.h"
#include "reports/drawing/boxes.h"
#include "reports/drawing/palette.h"
#include "reports/drawing/picture.h"
#include "reports/formats/console.h"
#include "reports/scene/scene.h"
#include "reports/timeline/hero.h"
#include "reports/timeline/mermaid.h"
#include "reports/timeline/side_by_side.h"
#include "reports/timeline/timeline.h"
#include "reports/timeline/timeline_scene.h"
#include "reports/trace/trace_file.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "scenario/text/source_file.h"
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

// No text of a picture lies on anything: not in the gallery, not in runs that nobody has looked at.
namespace lockstep::reports {
namespace {

namespace fs = std::filesystem;

search::ScenarioOutcome one_run(const fs::path& path, std::uint64_t seed) {
  model::Engine engine({support::script_folder()});
  search::SeedRunOptions options;
  options.first_seed = seed;
  options.needs = search::SeedRunOptions::Needs::left_open;
  return search::run_scenario(scenario::load_scenario(path.string()), options, engine);
}

/// All scenarios below this folder of scenarios/, in order.
std::vector<fs::path> scenarios_below(const char* folder) {
  std::vector<fs::path> files;
  const fs::path root = fs::path(source_folder()) / "scenarios" / folder;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (scenario::is_scenario_file(entry.path())) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// The scenarios that docs/gallery.md draws.
std::vector<fs::path> gallery() {
  const fs::path root(source_folder());
  std::ifstream stream(root / "docs" / "gallery.md");
  const std::string text((std::istreambuf_iterator<char>(stream)),
                         std::istreambuf_iterator<char>());
  const std::regex address("scenarios/[a-z0-9/-]+\\.toml");
  std::set<fs::path> paths;
  for (auto each = std::sregex_iterator(text.begin(), text.end(), address);
       each != std::sregex_iterator(); ++each) {
    paths.insert(root / each->str());
  }
  return {paths.begin(), paths.end()};
}

class OfTheGallery : public testing::TestWithParam<fs::path> {};

TEST_P(OfTheGallery, HaveNoTextOnAnythingAndFitAPage) {
  const search::ScenarioOutcome outcome = one_run(GetParam(), 1);
  const TimelineSubject subject = timeline_subject(outcome, "lockstep replay it");
  const Timeline timeline = layout(subject);
  EXPECT_EQ(test::overlaps_in(timeline.picture), "");
  EXPECT_EQ(test::overlaps_in(hero_layout(subject).picture), "");
  EXPECT_LE(timeline.picture.width, 12'000);
  EXPECT_LE(timeline.picture.height, 9'000);
  EXPECT_EQ(timeline.labels_left_out, 0U);
  for (const Text& text : timeline.picture.texts) EXPECT_GE(text.size, 75) << text.text;
  const search::ScenarioOutcome other = one_run(GetParam(), 2);
  const TimelineSubject beside = timeline_subject(other, "lockstep replay the other");
  EXPECT_EQ(test::overlaps_in(side_by_side_layout(subject, beside).picture), "");
}

INSTANTIATE_TEST_SUITE_P(Pictures, OfTheGallery, testing::ValuesIn(gallery()),
                         [](const auto& test) {
                           std::string name = test.param.parent_path().stem().string() + "_" +
                                              test.param.stem().string();
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Pictures, OfTheCatalogueFitAPage) {
  for (const fs::path& path : scenarios_below("known-bugs")) {
    SCOPED_TRACE(path.string());
    const search::ScenarioOutcome outcome = one_run(path, 1);
    const Timeline timeline = layout(timeline_subject(outcome, "lockstep replay it"));
    EXPECT_EQ(test::overlaps_in(timeline.picture), "");
    EXPECT_LE(timeline.picture.width, 11'330);
    EXPECT_LE(timeline.picture.height, 8'500);
    EXPECT_EQ(timeline.labels_left_out, 0U);
    for (const Text& text : timeline.picture.texts) EXPECT_GE(text.size, 85) << text.text;
  }
}

/// All that the picture of a known bug, or of its twin, says, text by text.
std::string words_of(const char* known_bug) {
  const fs::path root = fs::path(source_folder()) / "scenarios" / "known-bugs";
  const search::ScenarioOutcome outcome = one_run(root / known_bug, 1);
  std::string words = "|";
  for (const Text& text : layout(timeline_subject(outcome, "")).picture.texts) {
    words += text.text + "|";
  }
  return words;
}

std::size_t count_of(std::string_view part, std::string_view words) {
  std::size_t count = 0;
  for (std::size_t at = words.find(part); at != std::string_view::npos;
       at = words.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST(Pictures, ShowWhatOvercomesAFaultHoweverMuchIsFolded) {
  // Of b, the last of a, and between them the one of a that was lost before.
  EXPECT_EQ(count_of("|release|", words_of("lost-release-retried.toml")), 3U);
  EXPECT_EQ(count_of("|replication to 2 nodes|", words_of("failover-after-wait.toml")), 1U);
}

TEST(Pictures, ShowWhatOvertakesARequestHoweverMuchIsFolded) {
  const std::string words = words_of("set-after-release.toml");
  EXPECT_NE(words.find("|release to 2 nodes|"), std::string::npos) << words;
}

TEST(Pictures, TellGrantsOfNodesFromThoseOfTheLock) {
  const std::string words = words_of("clock-jump-within-lease.toml");
  EXPECT_EQ(count_of("166 single-node", words), 2U) << words;
}

TEST(Pictures, OfAHundredRandomRunsHaveNoTextOnAnything) {
  const std::vector<fs::path> files = scenarios_below("");
  std::mt19937_64 random(23);
  std::size_t labels_left_out = 0;
  for (int i = 0; i < 100; ++i) {
    const fs::path& path = files[random() % files.size()];
    const std::uint64_t seed = 1 + random() % 1'000;
    SCOPED_TRACE(path.string() + " --seed " + std::to_string(seed));
    const search::ScenarioOutcome outcome = one_run(path, seed);
    const TimelineSubject subject = timeline_subject(outcome, "lockstep replay it");
    const Timeline timeline = layout(subject);
    labels_left_out += timeline.labels_left_out;
    EXPECT_EQ(test::overlaps_in(timeline.picture), "");
    EXPECT_EQ(test::overlaps_in(hero_layout(subject).picture), "");
  }
  EXPECT_LE(labels_left_out, 20U);
}

// -- the check itself --

struct APicture : testing::Test {
  Picture picture;
  void write(Tenths x, Tenths y, std::string words) {
    Text text{};
    text.at = {x, y};
    text.text = std::move(words);
    picture.texts.push_back(std::move(text));
  }
};

TEST_F(APicture, WithTextOnTextIsFound) {
  write(100, 100, "acquire");
  write(100, 190, "below it");
  EXPECT_EQ(test::overlaps_in(picture), "");
  write(150, 110, "release");
  EXPECT_EQ(test::overlaps_in(picture), "\"acquire\" at 10, 10 lies on \"release\" at 15, 11\n");
}

TEST_F(APicture, WithTextOnALineAnArrowABarOrADotIsFound) {
  write(100, 100, "acquire");
  picture.background.emplace_back(Line{{0, 200}, {1'000, 0}, "#000000"});
  EXPECT_NE(test::overlaps_in(picture).find("lies on a line"), std::string::npos);
  picture.background = {
      Area{{{0, 0}, {300, 0}, {300, 300}, {0, 300}}, "#000000", {}, 10, Ground::tint}};
  EXPECT_EQ(test::overlaps_in(picture), "");
  picture.background = {Area{{{0, 0}, {300, 0}, {300, 300}, {0, 300}}, "#000000", {}}};
  EXPECT_NE(test::overlaps_in(picture).find("lies on a bar"), std::string::npos);
  picture.background.clear();
  Arrow arrow{.points = {{0, 100}, {1'000, 100}}, .colour = "#000000", .description = ""};
  picture.arrows.push_back(arrow);
  EXPECT_NE(test::overlaps_in(picture).find("lies on an arrow"), std::string::npos);
  picture.arrows[0].gaps.push_back(text_box(picture.texts[0]));
  EXPECT_EQ(test::overlaps_in(picture), "");
  picture.dots.push_back({{110, 110}, "#000000", ""});
  EXPECT_NE(test::overlaps_in(picture).find("lies on a dot"), std::string::npos);
}

}  // namespace
}  // namespace lockstep::reports
