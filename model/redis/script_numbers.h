// Numbers as Lua 5.1 has them: floating-point only, printed with 14 digits.
//
// Lua 5.4 keeps integers apart and prints a float's fraction always ("5.0"). Scripts here work with
// integers wherever a float would be whole and exact, which prints the same; these functions keep
// it so at the borders of the library.
#pragma once

#include <array>
#include <string_view>

struct lua_State;

namespace lockstep::redis {

using NumberBuffer = std::array<char, 32>;

/// The number at `index` as Lua 5.1 prints it, "%.14g". Written into `buffer`.
[[nodiscard]] std::string_view number_text(lua_State* state, int index, NumberBuffer& buffer);

/// Replaces the number at `index`, if it is whole, by the integer or float that prints as in
/// Lua 5.1: an integer up to 2^53, a float beyond. Negative zero stays a float. Leaves other values
/// alone.
void make_plain(lua_State* state, int index);

}  // namespace lockstep::redis
