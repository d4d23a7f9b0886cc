// Literals and operators of Lua 5.1 as Lua 5.4 has to spell them to mean the same.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/redis/script_tokens.h"

namespace lockstep::redis {

/// The name of the global function that rewritten `..` calls.
inline constexpr const char* concatenation_name = "__concatenation";

/// The program with its literals rewritten, and, where a number that the two Luas print differently
/// may be concatenated, `a .. b` as `__concatenation(a, (b))`. Lines stay.
[[nodiscard]] std::string rewrite_script(std::string_view program,
                                         const std::vector<ScriptToken>& tokens);

/// What a numeric literal can bring into a script besides whole numbers that print alike in both.
struct NumberLiteral {
  std::optional<std::string> rewritten;  ///< nothing: as it stands
  bool prints_differently = false;       ///< a fraction or a float zero
  bool is_malformed = false;
};

/// Lua 5.1 has only floating-point numbers: a whole one is best an integer as long as that prints
/// the same (`1e3` → `1000`), and must be a float beyond.
[[nodiscard]] NumberLiteral read_number_literal(std::string_view text);

/// Lua 5.1 takes an unknown escape for the letter itself: `"\x41\%"` → `"x41%"`. Nothing: as it
/// stands.
[[nodiscard]] std::optional<std::string> rewrite_string_literal(std::string_view text);

}  // namespace lockstep::redis
