#include "confirm/request_text.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace lockstep::confirm {
namespace {

constexpr std::size_t word_bytes_max = 60;

bool is_plain(char character) {
  return character > ' ' && character < '\x7f' && character != '"' && character != '\\';
}

void append_quoted(std::string_view word, std::string& text) {
  constexpr std::string_view digits = "0123456789abcdef";
  text += '"';
  for (const char character : word) {
    const auto byte = static_cast<unsigned char>(character);
    if (is_plain(character) || character == ' ') {
      text += character;
    } else if (character == '\n') {
      text += "\\n";
    } else if (character == '"' || character == '\\') {
      text += '\\';
      text += character;
    } else {
      text += "\\x";
      text += digits[byte / 16];
      text += digits[byte % 16];
    }
  }
  text += '"';
}

}  // namespace

std::string describe_request(std::span<const std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) {
    if (!text.empty()) text += ' ';
    const std::string_view shown = word.substr(0, word_bytes_max);
    if (!word.empty() && std::all_of(shown.begin(), shown.end(), is_plain)) {
      text += shown;
    } else {
      append_quoted(shown, text);
    }
    if (shown.size() < word.size()) text += "...";
  }
  return text;
}

std::string describe_request(std::span<const std::string> words) {
  const std::vector<std::string_view> views(words.begin(), words.end());
  return describe_request(std::span<const std::string_view>(views));
}

}  // namespace lockstep::confirm
