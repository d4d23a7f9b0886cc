#include "redis/scripting/script_environment.h"

#include <span>

#include "lua/interpreter/read_only.h"
#include "redis/scripting/libraries/libraries.h"
#include "redis/scripting/script_errors.h"
#include "redis/server/version_traits.h"

namespace lockstep::redis {

namespace {

constexpr const char* library_names[] = {LUA_STRLIBNAME, LUA_TABLIBNAME, LUA_MATHLIBNAME,
                                         LUA_COLIBNAME,  "bit",          "redis",
                                         "struct",       "cjson",        "cmsgpack"};

int refuse_unknown(lua_State* state) {
  return luaL_error(state, "Script attempted to access nonexistent global variable '%s'",
                    luaL_tolstring(state, 2, nullptr));
}

int refuse_write(lua_State* state) {
  return luaL_error(state, "Attempt to modify a readonly table");
}

/// getmetatable of the guarded environment. Upvalue 1: what it gives for strings; 2 and 3: the
/// globals, and what it gives for them. Any other read-only view stands for a table without a
/// metatable.
int get_metatable(lua_State* state) {
  luaL_checkany(state, 1);
  lua_settop(state, 1);
  if (lua_type(state, 1) == LUA_TSTRING) {
    lua_pushvalue(state, lua_upvalueindex(1));
  } else if (lua_rawequal(state, 1, lua_upvalueindex(2)) != 0) {
    lua_pushvalue(state, lua_upvalueindex(3));
  } else if (lua::is_view(state, 1) || lua_getmetatable(state, 1) == 0) {
    lua_pushnil(state);
  } else if (luaL_getmetafield(state, 1, "__metatable") == LUA_TNIL) {
    lua_settop(state, 2);  // the metatable itself
  }
  return 1;
}

void push_contents(lua_State* state, ScriptContext& context) {
  lua_newtable(state);
  install_base_functions(state, context);
  lua_newtable(state);
  install_string_functions(state, context);
  lua_setfield(state, -2, LUA_STRLIBNAME);
  lua_newtable(state);
  install_table_functions(state, context);
  lua_setfield(state, -2, LUA_TABLIBNAME);
  lua_newtable(state);
  install_math_functions(state, context);
  lua_setfield(state, -2, LUA_MATHLIBNAME);
  lua_newtable(state);
  install_coroutine_functions(state, context);
  lua_setfield(state, -2, LUA_COLIBNAME);
  lua_newtable(state);
  install_bit_functions(state);
  lua_setfield(state, -2, "bit");
  lua_newtable(state);
  install_struct_functions(state);
  lua_setfield(state, -2, "struct");
  lua_newtable(state);
  install_json_functions(state, context);
  lua_setfield(state, -2, "cjson");
  lua_newtable(state);
  install_message_pack_functions(state, context);
  lua_setfield(state, -2, "cmsgpack");
  lua_newtable(state);
  install_redis_functions(state, context);
  lua_setfield(state, -2, "redis");
  lua_pushcfunction(state, &describe_error);
  lua_setfield(state, -2, "__redis__err__handler");
}

/// Sets the metatable of the table on top of the stack, with the functions given.
void set_guards(lua_State* state, lua_CFunction on_missing, lua_CFunction on_new) {
  lua_createtable(state, 0, 2);
  lua_pushcfunction(state, on_missing);
  lua_setfield(state, -2, "__index");
  lua_pushcfunction(state, on_new);
  lua_setfield(state, -2, "__newindex");
  lua_setmetatable(state, -2);
}

/// Puts what rewritten scripts call between the globals and the refusal of unknown ones: there
/// scripts that list the globals do not see it.
void hide_operator_functions(lua_State* state) {
  if (lua_getmetatable(state, -1) == 0) return;
  lua_newtable(state);
  install_operator_functions(state);
  lua_createtable(state, 0, 1);
  lua_pushcfunction(state, &refuse_unknown);
  lua_setfield(state, -2, "__index");
  lua_setmetatable(state, -2);
  lua_setfield(state, -2, "__index");
  lua_pop(state, 1);
}

/// Pushes a copy of the table on top of the stack with read-only views for its libraries.
void push_guarded_contents(lua_State* state) {
  lua_newtable(state);
  lua_pushnil(state);
  while (lua_next(state, -3) != 0) {
    lua_pushvalue(state, -2);
    lua_insert(state, -2);
    lua_rawset(state, -4);
  }
  for (const char* name : library_names) {
    lua_getfield(state, -1, name);
    lua::make_read_only_view(state);
    lua_setfield(state, -2, name);
  }
}

/// Adds what is written in terms of the environment itself. Stack: contents, view of them.
void add_self_references(lua_State* state, ScriptContext& context) {
  lua_pushvalue(state, -1);
  lua_setfield(state, -3, LUA_GNAME);

  lua_createtable(state, 0, 1);
  lua_getfield(state, -3, LUA_STRLIBNAME);
  lua_setfield(state, -2, "__index");
  lua::make_read_only_view(state);
  lua_pushvalue(state, -2);
  lua_createtable(state, 0, 1);
  lua_pushcfunction(state, &refuse_unknown);
  lua_setfield(state, -2, "__index");
  lua::make_read_only_view(state);
  lua_pushcclosure(state, &get_metatable, 3);
  lua_setfield(state, -3, "getmetatable");

  lua_pushvalue(state, -2);
  install_loading_functions(state, -2, context);
  lua_pop(state, 1);
}

/// Pushes a table with these entries of the table on top of the stack.
void push_some(lua_State* state, std::span<const char* const> names) {
  lua_newtable(state);
  for (const char* const name : names) {
    lua_getfield(state, -2, name);
    lua_setfield(state, -2, name);
  }
}

/// Pushes what a library's code sees while it is loaded. The open environment is on top of the
/// stack.
void push_loading_globals(lua_State* state, ScriptContext& context) {
  constexpr const char* names[] = {"log",         "LOG_DEBUG",     "LOG_VERBOSE",      "LOG_NOTICE",
                                   "LOG_WARNING", "REDIS_VERSION", "REDIS_VERSION_NUM"};
  lua_newtable(state);
  lua_getfield(state, -2, "redis");
  push_some(state, names);
  lua_remove(state, -2);
  install_register_function(state, context);
  set_guards(state, &refuse_unknown, &refuse_write);
  lua::make_read_only_view(state);
  lua_setfield(state, -2, "redis");
  set_guards(state, &refuse_unknown, &refuse_write);
  hide_operator_functions(state);
}

/// Pushes what functions see: the guarded globals, without what only EVAL has. The guarded contents
/// are on top of the stack, the open environment is below.
void push_function_globals(lua_State* state) {
  lua_newtable(state);
  lua_pushnil(state);
  while (lua_next(state, -3) != 0) {
    lua_pushvalue(state, -2);
    lua_insert(state, -2);
    lua_rawset(state, -4);
  }
  for (const char* const name : {"__redis__err__handler"}) {
    lua_pushnil(state);
    lua_setfield(state, -2, name);
  }
  lua_getfield(state, -3, "redis");
  constexpr const char* names[] = {
      "call",        "pcall",        "log",         "setresp",       "set_repl",
      "error_reply", "status_reply", "sha1hex",     "acl_check_cmd", "LOG_DEBUG",
      "LOG_VERBOSE", "LOG_NOTICE",   "LOG_WARNING", "REPL_ALL",      "REPL_AOF",
      "REPL_NONE",   "REPL_REPLICA", "REPL_SLAVE",  "REDIS_VERSION", "REDIS_VERSION_NUM"};
  push_some(state, names);
  lua_remove(state, -2);
  lua::make_read_only_view(state);
  lua_setfield(state, -2, "redis");
  lua_pushvalue(state, -1);
  lua::make_read_only_view(state);
  lua_setfield(state, -2, LUA_GNAME);
  set_guards(state, &refuse_unknown, &refuse_write);
  hide_operator_functions(state);
}

/// Makes a table's missing entries those of the table of a reference. Stack: the table.
void show(lua_State* state, int reference) {
  lua_createtable(state, 0, 2);
  lua_rawgeti(state, LUA_REGISTRYINDEX, reference);
  lua_setfield(state, -2, "__index");
  lua_pushcfunction(state, &refuse_write);
  lua_setfield(state, -2, "__newindex");
  lua_setmetatable(state, -2);
}

}  // namespace

void begin_library(lua_State* state, const ScriptEnvironments& environments) {
  lua_newtable(state);
  show(state, environments.loading);
}

void end_library(lua_State* state, const ScriptEnvironments& environments) {
  show(state, environments.functions);
}

ScriptEnvironments build_environments(lua_State* state, ScriptContext& context) {
  ScriptEnvironments environments;
  push_contents(state, context);
  lua_getfield(state, -1, LUA_STRLIBNAME);
  environments.string_methods = luaL_ref(state, LUA_REGISTRYINDEX);

  push_guarded_contents(state);
  lua_pushvalue(state, -1);
  lua::make_read_only_view(state);
  add_self_references(state, context);
  environments.guarded = luaL_ref(state, LUA_REGISTRYINDEX);
  push_function_globals(state);
  environments.functions = luaL_ref(state, LUA_REGISTRYINDEX);
  set_guards(state, &refuse_unknown, &refuse_write);
  hide_operator_functions(state);
  environments.guarded_contents = luaL_ref(state, LUA_REGISTRYINDEX);

  push_loading_globals(state, context);
  environments.loading = luaL_ref(state, LUA_REGISTRYINDEX);
  install_operator_functions(state);
  set_guards(state, &refuse_unknown, &refuse_write);
  environments.open = luaL_ref(state, LUA_REGISTRYINDEX);
  return environments;
}

namespace {

/// The processor's time, which does not pass here: a constant, for determinism.
int clock_of_process(lua_State* state) {
  lua_pushnumber(state, 0);
  return 1;
}

/// Sets or removes `os` in the environment on top of the stack.
void set_clock(lua_State* state, bool is_offered, bool is_open) {
  lua_pushliteral(state, "os");
  if (is_offered) {
    lua_newtable(state);
    lua_pushcfunction(state, &clock_of_process);
    lua_setfield(state, -2, "clock");
    if (!is_open) lua::make_read_only_view(state);
  } else {
    lua_pushnil(state);
  }
  lua_rawset(state, -3);
}

}  // namespace

void set_version(lua_State* state, const ScriptEnvironments& environments,
                 const VersionTraits& version) {
  for (const int reference :
       {environments.open, environments.guarded_contents, environments.functions}) {
    lua_rawgeti(state, LUA_REGISTRYINDEX, reference);
    set_clock(state, version.offers_clock_to_scripts, reference == environments.open);
    lua_pop(state, 1);
  }
  for (const int reference : {environments.open, environments.guarded_contents,
                              environments.functions, environments.loading}) {
    lua_rawgeti(state, LUA_REGISTRYINDEX, reference);
    lua_pushliteral(state, "redis");
    lua_rawget(state, -2);
    lua_pushliteral(state, "server");
    if (version.server == "valkey") {
      lua_pushvalue(state, -2);
    } else {
      lua_pushnil(state);
    }
    lua_rawset(state, -4);
    lua::replace_view_by_table(state, -1);
    set_version_fields(state, version);
    lua_pop(state, 2);
  }
}

void set_script_global(lua_State* state, const ScriptEnvironments& environments, const char* name) {
  for (const int reference : {environments.open, environments.guarded_contents}) {
    lua_rawgeti(state, LUA_REGISTRYINDEX, reference);
    lua_pushstring(state, name);
    lua_pushvalue(state, -3);
    lua_rawset(state, -3);
    lua_pop(state, 1);
  }
  lua_pop(state, 1);
}

}  // namespace lockstep::redis
