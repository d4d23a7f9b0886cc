// Numbers as Lua 5.1 has them: floating-point only, printed with 14 digits.
//
// Lua 5.4 distinguishes integers and always prints a float's fraction ("5.0"). Scripts here compute
// with floats throughout: their literals are made floats (lua/source/rewriter.h), and the library
// returns floats. Integers remain only where they cannot be told apart (an index, `#t`).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

struct lua_State;

namespace lockstep::lua {

using NumberBuffer = std::array<char, 32>;

/// Writes the number at `index` into `buffer` as Lua 5.1 prints it, "%.14g".
[[nodiscard]] std::string_view number_text(lua_State* state, int index, NumberBuffer& buffer);

/// Replaces the number at `index` by its text. Leaves other values alone. May raise "not enough
/// memory".
void make_text(lua_State* state, int index);

/// Replaces an integer at `index` by the float of its value. Leaves other values alone.
void make_float(lua_State* state, int index);

/// Replaces a number at `index`, or a string that spells one in Lua 5.1, by a float. Returns false
/// for other values.
bool read_number(lua_State* state, int index);

/// Pushes a whole number as the float that Lua 5.1 would have.
void push_whole_number(lua_State* state, std::int64_t value);

}  // namespace lockstep::lua
