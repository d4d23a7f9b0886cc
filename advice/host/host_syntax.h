// The tables of the languages that lock libraries are written in: their comments, their string
// literals, how they join strings, how they write blocks.
//
// What a table can't say (Python's prefixes, Rust's r#"…"#, C#'s raw strings, heredocs, Ruby's %q)
// is in host_tokens.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lockstep::advice {

enum class HostLanguage : std::uint8_t {
  java,
  kotlin,
  javascript,  ///< and TypeScript
  python,
  go,
  csharp,
  php,
  ruby,
  rust,
};
inline constexpr std::size_t host_languages = 9;

/// What stands behind a backslash.
struct EscapeRules {
  std::string_view letters;    ///< which letters mean another one
  std::string_view meanings;   ///< in the same order
  bool keeps_unknown = false;  ///< `\q` is two characters, not one
  std::size_t octal_digits = 0;
  std::size_t hexadecimal_digits_min = 0;  ///< behind `\x`
  std::size_t hexadecimal_digits_max = 0;
  bool has_unicode = false;        ///< `\u0041`
  bool has_long_unicode = false;   ///< `\U0001F512`
  bool has_braces = false;         ///< `\u{1F512}`
  bool joins_lines = true;         ///< a backslash at a line's end joins it to the next
  bool trims_joined_line = false;  ///< and takes the next one's blanks
};

enum class Backslash : std::uint8_t {
  plain,  ///< a character like others
  escapes,
  shields,  ///< the next character does not end the literal; both are kept
  quotes,   ///< only a backslash and a quote have one before them
};

/// Which expressions a literal may have inside.
enum class Holes : std::uint8_t {
  none,
  dollar_braces,  ///< ${…}
  dollar,         ///< $name and ${…}
  hash_braces,    ///< #{…}
  braces,         ///< {…}; {{ and }} are braces
  php,            ///< $name, {$…}, ${…}
};

enum class Layout : std::uint8_t { as_is, text_block, by_last_line };

enum class LiteralKind : std::uint8_t {
  text,
  character,  ///< no string, but may be joined to one
  other,      ///< a command, a pattern
};

struct LiteralForm {
  std::string_view open;
  std::string_view close;
  Backslash backslash = Backslash::escapes;
  Holes holes = Holes::none;
  bool takes_lines = false;
  bool doubles_close = false;  ///< a doubled closing quote is one quote
  Layout layout = Layout::as_is;
  LiteralKind kind = LiteralKind::text;
};

/// Where a line's end ends an expression.
enum class LineEnds : std::uint8_t { never, outside_brackets, everywhere };

struct HostSyntax {
  HostLanguage language;
  std::string_view name;
  std::span<const std::string_view> endings;  ///< of file names
  std::span<const std::string_view> line_comments;
  std::string_view block_comment_begin = {};  ///< empty: there is none
  std::string_view block_comment_end = {};
  bool nests_comments = false;
  std::span<const LiteralForm> literals;  ///< the first that fits
  EscapeRules escapes;
  std::string_view joins = "+";
  bool joins_adjacent = false;  ///< "a" "b"
  LineEnds line_ends = LineEnds::never;
  bool has_braces = true;     ///< blocks are in braces; otherwise they are indented
  bool has_patterns = false;  ///< /regular expressions/
};

[[nodiscard]] const HostSyntax& syntax_of(HostLanguage language);

/// By how the file's name ends; none: of no language that is known here.
[[nodiscard]] std::optional<HostLanguage> language_of_file(const std::filesystem::path& path);

/// "Java (.java), Kotlin (.kt, .kts), …".
[[nodiscard]] std::string listed_languages();

}  // namespace lockstep::advice
