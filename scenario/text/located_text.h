// A text in a user's file that knows where it stands, so that a complaint can point at one word.
//
// Columns count characters (code points of UTF-8), from 1. A text that holds escapes or spans lines
// stands for its beginning only: its words can't be located.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/text/input_error.h"

namespace lockstep::scenario {

/// Does not own the characters.
struct LocatedText {
  std::string_view text;
  SourceLocation place;    ///< of the first character
  bool can_locate = true;  ///< false: every part stands where the whole does

  /// REQUIRES: offset ≤ text.size().
  [[nodiscard]] LocatedText part(std::size_t offset,
                                 std::size_t length = std::string_view::npos) const;
  /// The parts between spaces and tabs, none of them empty.
  [[nodiscard]] std::vector<LocatedText> words() const;
  [[noreturn]] void complain(const std::string& message) const;
};

/// "'lease'", with what a terminal should not be sent replaced, and cut off after 300 bytes.
[[nodiscard]] std::string in_quotes(std::string_view text);

}  // namespace lockstep::scenario
