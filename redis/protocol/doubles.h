// Floating-point numbers as Redis reads them from strings: scores and the ends of ranges.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lockstep::redis {

/// What is a number: C's strtod takes hexadecimal ones, too.
enum class NumberSpelling : std::uint8_t { of_c, plain };

/// The number that a text spells, as Redis reads a score: what C's strtod takes ("1e3", "0x10",
/// "inf"), from the first byte to the last; not the empty text, no NaN, and nothing whose size
/// overflows or vanishes.
[[nodiscard]] std::optional<double> parse_double(std::string_view text,
                                                 NumberSpelling spelling = NumberSpelling::of_c);

/// As Redis reads the end of a range of scores, less strictly: blanks before it and the empty text
/// (0) are taken, a zero byte ends it, and what overflows is infinite. Spelt plainly, no blanks
/// are.
[[nodiscard]] std::optional<double> parse_range_end(std::string_view text, NumberSpelling spelling);

}  // namespace lockstep::redis
