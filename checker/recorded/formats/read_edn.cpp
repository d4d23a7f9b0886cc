#include "checker/recorded/formats/read_edn.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "checker/recorded/formats/text_scan.h"

namespace lockstep::checker::recorded {
namespace {

bool is_blank(int c) {
  return c == ' ' || c == ',' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}

/// Of a number, a symbol or a keyword.
constexpr std::array<bool, 256> token_bytes = [] {
  std::array<bool, 256> bytes{};
  for (std::size_t c = 0x21; c < 0x100; ++c) bytes[c] = c != 0x7F;
  for (const char c : std::string_view("()[]{}\",;")) bytes[static_cast<unsigned char>(c)] = false;
  return bytes;
}();

bool is_in_token(int c) { return c > 0 && token_bytes[static_cast<std::size_t>(c)]; }

std::size_t ascii_token_prefix(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size() && static_cast<unsigned char>(text[length]) < 0x80 &&
         is_in_token(text[length])) {
    ++length;
  }
  return length;
}

bool begins_number(std::string_view token) {
  const bool has_sign = token.front() == '-' || token.front() == '+';
  const std::string_view digits = token.substr(has_sign ? 1 : 0);
  return !digits.empty() && digits.front() >= '0' && digits.front() <= '9';
}

bool is_discarded(int c) { return c == '#' || c == '^'; }

constexpr std::string_view edn_value = "a value";

}  // namespace

void EdnEvents::skip_comment() {
  for (std::string_view ahead = source_.ahead(); !ahead.empty(); ahead = source_.ahead()) {
    const std::size_t length = ahead.find('\n');
    source_.skip(std::min(length, ahead.size()));
    if (length != std::string_view::npos) return;
  }
}

/// The first byte of the next form that means something, past blanks and comments.
int EdnEvents::peek_form() {
  for (;;) {
    const int c = source_.peek();
    if (is_blank(c)) {
      source_.skip();
    } else if (c == ';') {
      skip_comment();
    } else {
      return c;
    }
  }
}

/// Past "#tag", "#_ form" or "^metadata", where one of them comes; false where a set or a number
/// like ##NaN does.
bool EdnEvents::skip_discarded(std::size_t depth) {
  if (source_.peek() == '^') {
    source_.skip();
    take_nested(nullptr, depth + 1);
    return true;
  }
  const std::string_view ahead = source_.look_ahead(2);
  if (ahead.size() > 1 && (ahead[1] == '{' || ahead[1] == '#')) return false;
  source_.skip();
  if (source_.peek() == '_') {
    source_.skip();
    take_nested(nullptr, depth + 1);
    return true;
  }
  const int c = source_.peek();
  const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == ':';
  if (!is_letter) fail_expected(source_, "a tag after #");
  name_.clear();
  take_token(name_);
  return true;
}

bool EdnEvents::next(Event& event) {
  for (;;) {
    const int c = peek_form();
    if (c == '{') {
      take_event(event);
      return true;
    }
    if (c == ByteSource::end && sequence_closing_ == 0) return false;
    if (is_discarded(c) && skip_discarded(0)) continue;
    if (c == sequence_closing_) {
      sequence_closing_ = 0;
    } else if (sequence_closing_ == 0 && (c == '[' || c == '(')) {
      sequence_closing_ = c == '[' ? int{']'} : int{')'};
      sequence_begins_at_ = source_.place();
    } else if (sequence_closing_ != 0) {
      fail_expected(source_,
                    fmt::format("an event in braces or '{}' (the sequence began in line {}, "
                                "column {})",
                                static_cast<char>(sequence_closing_), sequence_begins_at_.line,
                                sequence_begins_at_.column));
    } else {
      fail_expected(source_, "an event in braces, or a vector or list of them");
    }
    source_.skip();
  }
}

void EdnEvents::take_event(Event& event) {
  event.begin(source_.place());
  source_.skip();
  for (int c = peek_form(); c != '}'; c = peek_form()) {
    if (is_discarded(c) && skip_discarded(1)) continue;
    const FilePlace begins_at = source_.place();
    if (c == ByteSource::end) {
      fail_expected(source_,
                    fmt::format("the event's closing brace (it began in line {}, column {})",
                                event.place().line, event.place().column));
    }
    take_name();
    const std::optional<Field> field = field_named(name_);
    static_cast<void>(peek_form());
    if (!field) {
      take_nested(nullptr, 1);
      continue;
    }
    if (event.has(*field)) {
      throw ReadError(begins_at, fmt::format("{} is given twice", name_of(*field)));
    }
    take_value(event.give(*field, source_.place()));
  }
  source_.skip();
}

/// A field's: a keyword without its colon, or a string.
void EdnEvents::take_name() {
  name_.clear();
  const int c = source_.peek();
  if (c == ':') {
    source_.skip();
    take_token(name_);
  } else if (c == '"') {
    take_string(source_, StringRules::edn, &name_);
  } else {
    fail_expected(source_, "a field's name, such as :process, or the event's closing brace");
  }
}

void EdnEvents::take_only_value(Value& value) {
  if (peek_form() == ByteSource::end) {
    value.kind = ValueKind::nil;
  } else {
    value.place = source_.place();
    take_value(value);
  }
}

void EdnEvents::take_value(Value& value) {
  value_begins_at_ = value.place;
  int c = peek_form();
  while (is_discarded(c) && skip_discarded(1)) c = peek_form();
  if (c == '"') {
    value.kind = ValueKind::text;
    take_string(source_, StringRules::edn, &value.text);
  } else if (c == '[' || c == '(' || c == '{' || c == '#') {
    take_nested(&value.text, 1);
    value.kind = c == '{' ? ValueKind::map : c == '#' ? ValueKind::set : ValueKind::vector;
  } else {
    take_atom(value);
  }
}

/// A number, a symbol, a keyword or a character.
void EdnEvents::take_atom(Value& value) {
  value.place = source_.place();
  value.kind = ValueKind::text;
  const int c = source_.peek();
  if (c == '\\') return take_character(value.text);
  if (!is_in_token(c)) fail_expected(source_, edn_value);
  take_token(value.text);
  if (value.text == "nil") value.kind = ValueKind::nil;
  if (!begins_number(value.text)) return;
  const bool has_suffix = value.text.back() == 'N' || value.text.back() == 'M';
  if (has_suffix) value.text.pop_back();
  if (value.text.find_first_of("/rRxX") != std::string::npos) {
    throw ReadError(value.place, fmt::format("expected a decimal number, not {} (in quotes it is a "
                                             "text)",
                                             value.text.substr(0, 40)));
  }
  set_number(value);
}

/// A character such as \a or \newline is the text of it, or its name.
void EdnEvents::take_character(std::string& kept) {
  source_.skip();
  const int c = source_.peek();
  if (c <= ' ' || c == 0x7F) fail_expected(source_, "a character after \\");
  if (is_in_token(c)) return take_token(kept);
  kept += static_cast<char>(c);
  source_.skip();
}

void EdnEvents::take_token(std::string& kept) {
  const FilePlace begins_at = source_.place();
  for (int c = source_.peek(); is_in_token(c); c = source_.peek()) {
    if (c >= 0x80) {
      take_beyond_ascii(source_, &kept);
    } else {
      const std::string_view ahead = source_.ahead();
      const std::size_t length = ascii_token_prefix(ahead);
      kept.append(ahead.data(), length);
      source_.skip(length);
    }
    require_size(kept, begins_at);
  }
}

/// Past a value inside of a field's; its canonical text goes to the end of `kept`, if there is one.
void EdnEvents::take_nested(std::string* kept, std::size_t depth) {
  require_depth(source_, depth);
  int c = peek_form();
  while (is_discarded(c) && skip_discarded(depth)) c = peek_form();
  if (c == '[') return take_collection(kept, depth, "[", ']');
  if (c == '(') return take_collection(kept, depth, "[", ')');
  if (c == '{') return take_collection(kept, depth, "{", '}');
  if (c == '#') {
    source_.skip();
    if (source_.peek() == '{') return take_collection(kept, depth, "#{", '}');
    if (source_.peek() != '#') fail_expected(source_, "a set or a number such as ##Inf after #");
    name_.clear();
    take_token(name_);
    if (kept != nullptr) kept->append("#").append(name_);
    return;
  }
  atom_.text.clear();
  if (c == '"') {
    if (kept == nullptr) return take_string(source_, StringRules::edn, nullptr);
    take_string(source_, StringRules::edn, &atom_.text);
    append_quoted(*kept, atom_.text);
  } else {
    const bool is_character = c == '\\';
    take_atom(atom_);
    if (kept == nullptr) return;
    if (is_character) {
      append_quoted(*kept, atom_.text);
    } else {
      kept->append(atom_.text);
    }
  }
  require_size(*kept, value_begins_at_);
}

void EdnEvents::take_collection(std::string* kept, std::size_t depth, std::string_view opening,
                                char closing) {
  source_.skip();
  if (kept != nullptr) kept->append(opening);
  bool is_first = true;
  for (int c = peek_form(); c != closing; c = peek_form()) {
    if (is_discarded(c) && skip_discarded(depth)) continue;
    if (c == ByteSource::end || c == ')' || c == ']' || c == '}') {
      fail_expected(source_, fmt::format("a value or '{}'", closing));
    }
    if (!is_first && kept != nullptr) *kept += ' ';
    take_nested(kept, depth + 1);
    is_first = false;
  }
  source_.skip();
  if (kept != nullptr) *kept += closing == ')' ? ']' : closing;
}

}  // namespace lockstep::checker::recorded
