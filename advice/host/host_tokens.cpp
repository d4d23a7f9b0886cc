#include "advice/host/host_tokens.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "advice/host/host_escapes.h"
#include "advice/host/host_openings.h"
#include "sim/ascii.h"

namespace lockstep::advice {
namespace {

/// A literal in a hole in a literal …: no deeper than this.
constexpr int literals_max = 8;
constexpr std::size_t pattern_bytes_max = 4096;
/// Of a hole in a literal that ends on its line: what is longer is text.
constexpr std::size_t short_hole_bytes_max = 1000;

bool is_word_part(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_' ||
         letter == '$' || sim::is_digit(letter) || static_cast<unsigned char>(letter) >= 0x80;
}
bool is_line_end(char letter) { return letter == '\n' || letter == '\r'; }
bool is_quote(char letter) { return letter == '"' || letter == '\'' || letter == '`'; }

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || is_line_end(text.front()))) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || is_line_end(text.back()))) text.remove_suffix(1);
  return text;
}

class HostReader {
 public:
  HostReader(std::string_view source, const HostSyntax& syntax, bool is_markup, int depth)
      : source_(source), syntax_(syntax), is_markup_(is_markup), depth_(depth) {}

  HostTokens read() {
    if (source_.starts_with("#!")) skip_line();
    const bool has_tags = syntax_.language == HostLanguage::php && depth_ == 0;
    if (has_tags && source_.find("<?") != std::string_view::npos) skip_markup();
    while (!at_end()) next();
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
  [[nodiscard]] bool is(HostLanguage language) const { return syntax_.language == language; }

  /// Counts lines up to where it is asked, so that counting takes no longer than reading.
  struct LineCounter {
    std::size_t counted = 0;
    std::uint32_t line = 1;
    std::size_t line_begin = 0;

    lua::Place place_of(std::size_t at, std::string_view source) {
      for (; counted < at; ++counted) {
        const bool ends_line = source[counted] == '\n' ||
                               (source[counted] == '\r' && source.substr(counted, 2) != "\r\n");
        if (ends_line) {
          ++line;
          line_begin = counted + 1;
        }
      }
      return {line, static_cast<std::uint32_t>(at - line_begin + 1)};
    }
  };

  /// A heredoc's lines are read before the rest of the line that it begins on.
  lua::Place place_of(std::size_t at) {
    return (is_in_heredoc_ ? heredoc_lines_ : lines_read_).place_of(at, source_);
  }

  void complain(const lua::Place& place, std::string what) {
    if (is_markup_) return;
    result_.complaints.push_back({place, std::move(what)});
  }

  void skip_line() {
    while (!at_end() && !is_line_end(letter())) ++at_;
  }

  /// The lines before <?php and behind ?>.
  void skip_markup() {
    const std::size_t open = source_.find("<?", at_);
    at_ = open == std::string_view::npos ? source_.size() : open + 2;
    if (follows("php")) at_ += 3;
    if (follows("=")) ++at_;
  }

  // -- blanks and comments --

  bool skip_line_end() {
    if (!is_line_end(letter())) return false;
    at_ += follows("\r\n") ? 2 : 1;
    if (heredocs_end_ > at_) {
      at_ = heredocs_end_;
      heredocs_end_ = 0;
    }
    begins_line_ = true;
    indentation_ = 0;
    while (letter(indentation_) == ' ' || letter(indentation_) == '\t') ++indentation_;
    return true;
  }

  bool skip_line_comment() {
    const bool is_directive = is(HostLanguage::csharp) && begins_line_ && letter() == '#';
    for (const std::string_view each : syntax_.line_comments) {
      if (!follows(each)) continue;
      if (is(HostLanguage::php) && follows("#[")) continue;
      if (is(HostLanguage::go) && follows("//go:embed ")) note_embedded();
      while (!at_end() && !is_line_end(letter()) && !(is(HostLanguage::php) && follows("?>"))) {
        ++at_;
      }
      return true;
    }
    if (is_directive) skip_line();
    return is_directive;
  }

  void note_embedded() {
    for (const std::string_view name : embedded_scripts(source_, at_)) {
      const auto at = static_cast<std::size_t>(name.data() - source_.data());
      result_.embedded.push_back({place_of(at), std::string(name)});
    }
  }

  bool skip_block_comment() {
    const bool begins_line = at_ == 0 || is_line_end(source_[at_ - 1]);
    if (is(HostLanguage::ruby) && begins_line && follows("=begin")) {
      const std::size_t end = source_.find("\n=end", at_);
      at_ = end == std::string_view::npos ? source_.size() : end + 5;
      return true;
    }
    const std::string_view begin = syntax_.block_comment_begin;
    if (begin.empty() || !follows(begin)) return false;
    const lua::Place place = place_of(at_);
    at_ += begin.size();
    for (int depth = 1; !at_end();) {
      if (follows(syntax_.block_comment_end)) {
        at_ += syntax_.block_comment_end.size();
        if (--depth == 0) return true;
      } else if (syntax_.nests_comments && follows(begin)) {
        at_ += begin.size();
        ++depth;
      } else {
        ++at_;
      }
    }
    complain(place, "this comment does not end");
    return true;
  }

  bool skip_other() {
    const char first = letter();
    if (first == ' ' || first == '\t' || first == '\v' || first == '\f') {
      ++at_;
      return true;
    }
    if (first == '\\' && is_line_end(letter(1))) {  // a line goes on
      const bool begins_line = begins_line_;
      const std::size_t indentation = indentation_;
      ++at_;
      skip_line_end();
      begins_line_ = begins_line;
      indentation_ = indentation;
      return true;
    }
    if (is(HostLanguage::php) && follows("?>")) {
      at_ += 2;
      skip_markup();
      return true;
    }
    const bool ends_code = is(HostLanguage::ruby) && begins_line_ && follows("__END__");
    if (ends_code) at_ = source_.size();
    return ends_code;
  }

  // -- tokens --

  void next() {
    if (skip_line_end() || skip_other() || skip_line_comment() || skip_block_comment()) return;
    HostToken token;
    token.place = place_of(at_);
    token.begins_line = std::exchange(begins_line_, false);
    token.indentation = static_cast<std::uint32_t>(indentation_);
    const std::size_t begin = at_;
    read_token(token);
    token.spelling = source_.substr(begin, at_ - begin);
    result_.list.push_back(std::move(token));
  }

  void read_token(HostToken& token) {
    if (read_heredoc(token)) return;
    const char first = letter();
    const bool is_prefix = std::string_view("rRbBuUfFtTc").find(first) != std::string_view::npos;
    if (!is_word_part(first) || is_prefix || (first == '$' && is(HostLanguage::csharp))) {
      const auto opening = literal_opening(source_, at_, syntax_, may_begin_operand());
      if (opening) return read_literal(token, *opening);
    }
    if (sim::is_digit(first)) {
      token.kind = HostToken::Kind::number;
      while (is_word_part(letter()) || (letter() == '.' && sim::is_digit(letter(1)))) ++at_;
    } else if (is_word_part(first) || (first == '@' && is(HostLanguage::ruby))) {
      read_word(token);
    } else if (first == '/' && syntax_.has_patterns && may_begin_pattern() && skip_pattern()) {
      token.kind = HostToken::Kind::number;
    } else if (first == '?' && is(HostLanguage::ruby) && may_begin_operand() &&
               is_quote(letter(1))) {
      token.kind = HostToken::Kind::number;
      at_ += 2;
    } else {
      skip_symbol();
    }
  }

  void read_word(HostToken& token) {
    token.kind = HostToken::Kind::word;
    const bool is_global = is(HostLanguage::ruby) && letter() == '$' && is_quote(letter(1));
    if (is_global) {
      at_ += 2;
      return;
    }
    while (letter() == '@') ++at_;
    while (is_word_part(letter())) ++at_;
  }

  void skip_symbol() {
    constexpr std::array<std::string_view, 21> long_symbols = {
        "===", "!==", "?->", "=>", "==", "!=", "<=", ">=", "+=", "-=", "++",
        "->",  "?.",  "&.",  ":=", "::", ".=", "=~", "&&", "||", "??"};
    for (const std::string_view symbol : long_symbols) {
      if (follows(symbol)) {
        at_ += symbol.size();
        return;
      }
    }
    ++at_;
  }

  /// Whether an operand may come behind what was read last.
  [[nodiscard]] bool may_begin_operand() const {
    if (result_.list.empty()) return true;
    const HostToken& last = result_.list.back();
    if (last.kind == HostToken::Kind::symbol) {
      return last.spelling != ")" && last.spelling != "]" && last.spelling != "}" &&
             last.spelling != "++";
    }
    constexpr std::array<std::string_view, 14> words = {"return", "typeof", "case", "in",  "of",
                                                        "delete", "and",    "or",   "not", "if",
                                                        "when",   "unless", "then", "puts"};
    if (last.kind != HostToken::Kind::word) return false;
    if (std::find(words.begin(), words.end(), last.spelling) != words.end()) return true;
    // Ruby's `eval %q(…)`: a blank before, none behind.
    const bool is_apart =
        at_ > 0 && source_[at_ - 1] == ' ' && letter(1) != ' ' && letter(1) != '=';
    return is(HostLanguage::ruby) && is_apart;
  }

  [[nodiscard]] bool may_begin_pattern() const {
    const bool closes_tag = !result_.list.empty() && result_.list.back().spelling == "<";  // </p>
    return may_begin_operand() && !closes_tag;
  }

  /// Moves past a pattern; false where there is none on this line.
  bool skip_pattern() {
    bool is_in_class = false;
    const std::size_t end = std::min(source_.size(), at_ + pattern_bytes_max);
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

  // -- literals --

  void read_literal(HostToken& token, const LiteralOpening& opening) {
    const std::size_t begin = at_;
    at_ += opening.length;
    HostText raw;
    if (!read_inside(raw, opening)) {
      if (opening.takes_lines) {
        complain(token.place, "this string does not end");
        at_ = source_.size();
      } else {
        complain(token.place, opening.kind == LiteralKind::character
                                  ? "this character does not end on its line"
                                  : "this string does not end on its line");
        at_ = std::max(begin + 1, is_markup_ ? begin + 1 : at_);
      }
      return;
    }
    token.kind =
        opening.kind == LiteralKind::other ? HostToken::Kind::number : HostToken::Kind::text;
    token.is_character = opening.kind == LiteralKind::character;
    if (is(HostLanguage::csharp) && follows("u8")) at_ += 2;  // as bytes
    finish(token, std::move(raw), opening);
  }

  /// Reads to behind the closing quotes; false if there are none.
  bool read_inside(HostText& raw, const LiteralOpening& opening) {
    for (std::size_t depth = 0; !at_end();) {
      if (depth == 0 && follows(opening.close)) {
        const std::size_t size = opening.close.size();
        const bool is_doubled =
            opening.doubles_close && source_.substr(at_ + size, size) == opening.close;
        const bool is_given_back = opening.gives_close_back && size == 3 && letter(size) == '"';
        if (!is_doubled && !is_given_back) {
          at_ += size;
          return true;
        }
        raw.text += letter();
        at_ += is_doubled ? 2 * size : 1;
        continue;
      }
      if (is_line_end(letter()) && !opening.takes_lines) return false;
      if (letter() == '\\' && opening.backslash != Backslash::plain) {
        const bool ends_line = is_line_end(letter(1));
        const bool goes_on =
            opening.takes_lines || is(HostLanguage::javascript) || is(HostLanguage::python);
        if (ends_line && !goes_on) return false;
        raw.text += '\\';
        ++at_;
        if (!at_end()) add_letter(raw);
        continue;
      }
      if (letter() == opening.nested_open && opening.nested_open != '\0') ++depth;
      if (depth > 0 && letter() == opening.close[0]) --depth;
      if (!read_hole(raw, opening)) add_letter(raw);
    }
    return false;
  }

  /// Line ends are as the language has them: one character.
  void add_letter(HostText& raw) {
    if (letter() == '\r') {
      at_ += follows("\r\n") ? 2 : 1;
      raw.text += '\n';
    } else {
      raw.text += source_[at_++];
    }
  }

  /// Also reads `{{` where it means a brace. False: the next character is text.
  bool read_hole(HostText& raw, const LiteralOpening& opening) {
    const std::string_view rest = source_.substr(at_, 3);
    const bool begins_name = rest.size() > 1 && rest[0] == '$' && is_word_part(rest[1]) &&
                             rest[1] != '$' && !sim::is_digit(rest[1]);
    switch (opening.holes) {
      case Holes::none:
        return false;
      case Holes::dollar_braces:
        return rest.starts_with("${") && read_braces(raw, opening, 2, 1);
      case Holes::dollar:
        if (begins_name) return read_name(raw);
        return rest.starts_with("${") && read_braces(raw, opening, 2, 1);
      case Holes::hash_braces:
        return rest.starts_with("#{") && read_braces(raw, opening, 2, 1);
      case Holes::php:
        if (begins_name) return read_name(raw);
        if (rest.starts_with("{$")) return read_braces(raw, opening, 1, 1);
        return rest.starts_with("${") && read_braces(raw, opening, 2, 1);
      case Holes::braces:
        break;
    }
    const bool is_brace = letter() == '{' || letter() == '}';
    if (!is_brace) return false;
    if (opening.doubles_braces && letter(1) == letter()) {
      raw.text += letter();
      at_ += 2;
      return true;
    }
    std::size_t count = 0;
    while (letter(count) == '{') ++count;
    if (count < opening.braces) return false;
    for (; count > opening.braces; --count) add_letter(raw);
    return read_braces(raw, opening, opening.braces, opening.braces);
  }

  /// `$name`, in PHP with one `->member` or `[index]`.
  bool read_name(HostText& raw) {
    const lua::Place place = place_of(at_);
    const std::size_t begin = at_++;
    while (is_word_part(letter()) && letter() != '$') ++at_;
    if (is(HostLanguage::php) && follows("->") && is_word_part(letter(2))) {
      at_ += 2;
      while (is_word_part(letter())) ++at_;
    } else if (is(HostLanguage::php) && letter() == '[') {
      const std::size_t end = source_.substr(at_, short_hole_bytes_max).find(']');
      if (end != std::string_view::npos) at_ += end + 1;
    }
    const std::size_t skipped = is(HostLanguage::php) ? 0 : 1;
    raw.add_hole(std::string(source_.substr(begin + skipped, at_ - begin - skipped)), place);
    return true;
  }

  bool read_braces(HostText& raw, const LiteralOpening& opening, std::size_t open,
                   std::size_t close) {
    const std::size_t begin = at_ + open;
    const std::size_t limit = opening.takes_lines
                                  ? source_.size()
                                  : std::min(source_.size(), begin + short_hole_bytes_max);
    const std::size_t end = closing_brace(source_, begin, limit);
    if (end == std::string_view::npos) {
      if (opening.takes_lines) at_ = source_.size();  // so that it is looked for once
      return opening.takes_lines;
    }
    add_expression(raw, source_.substr(begin, end - begin), place_of(begin));
    at_ = std::min(end + close, source_.size());
    return true;
  }

  /// A literal as expression is text: ${'$'}.
  void add_expression(HostText& raw, std::string_view expression, const lua::Place& place) {
    const std::string_view inside = without_blanks(expression);
    if (!inside.empty() && is_quote(inside[0]) && depth_ < literals_max) {
      const HostTokens tokens = HostReader(inside, syntax_, true, depth_ + 1).read();
      if (tokens.list.size() == 1 && tokens.list[0].kind == HostToken::Kind::text) {
        known_.insert({raw.holes.size(), tokens.list[0].text});
      }
    }
    raw.add_hole(std::string(expression), place);
  }

  /// From what stands between the quotes to the value.
  void finish(HostToken& token, HostText raw, const LiteralOpening& opening) {
    switch (opening.layout) {
      case Layout::as_is:
        break;
      case Layout::text_block:
        lay_out_text_block(raw);
        break;
      case Layout::by_last_line:
        lay_out_by_last_line(raw);
        break;
    }
    set_value(token, std::move(raw), opening.backslash, opening.close.back());
  }

  void set_value(HostToken& token, HostText raw, Backslash backslash, char quote) {
    const bool is_as_spelt = is(HostLanguage::javascript) && is_raw_template();
    if (backslash == Backslash::escapes && !is_as_spelt) raw = unescape(raw, syntax_.escapes);
    if (backslash == Backslash::quotes) raw = unescape_quotes(raw, quote);
    token.text = std::move(raw);
    fill_known(token.text);
  }

  /// Puts in place of holes what they are known to be.
  void fill_known(HostText& value) {
    if (known_.empty()) return;
    HostText filled;
    std::size_t at = 0;
    for (std::size_t i = 0; i < value.holes.size(); ++i) {
      filled.append(std::string_view(value.text).substr(at, value.holes[i].at - at));
      at = value.holes[i].at;
      const auto known = known_.find(i);
      if (known != known_.end()) {
        filled.append(known->second);
      } else {
        filled.add_hole(value.holes[i].expression, value.holes[i].place);
      }
    }
    filled.append(std::string_view(value.text).substr(at));
    value = std::move(filled);
    known_.clear();
  }

  [[nodiscard]] bool is_raw_template() const {
    const std::vector<HostToken>& before = result_.list;
    const std::size_t count = before.size();
    return count >= 3 && before[count - 1].spelling == "raw" && before[count - 2].spelling == "." &&
           before[count - 3].spelling == "String";
  }

  // -- heredocs --

  /// The lines that a heredoc may end with, by their text without blanks around it: of PHP what
  /// stands before the first character that is no name's.
  void index_lines() {
    if (is_indexed_) return;
    is_indexed_ = true;
    for (std::size_t begin = 0; begin < source_.size();) {
      const std::size_t end = std::min(source_.find('\n', begin), source_.size());
      std::string_view line = source_.substr(begin, end - begin);
      const std::size_t blanks = std::min(line.find_first_not_of(" \t"), line.size());
      line.remove_prefix(blanks);
      std::size_t length = 0;
      while (length < line.size() && is_word_part(line[length])) ++length;
      const std::string_view behind = without_blanks(line.substr(length));
      const bool may_end = length > 0 && (behind.empty() || is(HostLanguage::php));
      if (may_end) lines_[line.substr(0, length)].push_back({begin, blanks});
      begin = end + 1;
    }
  }

  bool read_heredoc(HostToken& token) {
    const bool may_be = is(HostLanguage::php) || is(HostLanguage::ruby);
    if (!may_be || !follows("<<")) return false;
    const auto opening = heredoc_opening(source_, at_, syntax_.language);
    if (!opening) return false;
    index_lines();
    const std::size_t line_end = source_.find('\n', at_);
    const auto lines = lines_.find(opening->terminator);
    if (line_end == std::string_view::npos || lines == lines_.end()) return false;
    const std::size_t begin = std::max(line_end + 1, heredocs_end_);
    const auto end = std::find_if(
        std::lower_bound(
            lines->second.begin(), lines->second.end(), begin,
            [](const TerminatorLine& line, std::size_t at) { return line.begin < at; }),
        lines->second.end(), [&opening](const TerminatorLine& line) {
          return opening->may_be_indented || line.blanks == 0;
        });
    if (end == lines->second.end()) return false;
    const std::size_t opening_at = at_;
    HostText raw = read_lines(begin, end->begin, opening->is_raw);
    if (opening->removes_margin) remove_shared_margin(raw, 0);
    const std::size_t behind = end->begin + end->blanks + opening->terminator.size();
    if (is(HostLanguage::php)) {
      if (raw.text.ends_with('\n')) raw.text.pop_back();
      remove_margin(raw, end->blanks);
      at_ = behind;
    } else {
      at_ = opening_at + opening->length;
      const std::size_t next_line = source_.find('\n', behind);
      heredocs_end_ = next_line == std::string_view::npos ? source_.size() : next_line + 1;
    }
    token.kind = HostToken::Kind::text;
    set_value(token, std::move(raw), opening->is_raw ? Backslash::plain : Backslash::escapes, '\0');
    return true;
  }

  HostText read_lines(std::size_t begin, std::size_t end, bool is_raw) {
    LiteralOpening inside;
    inside.takes_lines = true;
    if (!is_raw) inside.holes = is(HostLanguage::php) ? Holes::php : Holes::hash_braces;
    HostText raw;
    at_ = begin;
    is_in_heredoc_ = true;
    while (at_ < end) {
      if (letter() == '\\' && !is_raw && at_ + 1 < end) {
        raw.text += '\\';
        ++at_;
        add_letter(raw);
      } else if (!read_hole(raw, inside)) {
        add_letter(raw);
      }
    }
    is_in_heredoc_ = false;
    return raw;
  }

  struct TerminatorLine {
    std::size_t begin;
    std::size_t blanks;
  };

  std::string_view source_;
  const HostSyntax& syntax_;
  bool is_markup_;
  int depth_;
  std::size_t at_ = 0;
  LineCounter lines_read_;
  LineCounter heredoc_lines_;
  bool is_in_heredoc_ = false;
  bool begins_line_ = true;
  std::size_t indentation_ = 0;
  std::size_t heredocs_end_ = 0;  // where reading goes on behind this line's heredocs
  bool is_indexed_ = false;
  std::map<std::string_view, std::vector<TerminatorLine>> lines_;
  std::map<std::size_t, HostText> known_;  // what holes of the literal are that is being read
  HostTokens result_;
};

}  // namespace

HostTokens read_host(std::string_view source, HostLanguage language, bool is_markup) {
  return HostReader(source, syntax_of(language), is_markup, 0).read();
}

}  // namespace lockstep::advice
