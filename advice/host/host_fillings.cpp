// HostValues: %s and {} in texts.
#include <algorithm>

#include "advice/host/host_values.h"
#include "sim/ascii.h"

namespace lockstep::advice {

/// Fills holes that are constants.
HostText HostValues::filled(const HostText& text, std::size_t user, int depth) {
  if (text.holes.empty()) return text;
  HostText result;
  std::size_t at = 0;
  for (const TextHole& hole : text.holes) {
    result.append(std::string_view(text.text).substr(at, hole.at - at));
    at = hole.at;
    const bool is_number =
        !hole.expression.empty() && std::all_of(hole.expression.begin(), hole.expression.end(),
                                                [](char letter) { return sim::is_digit(letter); });
    const std::optional<HostValue> known = constant(hole.expression, user, depth + 1);
    if (is_number) {
      result.append(hole.expression);
    } else if (known) {
      result.append(known->text);
    } else {
      result.add_hole(hole.expression, hole.place);
    }
  }
  result.append(std::string_view(text.text).substr(at));
  return result;
}

/// Puts arguments in the places of `%s` or `{}`.
std::optional<HostValue> HostValues::format(const HostValue& pattern,
                                            const std::vector<Element>& arguments, std::size_t from,
                                            int depth, std::size_t user) {
  HostValue result;
  result.has_text = pattern.has_text;
  result.place = pattern.place;
  const std::string_view text = pattern.text.text;
  auto hole = pattern.text.holes.begin();
  std::size_t next = from;
  const lua::Place place = tokens_[std::min(user, tokens_.size() - 1)].place;
  const bool has_braces = syntax_.language == HostLanguage::csharp ||
                          syntax_.language == HostLanguage::rust ||
                          (syntax_.language == HostLanguage::python && !is(user, "%"));
  const auto put = [&](std::size_t index, std::string_view specifier) {
    if (index < arguments.size()) {
      result.text.append(sum(arguments[index].begin, arguments[index].end, depth + 1).text);
    } else {
      result.text.add_hole(std::string(specifier), place);
    }
  };
  for (std::size_t at = 0; at < text.size();) {
    while (hole != pattern.text.holes.end() && hole->at <= at) {
      result.text.add_hole(hole->expression, hole->place);
      ++hole;
    }
    const char letter = text[at];
    const char second = at + 1 < text.size() ? text[at + 1] : '\0';
    if (has_braces && (letter == '{' || letter == '}')) {
      const std::size_t close = text.find('}', at);
      const bool is_field =
          letter == '{' && second != '{' && close != std::string_view::npos && close - at < 80;
      if (!is_field) {
        result.text.text += letter;
        at += second == letter ? 2 : 1;
        continue;
      }
      const std::string_view name =
          text.substr(at + 1, std::min(close, text.find_first_of(":!", at)) - at - 1);
      const bool is_index = !name.empty() && sim::is_digit(name[0]) && name.size() < 3;
      std::size_t index = next;
      if (is_index) {
        index = from;
        std::size_t number = 0;
        for (const char digit : name) number = number * 10 + static_cast<std::size_t>(digit - '0');
        index += number;
      } else if (!name.empty()) {  // {name}: a keyword argument, or a variable
        index = arguments.size();
        for (std::size_t i = from; i < arguments.size(); ++i) {
          if (is(arguments[i].begin, name) && is(arguments[i].begin + 1, "=")) index = i;
        }
        if (index < arguments.size()) {
          result.text.append(sum(arguments[index].begin + 2, arguments[index].end, depth + 1).text);
        } else if (const auto known = constant(name, user, depth + 1)) {
          result.text.append(known->text);
        } else {
          result.text.add_hole(std::string(name), place);
        }
        at = close + 1;
        continue;
      } else {
        ++next;
      }
      put(index, text.substr(at, close + 1 - at));
      at = close + 1;
      continue;
    }
    if (!has_braces && letter == '%') {
      if (second == '%') {
        result.text.text += '%';
        at += 2;
        continue;
      }
      std::size_t end = at + 1;
      while (end < text.size() &&
             std::string_view("0123456789$.-+# ").find(text[end]) != std::string_view::npos) {
        ++end;
      }
      const bool is_specifier =
          end < text.size() &&
          std::string_view("sdvqfxXcbui").find(text[end]) != std::string_view::npos;
      if (is_specifier) {
        put(next++, text.substr(at, end + 1 - at));
        at = end + 1;
        continue;
      }
    }
    result.text.text += letter;
    ++at;
  }
  for (; hole != pattern.text.holes.end(); ++hole) {
    result.text.add_hole(hole->expression, hole->place);
  }
  return result;
}

}  // namespace lockstep::advice
