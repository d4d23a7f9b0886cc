#include "advice/script_extraction.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "advice/enclosing_names.h"

namespace lockstep::advice {
namespace {

using Pieces = std::vector<HostPiece>;

/// Brackets in brackets in brackets: deeper ones are no script's.
constexpr int group_depth_max = 60;
/// What an expression that is no literal may have of tokens; a longer one is cut off.
constexpr std::size_t expression_tokens_max = 200;
constexpr std::size_t expression_bytes_max = 300;

constexpr std::array<std::string_view, 8> javascript_endings = {".js", ".mjs", ".cjs", ".jsx",
                                                                ".ts", ".mts", ".cts", ".tsx"};

bool is_lua(std::string_view text) {
  for (const std::string_view sign : {"redis.call", "redis.pcall", "KEYS[", "ARGV["}) {
    if (text.find(sign) != std::string_view::npos) return true;
  }
  return false;
}

std::string file_name(std::string_view name) {
  std::string result;
  for (const char letter : name) {
    const bool is_plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                          (letter >= '0' && letter <= '9') || letter == '_' || letter == '-';
    result += is_plain ? letter : '-';
  }
  constexpr std::size_t characters_max = 80;
  result.resize(std::min(result.size(), characters_max));
  const bool says_nothing = result.find_first_not_of('-') == std::string::npos;
  return says_nothing ? "script" : result;
}

class Extractor {
 public:
  Extractor(std::string_view source, HostLanguage language)
      : language_(language),
        read_(read_host(source, language)),
        tokens_(read_.list),
        names_(tokens_),
        used_(tokens_.size(), false) {}

  Extraction run() {
    find_lists();
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].kind == HostToken::Kind::text && !used_[i]) find_chain(i);
    }
    std::stable_sort(result_.scripts.begin(), result_.scripts.end(),
                     [](const auto& one, const auto& other) { return one.place < other.place; });
    result_.complaints = std::move(read_.complaints);
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool is(std::size_t index, std::string_view spelling) const {
    return index < tokens_.size() && tokens_[index].kind != HostToken::Kind::text &&
           tokens_[index].spelling == spelling;
  }
  [[nodiscard]] bool is_text(std::size_t index) const {
    return index < tokens_.size() && tokens_[index].kind == HostToken::Kind::text;
  }
  [[nodiscard]] bool ends_operand(std::size_t index) const {
    if (index >= tokens_.size()) return false;
    return tokens_[index].kind != HostToken::Kind::symbol || is(index, ")") || is(index, "]");
  }

  // -- lists of pieces --

  /// `[a, b].join(separator)` and `String.join(separator, a, b)`, the innermost last.
  void find_lists() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (language_ == HostLanguage::javascript && is(i, "[") && (i == 0 || !ends_operand(i - 1))) {
        joined_array(i);
      } else if (language_ == HostLanguage::java && is(i, "String") && is(i + 1, ".") &&
                 is(i + 2, "join") && is(i + 3, "(") && is_text(i + 4) && is(i + 5, ",")) {
        join_parts(i, i + 6, names_.matching_bracket(i + 3), separator_at(i + 4));
      }
    }
  }

  [[nodiscard]] std::string separator_at(std::size_t index) const {
    std::string separator;
    for (const HostPiece& piece : tokens_[index].pieces) separator += piece.text;
    return separator;
  }

  void joined_array(std::size_t open) {
    const std::size_t close = names_.matching_bracket(open);
    if (close >= tokens_.size()) return;
    const bool is_join =
        (is(close + 1, ".") || is(close + 1, "?.")) && is(close + 2, "join") && is(close + 3, "(");
    if (!is_join) return;
    if (is(close + 4, ")")) return join_parts(open, open + 1, close, ",");
    if (is_text(close + 4) && is(close + 5, ")")) {
      used_[close + 4] = true;
      join_parts(open, open + 1, close, separator_at(close + 4));
    }
  }

  /// Elements from `at` to before `end`, with a separator between.
  void join_parts(std::size_t begin, std::size_t at, std::size_t end,
                  const std::string& separator) {
    Pieces pieces;
    bool has_text = false;
    while (at < end && end <= tokens_.size()) {
      if (!pieces.empty()) pieces.push_back({HostPiece::Kind::text, separator, {}});
      const std::size_t stop = element_end(at, end);
      if (stop == at) {
        ++at;
        continue;
      }
      has_text = collect(at, stop, pieces, 0) || has_text;
      at = stop + 1;
    }
    if (has_text) add(begin, pieces);
  }

  [[nodiscard]] std::size_t element_end(std::size_t at, std::size_t end) const {
    while (at < end && !is(at, ",")) at = past(at);
    return std::min(at, end);
  }

  /// The token behind this one, or behind the brackets that it opens.
  [[nodiscard]] std::size_t past(std::size_t at) const {
    const bool opens = is(at, "(") || is(at, "[") || is(at, "{");
    const std::size_t matching_bracket = opens ? names_.matching_bracket(at) : at;
    return matching_bracket >= tokens_.size() ? tokens_.size() : std::max(matching_bracket, at) + 1;
  }

  // -- chains of + --

  [[nodiscard]] bool ends_chain(std::size_t index) const {
    if (index >= tokens_.size()) return true;
    for (const std::string_view symbol :
         {",", ")", "]", "}", ";", "?", ":", "=", "(", "[", "{", "=>", "+="}) {
      if (is(index, symbol)) return true;
    }
    return is(index, "return");
  }

  /// The whole of what the literal at `first` is joined with.
  void find_chain(std::size_t first) {
    std::size_t begin = tag_begin(first);
    std::size_t end = operand_end(first);
    for (;;) {
      begin = chain_begin(begin);
      while (is(end, "+") && end + 1 < tokens_.size()) end = operand_end(end + 1);
      const bool is_grouped = begin > 0 && is(begin - 1, "(") && is(end, ")") &&
                              names_.matching_bracket(begin - 1) == end &&
                              (begin < 2 || !ends_operand(begin - 2));
      if (!is_grouped) break;
      --begin;
      end = operand_end(begin);
    }
    Pieces pieces;
    if (collect(begin, end, pieces, 0)) add(begin, pieces);
  }

  /// Back over `operand +` before it.
  [[nodiscard]] std::size_t chain_begin(std::size_t begin) const {
    std::size_t steps = 0;
    while (begin > 1 && is(begin - 1, "+")) {
      std::size_t at = begin - 1;
      while (at > 0 && steps++ < expression_tokens_max) {
        const bool closes = is(at - 1, ")") || is(at - 1, "]");
        if (closes && names_.matching_bracket(at - 1) < tokens_.size()) {
          at = names_.matching_bracket(at - 1);
        } else if (ends_chain(at - 1) || is(at - 1, "+")) {
          break;
        } else {
          --at;
        }
      }
      if (at == begin - 1) break;
      begin = at;
    }
    return begin;
  }

  /// Behind the operand that begins here, with what is called on it.
  [[nodiscard]] std::size_t operand_end(std::size_t at) const {
    std::size_t end = past(at);
    while (end < tokens_.size() && !is(end, "+")) {
      const bool is_called = (is(end, "(") || is(end, "[")) && ends_operand(end - 1);
      if (!is_called && ends_chain(end)) break;
      end = past(end);
    }
    return end;
  }

  /// Puts the pieces of `a + b + …` together; false where none of them is text. Marks them used.
  bool collect(std::size_t at, std::size_t end, Pieces& pieces, int depth) {
    bool has_text = false;
    while (at < end) {
      const std::size_t stop = std::min(operand_end(at), end);
      has_text = collect_operand(at, stop, pieces, depth) || has_text;
      at = std::max(stop, at + 1);
      if (at < end && is(at, "+")) ++at;
    }
    return has_text;
  }

  bool collect_operand(std::size_t at, std::size_t stop, Pieces& pieces, int depth) {
    const bool is_tagged = tokens_[at].kind == HostToken::Kind::word && tag_end(at) < stop;
    if (is_tagged) at = tag_end(at);
    if (is_text(at)) {
      used_[at] = true;
      pieces.insert(pieces.end(), tokens_[at].pieces.begin(), tokens_[at].pieces.end());
      return true;
    }
    const bool is_group =
        is(at, "(") && names_.matching_bracket(at) + 1 == stop && depth < group_depth_max;
    if (is_group) {
      const std::size_t inner_end = names_.matching_bracket(at);
      Pieces inner;
      const bool is_sum = chain_covers(at + 1, inner_end);
      if (is_sum && collect(at + 1, inner_end, inner, depth + 1)) {
        pieces.insert(pieces.end(), std::make_move_iterator(inner.begin()),
                      std::make_move_iterator(inner.end()));
        return true;
      }
    }
    const std::size_t last = std::min(stop, tokens_.size()) - 1;
    const char* const from = tokens_[at].spelling.data();
    const char* const to = end_of(tokens_[last]);
    const std::string_view spelling(from, static_cast<std::size_t>(to - from));
    pieces.push_back({HostPiece::Kind::expression,
                      std::string(spelling.substr(0, expression_bytes_max)), tokens_[at].place});
    return false;
  }

  [[nodiscard]] static const char* end_of(const HostToken& token) {
    return token.spelling.data() + token.spelling.size();
  }

  /// Back over the tag right before a template.
  [[nodiscard]] std::size_t tag_begin(std::size_t text) const {
    std::size_t begin = text;
    const bool is_template = tokens_[text].spelling.starts_with('`');
    while (is_template && begin > 0 &&
           end_of(tokens_[begin - 1]) == tokens_[begin].spelling.data() &&
           (tokens_[begin - 1].kind == HostToken::Kind::word || is(begin - 1, "."))) {
      --begin;
    }
    return begin;
  }

  /// A template with a tag before it: dedent`…`, String.raw`…`.
  [[nodiscard]] std::size_t tag_end(std::size_t at) const {
    while (at + 1 < tokens_.size() && tokens_[at].kind == HostToken::Kind::word) {
      if (is(at + 1, ".")) {
        at += 2;
        continue;
      }
      const bool is_template = is_text(at + 1) && tokens_[at + 1].spelling.starts_with('`');
      return is_template ? at + 1 : tokens_.size();
    }
    return tokens_.size();
  }

  /// Nothing but operands and `+` between the brackets.
  [[nodiscard]] bool chain_covers(std::size_t at, std::size_t end) const {
    while (at < end) {
      at = operand_end(at);
      if (at < end && !is(at, "+")) return false;
      if (at < end) ++at;
    }
    return at == end;
  }

  // -- what is found --

  void add(std::size_t begin, const Pieces& pieces) {
    ExtractedScript script;
    std::string literal;
    for (const HostPiece& piece : pieces) {
      if (piece.kind == HostPiece::Kind::text) {
        literal += piece.text;
        script.body += piece.text;
      } else {
        script.holes.push_back({piece.place, piece.text});
        script.body.append("<<").append(one_line(piece.text)).append(">>");
      }
    }
    if (!is_lua(literal)) return;
    script.place = first_place(pieces, begin);
    script.name = file_name(names_.name_of(begin));
    result_.scripts.push_back(std::move(script));
  }

  [[nodiscard]] lua::Place first_place(const Pieces& pieces, std::size_t begin) const {
    for (const HostPiece& piece : pieces) {
      if (piece.place.line > 0) return piece.place;
    }
    return tokens_[begin].place;
  }

  static std::string one_line(std::string_view text) {
    std::string result(text);
    for (char& letter : result) {
      if (letter == '\n' || letter == '\r') letter = ' ';
    }
    return result;
  }

  HostLanguage language_;
  HostTokens read_;
  const std::vector<HostToken>& tokens_;
  EnclosingNames names_;
  std::vector<bool> used_;
  Extraction result_;
};

}  // namespace

std::optional<HostLanguage> language_of_file(const std::filesystem::path& path) {
  const std::string ending = path.extension().string();
  if (ending == ".java") return HostLanguage::java;
  const auto end = javascript_endings.end();
  if (std::find(javascript_endings.begin(), end, ending) != end) return HostLanguage::javascript;
  return std::nullopt;
}

Extraction extract_scripts(std::string_view source, HostLanguage language) {
  return Extractor(source, language).run();
}

void number_names(std::vector<ExtractedScript*>& scripts) {
  std::set<std::string> taken;
  std::map<std::string, int> numbers;  // the last one that a name was given
  for (ExtractedScript* const script : scripts) {
    const std::string name = script->name;
    while (!taken.insert(script->name).second) {
      int& number = numbers.insert({name, 1}).first->second;
      script->name = name + "-" + std::to_string(++number);
    }
  }
}

}  // namespace lockstep::advice
