#include "scenario/text/durations.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

#include "sim/ascii.h"

namespace lockstep::scenario {
namespace {

struct Unit {
  std::string_view word;
  std::int64_t ns;
};
// From the longest to the shortest.
constexpr std::array units = {Unit{"h", 3600 * sim::second_ns}, Unit{"m", 60 * sim::second_ns},
                              Unit{"s", sim::second_ns},        Unit{"ms", sim::millisecond_ns},
                              Unit{"us", sim::microsecond_ns},  Unit{"ns", 1}};

constexpr std::uint64_t magnitude_max = std::numeric_limits<std::int64_t>::max();

/// Takes the digits at the front of the text away.
std::string_view take_digits(std::string_view& text) {
  std::size_t count = 0;
  while (count < text.size() && sim::is_digit(text[count])) ++count;
  const std::string_view digits = text.substr(0, count);
  text.remove_prefix(count);
  return digits;
}

bool take_sign(std::string_view& text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  return negative;
}

std::optional<std::uint64_t> number_of(std::string_view digits) {
  std::uint64_t number = 0;
  for (const char digit : digits) {
    const auto value = static_cast<std::uint64_t>(digit - '0');
    if (number > (magnitude_max - value) / 10) return std::nullopt;
    number = number * 10 + value;
  }
  return number;
}

/// The nanoseconds of a fraction of a unit; none where that is not a whole number.
///
/// From the last digit to the first: rest = (digit · unit + rest) / 10. The result is whole only if
/// every rest on the way is, since 10^k times a whole number is whole. Each rest is below the unit.
std::optional<std::uint64_t> fraction_ns(std::string_view digits, std::int64_t unit_ns) {
  std::uint64_t rest = 0;
  for (std::size_t i = digits.size(); i-- > 0;) {
    const auto digit = static_cast<std::uint64_t>(digits[i] - '0');
    const std::uint64_t tenfold = digit * static_cast<std::uint64_t>(unit_ns) + rest;
    if (tenfold % 10 != 0) return std::nullopt;
    rest = tenfold / 10;
  }
  return rest;
}

ParsedNumber refuse(std::string problem) { return {0, std::move(problem)}; }

ParsedNumber signed_number(std::uint64_t magnitude, bool negative) {
  const auto value = static_cast<std::int64_t>(magnitude);
  return {negative ? -value : value, {}};
}

const Unit* find_unit(std::string_view word) {
  for (const Unit& unit : units) {
    if (unit.word == word) return &unit;
  }
  return nullptr;
}

}  // namespace

ParsedNumber parse_duration(std::string_view text) {
  const bool negative = take_sign(text);
  const std::string_view whole = take_digits(text);
  if (whole.empty()) return refuse("a duration begins with digits, as in 250ms, 1.5s or 10m");
  std::string_view fraction;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    fraction = take_digits(text);
    if (fraction.empty()) return refuse("digits are missing after the point");
  }
  if (text.empty()) return refuse("the unit is missing: one of ns, us, ms, s, m or h");
  const Unit* unit = find_unit(text);
  if (unit == nullptr) {
    return refuse(fmt::format("'{}' is not a unit: one of ns, us, ms, s, m or h", text));
  }
  const auto part_ns = fraction_ns(fraction, unit->ns);
  if (!part_ns) return refuse("it is not a whole number of nanoseconds");
  const auto count = number_of(whole);
  const auto unit_ns = static_cast<std::uint64_t>(unit->ns);
  if (!count || *count > (magnitude_max - *part_ns) / unit_ns) return refuse("it is too long");
  return signed_number(*count * unit_ns + *part_ns, negative);
}

ParsedNumber parse_ppm(std::string_view text) {
  const bool negative = take_sign(text);
  const std::string_view digits = take_digits(text);
  if (digits.empty() || text != "ppm") {
    return refuse("a clock's rate is a whole number of ppm, as in 200ppm or -50ppm");
  }
  const auto number = number_of(digits);
  if (!number) return refuse("it is too large");
  return signed_number(*number, negative);
}

std::string format_duration(sim::DurationNs duration_ns) {
  const bool negative = duration_ns < 0;
  const auto magnitude = negative ? ~static_cast<std::uint64_t>(duration_ns) + 1
                                  : static_cast<std::uint64_t>(duration_ns);
  if (magnitude == 0) return "0s";
  for (const Unit& unit : units) {
    const auto unit_ns = static_cast<std::uint64_t>(unit.ns);
    const bool has_fractions = unit_ns >= 1000 && unit.ns <= sim::second_ns;
    const std::uint64_t step_ns = has_fractions ? unit_ns / 1000 : unit_ns;
    if (magnitude < unit_ns || magnitude % step_ns != 0) continue;
    std::string text = fmt::format("{}{}", negative ? "-" : "", magnitude / unit_ns);
    if (const std::uint64_t thousandths = magnitude % unit_ns / step_ns; thousandths != 0) {
      const std::string digits = std::to_string(1000 + thousandths).substr(1);
      text += fmt::format(".{}", digits.substr(0, digits.find_last_not_of('0') + 1));
    }
    return text.append(unit.word);
  }
  return fmt::format("{}ns", duration_ns);  // not reached: every number is whole in ns
}

std::string format_ordinal(std::uint64_t number) {
  const std::uint64_t last = number % 10;
  const bool teen = number / 10 % 10 == 1;
  const std::string_view ending = teen || last == 0 || last > 3 ? "th"
                                  : last == 1                   ? "st"
                                  : last == 2                   ? "nd"
                                                                : "rd";
  return std::to_string(number).append(ending);
}

std::uint32_t parse_ordinal(std::string_view word) {
  std::string_view rest = word;
  const auto number = number_of(take_digits(rest));
  if (!number || *number == 0 || *number > std::numeric_limits<std::uint32_t>::max()) return 0;
  return format_ordinal(*number) == word ? static_cast<std::uint32_t>(*number) : 0;
}

}  // namespace lockstep::scenario
