#include "lua/source/syntax.h"

#include <algorithm>
#include <optional>

#include "lua/source/literals.h"
#include "lua/source/token_classes.h"
#include "sim/ascii.h"

namespace lockstep::lua {

namespace {

using Kind = ScriptToken::Kind;

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

/// Reads the escape whose backslash is at `position`, adds what it stands for, and moves to its
/// last character; false if its number is too large.
bool decode_escape(std::string_view text, std::size_t& position, std::string& decoded) {
  constexpr std::string_view letters = "abfnrtv";
  constexpr std::string_view meanings = "\a\b\f\n\r\t\v";
  ++position;
  if (!sim::is_digit(text[position])) {
    const std::size_t letter = letters.find(text[position]);
    decoded += letter == std::string_view::npos ? text[position] : meanings[letter];
    return true;
  }
  int value = 0;
  const std::size_t end = std::min(position + 3, text.size());
  while (position < end && sim::is_digit(text[position])) {
    value = value * 10 + (text[position++] - '0');
  }
  --position;
  decoded += static_cast<char>(value);
  return value <= 255;
}

struct DecodedString {
  std::string text;  ///< with its quotes, up to the first wrong escape
  bool is_right = true;
};

DecodedString decode(std::string_view text) {
  DecodedString decoded;
  for (std::size_t position = 0; position < text.size(); ++position) {
    if (text[position] != '\\') {
      decoded.text += text[position];
      continue;
    }
    const std::size_t length = decoded.text.size();
    if (!decode_escape(text, position, decoded.text)) {
      decoded.text.resize(length);
      decoded.is_right = false;
      return decoded;
    }
  }
  return decoded;
}

/// A token as Lua 5.1 names it in a complaint.
std::string shown(const ScriptToken& token) {
  const char first = token.text.front();
  const bool is_control = (first >= 0 && first < ' ') || first == '\x7f';
  if (token.kind == Kind::symbol && is_control) {
    return "char(" + std::to_string(static_cast<int>(first)) + ")";
  }
  std::string text = token.kind == Kind::string ? decode(token.text).text : std::string(token.text);
  text.resize(std::min(text.size(), text.find('\0')));
  return text;
}

}  // namespace

ScriptSyntax::ScriptSyntax(const ScriptTokens& tokens, std::string_view chunk)
    : tokens_(tokens), chunk_(chunk) {
  arrive();
}

bool ScriptSyntax::is_word(std::size_t index, std::string_view text) const {
  if (index >= tokens_.list.size() || tokens_.list[index].text != text) return false;
  return tokens_.list[index].kind == Kind::symbol || tokens_.list[index].kind == Kind::name;
}

bool ScriptSyntax::is_name() const { return is_kind(Kind::name) && !is_keyword(current()); }

void ScriptSyntax::advance() {
  last_line_ = line_;
  ++position_;
  arrive();
}

/// What the compiler complains of as soon as it has read a token, whatever stands before.
void ScriptSyntax::arrive() {
  if (at_end()) {
    if (!tokens_.is_complete) throw UnreadableScript{};
    line_ = tokens_.end_line;
    return;
  }
  const ScriptToken& token = current();
  line_ = token.line;
  if (token.kind == Kind::number) {
    if (read_number_literal(token.text).is_malformed) fail_near("malformed number");
  } else if (token.kind == Kind::string || token.kind == Kind::long_string) {
    line_ += count_line_ends(token.text);
    if (token.kind == Kind::string) check_string(token.text);
  }
}

void ScriptSyntax::check_string(std::string_view text) const {
  if (text.find('\\') == std::string_view::npos) return;
  const DecodedString decoded = decode(text);
  if (!decoded.is_right) fail_near("escape sequence too large", decoded.text);
}

bool ScriptSyntax::skip(std::string_view text) {
  const bool is_here = is(text);
  if (is_here) advance();
  return is_here;
}

void ScriptSyntax::expect(std::string_view text) {
  if (!skip(text)) fail_near("'" + std::string(text) + "' expected");
}

void ScriptSyntax::expect_match(std::string_view text, std::string_view opening,
                                std::uint32_t opening_line) {
  if (skip(text)) return;
  std::string message = "'" + std::string(text) + "' expected";
  if (opening_line != line_) {
    message.append(" (to close '").append(opening).append("' at line ");
    message.append(std::to_string(opening_line)).append(")");
  }
  fail_near(message);
}

std::size_t ScriptSyntax::expect_name() {
  if (!is_name()) fail_near("'<name>' expected");
  const std::size_t index = position_;
  advance();
  return index;
}

void ScriptSyntax::fail(const std::string& message) const {
  std::string text(chunk_);
  throw ScriptSyntaxError{text.append(":").append(std::to_string(line_)).append(": ") + message};
}

void ScriptSyntax::fail_near(const std::string& message) const {
  fail_near(message, at_end() ? "<eof>" : shown(current()));
}

void ScriptSyntax::fail_near(const std::string& message, std::string_view token) const {
  std::string text(message);
  fail(text.append(" near '").append(token).append("'"));
}

}  // namespace lockstep::lua
