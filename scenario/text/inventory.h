// What a message says of the words that there are: the nearest one; where none is near, where a
// list of them is. A list of dozens would hide the mistake.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "scenario/text/suggest.h"

namespace lockstep::scenario {

/// "; did you mean 'lease'?", else "; 'lockstep list faults' has them". `listing`: what to list.
[[nodiscard]] inline std::string nearest_or_listing(std::string_view word,
                                                    std::span<const std::string_view> words,
                                                    std::string_view listing) {
  std::string near = did_you_mean(word, words);
  if (!near.empty()) return near;
  return std::string("; 'lockstep list ").append(listing).append("' has them");
}

}  // namespace lockstep::scenario
