// Lua values as text, without addresses.
//
// A table prints as "table: 0x0", a function as "function: 0x0", and so on. Two different tables
// may print alike, unlike in stock Lua; determinism demands it. __tostring and __name are honoured.
#pragma once

#include <string_view>

struct lua_State;

namespace lockstep::lua {

/// Pushes the text of the value at `index`. May raise (an error in __tostring).
void push_text(lua_State* state, int index);

/// Returns the string at `index`; a number there becomes a string. Empty for other values. Lua owns
/// the text.
std::string_view view_of(lua_State* state, int index);

/// Pushes the text as a string, which Lua copies.
void push_view(lua_State* state, std::string_view text);

/// Lua's tostring.
int text_of_argument(lua_State* state);

/// string.format over the stock one (upvalue 1): refuses %p, and writes %s by push_text.
int format_without_addresses(lua_State* state);

}  // namespace lockstep::lua
