// The words of a Lua program one after the other, their places, and complaints about them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "advice/lua_reader.h"
#include "lua/source/token_classes.h"
#include "lua/source/tokens.h"

namespace lockstep::advice {

/// Where each line begins; lines end as Lua's lexer sees it.
class LineIndex {
 public:
  explicit LineIndex(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text[at] != '\n' && text[at] != '\r') continue;
      const bool is_pair = at + 1 < text.size() && text[at + 1] != text[at] &&
                           (text[at + 1] == '\n' || text[at + 1] == '\r');
      if (is_pair) ++at;
      starts_.push_back(at + 1);
    }
  }
  [[nodiscard]] Place place(std::size_t offset) const {
    const auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
    return {static_cast<std::uint32_t>(next - starts_.begin()),
            static_cast<std::uint32_t>(offset - *(next - 1) + 1)};
  }

 private:
  std::vector<std::size_t> starts_ = {0};
};

/// Complains by throwing a LuaSyntaxError, which does not leave the reader.
class LuaTokenStream {
 protected:
  using ScriptToken = lua::ScriptToken;

  explicit LuaTokenStream(std::string_view program)
      : program_(program), lines_(program), tokens_(lua::read_program(program)) {}

  [[nodiscard]] bool is_complete() const { return tokens_.is_complete; }
  void skip_all() { at_ = tokens_.list.size(); }
  /// Moves past the token here and gives it. REQUIRES: there is one.
  const ScriptToken& take() { return tokens_.list[at_++]; }
  void skip_tokens(std::size_t count) { at_ += count; }
  [[nodiscard]] bool next_is(std::string_view text) const { return is_at(at_ + 1, text); }
  [[nodiscard]] bool next_is_kind(ScriptToken::Kind kind) const {
    return at_ + 1 < tokens_.list.size() && tokens_.list[at_ + 1].kind == kind;
  }

  [[nodiscard]] bool at_end() const { return at_ >= tokens_.list.size(); }
  [[nodiscard]] bool is_at(std::size_t index, std::string_view text) const {
    if (index >= tokens_.list.size()) return false;
    const ScriptToken& token = tokens_.list[index];
    return token.text == text &&
           (token.kind == ScriptToken::Kind::symbol || token.kind == ScriptToken::Kind::name);
  }
  [[nodiscard]] bool is(std::string_view text) const { return is_at(at_, text); }
  /// Two symbols without anything between them.
  [[nodiscard]] bool is_pair(std::string_view first, std::string_view second) const {
    return is(first) && is_at(at_ + 1, second) &&
           tokens_.list[at_].text.data() + first.size() == tokens_.list[at_ + 1].text.data();
  }
  [[nodiscard]] bool is_kind(ScriptToken::Kind kind) const {
    return !at_end() && tokens_.list[at_].kind == kind;
  }
  [[nodiscard]] bool is_string() const {
    return is_kind(ScriptToken::Kind::string) || is_kind(ScriptToken::Kind::long_string);
  }
  [[nodiscard]] bool is_name() const {
    return is_kind(ScriptToken::Kind::name) && !lua::is_keyword(tokens_.list[at_]);
  }
  bool skip(std::string_view text) {
    const bool is_here = is(text);
    if (is_here) ++at_;
    return is_here;
  }
  void expect(std::string_view text) {
    if (!skip(text)) fail("'" + std::string(text) + "' expected");
  }
  std::string_view expect_name() {
    if (!is_name()) fail("<name> expected");
    return tokens_.list[at_++].text;
  }
  [[nodiscard]] Place here() const {
    if (at_end()) return lines_.place(program_.size());
    return lines_.place(static_cast<std::size_t>(tokens_.list[at_].text.data() - program_.data()));
  }
  [[noreturn]] void fail(std::string what) const {
    what.append(" near '").append(at_end() ? "<eof>" : tokens_.list[at_].text).append("'");
    throw LuaSyntaxError{here(), std::move(what)};
  }

 private:
  std::string_view program_;
  LineIndex lines_;
  lua::ScriptTokens tokens_;
  std::size_t at_ = 0;
};

}  // namespace lockstep::advice
