#include "lua/source/token_contexts.h"

#include <array>
#include <cstddef>
#include <string_view>

#include "lua/source/token_classes.h"

namespace lockstep::lua {

namespace {

using TokenKind = ScriptToken::Kind;

constexpr std::array<std::string_view, 4> open_blocks = {"function", "do", "if", "repeat"};
constexpr std::array<std::string_view, 2> close_blocks = {"end", "until"};
constexpr std::array<std::string_view, 3> begin_values = {"=", "return", "in"};
class Finder {
 public:
  TokenContext next(const ScriptToken& token, const ScriptToken* previous) {
    if (is_close_bracket(token)) {
      close();
      return place_;
    }
    if (token.kind == TokenKind::name && is_one_of(token.text, close_blocks)) {
      close();
    } else if (place_ == TokenContext::value && !in_bracket_ && previous != nullptr &&
               begins_statement(*previous, token)) {
      place_ = TokenContext::statement;
    }
    const TokenContext here = place_;
    open(token);
    return here;
  }

 private:
  struct Level {
    bool in_bracket;
    TokenContext place;
  };

  void open(const ScriptToken& token) {
    const bool is_name = token.kind == TokenKind::name;
    if (is_open_bracket(token)) {
      levels_.push_back({in_bracket_, place_});
      in_bracket_ = true;
      place_ = TokenContext::value;
    } else if (is_name && is_one_of(token.text, open_blocks)) {
      levels_.push_back({in_bracket_, place_});
      in_bracket_ = false;
      place_ = TokenContext::statement;
    } else if (!in_bracket_ && (is_name || is_symbol(token)) &&
               is_one_of(token.text, begin_values)) {
      place_ = TokenContext::value;
    } else if (!in_bracket_ && is_name && (token.text == "then" || token.text == "else")) {
      place_ = TokenContext::statement;
    }
  }

  /// The bracket or block that is open ends; its own place is that of what encloses it.
  void close() {
    if (!levels_.empty()) {
      in_bracket_ = levels_.back().in_bracket;
      place_ = levels_.back().place;
      levels_.pop_back();
    }
  }

  std::vector<Level> levels_;
  bool in_bracket_ = false;
  TokenContext place_ = TokenContext::statement;
};

}  // namespace

std::vector<TokenContext> find_token_contexts(const std::vector<ScriptToken>& tokens) {
  std::vector<TokenContext> places;
  places.reserve(tokens.size());
  Finder finder;
  const ScriptToken* previous = nullptr;
  for (const ScriptToken& token : tokens) {
    places.push_back(finder.next(token, previous));
    previous = &token;
  }
  return places;
}

}  // namespace lockstep::lua
