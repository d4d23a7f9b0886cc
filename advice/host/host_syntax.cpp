#include "advice/host/host_syntax.h"

#include <algorithm>
#include <array>

namespace lockstep::advice {
namespace {

using Words = std::string_view;

constexpr std::array<Words, 1> java_endings = {".java"};
constexpr std::array<Words, 2> kotlin_endings = {".kt", ".kts"};
constexpr std::array<Words, 8> javascript_endings = {".js", ".mjs", ".cjs", ".jsx",
                                                     ".ts", ".mts", ".cts", ".tsx"};
constexpr std::array<Words, 2> python_endings = {".py", ".pyi"};
constexpr std::array<Words, 1> go_endings = {".go"};
constexpr std::array<Words, 1> csharp_endings = {".cs"};
constexpr std::array<Words, 1> php_endings = {".php"};
constexpr std::array<Words, 2> ruby_endings = {".rb", ".rake"};
constexpr std::array<Words, 1> rust_endings = {".rs"};

constexpr std::array<Words, 1> slashes = {"//"};
constexpr std::array<Words, 1> hash = {"#"};
constexpr std::array<Words, 2> slashes_and_hash = {"//", "#"};

constexpr LiteralForm character = {.open = "'", .close = "'", .kind = LiteralKind::character};
constexpr LiteralForm shell_command = {
    .open = "`", .close = "`", .takes_lines = true, .kind = LiteralKind::other};

constexpr std::array java_literals = {
    LiteralForm{
        .open = "\"\"\"", .close = "\"\"\"", .takes_lines = true, .layout = Layout::text_block},
    LiteralForm{.open = "\"", .close = "\""}, character};
constexpr std::array kotlin_literals = {
    LiteralForm{.open = "\"\"\"",
                .close = "\"\"\"",
                .backslash = Backslash::plain,
                .holes = Holes::dollar,
                .takes_lines = true},
    LiteralForm{.open = "\"", .close = "\"", .holes = Holes::dollar}, character,
    LiteralForm{
        .open = "`", .close = "`", .backslash = Backslash::plain, .kind = LiteralKind::other}};
constexpr std::array javascript_literals = {
    LiteralForm{.open = "\"", .close = "\""}, LiteralForm{.open = "'", .close = "'"},
    LiteralForm{.open = "`", .close = "`", .holes = Holes::dollar_braces, .takes_lines = true}};
constexpr std::array python_literals = {
    LiteralForm{.open = "\"\"\"", .close = "\"\"\"", .takes_lines = true},
    LiteralForm{.open = "'''", .close = "'''", .takes_lines = true},
    LiteralForm{.open = "\"", .close = "\""}, LiteralForm{.open = "'", .close = "'"}};
constexpr std::array go_literals = {
    LiteralForm{.open = "\"", .close = "\""},
    LiteralForm{.open = "`", .close = "`", .backslash = Backslash::plain, .takes_lines = true},
    character};
constexpr std::array csharp_literals = {LiteralForm{.open = "\"", .close = "\""}, character};
constexpr std::array php_literals = {
    LiteralForm{.open = "\"", .close = "\"", .holes = Holes::php, .takes_lines = true},
    LiteralForm{.open = "'", .close = "'", .backslash = Backslash::quotes, .takes_lines = true},
    shell_command};
constexpr std::array ruby_literals = {
    LiteralForm{.open = "\"", .close = "\"", .holes = Holes::hash_braces, .takes_lines = true},
    LiteralForm{.open = "'", .close = "'", .backslash = Backslash::quotes, .takes_lines = true},
    shell_command};
constexpr std::array rust_literals = {
    LiteralForm{.open = "\"", .close = "\"", .takes_lines = true}};

constexpr EscapeRules java_escapes = {
    .letters = "bfnrts", .meanings = "\b\f\n\r\t ", .octal_digits = 3, .has_unicode = true};
constexpr EscapeRules kotlin_escapes = {
    .letters = "bnrt", .meanings = "\b\n\r\t", .has_unicode = true};
constexpr EscapeRules javascript_escapes = {.letters = "bfnrtv",
                                            .meanings = "\b\f\n\r\t\v",
                                            .octal_digits = 3,
                                            .hexadecimal_digits_min = 2,
                                            .hexadecimal_digits_max = 2,
                                            .has_unicode = true,
                                            .has_braces = true};
constexpr EscapeRules python_escapes = {.letters = "abfnrtv\\'\"",
                                        .meanings = "\a\b\f\n\r\t\v\\'\"",
                                        .keeps_unknown = true,
                                        .octal_digits = 3,
                                        .hexadecimal_digits_min = 2,
                                        .hexadecimal_digits_max = 2,
                                        .has_unicode = true,
                                        .has_long_unicode = true};
constexpr EscapeRules go_escapes = {.letters = "abfnrtv",
                                    .meanings = "\a\b\f\n\r\t\v",
                                    .octal_digits = 3,
                                    .hexadecimal_digits_min = 2,
                                    .hexadecimal_digits_max = 2,
                                    .has_unicode = true,
                                    .has_long_unicode = true};
constexpr EscapeRules csharp_escapes = {.letters = "abefnrtv",
                                        .meanings = "\a\b\x1B\f\n\r\t\v",
                                        .octal_digits = 1,
                                        .hexadecimal_digits_min = 1,
                                        .hexadecimal_digits_max = 4,
                                        .has_unicode = true,
                                        .has_long_unicode = true};
constexpr EscapeRules php_escapes = {.letters = "nrtvef\\$\"",
                                     .meanings = "\n\r\t\v\x1B\f\\$\"",
                                     .keeps_unknown = true,
                                     .octal_digits = 3,
                                     .hexadecimal_digits_min = 1,
                                     .hexadecimal_digits_max = 2,
                                     .has_braces = true,
                                     .joins_lines = false};
constexpr EscapeRules ruby_escapes = {.letters = "abefnrstv",
                                      .meanings = "\a\b\x1B\f\n\r \t\v",
                                      .octal_digits = 3,
                                      .hexadecimal_digits_min = 1,
                                      .hexadecimal_digits_max = 2,
                                      .has_unicode = true,
                                      .has_braces = true};
constexpr EscapeRules rust_escapes = {.letters = "nrt",
                                      .meanings = "\n\r\t",
                                      .octal_digits = 1,
                                      .hexadecimal_digits_min = 2,
                                      .hexadecimal_digits_max = 2,
                                      .has_braces = true,
                                      .trims_joined_line = true};

const std::array<HostSyntax, host_languages>& syntaxes() {
  static const std::array<HostSyntax, host_languages> table = {{
      {.language = HostLanguage::java,
       .name = "Java",
       .endings = java_endings,
       .line_comments = slashes,
       .block_comment_begin = "/*",
       .block_comment_end = "*/",
       .literals = java_literals,
       .escapes = java_escapes},
      {.language = HostLanguage::kotlin,
       .name = "Kotlin",
       .endings = kotlin_endings,
       .line_comments = slashes,
       .block_comment_begin = "/*",
       .block_comment_end = "*/",
       .nests_comments = true,
       .literals = kotlin_literals,
       .escapes = kotlin_escapes,
       .line_ends = LineEnds::everywhere},
      {.language = HostLanguage::javascript,
       .name = "JavaScript or TypeScript",
       .endings = javascript_endings,
       .line_comments = slashes,
       .block_comment_begin = "/*",
       .block_comment_end = "*/",
       .literals = javascript_literals,
       .escapes = javascript_escapes,
       .has_patterns = true},
      {.language = HostLanguage::python,
       .name = "Python",
       .endings = python_endings,
       .line_comments = hash,
       .literals = python_literals,
       .escapes = python_escapes,
       .joins_adjacent = true,
       .line_ends = LineEnds::outside_brackets,
       .has_braces = false},
      {.language = HostLanguage::go,
       .name = "Go",
       .endings = go_endings,
       .line_comments = slashes,
       .block_comment_begin = "/*",
       .block_comment_end = "*/",
       .literals = go_literals,
       .escapes = go_escapes,
       .line_ends = LineEnds::everywhere},
      {.language = HostLanguage::csharp,
       .name = "C#",
       .endings = csharp_endings,
       .line_comments = slashes,
       .block_comment_begin = "/*",
       .block_comment_end = "*/",
       .literals = csharp_literals,
       .escapes = csharp_escapes},
      {.language = HostLanguage::php,
       .name = "PHP",
       .endings = php_endings,
       .line_comments = slashes_and_hash,
       .block_comment_begin = "/*",
       .block_comment_end = "*/",
       .literals = php_literals,
       .escapes = php_escapes,
       .joins = "."},
      {.language = HostLanguage::ruby,
       .name = "Ruby",
       .endings = ruby_endings,
       .line_comments = hash,
       .literals = ruby_literals,
       .escapes = ruby_escapes,
       .joins_adjacent = true,
       .line_ends = LineEnds::outside_brackets,
       .has_braces = false,
       .has_patterns = true},
      {.language = HostLanguage::rust,
       .name = "Rust",
       .endings = rust_endings,
       .line_comments = slashes,
       .block_comment_begin = "/*",
       .block_comment_end = "*/",
       .nests_comments = true,
       .literals = rust_literals,
       .escapes = rust_escapes},
  }};
  return table;
}

}  // namespace

const HostSyntax& syntax_of(HostLanguage language) {
  return syntaxes()[static_cast<std::size_t>(language)];
}

std::optional<HostLanguage> language_of_file(const std::filesystem::path& path) {
  const std::string ending = path.extension().string();
  for (const HostSyntax& each : syntaxes()) {
    if (std::find(each.endings.begin(), each.endings.end(), ending) != each.endings.end()) {
      return each.language;
    }
  }
  return std::nullopt;
}

std::string listed_languages() {
  std::string text;
  for (const HostSyntax& each : syntaxes()) {
    if (!text.empty()) text += ", ";
    text.append(each.name).append(" (");
    for (const std::string_view ending : each.endings) {
      if (ending != each.endings.front()) text += ", ";
      text += ending;
    }
    text += ")";
  }
  return text;
}

}  // namespace lockstep::advice
