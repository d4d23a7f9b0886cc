#include "reports/text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace lockstep::reports {
namespace {

TEST(Text, LeavesOrdinaryTextAlone) {
  EXPECT_EQ(sanitized("a/1 says \"hé\" to n1, 日本 \xF0\x9F\x98\x80"),
            "a/1 says \"hé\" to n1, 日本 \xF0\x9F\x98\x80");
}

TEST(Text, ReplacesWhatSteersATerminalOrTheDirectionOfText) {
  EXPECT_EQ(sanitized("a\x1b[31mb\x7f"), "a\uFFFD[31mb\uFFFD");
  EXPECT_EQ(sanitized("a\u202Eb\u2066c\u200Fd"), "a\uFFFDb\uFFFDc\uFFFDd");
  EXPECT_EQ(sanitized("line\nnext\ttab\r"), "line next tab\uFFFD");
  EXPECT_EQ(sanitized_lines("line\nnext"), "line\nnext");
  EXPECT_EQ(sanitized(std::string_view("a\0b", 3)), "a\uFFFDb");
}

TEST(Text, ReplacesBytesThatAreNoUtf8) {
  EXPECT_EQ(sanitized("\xC0\xAF"), "\uFFFD\uFFFD");            // an overlong slash
  EXPECT_EQ(sanitized("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");  // a surrogate
  EXPECT_EQ(sanitized("\xF4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(sanitized("cut \xE2\x82"), "cut \uFFFD\uFFFD");
  EXPECT_EQ(sanitized("\xEF\xBF\xBF"), "\uFFFD");  // U+FFFF is no character
}

TEST(Text, ShortensByCharactersAndNotByBytes) {
  EXPECT_EQ(shortened("äöü", 3), "äöü");
  EXPECT_EQ(shortened("äöüß", 3), "äö…");
  EXPECT_EQ(shortened("", 1), "");
}

TEST(Text, WrapsAtSpacesAndKeepsANumberWithItsUnit) {
  EXPECT_EQ(wrapped("one two three", 8), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrapped("ended at 15.1 ms on", 14),
            (std::vector<std::string>{"ended at", "15.1 ms on"}));
  EXPECT_EQ(wrapped("unbreakable-word", 8), (std::vector<std::string>{"unbreaka", "ble-word"}));
  EXPECT_EQ(wrapped("a self-explaining word", 10),
            (std::vector<std::string>{"a self-", "explaining", "word"}));
  EXPECT_EQ(wrapped("a mis-read word", 9), (std::vector<std::string>{"a", "mis-read", "word"}));
  EXPECT_EQ(wrapped("", 8), (std::vector<std::string>{""}));
}

TEST(Text, WritesMillisecondsWithAFixedNumberOfDecimals) {
  EXPECT_EQ(milliseconds_number(0), "0.0");
  EXPECT_EQ(milliseconds_number(10'001'450'000), "10,001.5");
  EXPECT_EQ(milliseconds_number(10'001'449'999), "10,001.4");
  EXPECT_EQ(milliseconds_number(999'960'000), "1,000.0");
  EXPECT_EQ(milliseconds_number(1, 6), "0.000001");
  EXPECT_EQ(milliseconds_number(1'500'000, 0), "2");
  EXPECT_EQ(milliseconds_number(INT64_MAX, 6), "9,223,372,036,854.775807");
}

RC_GTEST_PROP(Text, IsHarmlessWhateverTheBytes, (const std::string& bytes)) {
  const std::string text = sanitized(bytes);
  RC_ASSERT(is_utf8(text));
  RC_ASSERT(sanitized(text) == text);
  for (const char character : text) {
    RC_ASSERT(static_cast<unsigned char>(character) >= 0x20);
  }
}

RC_GTEST_PROP(Text, WrappingLosesNothingButBlanks, (const std::string& bytes)) {
  const std::string text = sanitized(bytes);
  const auto characters = static_cast<std::size_t>(*rc::gen::inRange(8, 40));
  std::string joined;
  for (const std::string& line : wrapped(text, characters)) {
    RC_ASSERT(shortened(line, characters) == line);
    joined += line;
  }
  const auto without_blanks = [](std::string words) {
    std::erase(words, ' ');
    return words;
  };
  RC_ASSERT(without_blanks(joined) == without_blanks(text));
}

}  // namespace
}  // namespace lockstep::reports
