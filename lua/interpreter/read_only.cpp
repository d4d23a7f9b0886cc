#include "lua/interpreter/read_only.h"

#include <lua.hpp>

namespace lockstep::lua {

namespace {

constexpr char shown_table_key = 0;  // its address names, in a view's metatable, the table shown

int refuse_write(lua_State* state) {
  return luaL_error(state, "Attempt to modify a readonly table");
}

/// Pushes the table that the view at `index` shows; pushes nothing and returns false for other
/// values.
bool push_shown_table(lua_State* state, int index) {
  if (lua_type(state, index) != LUA_TTABLE || lua_getmetatable(state, index) == 0) {
    return false;
  }
  if (lua_rawgetp(state, -1, &shown_table_key) == LUA_TNIL) {
    lua_pop(state, 2);
    return false;
  }
  lua_remove(state, -2);
  return true;
}

}  // namespace

void make_read_only_view(lua_State* state) {
  lua_newtable(state);
  lua_createtable(state, 0, 3);
  lua_pushvalue(state, -3);
  lua_setfield(state, -2, "__index");
  lua_pushcfunction(state, &refuse_write);
  lua_setfield(state, -2, "__newindex");
  lua_pushvalue(state, -3);
  lua_rawsetp(state, -2, &shown_table_key);
  lua_setmetatable(state, -2);
  lua_remove(state, -2);
}

void replace_view_by_table(lua_State* state, int index) {
  const int absolute = lua_absindex(state, index);
  if (push_shown_table(state, absolute)) {
    lua_replace(state, absolute);
  }
}

bool is_view(lua_State* state, int index) {
  if (!push_shown_table(state, index)) {
    return false;
  }
  lua_pop(state, 1);
  return true;
}

}  // namespace lockstep::lua
