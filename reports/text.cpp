#include "reports/text.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>

namespace lockstep::reports {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::string_view ellipsis = "\xE2\x80\xA6";     // U+2026

unsigned byte_at(std::string_view text, std::size_t index) {
  return static_cast<unsigned char>(text[index]);
}

bool continues(std::string_view text, std::size_t index) {
  return (byte_at(text, index) & 0xC0U) == 0x80U;
}

std::uint32_t code_point(std::string_view character) {
  if (character.size() == 1) return byte_at(character, 0);
  std::uint32_t code = byte_at(character, 0) & (0xFFU >> (character.size() + 1));
  for (std::size_t i = 1; i < character.size(); ++i) {
    code = (code << 6U) | (byte_at(character, i) & 0x3FU);
  }
  return code;
}

bool is_unsafe(std::uint32_t code) {
  const bool is_control = code < 0x20 || (code >= 0x7F && code <= 0x9F);
  const bool steers_direction = code == 0x61C || code == 0x200E || code == 0x200F ||
                                (code >= 0x202A && code <= 0x202E) ||
                                (code >= 0x2066 && code <= 0x2069);
  const bool breaks_lines = code == 0x2028 || code == 0x2029;
  const bool is_no_character = (code & 0xFFFEU) == 0xFFFE || (code >= 0xFDD0 && code <= 0xFDEF);
  return is_control || steers_direction || breaks_lines || is_no_character;
}

enum class LineFeeds : std::uint8_t { become_spaces, stay };

std::string sanitize_text(std::string_view text, LineFeeds line_feeds) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t bytes = character_bytes(text, i);
    const std::string_view character = text.substr(i, std::max<std::size_t>(bytes, 1));
    i += character.size();
    if (character == "\n" && line_feeds == LineFeeds::stay) {
      result += '\n';
    } else if (character == "\n" || character == "\t") {
      result += ' ';
    } else if (bytes == 0 || is_unsafe(code_point(character))) {
      result += replacement;
    } else {
      result += character;
    }
  }
  return result;
}

/// The index after so many characters, or the end.
std::size_t after_characters(std::string_view text, std::size_t from, std::size_t characters) {
  std::size_t i = from;
  for (; characters > 0 && i < text.size(); --characters) {
    do {
      ++i;
    } while (i < text.size() && continues(text, i));
  }
  return i;
}

// Widths of the ASCII characters in thousandths of the size (Adobe font metrics of Helvetica).
constexpr std::array<std::int16_t, 95> helvetica_widths{
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333,  278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,  611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278,  556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,  500, 334, 260, 334, 584};
constexpr int width_beyond_ascii = 1000;
constexpr std::int64_t ns_per_ms = 1'000'000;

}  // namespace

std::size_t character_bytes(std::string_view text, std::size_t index) {
  const unsigned first = byte_at(text, index);
  if (first < 0x80) return 1;
  const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() - index < bytes) return 0;
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!continues(text, index + i)) return 0;
  }
  // No overlong forms, no surrogates, nothing above U+10FFFF.
  const unsigned second = byte_at(text, index + 1);
  const bool misfit = (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
                      (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F);
  return misfit ? 0 : bytes;
}

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t bytes = character_bytes(text, i);
    if (bytes == 0) return false;
    i += bytes;
  }
  return true;
}

std::string sanitized(std::string_view text) {
  return sanitize_text(text, LineFeeds::become_spaces);
}

std::string sanitized_lines(std::string_view text) { return sanitize_text(text, LineFeeds::stay); }

std::string shortened(std::string_view sanitized_text, std::size_t characters_max) {
  assert(characters_max >= 1);
  if (after_characters(sanitized_text, 0, characters_max) == sanitized_text.size()) {
    return std::string(sanitized_text);
  }
  const std::size_t end = after_characters(sanitized_text, 0, characters_max - 1);
  return std::string(sanitized_text.substr(0, end)) + std::string(ellipsis);
}

std::string brief(std::string_view text, std::size_t characters_max) {
  constexpr std::size_t character_bytes_max = 4;
  const std::string_view first = text.substr(0, character_bytes_max * (characters_max + 1));
  return shortened(sanitized(first), characters_max);
}

std::vector<std::string> wrapped(std::string_view sanitized_text, std::size_t characters_max) {
  assert(characters_max >= 8);
  std::vector<std::string> lines;
  std::size_t from = 0;
  for (;;) {
    const std::size_t end = after_characters(sanitized_text, from, characters_max);
    if (end == sanitized_text.size()) {
      lines.emplace_back(sanitized_text.substr(from));
      return lines;
    }
    std::size_t space = sanitized_text.rfind(' ', end);
    // A number and its unit stay together.
    if (space != std::string_view::npos && space > from &&
        sanitized_text.substr(space).starts_with(" ms")) {
      space = sanitized_text.rfind(' ', space - 1);
    }
    const bool breaks_at_space = space != std::string_view::npos && space > from;
    const std::size_t word = breaks_at_space ? space + 1 : from;
    const std::size_t hyphen = sanitized_text.rfind('-', end - 1);
    // A word that is too long for any line is parted where it has a part.
    const bool parts_word = hyphen != std::string_view::npos && hyphen > word &&
                            after_characters(sanitized_text, word, characters_max) <
                                std::min(sanitized_text.find(' ', word), sanitized_text.size());
    if (parts_word) {
      lines.emplace_back(sanitized_text.substr(from, hyphen + 1 - from));
      from = hyphen + 1;
      continue;
    }
    const std::size_t cut = breaks_at_space ? space : end;
    lines.emplace_back(sanitized_text.substr(from, cut - from));
    from = breaks_at_space ? cut + 1 : cut;
  }
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t length = std::min(text.find(' '), text.size());
    if (length > 0) words.push_back(text.substr(0, length));
    text.remove_prefix(std::min(length + 1, text.size()));
  }
  return words;
}

bool has_word(std::string_view text, std::string_view word) {
  const std::vector<std::string_view> words = words_of(text);
  return std::find(words.begin(), words.end(), word) != words.end();
}

int text_width(std::string_view sanitized_text, int size) {
  int thousandths = 0;
  for (std::size_t i = 0; i < sanitized_text.size(); ++i) {
    const unsigned byte = byte_at(sanitized_text, i);
    if (byte >= 0x20 && byte < 0x7F) {
      thousandths += helvetica_widths[byte - 0x20];
    } else if (!continues(sanitized_text, i)) {
      thousandths += width_beyond_ascii;
    }
  }
  return static_cast<int>(std::int64_t{thousandths} * size / 1000);
}

std::string with_thousands(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

std::string milliseconds_number(std::int64_t time_ns, int decimals) {
  assert(time_ns >= 0 && decimals >= 0 && decimals <= 6);
  std::int64_t step_ns = ns_per_ms;
  for (int i = 0; i < decimals; ++i) step_ns /= 10;
  const std::int64_t steps = time_ns / step_ns + (time_ns % step_ns >= (step_ns + 1) / 2 ? 1 : 0);
  const std::int64_t steps_a_ms = ns_per_ms / step_ns;
  std::string digits = with_thousands(static_cast<std::uint64_t>(steps / steps_a_ms));
  if (decimals == 0) return digits;
  const std::string fraction = std::to_string(steps % steps_a_ms);
  digits += '.';
  digits.append(static_cast<std::size_t>(decimals) - fraction.size(), '0');
  return digits + fraction;
}

std::string xml_escaped(std::string_view sanitized_text) {
  std::string result;
  result.reserve(sanitized_text.size());
  for (const char character : sanitized_text) {
    switch (character) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&apos;";
        break;
      default:
        result += character;
    }
  }
  return result;
}

}  // namespace lockstep::reports
