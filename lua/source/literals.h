// Literals of Lua 5.1 as Lua 5.4 has to spell them to mean the same.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lockstep::lua {

struct NumberLiteral {
  double value = 0;
  std::optional<std::string> as_float;  ///< how Lua 5.4 has to spell it; nothing: as it stands
  /// A whole number that 5.4 takes for an integer and prints as 5.1 would.
  bool is_small_integer = false;
  bool is_malformed = false;
};

/// Lua 5.1 has only floating-point numbers.
[[nodiscard]] NumberLiteral read_number_literal(std::string_view text);

/// Lua 5.1 takes an unknown escape for the letter itself: `"\x41\%"` → `"x41%"`. Nothing: as it
/// stands.
[[nodiscard]] std::optional<std::string> rewrite_string_literal(std::string_view text);

}  // namespace lockstep::lua
