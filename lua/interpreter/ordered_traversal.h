// pairs and next in an order that is the same in every process.
//
// Numbers come ascending, then strings bytewise, then false, then true. Stock Lua's order follows
// hash seeds and addresses, and the order of insertion is unknown. A table with a key that has no
// such order (a table, a function, a coroutine) is refused with an error.
//
// A pairs loop visits the keys that were there when it began, if they still have a value in their
// turn. As in Lua, the loop may assign to existing keys and clear them; keys added meanwhile are
// never visited. Arrays (keys 1..n only) are walked without a copy.
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

/// Pushes an array of the keys of the table at `index`, in order. Raises if a key has no order.
void push_sorted_keys(lua_State* state, int index);

}  // namespace lockstep::lua
