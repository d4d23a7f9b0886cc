#include <algorithm>
#include <climits>
#include <cstdint>
#include <lua.hpp>

#include "model/lua/deterministic_base.h"
#include "model/redis/script_libraries.h"
#include "model/redis/script_numbers.h"
#include "model/redis/script_result.h"

namespace lockstep::redis {

namespace {

constexpr int subject_only = INT_MAX;

/// The stock rep (upvalue 1), which would repeat nothing for as long as it is told to.
int repeat(lua_State* state) {
  make_text(state, 1);
  luaL_checkstring(state, 1);
  // Lua 5.1 counts in an int, so that much larger counts come out as others.
  const auto wanted = static_cast<std::int32_t>(cut_to_integer(luaL_checknumber(state, 2)));
  const lua_Number count = std::max(wanted, 0);
  lua_settop(state, 1);
  lua_pushnumber(state, lua_rawlen(state, 1) == 0 ? 0 : count);
  return lua_tocfunction(state, lua_upvalueindex(1))(state);
}

}  // namespace

void install_string_functions(lua_State* state) {
  set_cutting_function(state, LUA_STRLIBNAME, "byte", 2, 3);
  set_cutting_function(state, LUA_STRLIBNAME, "char", 1, INT_MAX);
  set_cutting_function(state, LUA_STRLIBNAME, "find", 3, 4);
  set_cutting_function(state, LUA_STRLIBNAME, "len", subject_only, 1);
  set_cutting_function(state, LUA_STRLIBNAME, "lower", subject_only, 1);
  set_cutting_function(state, LUA_STRLIBNAME, "match", 3, 3);
  set_cutting_function(state, LUA_STRLIBNAME, "reverse", subject_only, 1);
  set_cutting_function(state, LUA_STRLIBNAME, "sub", 2, 3);
  set_cutting_function(state, LUA_STRLIBNAME, "upper", subject_only, 1);
  install_matching_functions(state);
  lua::push_stock_function(state, LUA_STRLIBNAME, "rep");
  lua_pushcclosure(state, &repeat, 1);
  lua_setfield(state, -2, "rep");
  lua_pushcfunction(state, &format_text);
  lua_setfield(state, -2, "format");
}

}  // namespace lockstep::redis
