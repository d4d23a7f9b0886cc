// `..` between numbers as Lua 5.1 prints them.
//
// Lua 5.4 lets nobody hook the concatenation of a float, so where one may turn up `a .. b .. c` is
// rewritten to a call of this function.
#include <lua.hpp>
#include <string_view>

#include "model/redis/script_libraries.h"
#include "model/redis/script_numbers.h"

namespace lockstep::redis {

namespace {

bool is_text(lua_State* state, int index) { return lua_isstring(state, index) != 0; }

void make_text(lua_State* state, int index) {
  if (lua_type(state, index) == LUA_TNUMBER) {
    NumberBuffer buffer;
    const std::string_view text = number_text(state, index, buffer);
    lua_pushlstring(state, text.data(), text.size());
    lua_replace(state, index);
  }
}

/// Calls __concat for the last two values and puts its result in their place.
void call_metamethod(lua_State* state) {
  const int left = lua_gettop(state) - 1;
  const int right = left + 1;
  if (luaL_getmetafield(state, left, "__concat") == LUA_TNIL &&
      luaL_getmetafield(state, right, "__concat") == LUA_TNIL) {
    const int culprit = is_text(state, left) ? right : left;
    luaL_error(state, "attempt to concatenate a %s value", luaL_typename(state, culprit));
  }
  lua_insert(state, left);
  lua_call(state, 2, 1);
}

}  // namespace

int concatenate(lua_State* state) {
  while (lua_gettop(state) > 1) {
    int count = 0;  // how many values at the end are text
    for (int index = lua_gettop(state); index >= 1 && is_text(state, index); --index) {
      make_text(state, index);
      ++count;
    }
    if (count > 1) {
      lua_concat(state, count);
    } else {
      call_metamethod(state);
    }
  }
  return 1;
}

}  // namespace lockstep::redis
