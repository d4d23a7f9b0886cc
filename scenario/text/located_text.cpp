#include "scenario/text/located_text.h"

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "scenario/text/input_error.h"

namespace lockstep::scenario {
namespace {

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

}  // namespace lockstep::scenario
