#include "advice/host/host_openings.h"

#include <algorithm>

#include "sim/ascii.h"

namespace lockstep::advice {
namespace {

char letter_at(std::string_view source, std::size_t at) {
  return at < source.size() ? source[at] : '\0';
}
bool is_letter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_';
}
bool is_name_part(char letter) { return is_letter(letter) || sim::is_digit(letter); }

std::size_t count_of(std::string_view source, std::size_t at, char letter) {
  std::size_t count = 0;
  while (letter_at(source, at + count) == letter) ++count;
  return count;
}

LiteralOpening as_opening(const LiteralForm& form) {
  LiteralOpening opening;
  opening.length = form.open.size();
  opening.close = form.close;
  opening.backslash = form.backslash;
  opening.holes = form.holes;
  opening.takes_lines = form.takes_lines;
  opening.doubles_close = form.doubles_close;
  opening.layout = form.layout;
  opening.kind = form.kind;
  return opening;
}

std::optional<LiteralOpening> from_table(std::string_view source, std::size_t at,
                                         const HostSyntax& syntax) {
  for (const LiteralForm& form : syntax.literals) {
    if (source.substr(at, form.open.size()) == form.open) return as_opening(form);
  }
  return std::nullopt;
}

/// r"…", f'…', Rb"""…""".
std::optional<LiteralOpening> of_python(std::string_view source, std::size_t at,
                                        const HostSyntax& syntax) {
  constexpr std::size_t prefix_max = 2;
  std::size_t length = 0;
  bool is_raw = false;
  bool is_formatted = false;
  for (; length < prefix_max; ++length) {
    const char letter = letter_at(source, at + length);
    if (std::string_view("rRbBuUfFtT").find(letter) == std::string_view::npos) break;
    is_raw = is_raw || letter == 'r' || letter == 'R';
    is_formatted = is_formatted || letter == 'f' || letter == 'F' || letter == 't' || letter == 'T';
  }
  std::optional<LiteralOpening> opening = from_table(source, at + length, syntax);
  if (!opening) return std::nullopt;
  opening->length += length;
  if (is_raw) opening->backslash = Backslash::shields;
  if (is_formatted) opening->holes = Holes::braces;
  return opening;
}

/// @"…", $"…", $@"…", """…""", $$"""…""".
std::optional<LiteralOpening> of_csharp(std::string_view source, std::size_t at,
                                        const HostSyntax& syntax) {
  std::size_t length = 0;
  std::size_t dollars = 0;
  bool is_verbatim = false;
  for (;; ++length) {
    const char letter = letter_at(source, at + length);
    if (letter == '$') {
      ++dollars;
    } else if (letter == '@') {
      is_verbatim = true;
    } else {
      break;
    }
  }
  const std::size_t quotes = count_of(source, at + length, '"');
  if (quotes == 0) return length == 0 ? from_table(source, at, syntax) : std::nullopt;
  LiteralOpening opening = as_opening(syntax.literals.front());
  opening.length = length + 1;
  if (dollars > 0) opening.holes = Holes::braces;
  if (is_verbatim) {
    opening.backslash = Backslash::plain;
    opening.takes_lines = true;
    opening.doubles_close = true;
  } else if (quotes >= 3) {
    opening.length = length + quotes;
    opening.close = std::string(quotes, '"');
    opening.backslash = Backslash::plain;
    opening.takes_lines = true;
    opening.braces = std::max<std::size_t>(1, dollars);
    opening.doubles_braces = false;
    opening.layout = Layout::by_last_line;
  }
  return opening;
}

/// r"…", r#"…"#, b"…", br#"…"#, c"…"; a lifetime is none: 'a.
std::optional<LiteralOpening> of_rust(std::string_view source, std::size_t at,
                                      const HostSyntax& syntax) {
  std::size_t length = 0;
  const char first = letter_at(source, at);
  if (first == 'b' || first == 'c') ++length;
  if (letter_at(source, at + length) == 'r') {
    const std::size_t hashes = count_of(source, at + length + 1, '#');
    if (letter_at(source, at + length + 1 + hashes) != '"') return std::nullopt;
    LiteralOpening opening = as_opening(syntax.literals.front());
    opening.length = length + hashes + 2;
    opening.close = "\"" + std::string(hashes, '#');
    opening.backslash = Backslash::plain;
    return opening;
  }
  if (letter_at(source, at + length) == '"') {
    LiteralOpening opening = as_opening(syntax.literals.front());
    opening.length = length + 1;
    return opening;
  }
  if (letter_at(source, at + length) != '\'') return std::nullopt;
  std::size_t end = at + length + 2;  // behind one character
  while (end < source.size() && (static_cast<unsigned char>(source[end]) & 0xC0U) == 0x80U) ++end;
  const bool is_character =
      letter_at(source, at + length + 1) == '\\' || letter_at(source, end) == '\'';
  if (!is_character) return std::nullopt;
  LiteralOpening opening;
  opening.length = length + 1;
  opening.close = "'";
  opening.kind = LiteralKind::character;
  return opening;
}

/// %q(…), %Q[…], %(…), %w[…], ?x.
std::optional<LiteralOpening> of_ruby(std::string_view source, std::size_t at,
                                      const HostSyntax& syntax, bool may_begin_operand) {
  if (letter_at(source, at) != '%') return from_table(source, at, syntax);
  const char type = letter_at(source, at + 1);
  const bool has_type = std::string_view("qQwWiIrsx").find(type) != std::string_view::npos;
  const char quote = letter_at(source, at + (has_type ? 2 : 1));
  constexpr std::string_view quotes = "([{<|!/^";
  constexpr std::string_view closings = ")]}>|!/^";
  const std::size_t index = quotes.find(quote);
  if (index == std::string_view::npos) return std::nullopt;
  // `a %(b)` divides; with a letter it is hardly a name.
  if (!may_begin_operand && (!has_type || quote == '|')) return std::nullopt;
  LiteralOpening opening;
  opening.length = has_type ? 3 : 2;
  opening.close = closings[index];
  opening.takes_lines = true;
  if (opening.close[0] != quote) opening.nested_open = quote;
  const bool is_text = !has_type || type == 'q' || type == 'Q';
  if (!is_text) opening.kind = LiteralKind::other;
  if (type == 'q') {
    opening.backslash = Backslash::quotes;
  } else {
    opening.holes = Holes::hash_braces;
  }
  return opening;
}

std::size_t name_length(std::string_view source, std::size_t at) {
  if (!is_letter(letter_at(source, at))) return 0;
  std::size_t length = 0;
  while (is_name_part(letter_at(source, at + length))) ++length;
  return length;
}

/// The terminator's name, in quotes perhaps; moves `at` behind it. False: there is none.
bool read_terminator(std::string_view source, std::size_t& at, HeredocOpening& opening) {
  const char quote = letter_at(source, at);
  const bool is_quoted = quote == '"' || quote == '\'' || quote == '`';
  if (is_quoted) ++at;
  const std::size_t length = name_length(source, at);
  if (length == 0) return false;
  opening.terminator = source.substr(at, length);
  at += length;
  if (!is_quoted) return true;
  opening.is_raw = quote == '\'';
  return letter_at(source, at++) == quote;
}

bool opens_quote(char letter) { return letter == '"' || letter == '\'' || letter == '`'; }

}  // namespace

std::vector<std::string_view> embedded_scripts(std::string_view source, std::size_t at) {
  std::vector<std::string_view> names;
  const std::size_t line_end = std::min(source.find('\n', at), source.size());
  while (at < line_end) {
    const std::size_t end = std::min(source.find_first_of(" \t\r\n", at), line_end);
    const std::string_view name = source.substr(at, end - at);
    if (name.ends_with(".lua")) names.push_back(name);
    at = end + 1;
  }
  return names;
}

std::size_t closing_brace(std::string_view source, std::size_t at, std::size_t end) {
  // What is open, innermost last: braces, and quotes that may have ${…} inside.
  std::string open = "{";
  for (; at < end; ++at) {
    const char letter = source[at];
    const char inner = open.back();
    if (letter == '\\') {
      ++at;
    } else if (inner == '`') {
      if (letter == '`') open.pop_back();
      if (source.substr(at, 2) == "${") {
        open += '{';
        ++at;
      }
    } else if (inner == '"' || inner == '\'') {
      if (letter == inner || letter == '\n') open.pop_back();
    } else if (letter == '{' || opens_quote(letter)) {
      open += letter;
    } else if (letter == '}') {
      open.pop_back();
      if (open.empty()) return at;
    }
  }
  return std::string_view::npos;
}

std::optional<LiteralOpening> literal_opening(std::string_view source, std::size_t at,
                                              const HostSyntax& syntax, bool may_begin_operand) {
  switch (syntax.language) {
    case HostLanguage::python:
      return of_python(source, at, syntax);
    case HostLanguage::csharp:
      return of_csharp(source, at, syntax);
    case HostLanguage::rust:
      return of_rust(source, at, syntax);
    case HostLanguage::ruby:
      return of_ruby(source, at, syntax, may_begin_operand);
    case HostLanguage::java:
    case HostLanguage::kotlin:
    case HostLanguage::javascript:
    case HostLanguage::go:
    case HostLanguage::php:
      break;
  }
  std::optional<LiteralOpening> opening = from_table(source, at, syntax);
  if (opening && syntax.language == HostLanguage::kotlin) opening->gives_close_back = true;
  return opening;
}

std::optional<HeredocOpening> heredoc_opening(std::string_view source, std::size_t at,
                                              HostLanguage language) {
  HeredocOpening opening;
  std::size_t end = at;
  if (language == HostLanguage::php && source.substr(at, 3) == "<<<") {
    end += 3;
    while (letter_at(source, end) == ' ' || letter_at(source, end) == '\t') ++end;
    opening.may_be_indented = true;
    if (!read_terminator(source, end, opening)) return std::nullopt;
  } else if (language == HostLanguage::ruby && source.substr(at, 2) == "<<") {
    end += 2;
    opening.removes_margin = letter_at(source, end) == '~';
    opening.may_be_indented = opening.removes_margin || letter_at(source, end) == '-';
    if (opening.may_be_indented) ++end;
    if (!read_terminator(source, end, opening)) return std::nullopt;
  } else {
    return std::nullopt;
  }
  opening.length = end - at;
  return opening;
}

}  // namespace lockstep::advice
