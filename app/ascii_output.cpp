#include "app/ascii_output.h"

#include <algorithm>
#include <array>
#include <utility>

#include "reports/text.h"

namespace lockstep::app {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 8> ascii_replacements{
    {{"…", "..."},
     {"–", "-"},
     {"−", "-"},
     {"✗", "x"},
     {"✓", "+"},
     {"→", "->"},
     {"·", "."},
     {"±", "+-"}}};

}  // namespace

std::string in_ascii(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t bytes = std::max<std::size_t>(reports::character_bytes(text, i), 1);
    const std::string_view character = text.substr(i, bytes);
    const auto* const like =
        std::find_if(ascii_replacements.begin(), ascii_replacements.end(),
                     [character](const auto& each) { return each.first == character; });
    if (static_cast<unsigned char>(character.front()) < 0x80) {
      plain += character;
    } else {
      plain += like != ascii_replacements.end() ? like->second : "?";
    }
    i += bytes;
  }
  return plain;
}

AsciiOutput::~AsciiOutput() {
  pass_on(true);
  stream_.rdbuf(below_);
}

AsciiOutput::int_type AsciiOutput::overflow(int_type byte) {
  if (traits_type::eq_int_type(byte, traits_type::eof())) return traits_type::not_eof(byte);
  waiting_ += traits_type::to_char_type(byte);
  const bool is_line = waiting_.back() == '\n' || waiting_.size() > 4'096;
  return is_line && !pass_on(false) ? traits_type::eof() : byte;
}

int AsciiOutput::sync() { return pass_on(false) && below_->pubsync() == 0 ? 0 : -1; }

bool AsciiOutput::pass_on(bool is_all) {
  std::size_t end = waiting_.size();
  // Holds back the bytes of an incomplete last character.
  for (std::size_t back = 1; !is_all && back <= std::min<std::size_t>(3, waiting_.size()); ++back) {
    const auto byte = static_cast<unsigned char>(waiting_[waiting_.size() - back]);
    if (byte < 0x80) break;
    if (byte < 0xC0) continue;
    const std::size_t bytes = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
    if (bytes > back) end = waiting_.size() - back;
    break;
  }
  const std::string plain = in_ascii(std::string_view(waiting_).substr(0, end));
  waiting_.erase(0, end);
  const auto count = static_cast<std::streamsize>(plain.size());
  return below_->sputn(plain.data(), count) == count;
}

}  // namespace lockstep::app
