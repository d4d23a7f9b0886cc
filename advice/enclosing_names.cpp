#include "advice/enclosing_names.h"

#include <algorithm>
#include <array>

#include "lua/source/token_classes.h"

namespace lockstep::advice {
namespace {

/// How far a declaration's words may lie before its body: `throws A, B`, `: Promise<string>`.
constexpr std::size_t declaration_words_max = 60;
/// How many brackets outwards a name is looked for.
constexpr std::size_t brackets_max = 200;

/// What stands before `(…) {` and is no method's name.
constexpr std::array<std::string_view, 10> statement_words = {
    "if", "for", "while", "switch", "catch", "synchronized", "try", "with", "return", "function"};
/// What stands before `{` and has no name.
constexpr std::array<std::string_view, 7> block_words = {"class",   "else",   "do",    "try",
                                                         "finally", "static", "return"};
/// Properties that say what they hold, not what it does.
constexpr std::array<std::string_view, 8> plain_properties = {
    "lua", "script", "source", "code", "body", "text", "content", "luaScript"};
constexpr std::array<std::string_view, 4> defining_calls = {"defineCommand", "defineScript",
                                                            "createScript", "registerScript"};

std::string text_of(const HostToken& token) {
  if (token.kind == HostToken::Kind::word) return std::string(token.spelling);
  const bool is_plain_text = token.kind == HostToken::Kind::text && token.pieces.size() == 1 &&
                             token.pieces[0].kind == HostPiece::Kind::text;
  return is_plain_text ? token.pieces[0].text : std::string();
}

}  // namespace

EnclosingNames::EnclosingNames(const std::vector<HostToken>& tokens)
    : tokens_(tokens),
      partners_(tokens.size(), tokens.size()),
      around_(tokens.size(), tokens.size()) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind == HostToken::Kind::symbol) {
      const std::string_view symbol = tokens[i].spelling;
      const bool closes = symbol == ")" || symbol == "]" || symbol == "}";
      if (closes && !open.empty()) {
        partners_[i] = open.back();
        partners_[open.back()] = i;
        open.pop_back();
      }
      around_[i] = open.empty() ? tokens.size() : open.back();
      if (symbol == "(" || symbol == "[" || symbol == "{") open.push_back(i);
    } else {
      around_[i] = open.empty() ? tokens.size() : open.back();
    }
  }
}

bool EnclosingNames::is(std::size_t index, std::string_view spelling) const {
  return index < tokens_.size() && tokens_[index].kind != HostToken::Kind::text &&
         tokens_[index].spelling == spelling;
}

std::string_view EnclosingNames::word_at(std::size_t index) const {
  const bool is_word = index < tokens_.size() && tokens_[index].kind == HostToken::Kind::word;
  return is_word ? tokens_[index].spelling : std::string_view();
}

/// Moves over brackets that only group: `= ("a" + "b")`.
std::size_t EnclosingNames::value_begin(std::size_t token) const {
  for (std::size_t steps = 0; token > 1 && steps < brackets_max; ++steps) {
    const bool opens = is(token - 1, "(") || is(token - 1, "[");
    const bool is_called = tokens_[token - 2].kind != HostToken::Kind::symbol ||
                           is(token - 2, ")") || is(token - 2, "]");
    if (!opens || is_called) break;
    --token;
  }
  return token;
}

/// `name: value`, `'name': value`.
std::string EnclosingNames::label_before(std::size_t token, std::string_view separator) const {
  if (token < 3 || !is(token - 1, separator)) return {};
  const bool begins_member = is(token - 3, "{") || is(token - 3, ",");
  if (!begins_member) return {};  // `condition ? one : other`
  return text_of(tokens_[token - 2]);
}

/// `name = value`, `name: Type = value`, `a.name = value`.
std::string EnclosingNames::assigned_before(std::size_t token) const {
  if (token < 2 || !is(token - 1, "=")) return {};
  std::size_t at = token - 2;
  // A type between name and `=` has a colon before it; a declaration begins within a few words.
  for (std::size_t back = at; back > 0 && at - back < 8; --back) {
    if (is(back, ";") || is(back, "{") || is(back, "}") || is(back, ",") || is(back, "(")) break;
    if (is(back, ":")) {
      at = back - 1;
      break;
    }
  }
  return std::string(word_at(at));
}

/// The name before the bracket that `closing` closes: of a method, not of `if` or `new`.
std::string EnclosingNames::called_before(std::size_t closing) const {
  const std::size_t open = partners_[closing];
  if (open >= tokens_.size() || open == 0) return {};
  std::size_t name = open - 1;
  if (is(name, ">")) {  // method<T>(…)
    std::size_t steps = 0;
    while (name > 0 && !is(name, "<") && ++steps < declaration_words_max) --name;
    if (name > 0) --name;
  }
  const std::string_view word = word_at(name);
  if (word.empty() || lua::is_one_of(word, statement_words)) return {};
  if (name > 0 && is(name - 1, "new")) return {};
  return std::string(word);
}

/// `name = (…) =>`, `name: async x =>`.
std::string EnclosingNames::arrow_before(std::size_t arrow) const {
  if (arrow == 0) return {};
  std::size_t begin = arrow - 1;
  std::size_t steps = 0;
  while (begin > 0 && !is(begin, ")") && word_at(begin) != "async" && !is(begin, "=") &&
         !is(begin, "{") && !is(begin, ";") && !is(begin, "(") && ++steps < declaration_words_max) {
    --begin;
  }
  if (is(begin, ")")) begin = std::min(partners_[begin], tokens_.size() - 1);
  if (is(begin, "=")) ++begin;
  if (begin > 0 && word_at(begin - 1) == "async") --begin;
  const std::string assigned = assigned_before(begin);
  return assigned.empty() ? label_before(begin, ":") : assigned;
}

/// What the braces belong to: a function with a name, or nothing.
std::string EnclosingNames::function_before(std::size_t brace) const {
  if (brace == 0) return {};
  if (is(brace - 1, "=>")) return arrow_before(brace - 1);
  std::size_t at = brace - 1;
  for (std::size_t steps = 0; steps < declaration_words_max; ++steps, --at) {
    if (is(at, ")")) {
      std::string name = called_before(at);
      if (!name.empty()) return name;
      // `name = function (…) {`
      const std::size_t open = partners_[at];
      const bool is_function = open < tokens_.size() && open > 0 && is(open - 1, "function");
      if (!is_function) return {};
      std::size_t begin = open - 1;
      if (begin > 0 && word_at(begin - 1) == "async") --begin;
      const std::string assigned = assigned_before(begin);
      return assigned.empty() ? label_before(begin, ":") : assigned;
    }
    const bool goes_on = tokens_[at].kind == HostToken::Kind::word || is(at, ".") || is(at, ",") ||
                         is(at, "<") || is(at, ">") || is(at, ":") || is(at, "|") || is(at, "&") ||
                         is(at, "[") || is(at, "]");
    if (!goes_on || at == 0 || lua::is_one_of(word_at(at), block_words)) return {};
  }
  return {};
}

std::string EnclosingNames::name_of(std::size_t token) const {
  const std::size_t begin = value_begin(token);
  const std::size_t none = tokens_.size();
  const bool is_member = around_[begin] < none && is(around_[begin], "{");
  std::string label = is_member ? label_before(begin, ":") : std::string();
  if (lua::is_one_of(label, plain_properties)) label.clear();
  std::string constant = assigned_before(begin);
  std::size_t bracket = around_[begin];
  for (std::size_t steps = 0; bracket < none && steps < brackets_max; ++steps) {
    if (!label.empty()) return label;
    if (is(bracket, "(")) {
      const std::string_view callee = word_at(bracket - (bracket > 0 ? 1 : 0));
      const bool defines = lua::is_one_of(callee, defining_calls);
      if (defines && bracket + 1 < begin) label = text_of(tokens_[bracket + 1]);
    } else if (is(bracket, "{")) {
      std::string function = function_before(bracket);
      if (!function.empty()) return function;
      const std::size_t inner = value_begin(bracket);
      const bool is_nested = around_[inner] < none && is(around_[inner], "{");
      if (is_nested) label = label_before(inner, ":");
      if (constant.empty()) constant = assigned_before(inner);
    }
    bracket = around_[bracket];
  }
  if (!label.empty()) return label;
  return constant.empty() ? "script" : constant;
}

}  // namespace lockstep::advice
