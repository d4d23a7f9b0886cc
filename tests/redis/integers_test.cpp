#include "redis/protocol/integers.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "redis/protocol/integer_text.h"

namespace lockstep::redis {
namespace {

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();

void expect_written_and_read(std::int64_t number) {
  const std::string text = std::to_string(number);
  EXPECT_EQ(IntegerText(number).view(), text);
  EXPECT_EQ(parse_integer(text), number);
}

TEST(IntegersTest, AreWrittenAndReadAroundEachPowerOfTen) {
  for (std::int64_t power = 1; power <= greatest / 10; power *= 10) {
    for (const std::int64_t number : {power - 1, power, power + 1}) {
      expect_written_and_read(number);
      expect_written_and_read(-number);
    }
  }
  for (const std::int64_t number : {least, least + 1, greatest - 1, greatest}) {
    expect_written_and_read(number);
  }
}

RC_GTEST_PROP(IntegersTest, AreReadAsTheyAreWritten, (std::int64_t number)) {
  RC_ASSERT(parse_integer(IntegerText(number).view()) == std::optional(number));
}

TEST(IntegersTest, WhatSpellsNoneIsRefused) {
  const std::vector<std::string> refused = {"",
                                            "-",
                                            "-0",
                                            "00",
                                            "012",
                                            "-012",
                                            "+1",
                                            " 1",
                                            "1 ",
                                            "1.0",
                                            "1e3",
                                            "--1",
                                            "a",
                                            "1a",
                                            "9223372036854775808",
                                            "-9223372036854775809",
                                            "18446744073709551616",
                                            "100000000000000000000",
                                            "12345678901234567/",
                                            "12345678901234567:",
                                            "1234567890123456789a"};
  for (const std::string& text : refused) EXPECT_EQ(parse_integer(text), std::nullopt) << text;
}

}  // namespace
}  // namespace lockstep::redis
