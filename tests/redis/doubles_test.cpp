// Scores as Redis reads them.
#include "redis/protocol/doubles.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <string_view>

namespace lockstep::redis::test {
namespace {

using namespace std::string_view_literals;

TEST(DoublesTest, AreReadAsWholeTexts) {
  for (const std::string_view text :
       {""sv, " 1"sv, "1 "sv, "x"sv, "1x"sv, "."sv, "1e"sv, "0x"sv, "nan"sv, "-nan"sv, "1e400"sv,
        "-1e400"sv, "1e-400"sv, "1_0"sv, "\0"sv, "5\0"sv, "+-1"sv}) {
    EXPECT_EQ(parse_double(text), std::nullopt) << '"' << text << '"';
  }
  struct Read {
    std::string_view text;
    double value;
  };
  constexpr double infinite = std::numeric_limits<double>::infinity();
  for (const auto& [text, value] : {Read{"1", 1},
                                    {"+5", 5},
                                    {"012", 12},
                                    {"1.", 1},
                                    {".5", 0.5},
                                    {"1e3", 1000},
                                    {"0x10", 16},
                                    {"0x1p-2", 0.25},
                                    {"inf", infinite},
                                    {"-INF", -infinite},
                                    {"Infinity", infinite},
                                    {"4e-324", 4.9406564584124654e-324},
                                    {"9007199254740993", 9007199254740992}}) {
    EXPECT_EQ(parse_double(text), value) << text;
  }
  EXPECT_TRUE(std::signbit(parse_double("-0").value()));
  EXPECT_EQ(parse_double(std::string(100, '0') + "7"), 7);
}

TEST(DoublesTest, EndsOfRangesAreReadMoreFreely) {
  for (const std::string_view text : {"x"sv, "1 "sv, " "sv, "nan"sv, "("sv, "1e"sv}) {
    EXPECT_EQ(parse_range_end(text, NumberSpelling::of_c), std::nullopt) << '"' << text << '"';
  }
  EXPECT_EQ(parse_range_end("", NumberSpelling::of_c), 0);
  EXPECT_EQ(parse_range_end(" 1", NumberSpelling::of_c), 1);
  EXPECT_EQ(parse_range_end("5\0x"sv, NumberSpelling::of_c), 5);
  EXPECT_EQ(parse_range_end("1e400", NumberSpelling::of_c),
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse_range_end("1e-400", NumberSpelling::of_c), 0);
}

}  // namespace
}  // namespace lockstep::redis::test
