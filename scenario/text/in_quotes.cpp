#include "scenario/text/in_quotes.h"

#include <algorithm>
#include <cstddef>

namespace lockstep::scenario {
namespace {

constexpr std::size_t quoted_bytes_max = 300;

bool goes_on(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

}  // namespace

std::string in_quotes(std::string_view text) {
  std::size_t length = std::min(text.size(), quoted_bytes_max);
  while (length < text.size() && length > 0 && goes_on(text[length])) --length;
  std::string result = "'";
  for (const char byte : text.substr(0, length)) {
    const auto code = static_cast<unsigned char>(byte);
    result += code < 0x20 || code == 0x7F ? '?' : byte;
  }
  if (length < text.size()) result += "…";
  return result + "'";
}

}  // namespace lockstep::scenario
