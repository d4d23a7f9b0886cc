// Classes of Lua 5.1's tokens, by their text alone.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "lua/source/tokens.h"

namespace lockstep::lua {

template <std::size_t size>
constexpr bool is_one_of(std::string_view text, const std::array<std::string_view, size>& words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

inline bool is_symbol(const ScriptToken& token) { return token.kind == ScriptToken::Kind::symbol; }

inline bool is_open_bracket(const ScriptToken& token) {
  return is_symbol(token) && (token.text == "(" || token.text == "[" || token.text == "{");
}

inline bool is_close_bracket(const ScriptToken& token) {
  return is_symbol(token) && (token.text == ")" || token.text == "]" || token.text == "}");
}

inline bool is_keyword(const ScriptToken& token) {
  constexpr std::array<std::string_view, 21> keywords = {
      "and", "break",    "do",     "else", "elseif", "end",   "false",
      "for", "function", "if",     "in",   "local",  "nil",   "not",
      "or",  "repeat",   "return", "then", "true",   "until", "while"};
  return token.kind == ScriptToken::Kind::name && is_one_of(token.text, keywords);
}

/// A keyword that is a value.
inline bool is_value_word(const ScriptToken& token) {
  return token.kind == ScriptToken::Kind::name &&
         (token.text == "nil" || token.text == "true" || token.text == "false");
}

/// A keyword that is an operator.
inline bool is_operator_word(const ScriptToken& token) {
  return token.kind == ScriptToken::Kind::name &&
         (token.text == "and" || token.text == "or" || token.text == "not");
}

/// An operand can end with this token.
inline bool ends_operand(const ScriptToken& token) {
  if (is_symbol(token)) {
    return is_close_bracket(token) || token.text == "...";
  }
  return !is_keyword(token) || is_value_word(token) || token.text == "end";
}

/// A statement ends with the first token and the next begins with the second. Only where an operand
/// has ended can a new statement begin with a name.
inline bool begins_statement(const ScriptToken& token, const ScriptToken& next) {
  return ends_operand(token) &&
         ((next.kind == ScriptToken::Kind::name && !is_operator_word(next)) ||
          (is_symbol(next) && next.text == ";"));
}

}  // namespace lockstep::lua
