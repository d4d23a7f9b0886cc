#include "lua/interpreter/text.h"

#include <cstddef>
#include <cstring>
#include <lua.hpp>

namespace lockstep::lua {

namespace {

bool has_address(int type) {
  return type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TUSERDATA ||
         type == LUA_TLIGHTUSERDATA || type == LUA_TTHREAD;
}

/// Finds the conversion letter that ends the directive whose '%' precedes `text`.
const char* skip_flags(const char* text) { return text + std::strspn(text, "-+ #0123456789."); }

}  // namespace

void push_text(lua_State* state, int index) {
  const int absolute = lua_absindex(state, index);
  if (luaL_callmeta(state, absolute, "__tostring") != 0) {
    if (lua_isstring(state, -1) == 0) {
      luaL_error(state, "'__tostring' must return a string");
    }
    return;
  }
  if (!has_address(lua_type(state, absolute))) {
    luaL_tolstring(state, absolute, nullptr);
    return;
  }
  const bool is_named = luaL_getmetafield(state, absolute, "__name") == LUA_TSTRING;
  lua_pushfstring(state, "%s: 0x0",
                  is_named ? lua_tostring(state, -1) : luaL_typename(state, absolute));
}

std::string_view view_of(lua_State* state, int index) {
  std::size_t length = 0;
  const char* text = lua_tolstring(state, index, &length);
  return {text, length};
}

void push_view(lua_State* state, std::string_view text) {
  lua_pushlstring(state, text.data(), text.size());
}

int text_of_argument(lua_State* state) {
  luaL_checkany(state, 1);
  push_text(state, 1);
  return 1;
}

int format_without_addresses(lua_State* state) {
  const char* next = luaL_checkstring(state, 1);
  const int argument_count = lua_gettop(state);
  int argument = 1;
  while ((next = std::strchr(next, '%')) != nullptr) {
    ++next;
    if (*next == '%') {
      ++next;
      continue;
    }
    next = skip_flags(next);
    ++argument;
    if (*next == 'p') {
      return luaL_error(state, "'%%p' is refused: addresses differ from run to run");
    }
    if (*next == 's' && argument <= argument_count && has_address(lua_type(state, argument))) {
      push_text(state, argument);
      lua_replace(state, argument);
      lua_settop(state, argument_count);
    }
  }
  lua_settop(state, argument_count);
  return lua_tocfunction(state, lua_upvalueindex(1))(state);
}

}  // namespace lockstep::lua
