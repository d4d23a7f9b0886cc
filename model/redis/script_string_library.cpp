#include <climits>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <lua.hpp>

#include "model/lua/deterministic_base.h"
#include "model/redis/script_libraries.h"
#include "model/redis/script_numbers.h"

namespace lockstep::redis {

namespace {

constexpr int subject_only = INT_MAX;

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

/// Pushes a replacement text without the escapes that Lua 5.4 refuses: `%x` is `x` in Lua 5.1.
void push_old_replacement(lua_State* state, int index) {
  std::size_t length = 0;
  const char* text = lua_tolstring(state, index, &length);
  luaL_Buffer buffer;
  luaL_buffinit(state, &buffer);
  for (std::size_t position = 0; position < length; ++position) {
    if (text[position] == '%' && position + 1 < length) {
      ++position;
      if (is_digit(text[position]) || text[position] == '%') {
        luaL_addchar(&buffer, '%');
      }
    }
    luaL_addchar(&buffer, text[position]);
  }
  luaL_pushresult(&buffer);
}

/// The stock gsub (upvalue 1) with Lua 5.1's replacement texts.
int substitute(lua_State* state) {
  if (lua_gettop(state) > 4) {
    lua_settop(state, 4);
  }
  if (lua_type(state, 3) == LUA_TSTRING) {
    std::size_t length = 0;
    const char* text = lua_tolstring(state, 3, &length);
    if (std::memchr(text, '%', length) != nullptr) {
      push_old_replacement(state, 3);
      lua_replace(state, 3);
    }
  }
  return lua_tocfunction(state, lua_upvalueindex(1))(state);
}

/// The stock rep (upvalue 1), which would repeat nothing for as long as it is told to.
int repeat(lua_State* state) {
  make_plain(state, 1);
  luaL_checkstring(state, 1);
  const lua_Number count = std::trunc(luaL_checknumber(state, 2));
  lua_settop(state, 1);
  lua_pushnumber(state, lua_rawlen(state, 1) == 0 ? 0 : count);
  return lua_tocfunction(state, lua_upvalueindex(1))(state);
}

}  // namespace

void install_string_functions(lua_State* state) {
  set_cutting_function(state, LUA_STRLIBNAME, "byte", 2, 3);
  set_cutting_function(state, LUA_STRLIBNAME, "char", 1, INT_MAX);
  set_cutting_function(state, LUA_STRLIBNAME, "find", 3, 4);
  set_cutting_function(state, LUA_STRLIBNAME, "gmatch", subject_only, 2);
  set_cutting_function(state, LUA_STRLIBNAME, "len", subject_only, 1);
  set_cutting_function(state, LUA_STRLIBNAME, "lower", subject_only, 1);
  set_cutting_function(state, LUA_STRLIBNAME, "match", 3, 3);
  set_cutting_function(state, LUA_STRLIBNAME, "reverse", subject_only, 1);
  set_cutting_function(state, LUA_STRLIBNAME, "sub", 2, 3);
  set_cutting_function(state, LUA_STRLIBNAME, "upper", subject_only, 1);
  lua_getfield(state, -1, "gmatch");
  lua_setfield(state, -2, "gfind");
  lua::push_stock_function(state, LUA_STRLIBNAME, "gsub");
  lua_pushcclosure(state, &substitute, 1);
  lua_setfield(state, -2, "gsub");
  lua::push_stock_function(state, LUA_STRLIBNAME, "rep");
  lua_pushcclosure(state, &repeat, 1);
  lua_setfield(state, -2, "rep");
  lua_pushcfunction(state, &format_text);
  lua_setfield(state, -2, "format");
}

}  // namespace lockstep::redis
