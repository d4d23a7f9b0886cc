#include "lua/source/literals.h"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>

#include "lua/source/numbers.h"

namespace lockstep::lua {

namespace {

std::optional<double> value_of(std::string_view text) {
  double value = 0;
  const bool is_hexadecimal =
      text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  const std::string_view digits = is_hexadecimal ? text.substr(2) : text;
  const char* end = digits.data() + digits.size();
  const auto format = is_hexadecimal ? std::chars_format::hex : std::chars_format::general;
  const std::from_chars_result result = std::from_chars(digits.data(), end, value, format);
  if (result.ptr != end || result.ec == std::errc::invalid_argument) {
    return std::nullopt;
  }
  const bool is_out_of_range = result.ec == std::errc::result_out_of_range;
  return is_out_of_range ? std::numeric_limits<double>::infinity() : value;
}

bool is_spelt_as_integer(std::string_view text) {
  const bool is_hexadecimal = text.size() > 2 && (text[1] == 'x' || text[1] == 'X');
  return is_hexadecimal ? text.find_first_of(".pP") == std::string_view::npos
                        : text.find_first_of(".eE") == std::string_view::npos;
}

std::string spell(double value, const char* format) {
  char buffer[400];
  const int length = std::snprintf(buffer, sizeof buffer, format, value);
  return std::string(buffer, static_cast<std::size_t>(length));
}

}  // namespace

NumberLiteral read_number_literal(std::string_view text) {
  const std::optional<double> value = value_of(text);
  NumberLiteral literal;
  literal.is_malformed = !value;
  if (!value) return literal;
  literal.value = *value;
  if (!is_spelt_as_integer(text)) return literal;
  const bool is_finite = std::isfinite(*value);
  literal.as_float = is_finite ? spell(*value, "%.1f") : "1e999";
  literal.is_small_integer = *value < static_cast<double>(integers_end);
  return literal;
}

std::optional<std::string> rewrite_string_literal(std::string_view text) {
  constexpr std::string_view known = "abfnrtv\\\"'\r\n0123456789";
  std::string rewritten;
  bool differs = false;
  for (std::size_t position = 0; position < text.size(); ++position) {
    if (text[position] == '\\' && position + 1 < text.size()) {
      if (known.find(text[position + 1]) == std::string_view::npos) {
        differs = true;
      } else {
        rewritten += '\\';
      }
      ++position;
    }
    rewritten += text[position];
  }
  return differs ? std::optional(std::move(rewritten)) : std::nullopt;
}

}  // namespace lockstep::lua
