// Functions and methods of the languages' libraries that make a text of texts, and whose result is
// known: joining, formatting, trimming.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lockstep::advice {

enum class TextFunction : std::uint8_t {
  same,  ///< toString, freeze, getBytes: the text itself
  trim,
  trim_begin,
  trim_end,
  dedent,
  indoc,           ///< Rust's: and without a first blank line
  trim_indent,     ///< Kotlin's
  trim_margin,     ///< Kotlin's
  cleandoc,        ///< Python's inspect
  join_list,       ///< of a list, the separator given
  join_with,       ///< of a separator, the list given
  join_arguments,  ///< separator, then parts or a list of them
  join_array,      ///< the list, then the separator
  concatenate,
  append,       ///< a builder's
  append_line,  ///< and a line end
  replace,      ///< each, or in JavaScript the first
  replace_all,
  builder,         ///< an empty one, or one with a text
  format_percent,  ///< %s
  format_braces,   ///< {}
};

/// Of a method, by its name: `"…".trim()`.
[[nodiscard]] std::optional<TextFunction> text_method(std::string_view name);
/// Of a function, by how its call is spelt: `textwrap.dedent`, `String.format`, `concat!`.
[[nodiscard]] std::optional<TextFunction> text_function(std::string_view call);

[[nodiscard]] bool is_text_method(std::string_view name);
[[nodiscard]] bool is_text_function(std::string_view call);
[[nodiscard]] bool is_joining_method(std::string_view name);
[[nodiscard]] bool is_joining_function(std::string_view call);
/// Of a function that makes a list of its arguments, by its name: listOf, asList.
[[nodiscard]] bool is_listing_function(std::string_view name);
/// Of a function that makes something else of a text, which is not known here.
[[nodiscard]] bool is_unknown_function(std::string_view call);
/// `Environment.NewLine` and the like: taken for a line feed.
[[nodiscard]] bool is_line_end_constant(std::string_view path);

}  // namespace lockstep::advice
