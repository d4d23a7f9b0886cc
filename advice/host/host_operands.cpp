// HostValues: what expressions are.
#include <algorithm>
#include <utility>

#include "advice/host/host_formats.h"
#include "advice/host/host_values.h"
#include "sim/ascii.h"

namespace lockstep::advice {
namespace {

/// False where it is not known what comes of it.
bool replace(HostValue& value, const HostValue& from, const HostValue& to, bool is_first_only) {
  const bool is_known = value.text.holes.empty() && from.text.holes.empty() &&
                        to.text.holes.empty() && !from.text.text.empty();
  if (!is_known) return false;
  const std::string& text = value.text.text;
  std::string result;
  std::size_t begin = 0;
  constexpr std::size_t bytes_max = 1U << 16U;  // each of many may double it
  for (std::size_t at = text.find(from.text.text); at != std::string::npos;
       at = text.find(from.text.text, begin)) {
    result.append(text, begin, at - begin).append(to.text.text);
    begin = at + from.text.text.size();
    if (result.size() > bytes_max) return false;
    if (is_first_only) break;
  }
  value.text.text = result.append(text, begin, std::string::npos);
  return true;
}

}  // namespace

// -- expressions --

HostValue HostValues::evaluate(std::size_t begin, std::size_t end) {
  parts_.clear();
  return sum(begin, std::min(end, expression_end(begin)), 0);
}

/// `a + b + …`.
HostValue HostValues::sum(std::size_t at, std::size_t end, int depth) {
  HostValue result;
  while (at < end) {
    const std::size_t stop = std::max(std::min(operand_end(at), end), at + 1);
    HostValue part = operand(at, stop, depth);
    if (result.text.text.size() + part.text.text.size() > text_bytes_max) {
      part = HostValue();
      part.text.add_hole("more than a mebibyte", tokens_[at].place);
    }
    result.text.append(part.text);
    if (part.has_text && !result.has_text) result.place = part.place;
    result.has_text = result.has_text || part.has_text;
    at = stop;
    if (at < end && is_joint(at)) ++at;
  }
  return result;
}

HostValue HostValues::operand(std::size_t at, std::size_t stop, int depth) {
  const std::size_t begin = at;
  std::optional<HostValue> value;
  if (depth <= depth_max && ++work_ <= work_max) value = primary(at, stop, depth);
  while (value && at < stop) {
    if (is_dot(at) && !scopes_.word_at(at + 1).empty()) {
      const bool is_called = is(at + 2, "(");
      if (!apply_method(scopes_.word_at(at + 1), is_called ? at + 2 : 0, *value, depth)) break;
      at = is_called ? past(at + 2) : at + 2;
      continue;
    }
    const bool formats =
        is(at, "%") && at + 1 < stop &&
        (syntax_.language == HostLanguage::python || syntax_.language == HostLanguage::ruby);
    if (!formats) break;
    const bool is_list = is(at + 1, "(") || is(at + 1, "[");
    const std::vector<Element> arguments =
        is_list ? elements(at + 1) : std::vector<Element>{{at + 1, stop}};
    value = format(*value, arguments, 0, depth, at);
    at = stop;
  }
  if (value && at < stop && value->has_text) {
    // What is done to the text is not known: it is told, behind the text as it was.
    value->text.add_hole(spelling_of(at, stop), tokens_[at].place);
    return *value;
  }
  if (value && at >= stop) return *value;
  HostValue unknown;
  unknown.text.add_hole(spelling_of(begin, stop), tokens_[begin].place);
  return unknown;
}

/// What an operand begins with; moves behind it.
std::optional<HostValue> HostValues::primary(std::size_t& at, std::size_t stop, int depth) {
  const bool is_ruby = syntax_.language == HostLanguage::ruby;  // +"…" is one that may be changed
  while (at + 1 < stop && (is(at, "&") || is(at, "*") || is(at, "await") ||
                           (is_ruby && (is(at, "+") || is(at, "-")) && is_text(at + 1)))) {
    ++at;
  }
  if (is_text(at)) return literals(at, stop, depth);
  if (std::optional<HostValue> joined = list_joined(at, stop, depth)) return joined;
  if (is(at, "(")) {
    const std::size_t close = scopes_.matching_bracket(at);
    if (close >= stop || close < at) return std::nullopt;
    if (expression_end(at + 1) != close) return std::nullopt;
    HostValue inner = sum(at + 1, close, depth + 1);
    at = close + 1;
    return inner;
  }
  if (!scopes_.word_at(at).empty()) {
    if (std::optional<HostValue> template_value = tagged(at, stop, depth)) return template_value;
    if (std::optional<HostValue> built = built_by_block(at, stop, depth)) return built;
    return path_or_call(at, stop, depth);
  }
  const bool is_integer = at < tokens_.size() && tokens_[at].kind == HostToken::Kind::number &&
                          std::all_of(tokens_[at].spelling.begin(), tokens_[at].spelling.end(),
                                      [](char letter) { return sim::is_digit(letter); });
  if (is(at, "-") && at + 1 < stop && at + 1 < tokens_.size() &&
      tokens_[at + 1].kind == HostToken::Kind::number && depth < depth_max) {
    ++at;
    std::optional<HostValue> positive = primary(at, stop, depth + 1);
    if (positive) positive->text.text.insert(0, "-");
    return positive;
  }
  if (!is_integer) return std::nullopt;
  HostValue number;
  number.text.append(tokens_[at].spelling);
  ++at;
  return number;
}

std::optional<HostValue> HostValues::literals(std::size_t& at, std::size_t stop, int depth) {
  HostValue value;
  value.has_text = true;
  value.place = tokens_[at].place;
  const std::size_t first = at;
  do {
    if (!is_elsewhere_) used_[at] = true;
    value.text.append(filled(tokens_[at].text, at, depth));
    ++at;
  } while (at < stop && is_text(at) && syntax_.joins_adjacent && !begins_statement(at));
  if (at == first + 1 && tokens_[first].is_character) value.has_text = false;
  return value;
}

/// dedent`…`, String.raw`…`, a tag that only says which language it is.
std::optional<HostValue> HostValues::tagged(std::size_t& at, std::size_t stop, int depth) {
  if (syntax_.language != HostLanguage::javascript) return std::nullopt;
  std::size_t tag = at;
  while (is_dot(tag + 1) && !scopes_.word_at(tag + 2).empty()) tag += 2;
  const bool is_template =
      tag + 1 < stop && is_text(tag + 1) && tokens_[tag + 1].spelling.starts_with('`');
  if (!is_template) return std::nullopt;
  const std::string_view name = scopes_.word_at(tag);
  at = tag + 1;
  std::optional<HostValue> value = literals(at, stop, depth);
  if (value && text_function(name) == TextFunction::dedent) {
    remove_shared_margin(value->text, value->text.text.starts_with('\n') ? 0 : 1);
    trim(value->text, TrimmedEnds::both);
  }
  return value;
}

/// A path to a constant, or a call whose result is known.
std::optional<HostValue> HostValues::path_or_call(std::size_t& at, std::size_t stop, int depth) {
  std::size_t last = at;
  if (is(at, "new") && !scopes_.word_at(at + 1).empty()) ++last;
  while (last + 2 < stop && is_dot(last + 1) && !scopes_.word_at(last + 2).empty()) {
    // The longest path that is known; methods come behind it.
    const std::size_t behind = last + 3;
    if (is(behind, "(") && text_method(scopes_.word_at(last + 2)) &&
        !is_text_function(spelling_of(at, behind))) {
      break;
    }
    last += 2;
  }
  std::size_t open = last + 1;
  if (is(open, "!")) ++open;
  const bool is_called =
      open < stop && (is(open, "(") || ((is(open, "[") || is(open, "{")) && is(open - 1, "!")));
  const std::string path = spelling_of(at, last + 1);
  if (is_line_end_constant(path)) {
    at = is_called ? past(open) : last + 1;
    HostValue line_end;
    line_end.text.append("\n");
    return line_end;
  }
  if (path == "strings.Builder" || path == "bytes.Buffer") {
    at = last + 1;
    return HostValue();
  }
  if (is_called) {
    const std::size_t callee = at;
    std::optional<HostValue> value = call(callee, open, depth);
    at = past(open);
    return value;
  }
  std::optional<HostValue> value = constant(path, at, depth);
  at = last + 1;
  return value;
}

std::optional<HostValue> HostValues::call(std::size_t callee, std::size_t open, int depth) {
  const std::string spelling = spelling_of(callee, open);
  const std::vector<Element> arguments = elements(open);
  const auto argument = [&](std::size_t index) {
    return sum(arguments[index].begin, arguments[index].end, depth + 1);
  };
  const std::optional<TextFunction> function = text_function(spelling);
  if (!function) {
    const std::vector<std::string_view> words = path_words(spelling);
    const auto known = words.empty() ? functions_.end() : functions_.find(words.back());
    if (known == functions_.end() || known->second == 0) return std::nullopt;
    if (!active_.insert(known->second).second) return std::nullopt;
    const bool was_elsewhere = std::exchange(is_elsewhere_, true);
    HostValue value = sum(known->second, expression_end(known->second), depth + 1);
    is_elsewhere_ = was_elsewhere;
    active_.erase(known->second);
    return value.has_text ? std::optional(std::move(value)) : std::nullopt;
  }
  if (*function == TextFunction::builder && arguments.empty()) return HostValue();
  if (arguments.empty()) return std::nullopt;
  switch (*function) {
    case TextFunction::join_arguments:
    case TextFunction::join_array: {
      const bool is_list_first = *function == TextFunction::join_array;
      const HostText separator = arguments.size() > 1 || !is_list_first
                                     ? argument(is_list_first ? 1 : 0).text
                                     : HostText();
      const std::size_t list = is_list_first ? 0 : 1;
      if (list >= arguments.size()) return std::nullopt;
      if (arguments.size() == 2) {
        const auto parts = list_at(arguments[list].begin, arguments[list].end, depth);
        if (parts) return join(*parts, separator, depth);
      }
      if (is_list_first) return std::nullopt;
      return join({arguments.begin() + 1, arguments.end()}, separator, depth);
    }
    case TextFunction::concatenate:
      return join(arguments, HostText(), depth);
    case TextFunction::format_percent:
    case TextFunction::format_braces:
      return format(argument(0), arguments, 1, depth, callee);
    case TextFunction::same:
    case TextFunction::builder:
      return argument(0);
    case TextFunction::replace:        // str_replace(from, to, text)
    case TextFunction::replace_all: {  // strings.ReplaceAll(text, from, to)
      if (arguments.size() != 3) return std::nullopt;
      const std::size_t text = *function == TextFunction::replace ? 2 : 0;
      HostValue value = argument(text);
      const HostValue from = argument(text == 0 ? 1 : 0);
      const HostValue to = argument(text == 0 ? 2 : 1);
      const bool is_known = from.has_text && replace(value, from, to, false);
      return is_known ? std::optional(std::move(value)) : std::nullopt;
    }
    case TextFunction::trim:
    case TextFunction::trim_begin:
    case TextFunction::trim_end:
    case TextFunction::dedent:
    case TextFunction::trim_indent:
    case TextFunction::trim_margin:
    case TextFunction::cleandoc:
    case TextFunction::join_list:
    case TextFunction::join_with:
    case TextFunction::append:
    case TextFunction::append_line:
    case TextFunction::indoc:
      break;
  }
  HostValue value = argument(0);
  if (*function == TextFunction::dedent) {
    remove_shared_margin(value.text, 0);
  } else if (*function == TextFunction::indoc) {
    remove_first_blank_line(value.text);
    remove_shared_margin(value.text, 0);
  } else if (*function == TextFunction::cleandoc) {
    remove_shared_margin(value.text, 1);
    trim(value.text, TrimmedEnds::both);
  } else if (*function == TextFunction::trim && arguments.size() == 1) {
    trim(value.text, TrimmedEnds::both);
  } else {
    return std::nullopt;
  }
  return value;
}

/// What a method makes of a text; false where that is not known. `open`: its bracket; 0: none.
bool HostValues::apply_method(std::string_view name, std::size_t open, HostValue& value,
                              int depth) {
  const std::vector<Element> arguments = open == 0 ? std::vector<Element>() : elements(open);
  const bool is_bare = arguments.empty();
  std::optional<TextFunction> method = text_method(name);
  if (name == "format" && open != 0) {
    method = syntax_.language == HostLanguage::python ? TextFunction::format_braces
                                                      : TextFunction::format_percent;
  }
  if (!method) return false;
  switch (*method) {
    case TextFunction::same:
      return true;
    case TextFunction::trim:
      trim(value.text, TrimmedEnds::both);
      return is_bare;
    case TextFunction::trim_begin:
      trim(value.text, TrimmedEnds::begin);
      return is_bare;
    case TextFunction::trim_end:
      trim(value.text, TrimmedEnds::end);
      return is_bare;
    case TextFunction::dedent:
      remove_shared_margin(value.text, 0);
      return is_bare;
    case TextFunction::trim_indent:
      remove_blank_ends(value.text);
      remove_shared_margin(value.text, 0);
      return is_bare;
    case TextFunction::trim_margin:
      remove_blank_ends(value.text);
      remove_bar_margin(value.text);
      return is_bare || (arguments.size() == 1 && is_text(arguments[0].begin) &&
                         tokens_[arguments[0].begin].text.text == "|");
    case TextFunction::concatenate:
    case TextFunction::append:
    case TextFunction::append_line:
      for (const Element& each : arguments) {
        const HostValue more = sum(each.begin, each.end, depth + 1);
        if (more.has_text && !value.has_text) value.place = more.place;
        value.has_text = value.has_text || more.has_text;
        value.text.append(more.text);
      }
      if (*method == TextFunction::append_line) value.text.append("\n");
      return true;
    case TextFunction::join_list: {
      if (arguments.size() != 1) return false;
      const auto parts = list_at(arguments[0].begin, arguments[0].end, depth);
      if (!parts) return false;
      std::optional<HostValue> joined = join(*parts, value.text, depth);
      if (joined) value = std::move(*joined);
      return joined.has_value();
    }
    case TextFunction::format_percent:
    case TextFunction::format_braces: {
      std::optional<HostValue> formatted = format(value, arguments, 0, depth, open);
      if (formatted) value = std::move(*formatted);
      return formatted.has_value();
    }
    case TextFunction::replace:
    case TextFunction::replace_all: {
      // A pattern is no text: what it does is told as not known.
      if (arguments.size() != 2 || !is_text(arguments[0].begin)) return false;
      const HostValue from = sum(arguments[0].begin, arguments[0].end, depth + 1);
      const HostValue to = sum(arguments[1].begin, arguments[1].end, depth + 1);
      const bool is_pattern = name == "replaceAll" && syntax_.language == HostLanguage::java &&
                              from.text.text.find_first_of("\\^$.|?*+()[]{}") != std::string::npos;
      const bool is_first_only = name == "replace" && syntax_.language == HostLanguage::javascript;
      return !is_pattern && replace(value, from, to, is_first_only);
    }
    case TextFunction::cleandoc:
    case TextFunction::indoc:
    case TextFunction::join_with:
    case TextFunction::join_arguments:
    case TextFunction::join_array:
    case TextFunction::builder:
      break;
  }
  return false;
}

}  // namespace lockstep::advice
