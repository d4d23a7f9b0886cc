// Walks over the tokens of a Lua program and reports errors in the words of Lua 5.1's compiler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "lua/source/ast.h"
#include "lua/source/tokens.h"

namespace lockstep::lua {

/// Why a text is not a Lua program.
struct SyntaxError {
  Place place;       ///< the line is that on which the token ends, as the compiler counts
  std::string what;  ///< "… near 'x'"
  /// The program ends within a string or comment. The compiler reports that itself.
  bool is_unfinished = false;
};

/// Throws a SyntaxError, which does not leave the parser.
class TokenStream {
 public:
  TokenStream(const ScriptTokens& tokens, Dialect dialect);

  [[nodiscard]] bool is_lua51() const { return dialect_ == Dialect::lua51; }
  [[nodiscard]] std::size_t position() const { return position_; }
  [[nodiscard]] bool at_end() const { return position_ >= tokens_.list.size(); }
  [[nodiscard]] const ScriptToken& token(std::size_t index) const { return tokens_.list[index]; }
  [[nodiscard]] bool is_kind(ScriptToken::Kind kind) const {
    return !at_end() && current().kind == kind;
  }
  [[nodiscard]] bool next_is_kind(ScriptToken::Kind kind) const {
    return position_ + 1 < tokens_.list.size() && tokens_.list[position_ + 1].kind == kind;
  }
  /// True if the token here is this symbol or keyword.
  [[nodiscard]] bool is(std::string_view text) const { return is_word(position_, text); }
  [[nodiscard]] bool next_is(std::string_view text) const { return is_word(position_ + 1, text); }
  /// True if these two symbols stand here with nothing between them.
  [[nodiscard]] bool is_pair(std::string_view first, std::string_view second) const {
    return is(first) && next_is(second) &&
           token(position_).text.data() + first.size() == token(position_ + 1).text.data();
  }
  /// True if the token here is an identifier.
  [[nodiscard]] bool is_name() const;
  [[nodiscard]] bool is_string() const {
    return is_kind(ScriptToken::Kind::string) || is_kind(ScriptToken::Kind::long_string);
  }
  /// The line on which the token here ends: the one that the compiler has reached.
  [[nodiscard]] std::uint32_t line() const { return line_; }
  /// The line on which the token before ended.
  [[nodiscard]] std::uint32_t last_line() const { return last_line_; }
  /// Where the token here begins.
  [[nodiscard]] Place place() const;

  void advance();
  /// Moves past the symbol or keyword if it is here.
  bool skip(std::string_view text);
  /// Moves past the symbol or keyword. Fails if it is not here.
  void expect(std::string_view text);
  /// Moves past the end of what `opening` began at `opening_line`. Fails if it is not here.
  void expect_match(std::string_view text, std::string_view opening, std::uint32_t opening_line);
  /// Moves past an identifier and returns its index. Fails if there is none here.
  std::size_t expect_name();

  [[noreturn]] void fail(const std::string& message) const;
  /// Fails at the token here: `… near 'x'`.
  [[noreturn]] void fail_near(const std::string& message) const;

 private:
  [[nodiscard]] const ScriptToken& current() const { return tokens_.list[position_]; }
  [[nodiscard]] bool is_word(std::size_t index, std::string_view text) const;
  void arrive();
  [[noreturn]] void fail_near(const std::string& message, std::string_view token) const;

  const ScriptTokens& tokens_;
  Dialect dialect_;
  std::size_t position_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t last_line_ = 1;
};

/// The line on which a token ends.
[[nodiscard]] std::uint32_t end_line(const ScriptToken& token);

}  // namespace lockstep::lua
