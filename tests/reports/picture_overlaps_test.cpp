// No text of a picture lies on anything: not in the gallery, not in runs that nobody has looked at.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/engine/engine.h"
#include "reports/drawing/boxes.h"
#include "reports/timeline/hero.h"
#include "reports/timeline/side_by_side.h"
#include "reports/timeline/timeline.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "scenario/text/source_file.h"
#include "search/runs/scenario_outcome.h"
#include "search/runs/seed_runs.h"
#include "tests/reports/picture_check.h"
#include "tests/support/script_folder.h"
#include "tests/support/source_folder.h"

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
