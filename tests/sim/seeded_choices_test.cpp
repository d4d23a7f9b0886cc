#include "sim/seeded_choices.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace lockstep::sim::seeded_choices {
namespace {

constexpr Stream delay{Purpose::network_delay, 3};

std::vector<std::uint64_t> draws(ChoiceSource& choices, Stream stream, std::uint64_t count,
                                 int times) {
  std::vector<std::uint64_t> values;
  values.reserve(static_cast<std::size_t>(times));
  for (int time = 0; time < times; ++time) values.push_back(choices.choose(stream, count));
  return values;
}

// The numbers were computed by a second implementation, in another language.
TEST(SeededChoices, TheSequencesAreTheseInEveryBuild) {
  SeededChoices choices(42);
  EXPECT_EQ(draws(choices, {Purpose::network_delay, 0}, 1'000'000, 4),
            (std::vector<std::uint64_t>{736810, 943957, 191255, 590190}));
  EXPECT_EQ(draws(choices, {Purpose::token, 7}, UINT64_MAX, 2),
            (std::vector<std::uint64_t>{14975867841342780935U, 12230322417552168949U}));
  EXPECT_EQ(choices.between({Purpose::fault, 1}, -1'000, 1'000), -128);
}

TEST(SeededChoices, EveryAnswerIsBelowTheCountAndOneAlternativeDrawsNothing) {
  SeededChoices choices(7);
  SeededChoices same(7);
  for (const std::uint64_t count :
       std::initializer_list<std::uint64_t>{2, 3, 10, 1ULL << 63, (1ULL << 63) + 1, UINT64_MAX}) {
    EXPECT_EQ(choices.choose(delay, 1), 0U);
    const std::uint64_t value = choices.choose(delay, count);
    EXPECT_LT(value, count);
    EXPECT_EQ(value, same.choose(delay, count));
  }
}

TEST(SeededChoices, BetweenIncludesBothEndsAndWorksAcrossZero) {
  SeededChoices choices(9);
  std::set<std::int64_t> seen;
  for (int time = 0; time < 200; ++time) seen.insert(choices.between(delay, -2, 2));
  EXPECT_EQ(seen, (std::set<std::int64_t>{-2, -1, 0, 1, 2}));
  EXPECT_EQ(choices.between(delay, 5, 5), 5);
  const std::int64_t wide = choices.between(delay, INT64_MIN, INT64_MAX - 1);
  EXPECT_LT(wide, INT64_MAX);
}

// 6 alternatives, 60,000 draws: each is expected 10,000 times with a standard deviation of 91. The
// seeds are fixed, so that this cannot fail by chance.
TEST(SeededChoices, AlternativesAreAboutEquallyLikely) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    SeededChoices choices(seed);
    std::array<int, 6> counts{};
    for (int time = 0; time < 60'000; ++time) ++counts[choices.choose(delay, 6)];
    for (const int count : counts) EXPECT_NEAR(count, 10'000, 5 * 91) << "seed " << seed;
  }
}

// With a count of 3/4 of 2^64, four numbers of 64 bits fall on three answers: without its
// rejections the generator would give every third answer twice as often as the others.
TEST(SeededChoices, LargeCountsHaveNoBias) {
  SeededChoices choices(3);
  std::array<int, 3> counts{};
  for (int time = 0; time < 30'000; ++time) ++counts[choices.choose(delay, 3ULL << 62) % 3];
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 5 * 82);
}

TEST(SeededChoices, NearbySeedsAndStreamsShareNoFirstDraws) {
  std::set<std::uint64_t> seen;
  std::size_t drawn = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SeededChoices choices(seed);
    for (std::uint32_t owner = 0; owner < 20; ++owner) {
      for (const Purpose purpose : {Purpose::token, Purpose::fault}) {
        for (const std::uint64_t value : draws(choices, {purpose, owner}, UINT64_MAX, 3)) {
          seen.insert(value);
          ++drawn;
        }
      }
    }
  }
  EXPECT_EQ(seen.size(), drawn);
}

TEST(SeededChoices, AResetGivesWhatAFreshSourceGives) {
  SeededChoices used(1);
  for (std::uint32_t owner = 0; owner < 500; ++owner) {
    static_cast<void>(used.choose({Purpose::token, owner}, 100));
  }
  used.reset(2);
  SeededChoices fresh(2);
  for (std::uint32_t owner = 0; owner < 500; ++owner) {
    const Stream stream{Purpose::token, owner};
    EXPECT_EQ(draws(used, stream, 1'000, 3), draws(fresh, stream, 1'000, 3));
  }
}

RC_GTEST_PROP(SeededChoicesProperty, DrawingFromOneStreamNeverChangesAnother,
              (std::uint64_t seed)) {
  using Draw = std::pair<std::uint32_t, std::uint64_t>;  // owner, count
  const auto order = *rc::gen::container<std::vector<Draw>>(rc::gen::pair(
      rc::gen::inRange<std::uint32_t>(0, 200), rc::gen::inRange<std::uint64_t>(2, 99)));
  SeededChoices together(seed);
  std::map<std::uint32_t, SeededChoices> alone;
  for (const auto& [owner, count] : order) {
    const Stream stream{static_cast<Purpose>(owner % 7), owner};
    const std::uint64_t value = together.choose(stream, count);
    RC_ASSERT(alone.try_emplace(owner, seed).first->second.choose(stream, count) == value);
  }
}

}  // namespace
}  // namespace lockstep::sim::seeded_choices
