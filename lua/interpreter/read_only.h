// Read-only views of tables.
//
// Stock Lua has no read-only tables. A view is an empty table whose metatable reads from another
// table and raises "Attempt to modify a readonly table" on writing. Functions that go past
// metatables (pairs, next, rawget, rawset, setmetatable) must ask here; those of
// deterministic_base.h that only read do.
#pragma once

struct lua_State;

namespace lockstep::lua {

/// Pops a table and pushes a read-only view of it.
void make_read_only_view(lua_State* state);

/// Replaces a view at `index` by the table that it shows. Leaves other values alone.
void replace_view_by_table(lua_State* state, int index);

[[nodiscard]] bool is_view(lua_State* state, int index);

}  // namespace lockstep::lua
