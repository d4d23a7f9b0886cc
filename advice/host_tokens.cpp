#include "advice/host_tokens.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "advice/host_literals.h"
#include "sim/ascii.h"

namespace lockstep::advice {
namespace {

/// A template in a template in a template …: no deeper than this.
constexpr int templates_max = 50;
constexpr std::size_t regular_expression_bytes_max = 4096;  // of a regular expression

bool is_word_part(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_' ||
         letter == '$' || sim::is_digit(letter) || static_cast<unsigned char>(letter) >= 0x80;
}
bool is_line_end(char letter) { return letter == '\n' || letter == '\r'; }

class HostReader {
 public:
  HostReader(std::string_view source, HostLanguage language)
      : source_(source), language_(language) {}

  HostTokens read() {
    if (source_.starts_with("#!")) skip_line();
    while (!at_end()) next(result_.list);
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool at_end() const { return at_ >= source_.size(); }
  [[nodiscard]] char letter(std::size_t offset = 0) const {
    return at_ + offset < source_.size() ? source_[at_ + offset] : '\0';
  }
  [[nodiscard]] bool follows(std::string_view text) const {
    return source_.substr(at_, text.size()) == text;
  }
  [[nodiscard]] bool is_javascript() const { return language_ == HostLanguage::javascript; }

  /// Where `at_` is. Moves on with it, so that counting takes no longer than reading.
  lua::Place here() {
    for (; counted_ < at_; ++counted_) {
      const bool ends_line = source_[counted_] == '\n' ||
                             (source_[counted_] == '\r' && source_.substr(counted_, 2) != "\r\n");
      if (ends_line) {
        ++line_;
        line_begin_ = counted_ + 1;
      }
    }
    return {line_, static_cast<std::uint32_t>(at_ - line_begin_ + 1)};
  }

  void complain(const lua::Place& place, std::string what) {
    result_.complaints.push_back({place, std::move(what)});
  }

  void skip_line() {
    while (!at_end() && !is_line_end(letter())) ++at_;
  }

  void skip_comment() {
    const lua::Place place = here();
    const std::size_t end = source_.find("*/", at_ + 2);
    if (end == std::string_view::npos) complain(place, "this comment does not end");
    at_ = end == std::string_view::npos ? source_.size() : end + 2;
  }

  /// Reads what is next, a blank or a comment, or a token.
  void next(std::vector<HostToken>& tokens) {
    const char first = letter();
    if (first == ' ' || (first >= '\t' && first <= '\r')) {
      ++at_;
    } else if (follows("//")) {
      skip_line();
    } else if (follows("/*")) {
      skip_comment();
    } else {
      HostToken token;
      token.place = here();
      const std::size_t begin = at_;
      read_token(token, tokens);
      token.spelling = source_.substr(begin, at_ - begin);
      tokens.push_back(std::move(token));
    }
  }

  void read_token(HostToken& token, const std::vector<HostToken>& before) {
    const char first = letter();
    if (sim::is_digit(first)) {
      token.kind = HostToken::Kind::number;
      while (is_word_part(letter()) || (letter() == '.' && sim::is_digit(letter(1)))) ++at_;
    } else if (is_word_part(first)) {
      token.kind = HostToken::Kind::word;
      while (is_word_part(letter())) ++at_;
    } else if (!is_javascript() && follows("\"\"\"")) {
      read_text_block(token);
    } else if (first == '"' || (first == '\'' && is_javascript())) {
      read_quoted(token);
    } else if (first == '\'') {
      read_character(token);
    } else if (first == '`' && is_javascript()) {
      read_template(token, before);
    } else if (first == '/' && is_javascript() && may_begin_operand(before) && skip_expression()) {
      token.kind = HostToken::Kind::number;
    } else {
      skip_symbol();
    }
  }

  void skip_symbol() {
    constexpr std::array<std::string_view, 11> long_symbols = {
        "=>", "===", "!==", "==", "!=", "<=", ">=", "+=", "++", "->", "?."};
    for (const std::string_view symbol : long_symbols) {
      if (follows(symbol)) {
        at_ += symbol.size();
        return;
      }
    }
    ++at_;
  }

  void read_quoted(HostToken& token) {
    const char quote = letter();
    const std::size_t begin = ++at_;
    while (!at_end() && letter() != quote && !is_line_end(letter())) {
      if (letter() == '\\') {
        at_ += follows("\\\r\n") ? 2 : 1;
        const bool continues = is_javascript() || !is_line_end(letter());
        if (!continues) break;
      }
      ++at_;
    }
    at_ = std::min(at_, source_.size());
    if (letter() != quote) {
      complain(token.place, "this string does not end on its line");
      return;
    }
    token.kind = HostToken::Kind::text;
    token.pieces = {{HostPiece::Kind::text, unescape(source_.substr(begin, at_ - begin), language_),
                     token.place}};
    ++at_;
  }

  /// A character of Java: no string.
  void read_character(HostToken& token) {
    token.kind = HostToken::Kind::number;
    ++at_;
    while (!at_end() && letter() != '\'' && !is_line_end(letter())) {
      at_ += letter() == '\\' ? 2 : 1;
    }
    at_ = std::min(at_, source_.size());
    if (letter() == '\'') {
      ++at_;
    } else {
      complain(token.place, "this character does not end on its line");
    }
  }

  void read_text_block(HostToken& token) {
    at_ += 3;
    const std::size_t begin = at_;
    while (!at_end() && !follows("\"\"\"")) at_ += letter() == '\\' ? 2 : 1;
    at_ = std::min(at_, source_.size());
    if (at_end()) {
      complain(token.place, "this text block does not end");
      return;
    }
    token.kind = HostToken::Kind::text;
    token.pieces = {
        {HostPiece::Kind::text, text_block(source_.substr(begin, at_ - begin)), token.place}};
    at_ += 3;
  }

  static bool is_raw(const std::vector<HostToken>& before) {
    const std::size_t count = before.size();
    return count >= 3 && before[count - 1].spelling == "raw" && before[count - 2].spelling == "." &&
           before[count - 3].spelling == "String";
  }

  void read_template(HostToken& token, const std::vector<HostToken>& before) {
    const bool is_as_spelt = is_raw(before);
    token.kind = HostToken::Kind::text;
    ++at_;
    std::size_t begin = at_;
    lua::Place place = token.place;
    const auto add_text = [&] {
      const std::string_view inside = source_.substr(begin, std::min(at_, source_.size()) - begin);
      if (inside.empty()) return;
      token.pieces.push_back({HostPiece::Kind::text,
                              is_as_spelt ? std::string(inside) : unescape(inside, language_),
                              place});
    };
    while (!at_end() && letter() != '`') {
      if (!follows("${")) {
        at_ += letter() == '\\' ? 2 : 1;
        continue;
      }
      add_text();
      read_hole(token);
      begin = at_;
      place = here();
    }
    add_text();
    if (at_end()) {
      complain(token.place, "this template does not end");
      at_ = source_.size();
      token.kind = HostToken::Kind::symbol;
      return;
    }
    ++at_;
  }

  /// `${…}`: its tokens are read to find its end.
  void read_hole(HostToken& token) {
    at_ += 2;
    const lua::Place place = here();
    const std::size_t begin = at_;
    std::vector<HostToken> inside;
    ++templates_;
    for (int depth = 0; !at_end() && (depth > 0 || letter() != '}');) {
      if (templates_ > templates_max) {
        at_ = source_.size();
        break;
      }
      if (letter() == '{') ++depth;
      if (letter() == '}') --depth;
      next(inside);
    }
    --templates_;
    const std::size_t end = std::min(at_, source_.size());
    const bool is_literal = inside.size() == 1 && inside[0].kind == HostToken::Kind::text;
    if (is_literal) {
      for (HostPiece& piece : inside[0].pieces) token.pieces.push_back(std::move(piece));
    } else {
      token.pieces.push_back(
          {HostPiece::Kind::expression, std::string(source_.substr(begin, end - begin)), place});
    }
    if (!at_end()) ++at_;
  }

  /// Whether an operand may come behind what was read last, so that `/` begins an expression.
  static bool may_begin_operand(const std::vector<HostToken>& before) {
    if (before.empty()) return true;
    const HostToken& last = before.back();
    if (last.kind == HostToken::Kind::symbol) {
      return last.spelling != ")" && last.spelling != "]" && last.spelling != "}" &&
             last.spelling != "++" && last.spelling != "<";  // </p>
    }
    constexpr std::array<std::string_view, 6> words = {"return", "typeof", "case",
                                                       "in",     "of",     "delete"};
    return last.kind == HostToken::Kind::word &&
           std::find(words.begin(), words.end(), last.spelling) != words.end();
  }

  /// Moves past a regular expression; false where there is none on this line.
  bool skip_expression() {
    bool is_in_class = false;
    const std::size_t end = std::min(source_.size(), at_ + regular_expression_bytes_max);
    for (std::size_t at = at_ + 1; at < end && !is_line_end(source_[at]); ++at) {
      const char each = source_[at];
      if (each == '\\') {
        ++at;
      } else if (each == '[') {
        is_in_class = true;
      } else if (each == ']') {
        is_in_class = false;
      } else if (each == '/' && !is_in_class) {
        at_ = at + 1;
        while (is_word_part(letter())) ++at_;
        return true;
      }
    }
    return false;
  }

  std::string_view source_;
  HostLanguage language_;
  std::size_t at_ = 0;
  std::size_t counted_ = 0;
  std::uint32_t line_ = 1;
  std::size_t line_begin_ = 0;
  int templates_ = 0;
  HostTokens result_;
};

}  // namespace

HostTokens read_host(std::string_view source, HostLanguage language) {
  return HostReader(source, language).read();
}

}  // namespace lockstep::advice
