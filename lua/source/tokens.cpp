#include "lua/source/tokens.h"

#include <array>
#include <cstddef>
#include <optional>

#include "sim/ascii.h"

namespace lockstep::lua {

namespace {

// The locale-free classes of Lua's lexer.
bool is_name_start(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_';
}
bool is_name_part(char letter) { return is_name_start(letter) || sim::is_digit(letter); }
bool is_line_end(char letter) { return letter == '\n' || letter == '\r'; }

class Reader {
 public:
  explicit Reader(std::string_view program) : program_(program) {}

  ScriptTokens read() {
    ScriptTokens tokens;
    while (std::optional<ScriptToken> token = next()) {
      tokens.list.push_back(*token);
    }
    tokens.end_line = line_;
    tokens.end_column = column(position_);
    tokens.is_complete = !is_broken_;
    return tokens;
  }

 private:
  [[nodiscard]] char at(std::size_t offset) const {
    return position_ + offset < program_.size() ? program_[position_ + offset] : '\0';
  }
  [[nodiscard]] bool at_end() const { return position_ >= program_.size(); }

  /// Moves past one character, or past one line end of two characters.
  void advance() {
    const char letter = at(0);
    ++position_;
    if (is_line_end(letter)) {
      ++line_;
      if (is_line_end(at(0)) && at(0) != letter) {
        ++position_;
      }
      line_start_ = position_;
    }
  }

  [[nodiscard]] std::uint32_t column(std::size_t position) const {
    return static_cast<std::uint32_t>(position - line_start_ + 1);
  }

  /// The level of the long bracket that opens here, or nothing.
  [[nodiscard]] std::optional<std::size_t> long_bracket_level() const {
    if (at(0) != '[') {
      return std::nullopt;
    }
    std::size_t level = 0;
    while (at(1 + level) == '=') {
      ++level;
    }
    return at(1 + level) == '[' ? std::optional(level) : std::nullopt;
  }

  /// Moves past a long bracket's end; false if the program ends first.
  bool skip_long_bracket(std::size_t level) {
    position_ += level + 2;
    while (!at_end()) {
      if (at(0) == ']' && at(level + 1) == ']' &&
          program_.substr(position_ + 1, level).find_first_not_of('=') == std::string_view::npos) {
        position_ += level + 2;
        return true;
      }
      advance();
    }
    return false;
  }

  /// Moves past blanks and comments; false if a comment doesn't end.
  bool skip_blanks() {
    while (!at_end()) {
      if (at(0) == '-' && at(1) == '-') {
        position_ += 2;
        if (const std::optional<std::size_t> level = long_bracket_level()) {
          if (!skip_long_bracket(*level)) {
            return false;
          }
        } else {
          while (!at_end() && !is_line_end(at(0))) {
            ++position_;
          }
        }
      } else if (at(0) == ' ' || (at(0) >= '\t' && at(0) <= '\r')) {
        advance();
      } else {
        return true;
      }
    }
    return true;
  }

  /// Moves past a quoted string; false if its line or the program ends first.
  bool skip_string() {
    const char quote = at(0);
    ++position_;
    while (!at_end() && at(0) != quote) {
      if (is_line_end(at(0))) {
        return false;
      }
      if (at(0) == '\\') {
        ++position_;
      }
      if (at_end()) {
        return false;
      }
      advance();
    }
    ++position_;
    return position_ <= program_.size();
  }

  /// As Lua 5.1: digits and points, an exponent with its sign, then anything that a name may hold.
  void skip_number() {
    while (sim::is_digit(at(0)) || at(0) == '.') {
      ++position_;
    }
    if (at(0) == 'e' || at(0) == 'E') {
      ++position_;
      if (at(0) == '+' || at(0) == '-') {
        ++position_;
      }
    }
    while (is_name_part(at(0))) {
      ++position_;
    }
  }

  void skip_symbol() {
    constexpr std::array<std::string_view, 6> long_symbols = {"...", "..", "==", "~=", "<=", ">="};
    for (const std::string_view symbol : long_symbols) {
      if (program_.substr(position_, symbol.size()) == symbol) {
        position_ += symbol.size();
        return;
      }
    }
    ++position_;
  }

  /// Moves past the token that begins here and says what it is.
  std::optional<ScriptToken::Kind> skip_token() {
    const char letter = at(0);
    if (is_name_start(letter)) {
      while (is_name_part(at(0))) {
        ++position_;
      }
      return ScriptToken::Kind::name;
    }
    if (sim::is_digit(letter) || (letter == '.' && sim::is_digit(at(1)))) {
      skip_number();
      return ScriptToken::Kind::number;
    }
    if (letter == '"' || letter == '\'') {
      return skip_string() ? std::optional(ScriptToken::Kind::string) : std::nullopt;
    }
    if (const std::optional<std::size_t> level = long_bracket_level()) {
      return skip_long_bracket(*level) ? std::optional(ScriptToken::Kind::long_string)
                                       : std::nullopt;
    }
    skip_symbol();
    return ScriptToken::Kind::symbol;
  }

  std::optional<ScriptToken> next() {
    is_broken_ = !skip_blanks();
    if (is_broken_ || at_end()) {
      return std::nullopt;
    }
    const std::size_t begin = position_;
    const std::uint32_t first_line = line_;
    const std::uint32_t first_column = column(begin);
    const std::optional<ScriptToken::Kind> kind = skip_token();
    if (!kind) {
      is_broken_ = true;
      return std::nullopt;
    }
    return ScriptToken{*kind, program_.substr(begin, position_ - begin), first_line, first_column};
  }

  std::string_view program_;
  std::size_t position_ = 0;
  std::uint32_t line_ = 1;
  std::size_t line_start_ = 0;
  bool is_broken_ = false;
};

}  // namespace

ScriptTokens read_program(std::string_view program) { return Reader(program).read(); }

std::vector<ScriptToken> read_tokens(std::string_view program) {
  return read_program(program).list;
}

}  // namespace lockstep::lua
