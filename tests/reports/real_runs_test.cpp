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
#include "reports/timeline/timeline_causes.h"
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

// -- what a reader who has nothing but the picture must be able to tell without guessing --

/// A run of a known bug, and what is drawn of it.
class MarksOfKnownBug : public testing::Test {
 protected:
  void run(std::string_view file) {
    const std::filesystem::path folder = std::filesystem::path(source_folder()) / "scenarios";
    model::Engine engine({support::script_folder()});
    outcome_ =
        search::run_scenario(scenario::load_scenario(folder / "known-bugs" / file), {}, engine);
    scene_ = make_scene(outcome_.example);
    mark_causes(scene_, outcome_.example);
  }
  /// Fails where there is none of this text at this lane, and at this time to the millisecond.
  void expect_note(std::string_view text, std::string_view lane, std::int64_t at_ms) {
    std::string all;
    for (const Note& note : scene_.notes) {
      const std::int64_t note_ms = at(note.event) / sim::millisecond_ns;
      const std::string_view name = scene_.lanes[note.lane].name;
      if (note.text == text && name == lane && note_ms == at_ms) return;
      if (note.tone == Tone::bad) all += std::to_string(note_ms) + " " + note.text + "\n";
    }
    ADD_FAILURE() << text << " at " << lane << ", not in:\n" << all;
  }
  [[nodiscard]] bool is_said(std::string_view text) const {
    return std::ranges::any_of(
        scene_.notes, [&](const Note& note) { return note.text.find(text) != std::string::npos; });
  }
  [[nodiscard]] std::vector<std::string> words() const {
    const search::RunRecord& example = outcome_.example;
    std::vector<std::string> all;
    for (const Text& text : layout({"", "", &example}).picture.texts) all.push_back(text.text);
    return all;
  }
  [[nodiscard]] sim::TimeNs at(EventIndex event) const {
    return outcome_.example.trace.events[event].at;
  }

  search::ScenarioOutcome outcome_;
  Scene scene_;
};

// -- the cause stands where somebody went wrong --

TEST_F(MarksOfKnownBug, AreWhereAClientCountsWhatNoMajorityDid) {
  run("extension-by-any-node.toml");
  expect_note("\u25c6 cause: takes 1 of 5 nodes for enough", "a/1", 8'100);
  EXPECT_FALSE(is_said("lease ends here"));
}

TEST_F(MarksOfKnownBug, AreWhereAClientIsMisledByItsClock) {
  run("pause-and-clock-set-back.toml");
  expect_note(
      "\u25c6 cause: by its clock 0.723 ms have passed since it asked, in truth 15,000.7 ms", "a/1",
      15'000);
}

TEST_F(MarksOfKnownBug, AreWhereAReplyIsReadTooLate) {
  run("pause-while-acquiring-unchecked.toml");
  EXPECT_TRUE(is_said("cause: its lease has been over for "));
}

TEST_F(MarksOfKnownBug, AreWhereALeaseIsCountedFromTheReply) {
  run("late-extension-reply.toml");
  expect_note("\u25c6 cause: counts its lease from the reply: until 18,899 ms, in truth 15,002 ms",
              "a/1", 9'001);
}

/// It had not looked whose lease it set.
TEST_F(MarksOfKnownBug, AreWhereALeaseIsCutAndNotWhereThatIsTakenForAGrant) {
  run("short-first-lease.toml");
  EXPECT_TRUE(is_said("cause: a/1 cuts b/1's lease"));
  EXPECT_FALSE(is_said("cause: its lease has been over"));
}

TEST_F(MarksOfKnownBug, AreWhereTheClockOfANodeEndedTheLease) {
  run("clock-jump.toml");
  expect_note("\u25c6 cause: the clock ends a/1's lease too soon", "n3", 50);
}

// -- what was said, and what was so --

TEST_F(MarksOfKnownBug, SayWhatWasAnsweredAndWhatWasSo) {
  run("extension-by-any-node.toml");
  expect_note("\u2717 truthful-answers: says yes to extend; 1 of 5 nodes did", "a/1", 8'100);
  run("late-extension-reply.toml");
  expect_note("\u2717 truthful-answers: says yes to extend; the lease ends at 15,002 ms", "a/1",
              9'001);
  run("old-master-in-the-minority.toml");
  expect_note("\u2717 truthful-answers: says yes to release; it did not hold it", "a/1", 23'103);
}

TEST_F(MarksOfKnownBug, NameTheClientWhoseIdAMessageHas) {
  run("late-extension-reply.toml");
  expect_note("\u2717 unlock: the lock of a/1 was lost", "a/1", 29'002);
}

TEST_F(MarksOfKnownBug, SayTheLeaseThatIsTheLocksOwn) {
  run("failed-renewal-dropped.toml");
  EXPECT_TRUE(is_said("lock, lease 30,000 ms"));
}

// -- from when to when --

TEST_F(MarksOfKnownBug, LetAMajorityLastAsLongAsItsNodes) {
  run("delayed-restart-after-extension.toml");
  const auto is_a = [&](const Bar& bar) {
    return bar.kind == BarKind::truth && bar.owner && scene_.lanes[*bar.owner].name == "a/1";
  };
  const auto end = [&](const Bar& bar) {
    return bar.until ? end_of(bar, outcome_.example.trace) : sim::never_ns;
  };
  std::size_t majorities = 0;
  for (const Bar& whole : scene_.bars) {
    if (!is_a(whole) || whole.lane != whole.owner) continue;
    ++majorities;
    const auto last = end(whole) - 1;
    const auto nodes = std::ranges::count_if(scene_.bars, [&](const Bar& bar) {
      return is_a(bar) && bar.lane != bar.owner && at(bar.from) <= last && last < end(bar);
    });
    EXPECT_GE(nodes, 3);
  }
  EXPECT_GT(majorities, 0U);
}

TEST_F(MarksOfKnownBug, TellABeginAndAnEndOfWhatIsDrawnBetween) {
  run("old-master-in-the-minority.toml");
  const std::vector<std::string> all = words();
  for (const std::string_view time : {"1,900.0", "31,900.0"}) {
    EXPECT_EQ(std::ranges::count(all, time), 1) << time;
  }
  for (const std::string& text : all) EXPECT_EQ(text.find("signs of faults"), std::string::npos);
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
