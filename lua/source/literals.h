// Literals of Lua: their values, and how Lua 5.4 has to spell those of 5.1.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lua/source/tokens.h"

namespace lockstep::lua {

/// The first integer that "%.14g" prints with an exponent ("1e+14").
inline constexpr std::int64_t integers_end = 100'000'000'000'000;

struct NumberLiteral {
  double value = 0;
  std::optional<std::string> as_float;  ///< the spelling for Lua 5.4; none: unchanged
  /// A whole number that 5.4 takes for an integer and prints as 5.1 would.
  bool is_small_integer = false;
  bool is_malformed = false;
};

/// Lua 5.1 has only floating-point numbers.
[[nodiscard]] NumberLiteral read_number_literal(std::string_view text);

struct StringLiteral {
  std::string value;
  /// In Lua 5.1, an escape exceeds a byte ("\300"); the value ends before it.
  bool is_malformed = false;
};

/// The value of a string token, quoted or in long brackets. Unknown escapes stand for the letter
/// itself, which Lua 5.4 refuses; `\x41` and `\z` are unknown to 5.1.
[[nodiscard]] StringLiteral read_string_literal(const ScriptToken& token, Dialect dialect);

/// Spells a string literal of Lua 5.1 for 5.4, which refuses unknown escapes: `"\x41\%"` →
/// `"x41%"`. Returns nothing if it can stay.
[[nodiscard]] std::optional<std::string> rewrite_string_literal(std::string_view text);

}  // namespace lockstep::lua
