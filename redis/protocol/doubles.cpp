#include "redis/protocol/doubles.h"

#include <array>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <string>

#include "redis/protocol/integers.h"

namespace lockstep::redis {
namespace {

constexpr std::size_t exact_digits_max = 15;  // so many digits a double always holds

struct ReadDouble {
  double value = 0;
  std::size_t length = 0;  ///< bytes read
  bool is_out_of_range = false;
};

/// REQUIRES: `text` ends with a zero byte.
ReadDouble read_terminated(const char* text) {
  char* end = nullptr;
  errno = 0;
  const double value = std::strtod(text, &end);
  const bool is_out_of_range = errno == ERANGE && (std::isinf(value) || value == 0);
  return {value, static_cast<std::size_t>(end - text), is_out_of_range};
}

ReadDouble read(std::string_view text) {
  std::array<char, 64> few;
  if (text.size() >= few.size()) return read_terminated(std::string(text).c_str());
  text.copy(few.data(), text.size());
  few[text.size()] = '\0';
  return read_terminated(few.data());
}

bool is_hexadecimal(std::string_view text) { return text.find_first_of("xX") != text.npos; }

bool is_blank(char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

}  // namespace

std::optional<double> parse_double(std::string_view text, NumberSpelling spelling) {
  if (text.empty() || is_blank(text[0])) return std::nullopt;
  if (text.size() <= exact_digits_max) {
    if (const auto integer = parse_integer(text)) return static_cast<double>(*integer);
  }
  if (spelling == NumberSpelling::plain && is_hexadecimal(text)) return std::nullopt;
  const ReadDouble reading = read(text);
  const bool is_whole = reading.length == text.size();
  if (!is_whole || reading.is_out_of_range || std::isnan(reading.value)) return std::nullopt;
  return reading.value;
}

std::optional<double> parse_range_end(std::string_view text, NumberSpelling spelling) {
  text = text.substr(0, text.find('\0'));
  if (spelling == NumberSpelling::plain &&
      (is_hexadecimal(text) || (!text.empty() && is_blank(text[0])))) {
    return std::nullopt;
  }
  const ReadDouble reading = read(text);
  if (reading.length != text.size() || std::isnan(reading.value)) return std::nullopt;
  return reading.value;
}

}  // namespace lockstep::redis
