#include "advice/lua_literals.h"

#include <cstddef>
#include <cstdint>

#include "sim/ascii.h"

namespace lockstep::advice {
namespace {

int hexadecimal(char letter) {
  if (sim::is_digit(letter)) return letter - '0';
  if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
  if (letter >= 'A' && letter <= 'F') return letter - 'A' + 10;
  return -1;
}

bool is_lua_space(char letter) { return letter == ' ' || (letter >= '\t' && letter <= '\r'); }

/// Reads what follows a backslash.
class EscapeReader {
 public:
  EscapeReader(std::string_view text, std::string& value) : text_(text), value_(value) {}

  /// `at` is just behind the backslash; gives the place behind the escape.
  std::size_t read(std::size_t at) {
    constexpr std::string_view letters = "abfnrtv";
    constexpr std::string_view meanings = "\a\b\f\n\r\t\v";
    if (at >= text_.size()) return at;
    const char letter = text_[at];
    if (sim::is_digit(letter)) return decimal(at);
    if (letter == 'x' && at + 2 < text_.size() && hexadecimal(text_[at + 1]) >= 0 &&
        hexadecimal(text_[at + 2]) >= 0) {
      value_ += static_cast<char>(hexadecimal(text_[at + 1]) * 16 + hexadecimal(text_[at + 2]));
      return at + 3;
    }
    if (letter == 'z') {
      ++at;
      while (at < text_.size() && is_lua_space(text_[at])) ++at;
      return at;
    }
    const std::size_t meaning = letters.find(letter);
    value_ += meaning == std::string_view::npos ? letter : meanings[meaning];
    return at + 1;
  }

 private:
  std::size_t decimal(std::size_t at) {
    int number = 0;
    const std::size_t end = at + 3;
    while (at < end && at < text_.size() && sim::is_digit(text_[at])) {
      number = number * 10 + (text_[at++] - '0');
    }
    value_ += static_cast<char>(static_cast<unsigned char>(number & 0xff));
    return at;
  }

  std::string_view text_;
  std::string& value_;
};

std::string long_value(std::string_view text) {
  const std::size_t bracket = text.find('[', 1) + 1;
  if (text.size() < 2 * bracket) return {};
  text = text.substr(bracket, text.size() - 2 * bracket);
  if (text.starts_with("\r\n") || text.starts_with("\n\r")) {
    text.remove_prefix(2);
  } else if (text.starts_with('\n') || text.starts_with('\r')) {
    text.remove_prefix(1);
  }
  return std::string(text);
}

}  // namespace

std::string string_value(const lua::ScriptToken& token) {
  if (token.kind == lua::ScriptToken::Kind::long_string) return long_value(token.text);
  if (token.text.size() < 2) return {};
  const std::string_view inner = token.text.substr(1, token.text.size() - 2);
  std::string value;
  EscapeReader escapes(inner, value);
  for (std::size_t at = 0; at < inner.size();) {
    if (inner[at] == '\\') {
      at = escapes.read(at + 1);
    } else {
      value += inner[at++];
    }
  }
  return value;
}

}  // namespace lockstep::advice
