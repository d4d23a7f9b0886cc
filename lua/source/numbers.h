// Numbers as Lua 5.1 has them: floating-point only, printed with 14 digits.
//
// Lua 5.4 keeps integers apart and prints a float's fraction always ("5.0"). Scripts here compute
// with floats throughout: their literals are made floats (script_parser.h), and what the library
// gives them is one. Integers are left only where nobody can tell (an index, `#t`).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

struct lua_State;

namespace lockstep::lua {

using NumberBuffer = std::array<char, 32>;

/// The number at `index` as Lua 5.1 prints it, "%.14g". Written into `buffer`.
[[nodiscard]] std::string_view number_text(lua_State* state, int index, NumberBuffer& buffer);

/// From here on "%.14g" gives no digits but "1e+14".
inline constexpr std::int64_t integers_end = 100'000'000'000'000;

/// Replaces the number at `index` by its text. Leaves other values alone. May raise "not enough
/// memory".
void make_text(lua_State* state, int index);

/// Replaces an integer at `index` by the float of its value. Leaves other values alone.
void make_float(lua_State* state, int index);

/// True if the value at `index` is a number or, as Lua 5.1 reads it, a string that spells one; then
/// there is a float in its place.
bool read_number(lua_State* state, int index);

/// Pushes a whole number as the float that Lua 5.1 would have.
void push_whole_number(lua_State* state, std::int64_t value);

}  // namespace lockstep::lua
