#include "lua/source/token_stream.h"

#include <algorithm>

#include "lua/source/literals.h"
#include "lua/source/token_classes.h"
#include "sim/ascii.h"

namespace lockstep::lua {

namespace {

using TokenKind = ScriptToken::Kind;

bool ends_line(char letter) { return letter == '\n' || letter == '\r'; }

std::uint32_t count_line_ends(std::string_view text) {
  std::uint32_t lines = 0;
  for (std::size_t index = 0; index < text.size(); ++index) {
    if (!ends_line(text[index])) continue;
    ++lines;
    const bool is_pair =
        index + 1 < text.size() && ends_line(text[index + 1]) && text[index + 1] != text[index];
    if (is_pair) ++index;
  }
  return lines;
}

/// A token as Lua 5.1 names it in a complaint.
std::string shown(const ScriptToken& token) {
  const char first = token.text.front();
  const bool is_control = (first >= 0 && first < ' ') || first == '\x7f';
  if (token.kind == TokenKind::symbol && is_control) {
    return "char(" + std::to_string(static_cast<int>(first)) + ")";
  }
  std::string text(token.text);
  if (token.kind == TokenKind::string) {
    const StringLiteral literal = read_string_literal(token, Dialect::lua51);
    text = first + literal.value;
    if (!literal.is_malformed) text += first;
  }
  text.resize(std::min(text.size(), text.find('\0')));
  return text;
}

}  // namespace

std::uint32_t end_line(const ScriptToken& token) {
  const bool is_string = token.kind == TokenKind::string || token.kind == TokenKind::long_string;
  return token.line + (is_string ? count_line_ends(token.text) : 0);
}

TokenStream::TokenStream(const ScriptTokens& tokens, Dialect dialect)
    : tokens_(tokens), dialect_(dialect) {
  arrive();
}

bool TokenStream::is_word(std::size_t index, std::string_view text) const {
  if (index >= tokens_.list.size() || tokens_.list[index].text != text) return false;
  return tokens_.list[index].kind == TokenKind::symbol ||
         tokens_.list[index].kind == TokenKind::name;
}

bool TokenStream::is_name() const { return is_kind(TokenKind::name) && !is_keyword(current()); }

void TokenStream::advance() {
  last_line_ = line_;
  ++position_;
  arrive();
}

/// Reports what the compiler reports as soon as it has read a token.
void TokenStream::arrive() {
  if (at_end()) {
    line_ = tokens_.end_line;
    if (!tokens_.is_complete) throw SyntaxError{place(), "a string or comment does not end", true};
    return;
  }
  const ScriptToken& token = current();
  line_ = end_line(token);
  if (!is_lua51()) return;
  if (token.kind == TokenKind::number) {
    if (read_number_literal(token.text).is_malformed) fail_near("malformed number");
  } else if (token.kind == TokenKind::string && token.text.find('\\') != std::string_view::npos) {
    const StringLiteral literal = read_string_literal(token, Dialect::lua51);
    if (literal.is_malformed) {
      fail_near("escape sequence too large", token.text.front() + literal.value);
    }
  }
}

bool TokenStream::skip(std::string_view text) {
  const bool is_here = is(text);
  if (is_here) advance();
  return is_here;
}

void TokenStream::expect(std::string_view text) {
  if (!skip(text)) fail_near("'" + std::string(text) + "' expected");
}

void TokenStream::expect_match(std::string_view text, std::string_view opening,
                               std::uint32_t opening_line) {
  if (skip(text)) return;
  std::string message = "'" + std::string(text) + "' expected";
  if (opening_line != line_) {
    message.append(" (to close '").append(opening).append("' at line ");
    message.append(std::to_string(opening_line)).append(")");
  }
  fail_near(message);
}

std::size_t TokenStream::expect_name() {
  if (!is_name()) fail_near("'<name>' expected");
  const std::size_t index = position_;
  advance();
  return index;
}

Place TokenStream::place() const {
  if (at_end()) return {tokens_.end_line, tokens_.end_column};
  return {current().line, current().column};
}

void TokenStream::fail(const std::string& message) const {
  throw SyntaxError{{line_, place().column}, message};
}

void TokenStream::fail_near(const std::string& message) const {
  fail_near(message, at_end() ? "<eof>" : shown(current()));
}

void TokenStream::fail_near(const std::string& message, std::string_view token) const {
  std::string text(message);
  fail(text.append(" near '").append(token).append("'"));
}

}  // namespace lockstep::lua
