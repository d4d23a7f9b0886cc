#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <lua.hpp>

#include "lua/interpreter/numbers.h"
#include "redis/scripting/libraries/libraries.h"
#include "redis/scripting/script_result.h"

namespace lockstep::redis {

namespace {

constexpr int subject_only = INT_MAX;

/// Doubles what it has, so that it takes no longer than copying the result.
int repeat(lua_State* state) {
  lua::make_text(state, 1);
  std::size_t length = 0;
  const char* text = luaL_checklstring(state, 1, &length);
  // Lua 5.1 counts in an int, so that much larger counts come out as others.
  const auto wanted = static_cast<std::int32_t>(cut_to_integer(luaL_checknumber(state, 2)));
  const auto count = static_cast<std::size_t>(std::max(wanted, 0));
  const std::size_t wanted_bytes = length * count;
  luaL_Buffer buffer;
  char* const repeated = luaL_buffinitsize(state, &buffer, wanted_bytes);
  std::size_t filled = std::min(length, wanted_bytes);
  std::copy_n(text, filled, repeated);
  while (filled < wanted_bytes) {
    const std::size_t added = std::min(filled, wanted_bytes - filled);
    std::copy_n(repeated, added, repeated + filled);
    filled += added;
  }
  luaL_pushresultsize(&buffer, wanted_bytes);
  return 1;
}

}  // namespace

void install_string_functions(lua_State* state, ScriptContext& context) {
  set_truncating_function(state, LUA_STRLIBNAME, "byte", 2, 3);
  set_truncating_function(state, LUA_STRLIBNAME, "char", 1, INT_MAX);
  set_truncating_function(state, LUA_STRLIBNAME, "len", subject_only, 1);
  set_truncating_function(state, LUA_STRLIBNAME, "lower", subject_only, 1);
  set_truncating_function(state, LUA_STRLIBNAME, "reverse", subject_only, 1);
  set_truncating_function(state, LUA_STRLIBNAME, "sub", 2, 3);
  set_truncating_function(state, LUA_STRLIBNAME, "upper", subject_only, 1);
  install_matching_functions(state, context);
  lua_pushcfunction(state, &repeat);
  lua_setfield(state, -2, "rep");
  lua_pushcfunction(state, &format_text);
  lua_setfield(state, -2, "format");
}

}  // namespace lockstep::redis
