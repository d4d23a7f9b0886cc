#include "lua/interpreter/deterministic_base.h"

#include <cassert>
#include <initializer_list>
#include <lua.hpp>

#include "lua/interpreter/ordered_traversal.h"
#include "lua/interpreter/sort.h"
#include "lua/interpreter/text.h"

namespace lockstep::lua {

namespace {

constexpr const char* base_library = "base";
constexpr char stock_key = 0;             // its address names the table of stock libraries
constexpr char string_metatable_key = 0;  // its address names the metatable of strings

using Names = std::initializer_list<const char*>;

constexpr Names base_names = {"assert",   "error",    "getmetatable", "ipairs", "pcall",
                              "rawequal", "rawget",   "rawlen",       "rawset", "select",
                              "type",     "tonumber", "xpcall"};
constexpr Names string_names = {"byte", "char",    "find",  "gmatch", "gsub",
                                "len",  "lower",   "match", "pack",   "packsize",
                                "rep",  "reverse", "sub",   "unpack", "upper"};
constexpr Names table_names = {"concat", "insert", "move", "pack", "remove", "unpack"};
constexpr Names math_names = {
    "abs", "acos",       "asin", "atan",       "ceil", "cos",       "cosh", "deg",
    "exp", "floor",      "fmod", "frexp",      "huge", "ldexp",     "log",  "log10",
    "max", "maxinteger", "min",  "mininteger", "modf", "pi",        "pow",  "rad",
    "sin", "sinh",       "sqrt", "tan",        "tanh", "tointeger", "type", "ult"};
constexpr Names coroutine_names = {"close",   "create", "isyieldable", "resume",
                                   "running", "status", "wrap",        "yield"};

int collect_nothing(lua_State* state) {
  lua_pushinteger(state, 0);
  return 1;
}

/// Copies the named entries of a stock library into the table on top of the stack.
void copy_stock(lua_State* state, const char* library, Names names) {
  for (const char* name : names) {
    push_stock_function(state, library, name);
    lua_setfield(state, -2, name);
  }
}

void set_function(lua_State* state, const char* name, lua_CFunction function) {
  lua_pushcfunction(state, function);
  lua_setfield(state, -2, name);
}

/// Puts a closure over a stock function into the table on top of the stack.
void set_wrapper(lua_State* state, const char* library, const char* name, lua_CFunction wrapper) {
  push_stock_function(state, library, name);
  lua_pushcclosure(state, wrapper, 1);
  lua_setfield(state, -2, name);
}

void open_library(lua_State* state, const char* name, lua_CFunction open) {
  lua_pushcfunction(state, open);
  lua_call(state, 0, 1);
  lua_setfield(state, -2, name);
}

/// luaopen_base fills the globals; moves them into a table on top of the stack.
void open_base(lua_State* state) {
  lua_pushcfunction(state, luaopen_base);
  lua_call(state, 0, 0);
  lua_newtable(state);
  lua_pushglobaltable(state);
  lua_pushnil(state);
  while (lua_next(state, -2) != 0) {
    lua_pushvalue(state, -2);
    lua_insert(state, -2);
    lua_rawset(state, -5);
    lua_pushvalue(state, -1);
    lua_pushnil(state);
    lua_rawset(state, -4);
  }
  lua_pop(state, 1);
}

}  // namespace

int set_metatable_without_collector(lua_State* state) {
  const int type = lua_type(state, 2);
  luaL_argexpected(state, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table");
  if (type == LUA_TTABLE) {
    for (const char* field : {"__gc", "__mode"}) {
      lua_pushstring(state, field);
      if (lua_rawget(state, 2) != LUA_TNIL) {
        return luaL_error(state, "'%s' is refused: what it does depends on the collector", field);
      }
      lua_pop(state, 1);
    }
  }
  return lua_tocfunction(state, lua_upvalueindex(1))(state);
}

void open_stock_libraries(lua_State* state) {
  lua_newtable(state);
  open_base(state);
  lua_setfield(state, -2, base_library);
  open_library(state, LUA_STRLIBNAME, luaopen_string);
  open_library(state, LUA_TABLIBNAME, luaopen_table);
  open_library(state, LUA_MATHLIBNAME, luaopen_math);
  open_library(state, LUA_COLIBNAME, luaopen_coroutine);
  lua_rawsetp(state, LUA_REGISTRYINDEX, &stock_key);

  lua_pushliteral(state, "");
  lua_getmetatable(state, -1);
  lua_rawsetp(state, LUA_REGISTRYINDEX, &string_metatable_key);
  lua_pop(state, 1);
}

void push_stock_function(lua_State* state, const char* library, const char* name) {
  lua_rawgetp(state, LUA_REGISTRYINDEX, &stock_key);
  lua_getfield(state, -1, library);
  [[maybe_unused]] const int type = lua_getfield(state, -1, name);
  assert(type != LUA_TNIL);
  lua_insert(state, -3);
  lua_pop(state, 2);
}

void set_string_methods(lua_State* state) {
  lua_rawgetp(state, LUA_REGISTRYINDEX, &string_metatable_key);
  lua_insert(state, -2);
  lua_setfield(state, -2, "__index");
  lua_pop(state, 1);
}

void push_string_methods(lua_State* state) {
  lua_rawgetp(state, LUA_REGISTRYINDEX, &string_metatable_key);
  lua_getfield(state, -1, "__index");
  lua_remove(state, -2);
}

void install_deterministic_base(lua_State* state, int environment_index) {
  lua_pushvalue(state, environment_index);
  copy_stock(state, base_library, base_names);
  set_function(state, "pairs", &ordered_pairs);
  set_function(state, "next", &ordered_next);
  set_function(state, "tostring", &text_of_argument);
  set_function(state, "collectgarbage", &collect_nothing);
  set_wrapper(state, base_library, "setmetatable", &set_metatable_without_collector);

  lua_newtable(state);
  copy_stock(state, LUA_STRLIBNAME, string_names);
  set_wrapper(state, LUA_STRLIBNAME, "format", &format_without_addresses);
  lua_setfield(state, -2, LUA_STRLIBNAME);

  lua_newtable(state);
  copy_stock(state, LUA_TABLIBNAME, table_names);
  set_function(state, "sort", &sort_table);
  lua_setfield(state, -2, LUA_TABLIBNAME);

  lua_newtable(state);
  copy_stock(state, LUA_MATHLIBNAME, math_names);
  lua_setfield(state, -2, LUA_MATHLIBNAME);

  lua_newtable(state);
  copy_stock(state, LUA_COLIBNAME, coroutine_names);
  lua_setfield(state, -2, LUA_COLIBNAME);

  lua_pushvalue(state, -1);
  lua_setfield(state, -2, LUA_GNAME);
  lua_pushliteral(state, LUA_VERSION);
  lua_setfield(state, -2, "_VERSION");
  lua_pop(state, 1);
}

}  // namespace lockstep::lua
