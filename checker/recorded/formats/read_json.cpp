#include "checker/recorded/formats/read_json.h"

#include <fmt/format.h>

#include "checker/recorded/formats/text_scan.h"

namespace lockstep::checker::recorded {
namespace {

constexpr std::string_view json_value =
    "a value: an object, array, string, number, true, false or null";

bool is_digit(int c) { return c >= '0' && c <= '9'; }

}  // namespace

void JsonEvents::skip_blanks() {
  for (int c = source_.peek(); c == ' ' || c == '\t' || c == '\r'; c = source_.peek()) {
    source_.skip();
  }
}

void JsonEvents::expect(char c, std::string_view what) {
  if (source_.peek() != c) fail_expected(source_, what);
  source_.skip();
}

bool JsonEvents::next(Event& event) {
  skip_blanks();
  while (source_.peek() == '\n') {
    source_.skip();
    skip_blanks();
  }
  if (source_.peek() == ByteSource::end) return false;
  event.begin(source_.place());
  expect('{', "an object that is an event, {\"process\": …}");
  skip_blanks();
  while (source_.peek() != '}') {
    take_member(event);
    skip_blanks();
    if (source_.peek() != ',') break;
    source_.skip();
    skip_blanks();
    if (source_.peek() == '}') fail_expected(source_, "a field's name in quotes");
  }
  expect('}', "a comma or the event's closing brace");
  skip_blanks();
  const int c = source_.peek();
  if (c != '\n' && c != ByteSource::end) fail_expected(source_, "the end of the line");
  return true;
}

void JsonEvents::take_member(Event& event) {
  const FilePlace begins_at = source_.place();
  if (source_.peek() != '"') fail_expected(source_, "a field's name in quotes");
  name_.clear();
  take_string(source_, StringRules::json, &name_);
  skip_blanks();
  expect(':', "a colon after the field's name");
  skip_blanks();
  const std::optional<Field> field = field_named(name_);
  if (!field) {
    take_nested(nullptr, 1);
    return;
  }
  if (event.has(*field)) {
    throw ReadError(begins_at, fmt::format("{} is given twice", name_of(*field)));
  }
  take_value(event.give(*field, source_.place()));
}

void JsonEvents::take_value(Value& value) {
  value_begins_at_ = value.place;
  const int c = source_.peek();
  if (c == '"') {
    value.kind = ValueKind::text;
    take_string(source_, StringRules::json, &value.text);
  } else if (c == '-' || is_digit(c)) {
    take_number(value.text);
    set_number(value);
  } else if (c == '[' || c == '{') {
    value.kind = c == '[' ? ValueKind::vector : ValueKind::map;
    take_nested(&value.text, 1);
  } else {
    value.text = take_word();
    value.kind = value.text == "nil" ? ValueKind::nil : ValueKind::text;
  }
}

/// Past a value inside of a field's; its canonical text goes to the end of `kept`, if there is one.
void JsonEvents::take_nested(std::string* kept, std::size_t depth) {
  require_depth(source_, depth);
  const int c = source_.peek();
  if (c == '[') return take_array(kept, depth);
  if (c == '{') return take_object(kept, depth);
  if (c == '"') {
    if (kept == nullptr) return take_string(source_, StringRules::json, nullptr);
    token_.clear();
    take_string(source_, StringRules::json, &token_);
    append_quoted(*kept, token_);
  } else if (c == '-' || is_digit(c)) {
    Value number{ValueKind::absent, {}, 0, source_.place()};
    take_number(number.text);
    if (kept == nullptr) return;
    set_number(number);
    kept->append(number.text);
  } else {
    const std::string_view word = take_word();
    if (kept != nullptr) kept->append(word);
  }
  if (kept != nullptr) require_size(*kept, value_begins_at_);
}

void JsonEvents::take_array(std::string* kept, std::size_t depth) {
  source_.skip();
  if (kept != nullptr) *kept += '[';
  skip_blanks();
  for (bool is_first = true; source_.peek() != ']'; is_first = false) {
    if (!is_first) {
      expect(',', "a comma or the array's closing bracket");
      skip_blanks();
      if (kept != nullptr) *kept += ' ';
    }
    take_nested(kept, depth + 1);
    skip_blanks();
  }
  source_.skip();
  if (kept != nullptr) *kept += ']';
}

void JsonEvents::take_object(std::string* kept, std::size_t depth) {
  source_.skip();
  if (kept != nullptr) *kept += '{';
  skip_blanks();
  for (bool is_first = true; source_.peek() != '}'; is_first = false) {
    if (!is_first) {
      expect(',', "a comma or the object's closing brace");
      skip_blanks();
      if (kept != nullptr) *kept += ' ';
    }
    if (source_.peek() != '"') fail_expected(source_, "a name in quotes");
    take_nested(kept, depth + 1);
    skip_blanks();
    expect(':', "a colon after the name");
    skip_blanks();
    if (kept != nullptr) *kept += ' ';
    take_nested(kept, depth + 1);
    skip_blanks();
  }
  source_.skip();
  if (kept != nullptr) *kept += '}';
}

/// true, false and null, in canonical text.
std::string_view JsonEvents::take_word() {
  for (const std::string_view word : {"null", "true", "false"}) {
    if (source_.peek() != word.front()) continue;
    for (const char letter : word) expect(letter, json_value);
    return word == "null" ? "nil" : word;
  }
  fail_expected(source_, json_value);
}

void JsonEvents::take_number(std::string& kept) {
  const FilePlace begins_at = source_.place();
  const auto take = [&] {
    kept += static_cast<char>(source_.peek());
    source_.skip();
    require_size(kept, begins_at);
  };
  const auto take_digits = [&] {
    if (!is_digit(source_.peek())) fail_expected(source_, "a digit");
    while (is_digit(source_.peek())) take();
  };
  if (source_.peek() == '-') take();
  if (source_.peek() == '0') {
    take();
  } else {
    take_digits();
  }
  if (source_.peek() == '.') {
    take();
    take_digits();
  }
  if (source_.peek() == 'e' || source_.peek() == 'E') {
    take();
    if (source_.peek() == '+' || source_.peek() == '-') take();
    take_digits();
  }
}

}  // namespace lockstep::checker::recorded
