#include "advice/host/host_escapes.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace lockstep::advice {
namespace {

std::optional<std::uint32_t> digit(char letter, std::uint32_t base) {
  std::uint32_t value = 99;
  if (letter >= '0' && letter <= '9') value = static_cast<std::uint32_t>(letter - '0');
  if (letter >= 'a' && letter <= 'f') value = static_cast<std::uint32_t>(letter - 'a') + 10;
  if (letter >= 'A' && letter <= 'F') value = static_cast<std::uint32_t>(letter - 'A') + 10;
  return value < base ? std::optional(value) : std::nullopt;
}

char byte_of(std::uint32_t bits) { return static_cast<char>(static_cast<unsigned char>(bits)); }

void add_utf8(std::uint32_t point, std::string& text) {
  if (point < 0x80) {
    text += byte_of(point);
  } else if (point < 0x800) {
    text += byte_of(0xC0 | (point >> 6U));
    text += byte_of(0x80 | (point & 0x3FU));
  } else if (point < 0x10000) {
    text += byte_of(0xE0 | (point >> 12U));
    text += byte_of(0x80 | ((point >> 6U) & 0x3FU));
    text += byte_of(0x80 | (point & 0x3FU));
  } else {
    text += byte_of(0xF0 | (point >> 18U));
    text += byte_of(0x80 | ((point >> 12U) & 0x3FU));
    text += byte_of(0x80 | ((point >> 6U) & 0x3FU));
    text += byte_of(0x80 | (point & 0x3FU));
  }
}

constexpr std::uint32_t replacement = 0xFFFD;
bool is_high_surrogate(std::uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_low_surrogate(std::uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

class Undoing {
 public:
  Undoing(const HostText& raw, const EscapeRules& rules)
      : raw_(raw), in_(raw.text), rules_(rules) {}

  HostText run() {
    for (const TextHole& hole : raw_.holes) {
      undo_until(hole.at);
      result_.add_hole(hole.expression, hole.place);
    }
    undo_until(in_.size());
    return std::move(result_);
  }

 private:
  void undo_until(std::size_t end) {
    while (at_ < end) {
      if (in_[at_] == '\\') {
        ++at_;
        escape();
      } else {
        result_.text += in_[at_++];
      }
    }
  }

  void escape() {
    if (at_ >= in_.size()) return;
    const char letter = in_[at_];
    if (letter == '\n' && rules_.joins_lines) return join_lines();
    const std::size_t meaning = rules_.letters.find(letter);
    if (meaning != std::string_view::npos) {
      result_.text += rules_.meanings[meaning];
      ++at_;
    } else if (letter == 'u' && (rules_.has_unicode || rules_.has_braces)) {
      unicode();
    } else if (letter == 'U' && rules_.has_long_unicode) {
      number(1, 8, 8, 16);
    } else if (letter == 'x' && rules_.hexadecimal_digits_max > 0) {
      number(1, rules_.hexadecimal_digits_min, rules_.hexadecimal_digits_max, 16);
    } else if (digit(letter, 8) && rules_.octal_digits > 0) {
      const std::size_t most = letter <= '3' ? 3 : 2;
      number(0, 1, std::min(most, rules_.octal_digits), 8);
    } else {
      keep_letter();
    }
  }

  void join_lines() {
    ++at_;
    const auto is_blank = [this] {
      return at_ < in_.size() && std::string_view(" \t\n\r").find(in_[at_]) != in_.npos;
    };
    while (rules_.trims_joined_line && is_blank()) ++at_;
  }

  void keep_letter() {
    if (rules_.keeps_unknown) result_.text += '\\';
    result_.text += in_[at_++];
  }

  /// Digits from `skipped` characters on.
  void number(std::size_t skipped, std::size_t least, std::size_t most, std::uint32_t base) {
    std::size_t at = at_ + skipped;
    std::uint32_t value = 0;
    std::size_t digits = 0;
    for (; digits < most && at < in_.size(); ++at, ++digits) {
      const auto next = digit(in_[at], base);
      if (!next) break;
      value = value * base + *next;
    }
    if (digits < least) return keep_letter();
    at_ = at;
    add_point(value);
  }

  void add_point(std::uint32_t point) {
    const bool is_character =
        point < 0x110000 && !is_high_surrogate(point) && !is_low_surrogate(point);
    add_utf8(is_character ? point : replacement, result_.text);
  }

  void unicode() {
    std::size_t at = at_;
    const auto unit = code_unit(at);
    if (!unit) return keep_letter();
    at_ = at;
    std::uint32_t point = *unit;
    if (is_high_surrogate(point) && in_.substr(at, 2) == "\\u") {
      std::size_t next = at + 1;
      const auto low = code_unit(next);
      if (low && is_low_surrogate(*low)) {
        point = 0x10000 + ((point - 0xD800) << 10U) + (*low - 0xDC00);
        at_ = next;
      }
    }
    add_point(point);
  }

  /// `at` is at the u; moves behind the escape.
  [[nodiscard]] std::optional<std::uint32_t> code_unit(std::size_t& at) const {
    while (at < in_.size() && in_[at] == 'u') ++at;  // Java takes several
    if (rules_.has_braces && at < in_.size() && in_[at] == '{') return braced(at);
    return rules_.has_unicode ? four_digits(at) : std::nullopt;
  }

  [[nodiscard]] std::optional<std::uint32_t> braced(std::size_t& at) const {
    std::uint32_t value = 0;
    for (++at; at < in_.size() && in_[at] != '}'; ++at) {
      const auto next = digit(in_[at], 16);
      if (!next || value > 0x10FFFF) return std::nullopt;
      value = value * 16 + *next;
    }
    if (at >= in_.size()) return std::nullopt;
    ++at;
    return value;
  }

  [[nodiscard]] std::optional<std::uint32_t> four_digits(std::size_t& at) const {
    if (at + 4 > in_.size()) return std::nullopt;
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const auto next = digit(in_[at + i], 16);
      if (!next) return std::nullopt;
      value = value * 16 + *next;
    }
    at += 4;
    return value;
  }

  const HostText& raw_;
  std::string_view in_;
  const EscapeRules& rules_;
  std::size_t at_ = 0;
  HostText result_;
};

}  // namespace

HostText unescape(const HostText& raw, const EscapeRules& rules) {
  return Undoing(raw, rules).run();
}

HostText unescape_quotes(const HostText& raw, char quote) {
  HostText result;
  for (std::size_t i = 0; i < raw.text.size(); ++i) {
    const char next = i + 1 < raw.text.size() ? raw.text[i + 1] : '\0';
    const bool is_escape = raw.text[i] == '\\' && (next == '\\' || next == quote);
    result.text += is_escape ? raw.text[++i] : raw.text[i];
  }
  return result;
}

}  // namespace lockstep::advice
