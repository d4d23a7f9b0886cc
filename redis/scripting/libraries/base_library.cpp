#include <algorithm>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <lua.hpp>
#include <string_view>

#include "lua/interpreter/deterministic_base.h"
#include "lua/interpreter/numbers.h"
#include "lua/interpreter/ordered_traversal.h"
#include "lua/interpreter/read_only.h"
#include "lua/interpreter/text.h"
#include "redis/scripting/libraries/libraries.h"
#include "redis/scripting/script_errors.h"

namespace lockstep::redis {

namespace {

constexpr const char* base = "base";
/// What collectgarbage("count") and gcinfo() say, KiB: a constant, for determinism.
constexpr lua_Number pretended_memory_kib = 1024;
/// Redis's Lua refuses to have more values than this in one C function's frame.
constexpr int frame_values_max = 8000;

int assert_truth(lua_State* state) {
  luaL_checkany(state, 1);
  if (lua_toboolean(state, 1) == 0) {
    lua::make_text(state, 2);
    return luaL_error(state, "%s", luaL_optstring(state, 2, "assertion failed!"));
  }
  return lua_gettop(state);
}

int raise_error(lua_State* state) {
  const auto level = static_cast<int>(luaL_optnumber(state, 2, 1));
  lua_settop(state, 1);
  if (lua_isstring(state, 1) != 0 && level > 0) {
    lua::make_text(state, 1);
    luaL_where(state, level);
    lua_insert(state, 1);
    lua_concat(state, 2);
  }
  return lua_error(state);
}

int next_of_array(lua_State* state) {
  const auto position = static_cast<lua_Integer>(luaL_checknumber(state, 2)) + 1;
  luaL_checktype(state, 1, LUA_TTABLE);
  lua::push_whole_number(state, position);
  return lua_rawgeti(state, 1, position) == LUA_TNIL ? 0 : 2;
}

int iterate_array(lua_State* state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  lua_pushcfunction(state, &next_of_array);
  lua_pushvalue(state, 1);
  lua_pushnumber(state, 0);
  return 3;
}

/// Redis's pcall gives the text of a raised error table.
int protected_call(lua_State* state) {
  luaL_checkany(state, 1);
  lua_pushboolean(state, 1);
  lua_insert(state, 1);
  const int status = lua_pcall(state, lua_gettop(state) - 2, LUA_MULTRET, 0);
  if (status == LUA_OK) {
    return lua_gettop(state);
  }
  end_if_out_of_memory(state, context_of(state), status == LUA_ERRMEM);
  if (lua_type(state, -1) == LUA_TTABLE) {
    lua_getfield(state, -1, "err");
    if (lua_isstring(state, -1) == 0) {
      lua_pop(state, 1);
    }
  } else {
    use_lua51_wording(state);
  }
  lua_pushboolean(state, 0);
  lua_insert(state, -2);
  return 2;
}

/// A message handler over the script's own (upvalue 1).
int handle_in_lua51_wording(lua_State* state) {
  lua_settop(state, 1);
  use_lua51_wording(state);
  lua_pushvalue(state, lua_upvalueindex(1));
  lua_insert(state, 1);
  lua_call(state, 1, 1);
  return 1;
}

int protected_call_with_handler(lua_State* state) {
  luaL_checkany(state, 2);
  lua_settop(state, 2);
  lua_pushcclosure(state, &handle_in_lua51_wording, 1);
  lua_insert(state, 1);
  const int status = lua_pcall(state, 0, LUA_MULTRET, 1);
  if (status != LUA_OK) {
    end_if_out_of_memory(state, context_of(state), status == LUA_ERRMEM);
  }
  lua_pushboolean(state, status == LUA_OK ? 1 : 0);
  lua_replace(state, 1);
  return lua_gettop(state);
}

int raw_get(lua_State* state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  luaL_checkany(state, 2);
  lua_settop(state, 2);
  lua::replace_view_by_table(state, 1);
  lua_rawget(state, 1);
  return 1;
}

int raw_set(lua_State* state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  luaL_checkany(state, 2);
  luaL_checkany(state, 3);
  check_writable(state, 1);
  lua_settop(state, 3);
  lua_rawset(state, 1);
  return 1;
}

/// Sets the metatable at index 2, whose __gc Lua 5.1 does not look at for tables; 5.4 would when it
/// is set.
int set_metatable_past_collector(lua_State* state) {
  if (luaL_getmetafield(state, 1, "__metatable") != LUA_TNIL) {
    return luaL_error(state, "cannot change a protected metatable");
  }
  lua_pushliteral(state, "__gc");
  lua_pushvalue(state, -1);
  lua_rawget(state, 2);  // stack: …, name, function
  lua_pushvalue(state, -2);
  lua_pushnil(state);
  lua_rawset(state, 2);
  lua_pushvalue(state, 2);
  lua_setmetatable(state, 1);
  lua_rawset(state, 2);
  lua_settop(state, 1);
  return 1;
}

/// Over the stock setmetatable (upvalue 1).
int set_metatable(lua_State* state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  const int type = lua_type(state, 2);
  luaL_argcheck(state, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table expected");
  check_writable(state, 1);
  if (type == LUA_TTABLE) {
    lua_pushliteral(state, "__gc");
    if (lua_rawget(state, 2) != LUA_TNIL) {
      lua_settop(state, 2);
      return set_metatable_past_collector(state);
    }
    lua_pop(state, 1);
  }
  return lua::set_metatable_without_collector(state);
}

int number_in_base(lua_State* state, int number_base) {
  lua::make_text(state, 1);
  const char* text = luaL_checkstring(state, 1);
  luaL_argcheck(state, 2 <= number_base && number_base <= 36, 2, "base out of range");
  char* end = nullptr;
  const unsigned long value = std::strtoul(text, &end, number_base);
  const bool found = end != text;
  end += std::strspn(end, " \t\n\v\f\r");
  if (!found || *end != '\0') {
    lua_pushnil(state);
    return 1;
  }
  lua_pushnumber(state, static_cast<lua_Number>(value));
  return 1;
}

int to_number(lua_State* state) {
  const lua_Number number_base = luaL_optnumber(state, 2, 10);
  if (number_base != 10) {
    const bool fits = std::fabs(number_base) < INT_MAX;
    return number_in_base(state, fits ? static_cast<int>(number_base) : 0);
  }
  luaL_checkany(state, 1);
  lua_settop(state, 1);
  if (!lua::read_number(state, 1)) {
    lua_pushnil(state);
  }
  return 1;
}

int to_text(lua_State* state) {
  luaL_checkany(state, 1);
  if (lua_type(state, 1) == LUA_TNUMBER) {
    lua::NumberBuffer buffer;
    const std::string_view text = lua::number_text(state, 1, buffer);
    lua_pushlstring(state, text.data(), text.size());
  } else if (lua_islightuserdata(state, 1) && lua_touserdata(state, 1) == nullptr) {
    lua_pushliteral(state, "userdata: (nil)");  // cjson.null
  } else {
    lua::push_text(state, 1);
  }
  return 1;
}

int unpack_table(lua_State* state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  const lua_Number first = std::trunc(luaL_optnumber(state, 2, 1));
  const lua_Number last = lua_isnoneornil(state, 3) ? static_cast<lua_Number>(lua_rawlen(state, 1))
                                                    : std::trunc(luaL_checknumber(state, 3));
  if (first > last) {
    return 0;
  }
  const lua_Number count = last - first + 1;
  if (!(count + lua_gettop(state) <= frame_values_max) ||
      lua_checkstack(state, static_cast<int>(count)) == 0) {
    return luaL_error(state, "too many results to unpack");
  }
  const auto begin = static_cast<lua_Integer>(first);
  for (lua_Integer offset = 0; offset < static_cast<lua_Integer>(count); ++offset) {
    lua_rawgeti(state, 1, begin + offset);
  }
  return static_cast<int>(count);
}

int collect_garbage(lua_State* state) {
  static constexpr const char* options[] = {"stop", "restart",  "collect",    "count",
                                            "step", "setpause", "setstepmul", nullptr};
  const std::string_view option = options[luaL_checkoption(state, 1, "collect", options)];
  if (option == "count") {
    lua_pushnumber(state, pretended_memory_kib);
  } else if (option == "step") {
    lua_pushboolean(state, 0);
  } else {
    lua_pushnumber(state, 0);
  }
  return 1;
}

int memory_in_use(lua_State* state) {
  lua_pushnumber(state, pretended_memory_kib);
  return 1;
}

/// Lua 5.1's select.
int select_arguments(lua_State* state) {
  const int count = lua_gettop(state);
  std::size_t length = 0;
  const char* text = lua_type(state, 1) == LUA_TSTRING ? lua_tolstring(state, 1, &length) : "";
  if (*text == '#') {
    lua_pushnumber(state, count - 1);
    return 1;
  }
  const lua_Number number = std::trunc(luaL_checknumber(state, 1));
  const lua_Number position = number < 0 ? count + number : std::min<lua_Number>(number, count);
  luaL_argcheck(state, position >= 1, 1, "index out of range");
  return count - static_cast<int>(position);
}

void truncate_number(lua_State* state, int index) {
  if (!lua::read_number(state, index)) return;  // the stock function will complain
  lua_pushnumber(state, std::trunc(lua_tonumber(state, index)) + 0.0);
  lua_replace(state, index);
}

int truncate_arguments(lua_State* state) {
  const auto first_truncated = static_cast<int>(lua_tointeger(state, lua_upvalueindex(2)));
  const auto arguments_max = static_cast<int>(lua_tointeger(state, lua_upvalueindex(3)));
  if (lua_gettop(state) > arguments_max) {
    lua_settop(state, arguments_max);
  }
  for (int index = lua_gettop(state); index >= 1; --index) {
    if (index >= first_truncated) {
      truncate_number(state, index);
    } else {
      lua::make_text(state, index);
    }
  }
  const int results = lua_tocfunction(state, lua_upvalueindex(1))(state);
  for (int index = -results; index < 0; ++index) {
    lua::make_float(state, index);
  }
  return results;
}

void set_function(lua_State* state, const char* name, lua_CFunction function) {
  lua_pushcfunction(state, function);
  lua_setfield(state, -2, name);
}

}  // namespace

void set_stock_function(lua_State* state, const char* library, const char* name) {
  lua::push_stock_function(state, library, name);
  lua_setfield(state, -2, name);
}

void set_truncating_function(lua_State* state, const char* library, const char* name,
                             int first_truncated, int arguments_max) {
  lua::push_stock_function(state, library, name);
  lua_pushinteger(state, first_truncated);
  lua_pushinteger(state, arguments_max);
  lua_pushcclosure(state, &truncate_arguments, 3);
  lua_setfield(state, -2, name);
}

void check_writable(lua_State* state, int index) {
  if (lua::is_view(state, index)) {
    lua_pushliteral(state, "Attempt to modify a readonly table");
    lua_error(state);
  }
}

void install_base_functions(lua_State* state, ScriptContext& context) {
  set_function(state, "assert", &assert_truth);
  set_function(state, "error", &raise_error);
  set_function(state, "ipairs", &iterate_array);
  set_function(state, "pairs", &lua::raw_ordered_pairs);
  set_function(state, "next", &lua::raw_ordered_next);
  set_context_function(state, context, "pcall", &protected_call);
  set_context_function(state, context, "xpcall", &protected_call_with_handler);
  set_function(state, "rawget", &raw_get);
  set_function(state, "rawset", &raw_set);
  set_function(state, "tonumber", &to_number);
  set_function(state, "tostring", &to_text);
  set_function(state, "unpack", &unpack_table);
  set_function(state, "collectgarbage", &collect_garbage);
  set_function(state, "gcinfo", &memory_in_use);
  set_stock_function(state, base, "rawequal");
  set_stock_function(state, base, "type");
  set_function(state, "select", &select_arguments);
  lua::push_stock_function(state, base, "setmetatable");
  lua_pushcclosure(state, &set_metatable, 1);
  lua_setfield(state, -2, "setmetatable");
  lua_pushliteral(state, "Lua 5.1");
  lua_setfield(state, -2, "_VERSION");
}

}  // namespace lockstep::redis
