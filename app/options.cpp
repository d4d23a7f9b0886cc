#include "app/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <charconv>

#include "scenario/text/in_quotes.h"
#include "scenario/text/suggest.h"

namespace lockstep::app {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t size;
};

/// A number and one of the units. `unit_of_none` stands for a missing unit; 0 if there must be one.
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

void add_format(CLI::App& command, OutputFormat& format) {
  add_word(
      command, "--format", "FORMAT",
      [&format](const std::string& word) {
        constexpr std::array<std::string_view, 2> words = {"text", "json"};
        format = static_cast<OutputFormat>(read_choice("--format", word, words));
      },
      "text, for people (the default), or json, for programs");
}

CLI::Option* add_word(CLI::App& command, const std::string& name, const std::string& type,
                      const std::function<void(const std::string& word)>& take,
                      const std::string& summary) {
  return command.add_option_function<std::string>(name, take, summary)->type_name(type);
}

void add_number(CLI::App& command, const std::string& name, std::uint64_t& number,
                const std::string& summary) {
  add_word(
      command, name, "N",
      [&number, name](const std::string& word) { number = read_whole_number(name, word); },
      summary);
}

void refuse_word(std::string_view argument, std::string_view word, std::string_view expected,
                 std::span<const std::string_view> words) {
  throw CLI::ValidationError(fmt::format("{}: {} is not {}{}", argument, scenario::in_quotes(word),
                                         expected, scenario::did_you_mean(word, words)));
}

std::uint64_t read_whole_number(std::string_view argument, std::string_view word) {
  return read_number_between(argument, word, 0, UINT64_MAX);
}

std::uint64_t read_number_between(std::string_view argument, std::string_view word,
                                  std::uint64_t least, std::uint64_t most) {
  std::uint64_t number = 0;
  const char* const end = word.data() + word.size();
  const auto [stopped_at, error] = std::from_chars(word.data(), end, number);
  const bool is_number = error == std::errc{} && stopped_at == end;
  if (!is_number || number < least || number > most) {
    refuse_word(argument, word, fmt::format("a whole number from {} to {}", least, most));
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
  // A hundred years, which a clock can still add to now.
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
