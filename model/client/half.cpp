#include "model/client/half.h"

#include <charconv>
#include <lua.hpp>

#include "model/client/errors.h"

namespace lockstep::model {
namespace {

int refuse_global(lua_State* lua) {
  return luaL_error(lua, "a client half may not make globals: declare '%s' as local",
                    luaL_tolstring(lua, 2, nullptr));
}

int refuse_unknown_name(lua_State* lua) {
  return luaL_error(lua, "there is no '%s' here: declare it as local, or see docs/your-own-lock.md",
                    luaL_tolstring(lua, 2, nullptr));
}

void set_metamethod(lua_State* lua, const char* name, lua_CFunction function) {
  lua_pushcfunction(lua, function);
  lua_setfield(lua, -2, name);
}

void stop_runaway(lua_State* lua, lua_Debug* /*debug*/) {
  luaL_where(lua, 0);  // a hook has no level of its own
  lua_pushliteral(lua, "it does not come to an end");
  lua_concat(lua, 2);
  lua_error(lua);
}

}  // namespace

InputError input_error_from(const std::string& path, std::string_view chunk_name,
                            std::string_view lua_error) {
  SourcePlace place{path};
  if (lua_error.starts_with(chunk_name)) {
    std::string_view rest = lua_error.substr(chunk_name.size());
    if (rest.starts_with(':')) {
      const auto [end, error] =
          std::from_chars(rest.data() + 1, rest.data() + rest.size(), place.line);
      rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
      if (error == std::errc() && rest.starts_with(": ")) lua_error = rest.substr(2);
    }
  }
  return InputError(place, std::string(lua_error));
}

Half::Half(ClientRuntime::Implementation& runtime) : runtime_(runtime) {
  const lua::Memory::Unlimited unlimited(runtime_.state.memory());
  make_environment();
  compile();
  for (LuaReference* of_a_run : {&functions_, &locks_}) {
    lua_newtable(runtime_.main);
    *of_a_run = LuaReference(runtime_.main);
  }
}

void Half::make_environment() {
  lua_State* lua = runtime_.main;
  lua_newtable(lua);
  runtime_.base.push(lua);
  lua_pushnil(lua);
  while (lua_next(lua, -2) != 0) {
    lua_pushvalue(lua, -2);
    lua_insert(lua, -2);
    lua_rawset(lua, -5);
  }
  lua_pop(lua, 1);
  lua_newtable(lua);
  set_metamethod(lua, "__index", &refuse_unknown_name);
  lua_setmetatable(lua, -2);
  names_ = LuaReference(lua);
}

void Half::compile() {
  lua_State* lua = runtime_.main;
  const LockPackage& package = runtime_.package;
  const std::string chunk = "@" + runtime_.chunk_name;
  if (luaL_loadbufferx(lua, package.client_source.data(), package.client_source.size(),
                       chunk.c_str(), "t") != LUA_OK) {
    const InputError error =
        input_error_from(package.client_path, runtime_.chunk_name, lua_tostring(lua, -1));
    lua_pop(lua, 1);
    throw error;
  }
  lua_newtable(lua);  // the environment: always empty, so that every access is looked at
  lua_newtable(lua);
  names_.push(lua);
  lua_setfield(lua, -2, "__index");
  set_metamethod(lua, "__newindex", &refuse_global);
  lua_setmetatable(lua, -2);
  lua_setupvalue(lua, -2, 1);
  chunk_ = LuaReference(lua);
}

/// `client`, with what is its own in this run; the functions come through its metatable.
void Half::make_client_table(std::string_view uuid) {
  lua_State* lua = runtime_.main;
  names_.push(lua);
  lua_createtable(lua, 0, 2);
  lua_newtable(lua);
  lua_setfield(lua, -2, "state");
  lua_pushlstring(lua, uuid.data(), uuid.size());
  lua_setfield(lua, -2, "uuid");
  runtime_.functions_metatable.push(lua);
  lua_setmetatable(lua, -2);
  lua_setfield(lua, -2, "client");
  lua_pop(lua, 1);
}

void Half::start_run(std::string_view uuid) {
  const lua::Memory::Unlimited unlimited(runtime_.state.memory());
  lua_State* lua = runtime_.main;
  make_client_table(uuid);
  lua_newtable(lua);
  locks_.replace();
  chunk_.push(lua);
  lua_sethook(lua, &stop_runaway, LUA_MASKCOUNT, instructions_max);
  const int status = lua_pcall(lua, 0, 1, 0);
  lua_sethook(lua, nullptr, 0, 0);
  if (status != LUA_OK) {
    const InputError error =
        input_error_from(runtime_.package.client_path, runtime_.chunk_name, read_error(lua).text);
    lua_pop(lua, 1);
    throw error;
  }
  require_functions(lua);
  functions_.replace();
}

/// Looks at the value on top of the stack; pops it where it throws.
void Half::require_functions(lua_State* lua) const {
  const SourcePlace place{runtime_.package.client_path};
  if (!lua_istable(lua, -1)) {
    lua_pop(lua, 1);
    throw InputError(place, "the client half must return a table of functions");
  }
  for (const char* name : half_function_names) {
    lua_pushstring(lua, name);
    const bool is_function = lua_rawget(lua, -2) == LUA_TFUNCTION;
    lua_pop(lua, 1);
    if (is_function) continue;
    lua_pop(lua, 1);
    throw InputError(place, "the client half lacks the function '" + std::string(name) + "'");
  }
}

void Half::push_function(lua_State* lua, HalfFunction function) const {
  functions_.push(lua);
  lua_pushstring(lua, half_function_names[static_cast<std::size_t>(function)]);
  lua_rawget(lua, -2);
  lua_remove(lua, -2);
}

void Half::push_lock(lua_State* lua, std::size_t lock, std::string_view name) const {
  const auto place = static_cast<lua_Integer>(lock) + 1;
  locks_.push(lua);
  if (lua_rawgeti(lua, -1, place) == LUA_TNIL) {
    lua_pop(lua, 1);
    lua_createtable(lua, 0, 4);
    lua_pushlstring(lua, name.data(), name.size());
    lua_setfield(lua, -2, "name");
    runtime_.options.push(lua);
    lua_setfield(lua, -2, "options");
    lua_pushvalue(lua, -1);
    lua_rawseti(lua, -3, place);
  }
  lua_remove(lua, -2);
}

}  // namespace lockstep::model
