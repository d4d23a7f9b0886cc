// HostValues: where expressions begin and end.
#include <algorithm>
#include <array>

#include "advice/host/host_formats.h"
#include "advice/host/host_values.h"
#include "lua/source/token_classes.h"

namespace lockstep::advice {
namespace {

/// What an expression that is no literal may have of tokens; a longer one is cut off.
constexpr std::size_t expression_tokens_max = 200;

constexpr std::array<std::string_view, 15> chain_ends = {",", ")", "]", "}",  ";",  "?",  ":", "=",
                                                         "(", "[", "{", "=>", "+=", ".=", ":="};
constexpr std::array<std::string_view, 8> leading_words = {"return", "await", "yield", "throw",
                                                           "else",   "in",    "case",  "raise"};
/// What ends an expression that stands before it.
constexpr std::array<std::string_view, 12> trailing_words = {
    "if", "unless", "do", "for", "while", "rescue", "and", "or", "is", "as", "else", "then"};

}  // namespace

bool HostValues::is_dot(std::size_t index) const {
  return (is(index, ".") && syntax_.language != HostLanguage::php) || is(index, "?.") ||
         is(index, "->") || is(index, "?->") || is(index, "&.") || is(index, "::") ||
         is(index, "!.");
}

bool HostValues::ends_operand(std::size_t index) const {
  if (index >= tokens_.size()) return false;
  if (lua::is_one_of(scopes_.word_at(index), leading_words)) return false;
  return tokens_[index].kind != HostToken::Kind::symbol || is(index, ")") || is(index, "]") ||
         is(index, "}");
}

/// Whether this token begins a statement, as far as lines go.
bool HostValues::begins_statement(std::size_t index) const {
  if (index == 0 || index >= tokens_.size()) return true;
  if (!tokens_[index].begins_line || !ends_operand(index - 1)) return false;
  const bool begins_operand = tokens_[index].kind != HostToken::Kind::symbol;
  const bool is_in_brackets =
      scopes_.around(index) < tokens_.size() && !is(scopes_.around(index), "{");
  switch (syntax_.line_ends) {
    case LineEnds::never:
      return begins_operand && !is_text(index);
    case LineEnds::outside_brackets:
      if (is_in_brackets) return begins_operand && !is_text(index);
      return !is_dot(index);
    case LineEnds::everywhere:
      return !is_dot(index);
  }
  return false;
}

bool HostValues::ends_chain(std::size_t index) const {
  if (index >= tokens_.size()) return true;
  if (tokens_[index].kind == HostToken::Kind::symbol) {
    return lua::is_one_of(tokens_[index].spelling, chain_ends);
  }
  const std::string_view word = scopes_.word_at(index);
  return lua::is_one_of(word, leading_words) || lua::is_one_of(word, trailing_words);
}

/// The token behind this one, or behind the brackets that it opens.
std::size_t HostValues::past(std::size_t at) const {
  const bool opens = is(at, "(") || is(at, "[") || is(at, "{");
  if (!opens) return at + 1;
  const std::size_t close = scopes_.matching_bracket(at);
  return close >= tokens_.size() || close < at ? tokens_.size() : close + 1;
}

/// Behind the operand that begins here, with what is called on it.
std::size_t HostValues::operand_end(std::size_t at) const {
  std::size_t end = past(at);
  for (std::size_t steps = 0; end < tokens_.size() && !is_joint(end); ++steps) {
    if (steps == expression_tokens_max) break;
    // Two operands beside each other are no expression, but for literals that are joined, and tags.
    const bool is_beside = is_text(end) && ends_operand(end - 1) && !is(end - 1, "}") &&
                           !(syntax_.joins_adjacent && is_text(end - 1)) &&
                           !tokens_[end].spelling.starts_with('`');
    if (is_beside) break;
    const bool is_called = (is(end, "(") || is(end, "[")) && ends_operand(end - 1);
    const bool is_macro = (is(end, "(") || is(end, "[") || is(end, "{")) && is(end - 1, "!") &&
                          syntax_.language == HostLanguage::rust;
    const bool is_generic = is(end, "(") && is(end - 1, ">");
    const bool is_owner = is(end, "::") || is(end, "?.");
    if (begins_statement(end)) break;
    const bool is_block = is(end, "{") && is(end - 1, "buildString");
    // new[] {…}, []string{…}
    const bool is_list = is(end, "{") && ((is(end - 1, "]") && is(end - 2, "[")) ||
                                          (is(end - 2, "]") && is(end - 3, "[")));
    const bool goes_on = is_called || is_macro || is_generic || is_owner || is_block || is_list;
    if (!goes_on && ends_chain(end)) break;
    end = past(end);
  }
  return end;
}

std::size_t HostValues::expression_end(std::size_t begin) const {
  std::size_t end = operand_end(begin);
  while (is_joint(end) && end + 1 < tokens_.size()) end = operand_end(end + 1);
  return end;
}

/// Back over `operand +` before it.
std::size_t HostValues::chain_begin(std::size_t begin) const {
  std::size_t steps = 0;
  while (begin > 1 && is_joint(begin - 1)) {
    std::size_t at = begin - 1;
    while (at > 0 && steps++ < expression_tokens_max) {
      const bool closes = is(at - 1, ")") || is(at - 1, "]");
      if (closes && scopes_.matching_bracket(at - 1) < at) {
        at = scopes_.matching_bracket(at - 1);
      } else if (ends_chain(at - 1) || is_joint(at - 1)) {
        break;
      } else {
        --at;
      }
      if (begins_statement(at)) break;
    }
    if (at == begin - 1) break;
    begin = at;
  }
  return begin;
}

/// Back over the tag right before a template, and literals right before it.
std::size_t HostValues::literal_begin(std::size_t literal) const {
  std::size_t begin = literal;
  const auto touches = [this](std::size_t at) {
    return tokens_[at - 1].spelling.data() + tokens_[at - 1].spelling.size() ==
           tokens_[at].spelling.data();
  };
  const bool is_template = tokens_[literal].spelling.starts_with('`');
  std::size_t steps = 0;
  while (is_template && begin > 0 && touches(begin) && steps++ < expression_tokens_max &&
         (!scopes_.word_at(begin - 1).empty() || is(begin - 1, "."))) {
    --begin;
  }
  while (syntax_.joins_adjacent && begin > 0 && is_text(begin - 1) && !begins_statement(begin) &&
         steps++ < expression_tokens_max) {
    --begin;
  }
  return begin;
}

/// The call or list around an expression, if it only makes another text of it.
std::size_t HostValues::wrapping_begin(std::size_t begin, std::size_t end) const {
  const std::size_t bracket = scopes_.around(begin);
  if (bracket >= tokens_.size() || bracket >= begin) return begin;
  const std::size_t close = scopes_.matching_bracket(bracket);
  if (close >= tokens_.size() || end > close) return begin;
  const bool is_macro =
      bracket > 1 && is(bracket - 1, "!") && !scopes_.word_at(bracket - 2).empty();
  if (is(bracket, "(") || is_macro) {
    const std::size_t callee = scopes_.callee_of(bracket);
    if (callee == HostScopes::none || lua::is_one_of(scopes_.word_at(callee), leading_words)) {
      return begin == bracket + 1 && end == close ? bracket : begin;  // only a group
    }
    const std::size_t call = scopes_.call_begin(bracket);
    const std::size_t block = scopes_.around(bracket);
    const bool is_in_block = callee == call && block > 0 && block < bracket && is(block, "{") &&
                             is(block - 1, "buildString");
    if (is_in_block) return block - 1;
    // new StringBuilder().append(…)
    const std::optional<TextFunction> method = text_method(scopes_.word_at(callee));
    const bool appends = method == TextFunction::append || method == TextFunction::append_line;
    if (appends && callee != call) {
      const std::size_t maker = is(call, "new") ? call + 1 : call;
      if (is(maker + 1, "(") && text_function(scopes_.word_at(maker)) == TextFunction::builder) {
        return call;
      }
    }
    const bool is_list = is_listing_function(scopes_.word_at(callee));
    if (is_list && joining_method(call, tokens_.size()) != HostScopes::none) return call;
    // A method of a literal or a list: "\n".join(…), "…" .concat(…).
    const std::size_t owner = callee > 1 && is_dot(callee - 1) ? callee - 2 : callee;
    if (owner != callee && is_text(owner) && is_text_method(scopes_.word_at(callee))) {
      return literal_begin(owner);
    }
    std::size_t named = call;  // &format!(…), &concat!(…)
    while (named < bracket && (is(named, "&") || is(named, "*"))) ++named;
    if (is_text_function(spelling_of(named, bracket))) return named;
    if (!is_list) return begin;
    // A list as an argument of what joins it.
    const std::size_t outer = scopes_.around(bracket);
    if (outer >= tokens_.size() || !is(outer, "(")) return begin;
    const std::size_t joining = scopes_.call_begin(outer);
    return is_joining_function(spelling_of(joining, outer)) ? joining : begin;
  }
  // ["a", "b"].join("\n"), and a list as an argument of a function that joins.
  if (is(bracket, "[") && is_dot(close + 1) && is_joining_method(scopes_.word_at(close + 2))) {
    return bracket;
  }
  const std::size_t outer = scopes_.around(bracket);
  if (outer < tokens_.size() && is(outer, "(") && (is(bracket, "[") || is(bracket, "{"))) {
    const std::size_t callee = scopes_.callee_of(outer);
    if (callee == HostScopes::none) return begin;
    const std::size_t call = scopes_.call_begin(outer);
    if (is_joining_function(spelling_of(call, outer))) return call;
    const std::size_t owner = callee > 1 && is_dot(callee - 1) ? callee - 2 : callee;
    if (owner != callee && is_text(owner) && is_joining_method(scopes_.word_at(callee))) {
      return literal_begin(owner);
    }
  }
  if (outer < tokens_.size() && is(bracket, "(")) return begin;
  return begin;
}

std::size_t HostValues::whole_expression(std::size_t literal) const {
  std::size_t begin = literal_begin(literal);
  constexpr int wrappings_max = 30;
  for (int i = 0; i < wrappings_max; ++i) {
    begin = chain_begin(begin);
    const std::size_t wrapping = wrapping_begin(begin, expression_end(begin));
    if (wrapping == begin) break;
    begin = wrapping;
  }
  return begin;
}

std::vector<HostValues::Element> HostValues::elements(std::size_t open) const {
  std::vector<Element> list;
  const std::size_t close = scopes_.matching_bracket(open);
  if (close >= tokens_.size()) return list;
  for (std::size_t at = open + 1; at < close; ++at) {
    std::size_t end = at;
    while (end < close && !is(end, ",")) end = std::max(past(end), end + 1);
    end = std::min(end, close);
    if (end > at) list.push_back({at, end});
    at = end;
  }
  return list;
}

std::string HostValues::spelling_of(std::size_t begin, std::size_t end) const {
  constexpr std::size_t bytes_max = 300;
  if (begin >= end || begin >= tokens_.size()) return {};
  const HostToken& last = tokens_[std::min(end, tokens_.size()) - 1];
  const char* const from = tokens_[begin].spelling.data();
  const char* const to = last.spelling.data() + last.spelling.size();
  if (to <= from) return std::string(tokens_[begin].spelling);
  std::string text(from, std::min(static_cast<std::size_t>(to - from), bytes_max));
  // Not in the middle of a character.
  while (!text.empty() && to - from > static_cast<std::ptrdiff_t>(bytes_max) &&
         (static_cast<unsigned char>(text.back()) & 0x80U) != 0) {
    text.pop_back();
  }
  return text;
}

}  // namespace lockstep::advice
