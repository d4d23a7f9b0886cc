#include "app/option_words.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>

#include "scenario/text/located_text.h"
#include "scenario/text/suggest.h"

namespace lockstep::app {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t size;
};

/// A number and one of the units; `unit_of_none` where there is no unit, or 0 if there must be one.
std::uint64_t read_with_unit(std::string_view argument, std::string_view word,
                             std::span<const Unit> units, std::uint64_t unit_of_none,
                             std::string_view expected) {
  std::uint64_t number = 0;
  const char* const end = word.data() + word.size();
  const auto [stopped_at, error] = std::from_chars(word.data(), end, number);
  const std::string_view unit = word.substr(static_cast<std::size_t>(stopped_at - word.data()));
  std::uint64_t size = unit.empty() ? unit_of_none : 0;
  for (const Unit& each : units) {
    if (each.name == unit) size = each.size;
  }
  const bool is_good = error == std::errc{} && size != 0 && number <= UINT64_MAX / size;
  if (!is_good) refuse_word(argument, word, expected);
  return number * size;
}

}  // namespace

void refuse_word(std::string_view argument, std::string_view word, std::string_view expected,
                 std::span<const std::string_view> words) {
  throw CLI::ValidationError(fmt::format("{}: {} is not {}{}", argument, scenario::in_quotes(word),
                                         expected, scenario::did_you_mean(word, words)));
}

std::uint64_t read_whole_number(std::string_view argument, std::string_view word) {
  std::uint64_t number = 0;
  const char* const end = word.data() + word.size();
  const auto [stopped_at, error] = std::from_chars(word.data(), end, number);
  if (error != std::errc{} || stopped_at != end) {
    refuse_word(argument, word, "a whole number from 0 to 18446744073709551615");
  }
  return number;
}

std::size_t read_choice(std::string_view argument, std::string_view word,
                        std::span<const std::string_view> words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == word) return i;
  }
  refuse_word(argument, word, scenario::listed(words, "or"), words);
}

std::uint64_t read_milliseconds(std::string_view argument, std::string_view word) {
  constexpr Unit units[] = {{"ms", 1}, {"s", 1'000}, {"m", 60'000}, {"h", 3'600'000}};
  // A hundred years: what a clock can still add to now.
  constexpr std::uint64_t most_ms = 3'155'760'000'000;
  constexpr std::string_view expected = "a length of time such as 500ms, 60s, 2m or 1h";
  const std::uint64_t length_ms = read_with_unit(argument, word, units, 0, expected);
  if (length_ms > most_ms) refuse_word(argument, word, expected);
  return length_ms;
}

std::uint64_t read_bytes(std::string_view argument, std::string_view word) {
  constexpr Unit units[] = {{"B", 1}, {"KiB", 1U << 10U}, {"MiB", 1U << 20U}, {"GiB", 1U << 30U}};
  return read_with_unit(argument, word, units, 1, "a size such as 64MiB or 1GiB");
}

}  // namespace lockstep::app
