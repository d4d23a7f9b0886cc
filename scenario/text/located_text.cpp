#include "scenario/text/located_text.h"

#include <algorithm>
#include <cassert>
#include <cstdint>

namespace lockstep::scenario {
namespace {

constexpr std::size_t quoted_bytes_max = 300;

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

std::uint32_t count_characters(std::string_view text) {
  return static_cast<std::uint32_t>(std::count_if(
      text.begin(), text.end(), [](char byte) { return !continues_character(byte); }));
}

}  // namespace

LocatedText LocatedText::part(std::size_t offset, std::size_t length) const {
  assert(offset <= text.size());
  LocatedText result{text.substr(offset, length), place, can_locate};
  if (can_locate) result.place.column += count_characters(text.substr(0, offset));
  return result;
}

std::vector<LocatedText> LocatedText::words() const {
  constexpr std::string_view blanks = " \t";
  std::vector<LocatedText> result;
  std::size_t begin = text.find_first_not_of(blanks);
  while (begin != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(blanks, begin), text.size());
    result.push_back(part(begin, end - begin));
    begin = text.find_first_not_of(blanks, end);
  }
  return result;
}

void LocatedText::complain(const std::string& message) const { throw InputError(place, message); }

std::string in_quotes(std::string_view text) {
  std::size_t length = std::min(text.size(), quoted_bytes_max);
  while (length < text.size() && length > 0 && continues_character(text[length])) --length;
  std::string result = "'";
  for (const char byte : text.substr(0, length)) {
    const auto code = static_cast<unsigned char>(byte);
    result += code < 0x20 || code == 0x7F ? '?' : byte;
  }
  if (length < text.size()) result += "…";
  return result + "'";
}

}  // namespace lockstep::scenario
