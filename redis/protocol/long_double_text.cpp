#include "redis/protocol/long_double_text.h"

#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace lockstep::redis {
namespace {

constexpr std::size_t text_bytes_max = std::size_t{5} * 1024;

bool is_blank_of_number(char letter) { return letter == ' ' || (letter >= '\t' && letter <= '\r'); }

}  // namespace

std::optional<long double> parse_long_double(std::string_view text) {
  if (text.empty() || text.size() >= text_bytes_max || is_blank_of_number(text[0]))
    return std::nullopt;
  const std::string terminated(text);
  char* end = nullptr;
  errno = 0;
  const long double value = std::strtold(terminated.c_str(), &end);
  if (end != terminated.c_str() + text.size() || std::isnan(value)) return std::nullopt;
  const bool is_out_of_range = errno == ERANGE && (std::isinf(value) || value == 0);
  if (is_out_of_range) return std::nullopt;
  return value;
}

std::string long_double_text(long double value) {
  std::array<char, text_bytes_max> digits{};
  const int length = std::snprintf(digits.data(), digits.size(), "%.17Lf", value);
  std::string_view text(digits.data(), static_cast<std::size_t>(length));
  text = text.substr(0, text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.remove_suffix(1);
  return std::string(text == "-0" ? "0" : text);
}

}  // namespace lockstep::redis
