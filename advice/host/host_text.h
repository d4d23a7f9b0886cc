// The value of a string expression of a library's source: text, with holes where the value of a
// part is not known; and what languages do to the layout of long literals.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lua/source/ast.h"

namespace lockstep::advice {

/// A part of unknown value.
struct TextHole {
  std::size_t at = 0;      ///< how many bytes of the text lie before it
  std::string expression;  ///< as it is spelt
  lua::Place place;
};

struct HostText {
  std::string text;
  std::vector<TextHole> holes;  ///< in order

  void append(std::string_view more) { text += more; }
  void append(const HostText& more);
  void add_hole(std::string expression, const lua::Place& place) {
    holes.push_back({text.size(), std::move(expression), place});
  }
};

/// Blank lines do not count; `first_line` is the first that does. Tabs count as one blank.
void remove_shared_margin(HostText& value, std::size_t first_line);
/// At most so many blanks at the beginning of each line.
void remove_margin(HostText& value, std::size_t blanks);
/// The first line, where it is blank.
void remove_first_blank_line(HostText& value);
/// The first and the last line, where they are blank.
void remove_blank_ends(HostText& value);
/// Blanks and a `|` at the beginning of each line.
void remove_bar_margin(HostText& value);
void remove_trailing_blanks(HostText& value);

enum class TrimmedEnds : unsigned char { begin, end, both };
void trim(HostText& value, TrimmedEnds ends);

/// What Java does with the lines between """ and """: the first ends behind the opening quotes.
void lay_out_text_block(HostText& value);
/// What C# does: the closing quotes' line says how far the others are moved.
void lay_out_by_last_line(HostText& value);

}  // namespace lockstep::advice
