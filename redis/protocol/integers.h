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
  if (text.size() == 1 && text[0] == '0') return 0;
  const std::size_t first_digit = !text.empty() && text[0] == '-' ? 1 : 0;
  if (first_digit == text.size() || text[first_digit] < '1' || text[first_digit] > '9') {
    return std::nullopt;
  }
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
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
