// Comparing names as Redis does: ASCII letters in either case, no locale.
#pragma once

#include <cstddef>
#include <string_view>

namespace lockstep::redis {

[[nodiscard]] constexpr char lower_case(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

/// REQUIRES: `lower` has no upper-case letters.
[[nodiscard]] constexpr bool equals_ignoring_case(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (lower_case(text[i]) != lower[i]) return false;
  }
  return true;
}

}  // namespace lockstep::redis
