#include "advice/host/host_formats.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lockstep::advice {
namespace {

using Named = std::pair<std::string_view, TextFunction>;

constexpr std::array methods = {
    Named{"toString", TextFunction::same},
    Named{"ToString", TextFunction::same},
    Named{"to_string", TextFunction::same},
    Named{"to_s", TextFunction::same},
    Named{"to_owned", TextFunction::same},
    Named{"into", TextFunction::same},
    Named{"as_bytes", TextFunction::same},
    Named{"as_str", TextFunction::same},
    Named{"getBytes", TextFunction::same},
    Named{"toByteArray", TextFunction::same},
    Named{"encode", TextFunction::same},
    Named{"freeze", TextFunction::same},
    Named{"intern", TextFunction::same},
    Named{"clone", TextFunction::same},
    Named{"dup", TextFunction::same},
    Named{"b", TextFunction::same},
    Named{"trim", TextFunction::trim},
    Named{"Trim", TextFunction::trim},
    Named{"strip", TextFunction::trim},
    Named{"trimStart", TextFunction::trim_begin},
    Named{"TrimStart", TextFunction::trim_begin},
    Named{"trim_start", TextFunction::trim_begin},
    Named{"stripLeading", TextFunction::trim_begin},
    Named{"lstrip", TextFunction::trim_begin},
    Named{"trimEnd", TextFunction::trim_end},
    Named{"TrimEnd", TextFunction::trim_end},
    Named{"trim_end", TextFunction::trim_end},
    Named{"stripTrailing", TextFunction::trim_end},
    Named{"rstrip", TextFunction::trim_end},
    Named{"chomp", TextFunction::trim_end},
    Named{"trimIndent", TextFunction::trim_indent},
    Named{"trimMargin", TextFunction::trim_margin},
    Named{"stripIndent", TextFunction::dedent},
    Named{"strip_heredoc", TextFunction::dedent},
    Named{"unindent", TextFunction::dedent},
    Named{"formatted", TextFunction::format_percent},
    Named{"join", TextFunction::join_list},
    Named{"joinToString", TextFunction::join_list},
    Named{"concat", TextFunction::concatenate},
    Named{"append", TextFunction::append},
    Named{"AppendLine", TextFunction::append_line},
    Named{"Append", TextFunction::append},
    Named{"appendLine", TextFunction::append_line},
    Named{"WriteString", TextFunction::append},
    Named{"push_str", TextFunction::append},
    Named{"String", TextFunction::same},
    Named{"replace", TextFunction::replace},
    Named{"replaceAll", TextFunction::replace_all},
    Named{"Replace", TextFunction::replace_all},
    Named{"gsub", TextFunction::replace_all},
};

constexpr std::array functions = {
    Named{"textwrap.dedent", TextFunction::dedent},
    Named{"dedent", TextFunction::dedent},
    Named{"stripIndent", TextFunction::dedent},
    Named{"outdent", TextFunction::dedent},
    Named{"indoc!", TextFunction::indoc},
    Named{"inspect.cleandoc", TextFunction::cleandoc},
    Named{"cleandoc", TextFunction::cleandoc},
    Named{"String.join", TextFunction::join_arguments},
    Named{"string.Join", TextFunction::join_arguments},
    Named{"implode", TextFunction::join_arguments},
    Named{"join", TextFunction::join_arguments},
    Named{"strings.Join", TextFunction::join_array},
    Named{"String.format", TextFunction::format_percent},
    Named{"fmt.Sprintf", TextFunction::format_percent},
    Named{"sprintf", TextFunction::format_percent},
    Named{"util.format", TextFunction::format_percent},
    Named{"format", TextFunction::format_percent},
    Named{"Kernel.format", TextFunction::format_percent},
    Named{"string.Format", TextFunction::format_braces},
    Named{"String.Format", TextFunction::format_braces},
    Named{"format!", TextFunction::format_braces},
    Named{"concat!", TextFunction::concatenate},
    Named{"string.Concat", TextFunction::concatenate},
    Named{"String.Concat", TextFunction::concatenate},
    Named{"strings.TrimSpace", TextFunction::trim},
    Named{"trim", TextFunction::trim},
    Named{"String.from", TextFunction::same},
    Named{"String::from", TextFunction::same},
    Named{"string", TextFunction::same},
    Named{"[]byte", TextFunction::same},
    Named{"str", TextFunction::same},
    Named{"String", TextFunction::same},
    Named{"new StringBuilder", TextFunction::builder},
    Named{"new StringBuffer", TextFunction::builder},
    Named{"StringBuilder", TextFunction::builder},
    Named{"String.new", TextFunction::builder},
    Named{"String::new", TextFunction::builder},
    Named{"new String", TextFunction::builder},
    Named{"strings.ReplaceAll", TextFunction::replace_all},
    Named{"str_replace", TextFunction::replace},
};

template <std::size_t size>
std::optional<TextFunction> named(const std::array<Named, size>& table, std::string_view name) {
  for (const Named& each : table) {
    if (each.first == name) return each.second;
  }
  return std::nullopt;
}

}  // namespace

std::optional<TextFunction> text_method(std::string_view name) { return named(methods, name); }

std::optional<TextFunction> text_function(std::string_view call) { return named(functions, call); }

bool is_text_method(std::string_view name) { return text_method(name) || name == "format"; }

bool is_text_function(std::string_view call) { return text_function(call).has_value(); }

bool is_joining_method(std::string_view name) {
  return text_method(name) == TextFunction::join_list;
}

bool is_listing_function(std::string_view name) {
  constexpr std::array<std::string_view, 9> names = {
      "listOf", "mutableListOf", "arrayOf", "sequenceOf", "asList", "of", "Of", "array", "vec"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_unknown_function(std::string_view call) {
  constexpr std::array<std::string_view, 8> names = {
      "Template", "string.Template", "strtr",        "preg_replace", "MessageFormat.format",
      "re.sub",   "vsprintf",        "Regex.Replace"};
  return std::find(names.begin(), names.end(), call) != names.end();
}

bool is_line_end_constant(std::string_view path) {
  constexpr std::array<std::string_view, 6> paths = {"Environment.NewLine", "PHP_EOL",
                                                     "\\PHP_EOL",           "System.lineSeparator",
                                                     "os.linesep",          "os.EOL"};
  return std::find(paths.begin(), paths.end(), path) != paths.end();
}

bool is_joining_function(std::string_view call) {
  const std::optional<TextFunction> function = text_function(call);
  return function == TextFunction::join_arguments || function == TextFunction::join_array;
}

}  // namespace lockstep::advice
