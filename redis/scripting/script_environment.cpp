#include "redis/scripting/script_environment.h"

#include "lua/interpreter/read_only.h"
#include "redis/scripting/libraries/libraries.h"

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

/// getmetatable of the guarded environment. Upvalue 1: what it gives for strings. A read-only view
/// stands for a table without a metatable.
int get_metatable(lua_State* state) {
  luaL_checkany(state, 1);
  lua_settop(state, 1);
  if (lua_type(state, 1) == LUA_TSTRING) {
    lua_pushvalue(state, lua_upvalueindex(1));
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
  install_table_functions(state);
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
  install_operator_functions(state);
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
  lua_pushcclosure(state, &get_metatable, 1);
  lua_setfield(state, -3, "getmetatable");

  lua_pushvalue(state, -2);
  install_loading_functions(state, -2, context);
  lua_pop(state, 1);
}

}  // namespace

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
  set_guards(state, &refuse_unknown, &refuse_write);
  environments.guarded_contents = luaL_ref(state, LUA_REGISTRYINDEX);

  set_guards(state, &refuse_unknown, &refuse_write);
  environments.open = luaL_ref(state, LUA_REGISTRYINDEX);
  return environments;
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
