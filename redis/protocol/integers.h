// Integers as Redis reads them from strings, and adds them.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lockstep::redis {

/// The integer that a text spells, by Redis's strict rules (string2ll): decimal, an optional '-',
/// and nothing else: " 1", "+1", "012", "-0", "1.0", "" and what does not fit 64 bits are refused.
[[nodiscard]] inline std::optional<std::int64_t> parse_integer(std::string_view text) {
  constexpr std::size_t digits_without_overflow = 18;
  const bool is_negative = !text.empty() && text[0] == '-';
  const std::string_view digits = text.substr(is_negative ? 1 : 0);
  if (digits.empty()) return std::nullopt;
  if (digits[0] == '0') return text.size() == 1 ? std::optional<std::int64_t>(0) : std::nullopt;
  std::int64_t value = 0;
  if (digits.size() <= digits_without_overflow) {  // std::from_chars would look for it at each
    for (const char each : digits) {
      if (each < '0' || each > '9') return std::nullopt;
      value = value * 10 + (each - '0');
    }
    return is_negative ? -value : value;
  }
  if (digits[0] < '1' || digits[0] > '9') return std::nullopt;
  const char* const end = text.data() + text.size();
  const auto [stopped_at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stopped_at != end) return std::nullopt;
  return value;
}

/// The sum, or nothing where it does not fit 64 bits.
[[nodiscard]] inline std::optional<std::int64_t> checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

}  // namespace lockstep::redis
