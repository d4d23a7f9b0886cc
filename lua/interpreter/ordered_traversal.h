// pairs and next in an order that is the same in every process.
//
// Order: numbers ascending, then strings bytewise, then false, then true. Stock Lua's order follows
// hash seeds and addresses, and the order of insertion can't be known. A table with a key that has
// no such order (a table, a function, a coroutine) is refused with an error.
//
// A pairs loop sees the keys that were there when it began and still have a value when their turn
// comes; assigning to existing keys and clearing them is allowed, as in Lua, and a key added
// meanwhile is never visited. Arrays (keys 1..n only) are walked without a copy.
//
// Cost: pairs O(n log n) once, then O(1) a step; next O(n) a call, so a loop over `next, t` is
// O(n²).
#pragma once

struct lua_State;

namespace lockstep::lua {

/// Lua functions. ordered_pairs honours __pairs; the raw ones are Lua 5.1's, which does not, and
/// whose numbers are all floats.
int ordered_pairs(lua_State* state);
int raw_ordered_pairs(lua_State* state);
int ordered_next(lua_State* state);
int raw_ordered_next(lua_State* state);

/// Pushes an array of the keys of the table at `index`, in order. Raises where a key has none.
void push_sorted_keys(lua_State* state, int index);

}  // namespace lockstep::lua
