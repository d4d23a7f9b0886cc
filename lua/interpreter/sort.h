// table.sort as Lua 5.1 does it.
//
// Quicksort with the median of the first, middle and last element as pivot, so the comparisons
// depend on the elements alone. Lua 5.4's own picks a pivot by the clock when a partition of a
// large array is lopsided; the order of equal elements could then differ from run to run.
#pragma once

struct lua_State;

namespace lockstep::lua {

/// Lua's table.sort(t [, less]).
int sort_table(lua_State* state);

}  // namespace lockstep::lua
