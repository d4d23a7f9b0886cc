#include "advice/host/host_values.h"

#include <algorithm>
#include <array>
#include <utility>

#include "advice/host/host_formats.h"
#include "lua/source/token_classes.h"
#include "sim/ascii.h"

namespace lockstep::advice {
namespace {

constexpr std::array<std::string_view, 6> own_words = {"this", "self", "static",
                                                       "cls",  "Self", "class"};

bool is_name(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_' ||
         letter == '$' || letter == '@' || sim::is_digit(letter) ||
         static_cast<unsigned char>(letter) >= 0x80;
}

}  // namespace

std::vector<std::string_view> path_words(std::string_view path) {
  std::vector<std::string_view> words;
  while (!path.empty() && path.back() == ' ') path.remove_suffix(1);
  while (!path.empty() && path.front() == ' ') path.remove_prefix(1);
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t begin = at;
    while (at < path.size() && is_name(path[at])) ++at;
    if (at == begin) return {};
    const std::string_view word = without_sigils(path.substr(begin, at - begin));
    if (word.empty() || sim::is_digit(word.front())) return {};
    words.push_back(word);
    if (at == path.size()) return words;
    for (const std::string_view dot : {"::", "?->", "->", "?.", "&.", "."}) {
      if (path.substr(at, dot.size()) == dot) {
        at += dot.size();
        break;
      }
    }
    if (at < path.size() && !is_name(path[at])) return {};
  }
  return {};
}

HostValues::HostValues(const std::vector<HostToken>& tokens, const HostScopes& scopes,
                       const HostSyntax& syntax)
    : tokens_(tokens), scopes_(scopes), syntax_(syntax), used_(tokens.size(), false) {
  find_constants();
  find_functions();
}

// -- what a file defines --

void HostValues::add_constant(std::size_t target, std::size_t value, std::string owner) {
  const std::string_view spelling = tokens_[target].spelling;
  std::string name(tokens_[target].kind == HostToken::Kind::text ? tokens_[target].text.text
                                                                 : without_sigils(spelling));
  const bool is_member = (target > 1 && is_dot(target - 1)) || spelling.starts_with("@");
  constants_[std::move(name)].push_back({target, value, is_member, std::move(owner)});
}

/// `builder.append(…)` as a statement.
bool HostValues::is_append(std::size_t callee) const {
  const std::string_view word = scopes_.word_at(callee);
  const std::optional<TextFunction> method = text_method(word);
  if (method != TextFunction::append && method != TextFunction::append_line) return false;
  return callee > 2 && is_dot(callee - 1) && is(callee + 1, "(") &&
         !scopes_.word_at(callee - 2).empty() &&
         (begins_statement(callee - 2) || is(callee - 3, ";") || is(callee - 3, "{") ||
          is(callee - 3, "}"));
}

void HostValues::find_constants() {
  for (std::size_t i = 1; i + 1 < tokens_.size(); ++i) {
    if (tokens_[i].kind != HostToken::Kind::symbol) {
      if (is_append(i)) {
        const bool adds_line_end = text_method(scopes_.word_at(i)) == TextFunction::append_line;
        additions_[std::string(without_sigils(tokens_[i - 2].spelling))].push_back(
            {i - 2, i + 2, adds_line_end});
      }
      // Go's `var name strings.Builder`.
      const bool declares_builder =
          (scopes_.word_at(i) == "Builder" || scopes_.word_at(i) == "Buffer") && i > 3 &&
          is(i - 1, ".") && is(i - 4, "var");
      if (declares_builder) add_constant(i - 3, i - 2, {});
      continue;
    }
    const std::string_view symbol = tokens_[i].spelling;
    const std::size_t bracket = scopes_.around(i);
    const bool is_argument =
        bracket < tokens_.size() && is(bracket, "(") && syntax_.language != HostLanguage::go;
    const bool is_addition =
        symbol == "+=" || symbol == ".=" ||
        (symbol == "<" && is(i + 1, "<") && syntax_.language == HostLanguage::ruby);
    if (is_addition && !scopes_.word_at(i - 1).empty()) {
      additions_[std::string(without_sigils(tokens_[i - 1].spelling))].push_back(
          {i - 1, i + (symbol == "<" ? 2 : 1)});
    }
    const bool assigns = symbol == "=" || symbol == ":=" || symbol == "=>";
    if (assigns && !is_argument && !find_several_constants(i)) {
      const std::size_t target = scopes_.target_before(i + 1);
      if (target != HostScopes::none) add_constant(target, i + 1, {});
    }
    const bool is_property = (symbol == ":" || symbol == "=>") && bracket < tokens_.size() &&
                             (is(bracket, "{") || is(bracket, "["));
    if (is_property && !scopes_.label_before(i + 1).empty()) {
      add_constant(i - 1, i + 1, scopes_.assigned_before(bracket));
    }
    const bool is_php_define =
        symbol == "(" && is(i - 1, "define") && is_text(i + 1) && is(i + 2, ",");
    if (is_php_define) add_constant(i + 1, i + 3, {});
  }
}

/// `a, b = x, y`. False: it is another assignment.
bool HostValues::find_several_constants(std::size_t assignment) {
  const bool has_several = syntax_.language == HostLanguage::go ||
                           syntax_.language == HostLanguage::python ||
                           syntax_.language == HostLanguage::ruby;
  if (!has_several || assignment < 3) return false;
  std::size_t first = assignment - 1;
  while (first > 1 && is(first - 1, ",") && !scopes_.word_at(first - 2).empty()) first -= 2;
  if (first == assignment - 1) return false;
  std::vector<std::size_t> values = {assignment + 1};
  constexpr std::size_t values_max = 20;
  for (std::size_t end = expression_end(assignment + 1); is(end, ",") && values.size() < values_max;
       end = expression_end(end + 1)) {
    values.push_back(end + 1);
  }
  if (values.size() != (assignment - first + 1) / 2) return true;
  for (std::size_t i = 0; i < values.size(); ++i) add_constant(first + 2 * i, values[i], {});
  return true;
}

/// Functions that return one expression and do nothing else of note.
void HostValues::find_functions() {
  std::vector<std::size_t> returns(scopes_.scopes().size(), 0);
  std::vector<bool> is_unclear(scopes_.scopes().size(), false);
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    if (!is(i, "return")) continue;
    const std::size_t scope = scopes_.function_of(i);
    if (scope == HostScopes::none) continue;
    if (returns[scope] != 0) is_unclear[scope] = true;
    returns[scope] = i + 1;
  }
  for (std::size_t i = 0; i < scopes_.scopes().size(); ++i) {
    const HostScope& scope = scopes_.scopes()[i];
    if (scope.is_class || scope.name.empty()) continue;
    std::size_t value = returns[i];
    if (value == 0) {  // in Ruby and Rust the last expression is what is returned
      value = scope.begin;
      if (!syntax_.has_braces) value = scope.begin + 1;
      if (scope.parameters != 0 && !syntax_.has_braces) {
        value = scopes_.matching_bracket(scope.parameters) + 1;
      }
      if (value >= scope.end || !is_text(value)) continue;
    }
    if (is_unclear[i] || !functions_.insert({scope.name, value}).second) {
      functions_[scope.name] = 0;
    }
  }
}

// -- constants --

const HostValues::Constant* HostValues::constant_named(std::string_view path, std::size_t user) {
  const std::vector<std::string_view> words = path_words(path);
  if (words.empty()) return nullptr;
  const auto named = constants_.find(words.back());
  if (named == constants_.end()) return nullptr;
  work_ += named->second.size();
  const std::size_t function = scopes_.function_of(user);
  const bool is_own = words.size() > 1 && lua::is_one_of(words.front(), own_words);
  const std::string_view before = words.size() > 1 ? words[words.size() - 2] : std::string_view();
  const Constant* best = nullptr;
  int best_rank = 0;
  bool is_ambiguous = false;
  for (const Constant& each : named->second) {
    const std::size_t home = scopes_.function_of(each.target);
    int rank = 0;
    if (!each.owner.empty() || scopes_.word_at(each.target).empty()) {
      rank = !before.empty() && before == each.owner ? 5 : 0;
    } else if (words.size() == 1 && home == function && home != HostScopes::none) {
      rank = each.target < user ? 6 : 0;
    } else if (words.size() == 1 && (home == HostScopes::none || scopes_.is_inside(user, home))) {
      rank = scopes_.class_of(each.target) == scopes_.class_of(user) ? 5 : 3;
    } else if (words.size() > 1 && scopes_.class_of(each.target) == before) {
      rank = 5;
    } else if (is_own || tokens_[each.target].spelling.starts_with("@")) {
      const bool is_in_class = scopes_.class_of(each.target) == scopes_.class_of(user);
      rank = is_in_class && (each.is_member || home == HostScopes::none) ? 4 : 0;
    }
    if (words.size() == 1 && each.is_member && rank < 6 &&
        !tokens_[each.target].spelling.starts_with("@")) {
      rank = 0;
    }
    if (rank == 0) continue;
    if (rank == best_rank && rank < 6) is_ambiguous = true;
    if (rank == best_rank && rank == 6) {
      // The later one of a block that is around the use; another block's may or may not be made.
      const bool is_same_block =
          scopes_.around(each.target) == scopes_.around(best->target) &&
          tokens_[each.target].indentation == tokens_[best->target].indentation;
      is_ambiguous = !is_same_block;
    }
    if (rank > best_rank) is_ambiguous = false;
    if (rank >= best_rank) {
      best = &each;
      best_rank = rank;
    }
  }
  return is_ambiguous ? nullptr : best;
}

std::optional<HostValue> HostValues::constant(std::string_view path, std::size_t user, int depth) {
  if (depth > depth_max || work_ > work_max) return std::nullopt;
  const Constant* const found = constant_named(path, user);
  if (found == nullptr) return std::nullopt;
  const std::size_t value = found->value;
  if (!active_.insert(value).second) return std::nullopt;
  const bool was_elsewhere = std::exchange(is_elsewhere_, true);
  std::optional<HostValue> result = with_additions(*found, user, depth + 1);
  if (!result) {
    const auto known = known_.find(value);
    if (known != known_.end()) {
      result = known->second;
    } else {
      HostValue sum_of = sum(value, expression_end(value), depth + 1);
      const bool is_number = sum_of.text.holes.empty() && !sum_of.text.text.empty();
      if (sum_of.has_text || is_number) result = std::move(sum_of);
      known_.insert({value, result});
    }
  }
  is_elsewhere_ = was_elsewhere;
  active_.erase(value);
  if (result) parts_.insert(value);
  return result;
}

/// Where statements between the constant and its user add to it.
std::optional<HostValue> HostValues::with_additions(const Constant& constant, std::size_t user,
                                                    int depth) {
  const auto named = additions_.find(without_sigils(tokens_[constant.target].spelling));
  if (named == additions_.end()) return std::nullopt;
  const std::size_t function = scopes_.function_of(constant.target);
  const auto first = std::lower_bound(
      named->second.begin(), named->second.end(), constant.target,
      [](const Addition& each, std::size_t target) { return each.target < target; });
  std::optional<HostValue> result;
  for (auto each = first; each != named->second.end() && each->target < user; ++each) {
    if (!scopes_.is_inside(each->target, function) || ++work_ > work_max) break;
    if (scopes_.function_of(each->target) != function) continue;
    if (!result) result = sum(constant.value, expression_end(constant.value), depth);
    if (result->text.text.size() > text_bytes_max) break;
    const bool is_always =
        scopes_.around(each->target) == scopes_.around(constant.target) &&
        tokens_[each->target].indentation == tokens_[constant.target].indentation;
    const std::size_t end = expression_end(each->value);
    HostValue more = sum(each->value, end, depth);
    if (each->adds_line_end) more.text.append("\n");
    if (is_always) {
      result->text.append(more.text);
      if (more.has_text && !result->has_text) result->place = more.place;
      result->has_text = result->has_text || more.has_text;
    } else {
      result->text.add_hole("added on some ways only: " + spelling_of(each->value, end),
                            tokens_[each->value].place);
      if (more.has_text && !result->has_text) result->place = more.place;
      result->has_text = result->has_text || more.has_text;
    }
    // builder.append("a").append("b")
    for (std::size_t at = end; is(at, ")") && is_dot(at + 1) && is(at + 3, "(");) {
      const std::size_t close = scopes_.matching_bracket(at + 3);
      const std::optional<TextFunction> method = text_method(scopes_.word_at(at + 2));
      const bool adds_line_end = method == TextFunction::append_line;
      if ((method != TextFunction::append && !adds_line_end) || close >= tokens_.size()) break;
      if (close > at + 4) result->text.append(sum(at + 4, close, depth).text);
      if (adds_line_end) result->text.append("\n");
      at = close;
    }
  }
  return result;
}

std::optional<HostValue> HostValues::built_by_statements(std::size_t begin) {
  std::size_t target = scopes_.target_before(begin);
  if (target == HostScopes::none && begin > 1) {
    // `name += …`, `name.append(…)`: back to where it was assigned first.
    std::size_t added = HostScopes::none;
    if (is(begin - 1, "+=") || is(begin - 1, ".=")) added = begin - 2;
    if (is(begin - 1, "<") && is(begin - 2, "<") && begin > 2) added = begin - 3;
    const std::size_t bracket = scopes_.around(begin);
    if (bracket + 1 == begin && bracket > 2 && is_append(bracket - 1)) added = bracket - 3;
    if (added == HostScopes::none) return std::nullopt;
    const Constant* const base = constant_named(spelling_of(added, added + 1), begin);
    if (base == nullptr) return std::nullopt;
    target = base->target;
    begin = base->value;
  }
  if (target == HostScopes::none) return std::nullopt;
  const std::size_t function = scopes_.function_of(target);
  const std::size_t end =
      function == HostScopes::none ? tokens_.size() : scopes_.scopes()[function].end;
  // Until it is assigned to again.
  std::size_t until = end;
  const auto named = constants_.find(without_sigils(tokens_[target].spelling));
  if (named == constants_.end()) return std::nullopt;
  for (const Constant& each : named->second) {
    if (each.target > target) {
      until = std::min(until, each.target);
      break;
    }
  }
  return with_additions({target, begin, false, {}}, until, 0);
}

std::optional<std::size_t> HostValues::constant_value(std::size_t begin, std::size_t end) {
  std::size_t last = begin;
  while (last + 2 < end && is_dot(last + 1)) last += 2;
  const Constant* const found = constant_named(spelling_of(begin, last + 1), begin);
  return found == nullptr ? std::nullopt : std::optional(found->value);
}

}  // namespace lockstep::advice
