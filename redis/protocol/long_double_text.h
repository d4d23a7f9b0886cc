// Long doubles as Redis reads them from strings and writes them into strings: for INCRBYFLOAT,
// HINCRBYFLOAT and the time-outs of blocking commands.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lockstep::redis {

/// The number that a text spells by the rules of C's strtold, as a whole and without a blank ahead:
/// decimal or hexadecimal, with an exponent, or infinite; not NaN, nor what is out of range.
[[nodiscard]] std::optional<long double> parse_long_double(std::string_view text);

/// 17 digits after the point at most, without an exponent and without zeros at the end: "3.14".
/// REQUIRES: finite.
[[nodiscard]] std::string long_double_text(long double value);

}  // namespace lockstep::redis
