#include "lua/source/literals.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>

#include "sim/ascii.h"

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

int hexadecimal(char letter) {
  if (sim::is_digit(letter)) return letter - '0';
  if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
  if (letter >= 'A' && letter <= 'F') return letter - 'A' + 10;
  return -1;
}

bool is_lua_space(char letter) { return letter == ' ' || (letter >= '\t' && letter <= '\r'); }

/// Reads the text between the quotes of a string literal.
class StringReader {
 public:
  StringReader(std::string_view text, Dialect dialect) : text_(text), dialect_(dialect) {}

  StringLiteral read() {
    while (at_ < text_.size() && !literal_.is_malformed) {
      const char letter = text_[at_++];
      if (letter == '\\') {
        escape();
      } else {
        literal_.value += letter;
      }
    }
    return std::move(literal_);
  }

 private:
  /// Reads the escape whose backslash is just before.
  void escape() {
    constexpr std::string_view letters = "abfnrtv";
    constexpr std::string_view meanings = "\a\b\f\n\r\t\v";
    if (at_ >= text_.size()) return;
    if (sim::is_digit(text_[at_])) return decimal();
    if (dialect_ == Dialect::either && newer_escape()) return;
    const char letter = text_[at_++];
    const std::size_t meaning = letters.find(letter);
    literal_.value += meaning == std::string_view::npos ? letter : meanings[meaning];
  }

  void decimal() {
    int number = 0;
    const std::size_t end = std::min(at_ + 3, text_.size());
    while (at_ < end && sim::is_digit(text_[at_])) number = number * 10 + (text_[at_++] - '0');
    literal_.is_malformed = dialect_ == Dialect::lua51 && number > 255;
    if (!literal_.is_malformed) literal_.value += static_cast<char>(number & 0xff);
  }

  /// Reads an escape of Lua 5.4. Returns false if there is none.
  bool newer_escape() {
    if (text_[at_] == 'z') {
      ++at_;
      while (at_ < text_.size() && is_lua_space(text_[at_])) ++at_;
      return true;
    }
    if (text_[at_] != 'x' || at_ + 2 >= text_.size()) return false;
    const int high = hexadecimal(text_[at_ + 1]);
    const int low = hexadecimal(text_[at_ + 2]);
    if (high < 0 || low < 0) return false;
    literal_.value += static_cast<char>(high * 16 + low);
    at_ += 3;
    return true;
  }

  std::string_view text_;
  Dialect dialect_;
  std::size_t at_ = 0;
  StringLiteral literal_;
};

std::string long_string_value(std::string_view text) {
  const std::size_t bracket = text.find('[', 1) + 1;
  text = text.substr(bracket, text.size() - 2 * bracket);
  if (text.starts_with("\r\n") || text.starts_with("\n\r")) {
    text.remove_prefix(2);
  } else if (text.starts_with('\n') || text.starts_with('\r')) {
    text.remove_prefix(1);
  }
  return std::string(text);
}

}  // namespace

StringLiteral read_string_literal(const ScriptToken& token, Dialect dialect) {
  if (token.kind == ScriptToken::Kind::long_string) return {long_string_value(token.text)};
  return StringReader(token.text.substr(1, token.text.size() - 2), dialect).read();
}

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
