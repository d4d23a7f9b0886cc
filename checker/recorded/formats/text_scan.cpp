#include "checker/recorded/formats/text_scan.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>

namespace lockstep::checker::recorded {
namespace {

constexpr std::array<bool, 256> plain_characters = [] {
  std::array<bool, 256> plain{};
  for (std::size_t c = 0x20; c < 0x80; ++c) plain[c] = c != '"' && c != '\\';
  return plain;
}();

std::size_t plain_prefix(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size() && plain_characters[static_cast<unsigned char>(text[length])]) {
    ++length;
  }
  return length;
}

void append_character(std::string& text, std::uint32_t code) {
  const auto add = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80) {
    add(code);
  } else if (code < 0x800) {
    add(0xC0U | code >> 6U);
    add(0x80U | (code & 0x3FU));
  } else if (code < 0x10000) {
    add(0xE0U | code >> 12U);
    add(0x80U | (code >> 6U & 0x3FU));
    add(0x80U | (code & 0x3FU));
  } else {
    add(0xF0U | code >> 18U);
    add(0x80U | (code >> 12U & 0x3FU));
    add(0x80U | (code >> 6U & 0x3FU));
    add(0x80U | (code & 0x3FU));
  }
}

std::uint32_t take_four_digits(ByteSource& source) {
  std::uint32_t code = 0;
  for (int i = 0; i < 4; ++i) {
    const int c = source.peek();
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) fail_expected(source, "four hexadecimal digits after \\u");
    code = code * 16 + static_cast<std::uint32_t>(digit);
    source.skip();
  }
  return code;
}

/// After "\u".
std::uint32_t take_code(ByteSource& source) {
  const std::uint32_t first = take_four_digits(source);
  if (first < 0xD800 || first > 0xDFFF) return first;
  if (first > 0xDBFF || source.peek() != '\\') {
    fail_expected(source, "a pair of surrogates, as \\ud83d\\ude00");
  }
  source.skip();
  if (source.peek() != 'u') fail_expected(source, "the second surrogate of a pair");
  source.skip();
  const std::uint32_t second = take_four_digits(source);
  if (second < 0xDC00 || second > 0xDFFF) fail_expected(source, "the second surrogate of a pair");
  return 0x10000 + ((first - 0xD800) << 10U) + (second - 0xDC00);
}

/// After a backslash.
void take_escape(ByteSource& source, std::string* kept) {
  constexpr std::string_view letters = "\"\\/bfnrt";
  constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
  const int c = source.peek();
  std::uint32_t code = 0;
  if (c == 'u') {
    source.skip();
    code = take_code(source);
  } else {
    const std::size_t at = c < 0 ? std::string_view::npos : letters.find(static_cast<char>(c));
    if (at == std::string_view::npos) fail_expected(source, "an escape such as \\n or \\u0041");
    source.skip();
    code = static_cast<unsigned char>(meanings[at]);
  }
  if (kept != nullptr) append_character(*kept, code);
}

}  // namespace

std::string name_of_next(ByteSource& source) {
  const int c = source.peek();
  if (c == ByteSource::end) return "the end of the file";
  if (c == '\n') return "the end of the line";
  if (c < 0x20 || c >= 0x7F) return fmt::format("the byte 0x{:02x}", c);
  return fmt::format("'{}'", static_cast<char>(c));
}

void fail_expected(ByteSource& source, std::string_view what) {
  const std::string found = name_of_next(source);
  source.fail(fmt::format("expected {}, not {}", what, found));
}

void require_size(const std::string& text, FilePlace begins_at) {
  if (text.size() <= value_bytes_max) return;
  throw ReadError(begins_at, fmt::format("a value of more than {} bytes", value_bytes_max));
}

void require_depth(ByteSource& source, std::size_t depth) {
  if (depth <= nesting_max) return;
  source.fail(fmt::format("values in one another, deeper than {}", nesting_max));
}

void take_beyond_ascii(ByteSource& source, std::string* kept) {
  const FilePlace place = source.place();
  const int lead = source.peek();
  const int more = lead >= 0xC2 && lead <= 0xDF   ? 1
                   : lead >= 0xE0 && lead <= 0xEF ? 2
                   : lead >= 0xF0 && lead <= 0xF4 ? 3
                                                  : 0;
  const auto refuse = [&] {
    throw ReadError(place, fmt::format("expected UTF-8, not the byte 0x{:02x}", lead));
  };
  if (more == 0) refuse();
  // The second byte's range keeps out overlong forms, surrogates and what is beyond Unicode.
  int low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  int high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  source.skip();
  if (kept != nullptr) *kept += static_cast<char>(lead);
  for (int i = 0; i < more; ++i) {
    const int c = source.peek();
    if (c < low || c > high) refuse();
    source.skip();
    if (kept != nullptr) *kept += static_cast<char>(c);
    low = 0x80;
    high = 0xBF;
  }
}

void take_string(ByteSource& source, StringRules rules, std::string* kept) {
  const FilePlace begins_at = source.place();
  source.skip();
  for (;;) {
    const std::string_view ahead = source.ahead();
    const std::size_t length = plain_prefix(ahead);
    if (kept != nullptr) {
      kept->append(ahead.data(), length);
      require_size(*kept, begins_at);
    }
    source.skip(length);
    const int c = source.peek();
    if (c == '"') {
      source.skip();
      return;
    }
    if (c == '\\') {
      source.skip();
      take_escape(source, kept);
    } else if (c >= 0x80) {
      take_beyond_ascii(source, kept);
    } else if (rules == StringRules::edn && (c == '\n' || c == '\t' || c == '\r')) {
      source.skip();
      if (kept != nullptr) *kept += static_cast<char>(c);
    } else if (length == ahead.size() && c != ByteSource::end) {
      continue;  // the buffer was at its end
    } else {
      fail_expected(source, fmt::format("the string's closing quote (it began at column {})",
                                        begins_at.column));
    }
  }
}

void set_number(Value& value) {
  const auto kind = kind_of_number(value.text, value.number);
  if (!kind) {
    throw ReadError(value.place, fmt::format("expected a number that 64 bits hold, not {}",
                                             value.text.substr(0, 40)));
  }
  value.kind = *kind;
  const bool may_have_zeros = value.text.front() < '1' || value.text.front() > '9';
  if (*kind == ValueKind::whole_number && may_have_zeros) {
    value.text = fmt::format("{}", value.number);
  }
}

}  // namespace lockstep::checker::recorded
