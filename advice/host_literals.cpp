#include "advice/host_literals.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace lockstep::advice {
namespace {

bool is_blank(char letter) { return letter == ' ' || letter == '\t' || letter == '\f'; }

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
  Undoing(std::string_view inside, HostLanguage language) : in_(inside), language_(language) {}

  std::string run() {
    while (at_ < in_.size()) {
      const char letter = in_[at_];
      if (letter == '\\') {
        ++at_;
        escape();
      } else if (letter == '\r') {
        line_end();
        text_ += '\n';
      } else {
        text_ += letter;
        ++at_;
      }
    }
    return std::move(text_);
  }

 private:
  void line_end() {
    const bool is_pair = in_[at_] == '\r' && at_ + 1 < in_.size() && in_[at_ + 1] == '\n';
    at_ += is_pair ? 2 : 1;
  }

  void escape() {
    if (at_ >= in_.size()) return;
    const char letter = in_[at_];
    if (letter == '\n' || letter == '\r') return line_end();
    if (letter == 'u') return unicode();
    if (letter == 'x' && language_ == HostLanguage::javascript) return byte();
    if (digit(letter, 8)) return octal();
    constexpr std::string_view letters = "bfnrt";
    constexpr std::string_view meanings = "\b\f\n\r\t";
    const std::size_t meaning = letters.find(letter);
    if (meaning != std::string_view::npos) {
      text_ += meanings[meaning];
    } else if (letter == 'v' && language_ == HostLanguage::javascript) {
      text_ += '\v';
    } else if (letter == 's' && language_ == HostLanguage::java) {
      text_ += ' ';
    } else {
      text_ += letter;
    }
    ++at_;
  }

  void octal() {
    std::uint32_t value = 0;
    const std::size_t most = in_[at_] <= '3' ? 3 : 2;
    for (std::size_t i = 0; i < most && at_ < in_.size(); ++i, ++at_) {
      const auto next = digit(in_[at_], 8);
      if (!next) break;
      value = value * 8 + *next;
    }
    add_utf8(value, text_);
  }

  void byte() {
    std::size_t at = at_ + 1;
    const auto value = hexadecimal(at, 2);
    if (!value) return keep_letter();
    add_utf8(*value, text_);
    at_ = at;
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
    const bool is_character =
        point < 0x110000 && !is_high_surrogate(point) && !is_low_surrogate(point);
    add_utf8(is_character ? point : replacement, text_);
  }

  /// `at` is at the u; moves behind the escape.
  [[nodiscard]] std::optional<std::uint32_t> code_unit(std::size_t& at) const {
    if (language_ == HostLanguage::java) {
      while (at < in_.size() && in_[at] == 'u') ++at;
    } else {
      ++at;
      if (at < in_.size() && in_[at] == '{') return braced(at);
    }
    return hexadecimal(at, 4);
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

  [[nodiscard]] std::optional<std::uint32_t> hexadecimal(std::size_t& at, std::size_t count) const {
    if (at + count > in_.size()) return std::nullopt;
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto next = digit(in_[at + i], 16);
      if (!next) return std::nullopt;
      value = value * 16 + *next;
    }
    at += count;
    return value;
  }

  void keep_letter() { text_ += in_[at_++]; }

  std::string_view in_;
  HostLanguage language_;
  std::size_t at_ = 0;
  std::string text_;
};

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (;;) {
    const std::size_t end = text.find_first_of("\r\n");
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + (text.substr(end, 2) == "\r\n" ? 2 : 1));
  }
}

std::size_t indentation(std::string_view line) {
  return static_cast<std::size_t>(std::find_if_not(line.begin(), line.end(), is_blank) -
                                  line.begin());
}

}  // namespace

std::string unescape(std::string_view inside, HostLanguage language) {
  return Undoing(inside, language).run();
}

std::string text_block(std::string_view inside) {
  std::vector<std::string_view> lines = lines_of(inside);
  lines.erase(lines.begin());  // blanks and the line end behind the opening quotes
  std::size_t shared = std::string_view::npos;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t blanks = indentation(lines[i]);
    const bool counts = blanks < lines[i].size() || i + 1 == lines.size();
    if (counts) shared = std::min(shared, blanks);
  }
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string_view line = lines[i].substr(std::min(shared, lines[i].size()));
    while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
    if (i > 0) text += '\n';
    text += line;
  }
  return unescape(text, HostLanguage::java);
}

}  // namespace lockstep::advice
