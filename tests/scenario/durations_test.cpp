#include "scenario/text/durations.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep::model {
namespace {

struct Readable {
  std::string_view text;
  std::int64_t ns;
};

TEST(Durations, ReadsEveryUnit) {
  constexpr Readable cases[] = {
      {"0s", 0},
      {"7ns", 7},
      {"3us", 3'000},
      {"250ms", 250'000'000},
      {"10s", 10'000'000'000},
      {"2m", 120'000'000'000},
      {"1h", 3'600'000'000'000},
      {"1.5s", 1'500'000'000},
      {"0.25m", 15'000'000'000},
      {"0.0000125h", 45'000'000},
      {"1.000000001s", 1'000'000'001},
      {"1.50000000000000000000000000s", 1'500'000'000},
      {"-3s", -3'000'000'000},
      {"+3s", 3'000'000'000},
      {"9223372036854775807ns", INT64_MAX},
      {"-9223372036854775807ns", -INT64_MAX},
  };
  for (const Readable& each : cases) {
    const scenario::ParsedNumber read = scenario::parse_duration(each.text);
    EXPECT_TRUE(read.ok()) << each.text << ": " << read.problem;
    EXPECT_EQ(read.value, each.ns) << each.text;
  }
}

struct Unreadable {
  std::string_view text;
  std::string_view problem;
};

TEST(Durations, RefusesEverythingElseWithTheReason) {
  constexpr Unreadable cases[] = {
      {"", "begins with digits"},
      {"s", "begins with digits"},
      {"-", "begins with digits"},
      {".5s", "begins with digits"},
      {"--3s", "begins with digits"},
      {" 3s", "begins with digits"},
      {"10", "the unit is missing"},
      {"10.s", "digits are missing after the point"},
      {"10sec", "'sec' is not a unit"},
      {"10 s", "' s' is not a unit"},
      {"10s ", "'s ' is not a unit"},
      {"10S", "'S' is not a unit"},
      {"1e3s", "'e3s' is not a unit"},
      {"0x10s", "'x10s' is not a unit"},
      {"1.5ns", "not a whole number of nanoseconds"},
      {"1.0000000001s", "not a whole number of nanoseconds"},
      {"9223372036854775808ns", "too long"},
      {"99999999999999999999999ns", "too long"},
      {"9223372037s", "too long"},
      {"2562048h", "too long"},
  };
  for (const Unreadable& each : cases) {
    const scenario::ParsedNumber read = scenario::parse_duration(each.text);
    EXPECT_NE(read.problem.find(each.problem), std::string::npos)
        << each.text << ": " << read.problem;
  }
}

TEST(Durations, WritesTheUsualForm) {
  constexpr Readable cases[] = {
      {"0s", 0},
      {"1ns", 1},
      {"999ns", 999},
      {"1us", 1'000},
      {"1.5us", 1'500},
      {"200us", 200'000},
      {"250ms", 250'000'000},
      {"1.5s", 1'500'000'000},
      {"1000.5ms", 1'000'500'000},
      {"10s", 10'000'000'000},
      {"90s", 90'000'000'000},
      {"10m", 600'000'000'000},
      {"90m", 5'400'000'000'000},
      {"2h", 7'200'000'000'000},
      {"-3s", -3'000'000'000},
      {"1.005s", 1'005'000'000},
  };
  for (const Readable& each : cases) {
    EXPECT_EQ(scenario::format_duration(each.ns), each.text);
  }
}

RC_GTEST_PROP(Durations, ReadBackWhatIsWritten, ()) {
  const auto scale =
      *rc::gen::element<std::int64_t>(1, 1'000, 1'000'000, 1'000'000'000, 60'000'000'000);
  const std::int64_t ns = *rc::gen::inRange<std::int64_t>(-150'000'000, 150'000'000) * scale;
  const scenario::ParsedNumber read = scenario::parse_duration(scenario::format_duration(ns));
  RC_ASSERT(read.ok());
  RC_ASSERT(read.value == ns);
}

TEST(Durations, WriteTheExtremes) {
  EXPECT_EQ(scenario::format_duration(INT64_MAX), "9223372036854775.807us");
  EXPECT_EQ(scenario::format_duration(INT64_MIN), "-9223372036854775.808us");
}

TEST(Rates, AreWholePartsPerMillion) {
  EXPECT_EQ(scenario::parse_ppm("50ppm").value, 50);
  EXPECT_EQ(scenario::parse_ppm("-200ppm").value, -200);
  EXPECT_EQ(scenario::parse_ppm("+1ppm").value, 1);
  for (const std::string_view text :
       {"", "50", "ppm", "0.5ppm", "50 ppm", "50ppb", "--1ppm", "99999999999999999999ppm"}) {
    EXPECT_FALSE(scenario::parse_ppm(text).ok()) << text;
  }
}

TEST(Ordinals, AreWrittenAsInEnglish) {
  EXPECT_EQ(scenario::format_ordinal(1), "1st");
  EXPECT_EQ(scenario::format_ordinal(2), "2nd");
  EXPECT_EQ(scenario::format_ordinal(3), "3rd");
  EXPECT_EQ(scenario::format_ordinal(4), "4th");
  EXPECT_EQ(scenario::format_ordinal(11), "11th");
  EXPECT_EQ(scenario::format_ordinal(12), "12th");
  EXPECT_EQ(scenario::format_ordinal(13), "13th");
  EXPECT_EQ(scenario::format_ordinal(21), "21st");
  EXPECT_EQ(scenario::format_ordinal(112), "112th");
}

TEST(Ordinals, AreReadOnlyAsTheyAreWritten) {
  EXPECT_EQ(scenario::parse_ordinal("1st"), 1U);
  EXPECT_EQ(scenario::parse_ordinal("22nd"), 22U);
  for (const std::string_view word : {"", "0th", "1", "1nd", "2st", "second", "01st", "-1st",
                                      "4294967296th", "99999999999999999999th"}) {
    EXPECT_EQ(scenario::parse_ordinal(word), 0U) << word;
  }
}

}  // namespace
}  // namespace lockstep::model
