// A text of a user's file with its place, so that an error can point at one word.
//
// Columns count code points from 1. In a text with escapes or several lines, words can't be
// located: their place is its beginning.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/text/source_location.h"

namespace lockstep::scenario {

/// Does not own the characters.
struct LocatedText {
  std::string_view text;
  SourceLocation place;    ///< of the first character
  bool can_locate = true;  ///< false: every part has the place of the whole

  /// REQUIRES: offset ≤ text.size().
  [[nodiscard]] LocatedText part(std::size_t offset,
                                 std::size_t length = std::string_view::npos) const;
  /// The parts between blanks, none of them empty.
  [[nodiscard]] std::vector<LocatedText> words() const;
  [[noreturn]] void complain(const std::string& message) const;
};

}  // namespace lockstep::scenario
