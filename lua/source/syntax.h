// The tokens of a Lua 5.1 program one after the other, and complaints about them in 5.1's words.
//
// The compiler that runs afterwards is Lua 5.4's, which accepts more than 5.1 and complains in
// other words; so the grammar is checked here first (script_parser.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "lua/source/tokens.h"

namespace lockstep::lua {

/// Why a program is refused, as the compiler words it: `user_script:1: … near 'x'`.
struct ScriptSyntaxError {
  std::string text;
};

/// The program goes on where it can't be read (an unfinished string): the compiler will say so.
struct UnreadableScript {};

/// Throws a ScriptSyntaxError or an UnreadableScript, neither of which leaves the parser.
class ScriptSyntax {
 public:
  ScriptSyntax(const ScriptTokens& tokens, std::string_view chunk);

  [[nodiscard]] std::size_t position() const { return position_; }
  [[nodiscard]] bool at_end() const { return position_ >= tokens_.list.size(); }
  [[nodiscard]] const ScriptToken& token(std::size_t index) const { return tokens_.list[index]; }
  [[nodiscard]] bool is_kind(ScriptToken::Kind kind) const {
    return !at_end() && current().kind == kind;
  }
  /// The token here is this symbol or keyword.
  [[nodiscard]] bool is(std::string_view text) const { return is_word(position_, text); }
  [[nodiscard]] bool next_is(std::string_view text) const { return is_word(position_ + 1, text); }
  /// The token here is an identifier.
  [[nodiscard]] bool is_name() const;
  /// The line that the compiler has come to: where the token here ends.
  [[nodiscard]] std::uint32_t line() const { return line_; }
  /// Where the token before ended.
  [[nodiscard]] std::uint32_t last_line() const { return last_line_; }

  void advance();
  /// Moves past the symbol or keyword if it is here.
  bool skip(std::string_view text);
  /// Moves past it, or complains that it is missing.
  void expect(std::string_view text);
  /// Moves past the end of what `opening` began at `opening_line`, or complains.
  void expect_match(std::string_view text, std::string_view opening, std::uint32_t opening_line);
  /// Moves past an identifier and gives its token's index, or complains.
  std::size_t expect_name();

  [[noreturn]] void fail(const std::string& message) const;
  /// With the token here: `… near 'x'`.
  [[noreturn]] void fail_near(const std::string& message) const;
  [[noreturn]] void fail_near(const std::string& message, std::string_view token) const;

 private:
  [[nodiscard]] const ScriptToken& current() const { return tokens_.list[position_]; }
  [[nodiscard]] bool is_word(std::size_t index, std::string_view text) const;
  void arrive();
  void check_string(std::string_view text) const;

  const ScriptTokens& tokens_;
  std::string chunk_;
  std::size_t position_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t last_line_ = 1;
};

}  // namespace lockstep::lua
