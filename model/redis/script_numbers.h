// Numbers as Lua 5.1 has them: floating-point only, printed with 14 digits.
//
// Lua 5.4 keeps integers apart and prints a float's fraction always ("5.0"). Scripts here work with
// integers wherever a number is whole and small enough for 5.1 to print all its digits; these
// functions keep it so at the borders of the library.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

struct lua_State;

namespace lockstep::redis {

using NumberBuffer = std::array<char, 32>;

/// The number at `index` as Lua 5.1 prints it, "%.14g". Written into `buffer`.
[[nodiscard]] std::string_view number_text(lua_State* state, int index, NumberBuffer& buffer);

/// From here on "%.14g" gives no digits but "1e+14"; Lua 5.4 prints such floats so too.
inline constexpr std::int64_t integers_end = 100'000'000'000'000;

/// Replaces the number at `index`, if it is whole, by what prints as in Lua 5.1: an integer below
/// 10^14, a float beyond. Negative zero stays a float. Leaves other values alone.
void make_plain(lua_State* state, int index);

/// Pushes a whole number in the same way.
void push_whole_number(lua_State* state, std::int64_t value);

}  // namespace lockstep::redis
