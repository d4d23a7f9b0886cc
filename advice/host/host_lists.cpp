// HostValues: lists of strings that are joined, and blocks that build one.
#include <algorithm>
#include <array>
#include <utility>

#include "advice/host/host_formats.h"
#include "advice/host/host_values.h"
#include "lua/source/token_classes.h"

namespace lockstep::advice {
namespace {

/// How many steps a list and what joins it may be apart: `.stream().collect(…)`.
constexpr int chain_steps_max = 6;
/// What may stand between a list and what joins it, and changes nothing.
constexpr std::array<std::string_view, 6> passages = {"stream", "iter",   "toList",
                                                      "freeze", "asList", "ToArray"};

}  // namespace

std::optional<HostValue> HostValues::join(const std::vector<Element>& parts,
                                          const HostText& separator, int depth) {
  HostValue result;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) result.text.append(separator);
    const HostValue part = sum(parts[i].begin, parts[i].end, depth + 1);
    result.text.append(part.text);
    if (part.has_text && !result.has_text) result.place = part.place;
    result.has_text = result.has_text || part.has_text;
    if (result.text.text.size() > text_bytes_max) break;
  }
  return result;
}

/// The bracket of a list that is written out and ends before `end`; none: it is no such list.
std::size_t HostValues::list_bracket(std::size_t begin, std::size_t end) const {
  std::size_t at = begin;
  while (at < end && (is(at, "&") || is(at, "*") || is(at, "new"))) ++at;
  if (at >= end) return HostScopes::none;
  const auto reaches_end = [&](std::size_t open) {
    return scopes_.matching_bracket(open) + 1 == end;
  };
  const bool opens_array = is(at, "[") || is(at, "(") || is(at, "{");
  if (opens_array && reaches_end(at)) return at;
  // []string{…}, new[] {…}, new List<string> {…}
  constexpr std::size_t words_max = 12;
  for (std::size_t brace = at; brace < std::min(end, at + words_max); ++brace) {
    if (is(brace, "(")) {
      const bool is_macro = is(brace - 1, "!");
      const std::size_t callee = is_macro ? brace - 2 : scopes_.callee_of(brace);
      const bool lists = callee != HostScopes::none && callee < brace &&
                         is_listing_function(scopes_.word_at(callee));
      return lists && reaches_end(brace) ? brace : HostScopes::none;
    }
    const bool is_macro = is(brace, "[") && brace > 1 && is(brace - 1, "!");
    if ((is(brace, "{") || is_macro) && brace > begin) {
      return reaches_end(brace) ? brace : HostScopes::none;
    }
  }
  return HostScopes::none;
}

/// The elements of a list that is written out, or that a constant holds.
std::optional<std::vector<HostValues::Element>> HostValues::list_at(std::size_t begin,
                                                                    std::size_t end, int depth) {
  if (depth > depth_max || ++work_ > work_max || begin >= end) return std::nullopt;
  // `lines.stream()`
  for (int steps = 0; steps < chain_steps_max && end > begin + 4; ++steps) {
    const bool is_passage = is(end - 1, ")") && is(end - 2, "(") && is_dot(end - 4) &&
                            lua::is_one_of(scopes_.word_at(end - 3), passages);
    const bool is_word = is_dot(end - 2) && lua::is_one_of(scopes_.word_at(end - 1), passages);
    if (!is_passage && !is_word) break;
    end -= is_passage ? 4 : 2;
  }
  const std::size_t bracket = list_bracket(begin, end);
  if (bracket != HostScopes::none) return elements(bracket);
  std::size_t last = begin;
  while (last + 2 < end && is_dot(last + 1)) last += 2;
  if (scopes_.word_at(begin).empty() || last + 1 != end) return std::nullopt;
  const Constant* const constant = constant_named(spelling_of(begin, end), begin);
  if (constant == nullptr || !active_.insert(constant->value).second) return std::nullopt;
  const std::size_t value = constant->value;
  std::optional<std::vector<Element>> list = list_at(value, expression_end(value), depth + 1);
  active_.erase(value);
  if (list) {
    parts_.insert(value);
    for (const Element& each : *list) parts_.insert(each.begin);
  }
  return list;
}

/// The word that joins the list which begins here: `[…].join(…)`, `listOf(…).joinToString(…)`,
/// `Stream.of(…).collect(joining(…))`; none: nothing does.
std::size_t HostValues::joining_method(std::size_t at, std::size_t stop) const {
  for (int steps = 0; steps < 4 * chain_steps_max && at < stop; ++steps) {
    at = past(at);
    const bool is_member = at + 1 < stop && is_dot(at);
    if (!is_member) {
      const bool goes_on =
          is(at, "(") || is(at, "[") || is(at, "{") || is(at, "!") || !scopes_.word_at(at).empty();
      if (!goes_on) return HostScopes::none;
      continue;
    }
    const std::string_view word = scopes_.word_at(at + 1);
    if (is_joining_method(word) || (word == "collect" && is(at + 2, "("))) return at + 1;
  }
  return HostScopes::none;
}

HostText HostValues::separator_of(std::size_t method, int depth) {
  HostText separator;
  const bool is_kotlin = syntax_.language == HostLanguage::kotlin;
  if (syntax_.language == HostLanguage::javascript) separator.text = ",";
  if (is_kotlin) separator.text = ", ";
  std::size_t open = method + 1;
  if (scopes_.word_at(method) == "collect") {  // Collectors.joining(…)
    separator.text.clear();
    const std::size_t close = scopes_.matching_bracket(open);
    while (open < close && !(is(open, "(") && is(open - 1, "joining"))) ++open;
  }
  if (!is(open, "(")) return separator;
  const std::vector<Element> arguments = elements(open);
  if (arguments.empty()) return separator;
  const bool is_named = is(arguments[0].begin + 1, "=");
  return sum(arguments[0].begin + (is_named ? 2 : 0), arguments[0].end, depth + 1).text;
}

std::optional<HostValue> HostValues::list_joined(std::size_t& at, std::size_t stop, int depth) {
  const std::size_t method = joining_method(at, stop);
  if (method == HostScopes::none) return std::nullopt;
  const bool joins_strings =
      scopes_.word_at(method) != "collect" ||
      spelling_of(method, past(method + 1)).find("joining") != std::string::npos;
  if (!joins_strings) return std::nullopt;
  const auto list = list_at(at, method - 1, depth);
  if (!list) return std::nullopt;
  std::optional<HostValue> value = join(*list, separator_of(method, depth), depth);
  at = is(method + 1, "(") ? past(method + 1) : method + 1;
  return value;
}

std::optional<std::size_t> HostValues::joins_list_of_constant(std::size_t token) {
  const std::string_view word = scopes_.word_at(token);
  if (word.empty() || !is(token + 1, "(")) return std::nullopt;
  const std::size_t begin = scopes_.call_begin(token + 1);
  const bool joins = is_joining_method(word) || word == "collect" ||
                     is_joining_function(spelling_of(begin, token + 1));
  if (!joins || begin > token) return std::nullopt;
  return begin;
}

/// Kotlin's `buildString { append(…) }`.
std::optional<HostValue> HostValues::built_by_block(std::size_t& at, std::size_t stop, int depth) {
  if (!is(at, "buildString") || !is(at + 1, "{")) return std::nullopt;
  const std::size_t close = scopes_.matching_bracket(at + 1);
  if (close >= std::min(stop, tokens_.size())) return std::nullopt;
  HostValue result;
  for (std::size_t each = at + 2; each < close;) {
    if (is(each, ";")) {
      ++each;
      continue;
    }
    const std::optional<TextFunction> method = text_method(scopes_.word_at(each));
    const bool adds_line_end = method == TextFunction::append_line;
    const bool adds = (method == TextFunction::append || adds_line_end) && is(each + 1, "(");
    if (!adds) return std::nullopt;
    for (const Element& part : elements(each + 1)) {
      const HostValue more = sum(part.begin, part.end, depth + 1);
      if (more.has_text && !result.has_text) result.place = more.place;
      result.has_text = result.has_text || more.has_text;
      result.text.append(more.text);
    }
    if (adds_line_end) result.text.append("\n");
    each = past(each + 1);
    if (result.text.text.size() > text_bytes_max) break;
  }
  at = close + 1;
  return result;
}

}  // namespace lockstep::advice
