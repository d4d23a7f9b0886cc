#include "model/redis/script_chains.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "model/redis/script_words.h"

namespace lockstep::redis {

namespace {

constexpr std::size_t no_token = static_cast<std::size_t>(-1);

/// For each bracket the index of the one that it belongs to; otherwise no_token.
std::vector<std::size_t> match_brackets(const std::vector<ScriptToken>& tokens) {
  std::vector<std::size_t> partners(tokens.size(), no_token);
  std::vector<std::size_t> open;
  for (std::size_t index = 0; index < tokens.size(); ++index) {
    if (is_open_bracket(tokens[index])) {
      open.push_back(index);
    } else if (is_close_bracket(tokens[index]) && !open.empty()) {
      partners[index] = open.back();
      partners[open.back()] = index;
      open.pop_back();
    }
  }
  return partners;
}

/// An operand of `..` can't reach over this token.
bool bounds_operand(const ScriptToken& token) {
  constexpr std::array<std::string_view, 9> symbols = {
      "=", ",", ";", "==", "~=", "<", "<=", ">", ">="};
  if (token.kind == ScriptToken::Kind::symbol) {
    return is_open_bracket(token) || is_close_bracket(token) || is_one_of(token.text, symbols);
  }
  return is_keyword(token) && !is_value_word(token) && token.text != "not";
}

class Finder {
 public:
  explicit Finder(const std::vector<ScriptToken>& tokens)
      : tokens_(tokens), partners_(match_brackets(tokens)) {}

  /// The chain whose first operator is at `index`.
  std::optional<ScriptChain> find(std::size_t index) const {
    ScriptChain chain{index, index, {index}};
    if (!reach_left(chain) || !reach_right(chain) || chain.first == index) {
      return std::nullopt;
    }
    const bool ends_with_operator = chain.operators.back() == chain.last;
    return ends_with_operator ? std::nullopt : std::optional(std::move(chain));
  }

 private:
  [[nodiscard]] bool reach_left(ScriptChain& chain) const {
    while (chain.first > 0) {
      std::size_t before = chain.first - 1;
      if (is_function_border(tokens_[before])) {
        return false;
      }
      if (is_close_bracket(tokens_[before]) && partners_[before] != no_token) {
        before = partners_[before];
      } else if (bounds_operand(tokens_[before])) {
        return true;
      }
      chain.first = before;
    }
    return true;
  }

  [[nodiscard]] bool reach_right(ScriptChain& chain) const {
    while (chain.last + 1 < tokens_.size()) {
      std::size_t after = chain.last + 1;
      const ScriptToken& token = tokens_[after];
      if (token.text == "function" && token.kind == ScriptToken::Kind::name) {
        return false;
      }
      if (is_open_bracket(token) && partners_[after] != no_token) {
        after = partners_[after];
      } else if (bounds_operand(token) || begins_statement(tokens_[chain.last], token)) {
        return true;
      } else if (token.kind == ScriptToken::Kind::symbol && token.text == "..") {
        chain.operators.push_back(after);
      }
      chain.last = after;
    }
    return true;
  }

  static bool is_function_border(const ScriptToken& token) {
    return token.kind == ScriptToken::Kind::name &&
           (token.text == "end" || token.text == "function");
  }

  const std::vector<ScriptToken>& tokens_;
  std::vector<std::size_t> partners_;
};

}  // namespace

std::vector<ScriptChain> find_chains(const std::vector<ScriptToken>& tokens) {
  std::vector<ScriptChain> chains;
  std::vector<bool> taken(tokens.size(), false);
  const Finder finder(tokens);
  for (std::size_t index = 0; index < tokens.size(); ++index) {
    const bool is_operator =
        tokens[index].kind == ScriptToken::Kind::symbol && tokens[index].text == "..";
    if (!is_operator || taken[index]) {
      continue;
    }
    if (std::optional<ScriptChain> chain = finder.find(index)) {
      for (const std::size_t taken_operator : chain->operators) {
        taken[taken_operator] = true;
      }
      chains.push_back(std::move(*chain));
    }
  }
  return chains;
}

}  // namespace lockstep::redis
