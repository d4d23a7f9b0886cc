#include "checker/recorded/formats/event.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

#include "checker/recorded/history.h"

namespace lockstep::checker::recorded {
namespace {

struct FieldName {
  std::string_view name;
  Field field;
};

/// The first name of a field is what messages call it.
constexpr std::array<FieldName, 20> field_names = {{
    {"process", Field::process},   {"type", Field::type},         {"f", Field::function},
    {"value", Field::value},       {"time", Field::time},         {"owner", Field::owner},
    {"key", Field::key},           {"token", Field::token},       {"fence", Field::token},
    {"permits", Field::permits},   {"count", Field::count},       {"lease_ms", Field::lease_ms},
    {"lease-ms", Field::lease_ms}, {"lease_ns", Field::lease_ns}, {"lease-ns", Field::lease_ns},
    {"error", Field::error},       {"exception", Field::error},   {"format", Field::format},
    {"version", Field::version},   {"function", Field::function},
}};

bool is_whole(std::string_view token) {
  const std::size_t sign = token.front() == '-' || token.front() == '+' ? 1 : 0;
  return token.size() > sign &&
         std::all_of(token.begin() + static_cast<std::ptrdiff_t>(sign), token.end(),
                     [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::optional<Field> field_named(std::string_view name) {
  for (const FieldName& each : field_names) {
    if (each.name == name) return each.field;
  }
  return std::nullopt;
}

std::string_view name_of(Field field) {
  for (const FieldName& each : field_names) {
    if (each.field == field) return each.name;
  }
  return {};
}

void Event::begin(FilePlace place) {
  for (std::size_t i = 0; given_ != 0; ++i, given_ >>= 1U) {
    if ((given_ & 1U) == 0) continue;
    values_[i].kind = ValueKind::absent;
    values_[i].text.clear();
  }
  place_ = place;
}

std::optional<ValueKind> kind_of_number(std::string_view token, std::int64_t& number) {
  if (token.empty()) return std::nullopt;
  const std::size_t plus = token.front() == '+' ? 1 : 0;
  const char* const begin = token.data() + plus;
  const char* const end = token.data() + token.size();
  if (is_whole(token)) {
    const auto [stopped_at, error] = std::from_chars(begin, end, number);
    if (error != std::errc{} || stopped_at != end) return std::nullopt;
    return ValueKind::whole_number;
  }
  double real = 0;
  const auto [stopped_at, error] = std::from_chars(begin, end, real);
  if (error != std::errc{} || stopped_at != end || !std::isfinite(real)) return std::nullopt;
  return ValueKind::other_number;
}

void append_quoted(std::string& text, std::string_view characters) {
  text += '"';
  for (const char c : characters) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  text += '"';
}

std::optional<std::string_view> Elements::next() {
  while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
  if (rest_.empty()) return std::nullopt;
  std::size_t length = 0;
  std::size_t depth = 0;
  bool is_in_quotes = false;
  for (; length < rest_.size(); ++length) {
    const char c = rest_[length];
    if (is_in_quotes) {
      if (c == '\\') ++length;
      is_in_quotes = c != '"';
    } else if (c == '"') {
      is_in_quotes = true;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (c == ']' || c == '}') {
      --depth;
    } else if (c == ' ' && depth == 0) {
      break;
    }
  }
  const std::string_view element = rest_.substr(0, length);
  rest_.remove_prefix(element.size());
  return element;
}

Value value_of_element(std::string_view element, FilePlace place) {
  Value value{ValueKind::text, {}, 0, place};
  if (element.front() == '"') {
    for (std::size_t i = 1; i + 1 < element.size(); ++i) {
      if (element[i] == '\\') ++i;
      value.text += element[i];
    }
    return value;
  }
  value.text = element;
  if (element == "nil") value.kind = ValueKind::nil;
  if (element.front() == '[') value.kind = ValueKind::vector;
  if (element.front() == '{') value.kind = ValueKind::map;
  if (element.front() == '#') value.kind = ValueKind::set;
  const bool may_be_number =
      element.front() == '-' || (element.front() >= '0' && element.front() <= '9');
  if (may_be_number) value.kind = kind_of_number(element, value.number).value_or(ValueKind::text);
  return value;
}

std::string_view without_colon(std::string_view word) {
  if (word.starts_with(':')) word.remove_prefix(1);
  return word;
}

void refuse_event(const Event& event, Field field, const std::string& message) {
  throw ReadError(event.place_of(field), message);
}

std::string shown(std::string_view text) {
  constexpr std::size_t bytes_max = 40;
  std::string shortened(text.substr(0, bytes_max));
  while (text.size() > bytes_max && !shortened.empty() &&
         (static_cast<unsigned char>(shortened.back()) & 0x80U) != 0) {
    shortened.pop_back();
  }
  if (text.size() > bytes_max) shortened += "…";
  return shortened;
}

void require_whole(const Event& event, Field field, const Value& value) {
  if (value.kind == ValueKind::whole_number && value.number != no_number) return;
  refuse_event(
      event, field,
      fmt::format("expected a whole number as {}, not {}", name_of(field), shown(value.text)));
}

}  // namespace lockstep::checker::recorded
