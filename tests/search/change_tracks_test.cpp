// Changing choices: small changes, never of tokens; shrinking ends, and what RapidCheck shows of a
// lock that breaks is the scenario that breaks it.
#include "search/fuzz/change_tracks.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "checker/property.h"
#include "scenario/file/scenario_file.h"
#include "search/rapidcheck.h"
#include "tests/support/script_folder.h"

namespace lockstep::search::change_tracks_test {
namespace {

constexpr std::string_view open = R"(
title  = "t"
lock   = "plain"
expect = { holds = "mutual-exclusion" }
faults = ["pause", "evict"]
[budget]
faults = 2
[[client]]
name = "a"
run  = ["lock lease=10s", "write", "unlock"]
[[client]]
name  = "b"
start = "0ms..5ms"
run   = ["lock lease=10s", "write", "unlock"]
)";

const ChoiceTrack* find(const std::vector<ChoiceTrack>& tracks, sim::Stream stream) {
  for (const ChoiceTrack& each : tracks) {
    if (each.stream == stream) return &each;
  }
  return nullptr;
}

std::size_t differing(const std::vector<ChoiceTrack>& one, const std::vector<ChoiceTrack>& other) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < one.size(); ++i) count += one[i] == other[i] ? 0U : 1U;
  return count;
}

class PropertyRunsOf : public testing::Test {
 protected:
  static std::unique_ptr<PropertyRuns> runs_of(const std::string& text) {
    return std::make_unique<PropertyRuns>(scenario::parse_scenario("t.toml", text),
                                          std::vector{support::script_folder()});
  }
  std::unique_ptr<PropertyRuns> runs_ = runs_of(std::string(open));
};

TEST_F(PropertyRunsOf, ChangesAreFewAndNeverOfTokens) {
  const std::vector<ChoiceTrack> tracks = runs_->draw(3).tracks;
  std::size_t changed_at_all = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::vector<ChoiceTrack> changed = tracks;
    change_tracks(changed, seed);
    ASSERT_EQ(changed.size(), tracks.size());
    EXPECT_LE(differing(changed, tracks), 3U);
    changed_at_all += differing(changed, tracks);
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      EXPECT_TRUE(may_change(tracks[i].stream.purpose) || changed[i] == tracks[i]);
    }
    std::vector<ChoiceTrack> again = tracks;
    change_tracks(again, seed);
    EXPECT_EQ(again, changed);
  }
  EXPECT_GT(changed_at_all, 100U);
  std::vector<ChoiceTrack> none;
  change_tracks(none, 1);
  EXPECT_TRUE(none.empty());
}

TEST_F(PropertyRunsOf, MixturesAreOfBoth) {
  const std::vector<ChoiceTrack> one = runs_->draw(3).tracks;
  const std::vector<ChoiceTrack> other = runs_->draw(4).tracks;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    std::vector<ChoiceTrack> mixed = one;
    mix_tracks(mixed, other, seed);
    for (const ChoiceTrack& track : mixed) {
      const ChoiceTrack* const of_one = find(one, track.stream);
      const ChoiceTrack* const of_other = find(other, track.stream);
      EXPECT_TRUE((of_one != nullptr && *of_one == track) ||
                  (of_other != nullptr && *of_other == track));
    }
  }
}

TEST_F(PropertyRunsOf, ARunIsMadeAgainFromItsChoices) {
  for (std::uint64_t number = 0; number < 20; ++number) {
    const PropertyRun run = runs_->draw(number);
    EXPECT_TRUE(runs_->run(run.tracks).hash == run.hash) << number;
    EXPECT_TRUE(runs_->draw(number).tracks == run.tracks);
  }
}

/// Of all values: nothing can become smaller without end.
std::uint64_t weight_of(const std::vector<ChoiceTrack>& tracks) {
  std::uint64_t sum = 0;
  for (const ChoiceTrack& track : tracks) {
    if (!may_change(track.stream.purpose)) continue;
    sum = std::accumulate(track.values.begin(), track.values.end(), sum);
  }
  return sum;
}

TEST_F(PropertyRunsOf, SmallerOnesAreSmaller) {
  const std::vector<ChoiceTrack> tracks = runs_->draw(3).tracks;
  const std::vector<std::vector<ChoiceTrack>> smaller = PropertyRuns::smaller(tracks);
  EXPECT_GT(smaller.size(), 5U);
  for (const std::vector<ChoiceTrack>& each : smaller) {
    EXPECT_LT(weight_of(each), weight_of(tracks));
    EXPECT_EQ(differing(each, tracks), 1U);
  }
}

TEST_F(PropertyRunsOf, RapidCheckFindsWhatBreaksAndToldItIsAScenario) {
  std::unique_ptr<PropertyRun> last;
  // However few cases a build tries elsewhere.
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = 400;
  const rc::detail::TestResult result = rc::detail::checkTestable(
      [&] {
        const PropertyRun run = *any_run(*runs_);
        if (run.has_failed) last = std::make_unique<PropertyRun>(run);
        RC_ASSERT(!run.has_failed);
      },
      rc::detail::TestMetadata{}, params);
  ASSERT_TRUE(result.is<rc::detail::FailureResult>());
  ASSERT_NE(last, nullptr);
  std::ostringstream told;
  told << *last;
  EXPECT_NE(told.str().find("mutual-exclusion is violated: "), std::string::npos) << told.str();
  const std::size_t begin = told.str().find("title  = ");
  ASSERT_NE(begin, std::string::npos) << told.str();
  const scenario::Scenario scenario =
      scenario::parse_scenario("shrunk.toml", told.str().substr(begin));
  EXPECT_EQ(scenario.faults.size(), 1U) << "a pause or an eviction";
  EXPECT_EQ(scenario.expect.violates, std::vector{checker::Property::mutual_exclusion});
}

TEST_F(PropertyRunsOf, RapidCheckFindsNothingInALockThatHolds) {
  std::string text(open);
  text.replace(text.find("[\"pause\", \"evict\"]"), 18, "[\"script_flush\"]");
  const std::unique_ptr<PropertyRuns> runs = runs_of(text);
  EXPECT_TRUE(rc::check("this lock holds", [&runs] {
    const PropertyRun run = *any_run(*runs);
    RC_ASSERT(!run.has_failed);
  }));
}

}  // namespace
}  // namespace lockstep::search::change_tracks_test
