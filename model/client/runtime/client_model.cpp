#include "model/client/runtime/client_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <lua.hpp>

#include "model/client/runtime/compiled_sources.h"
#include "model/client/runtime/errors.h"
#include "model/client/runtime/fiber.h"
#include "model/lock/lock_package.h"
#include "model/lock/source_place.h"
#include "scenario/step_forms.h"
#include "scenario/text/input_error.h"

namespace lockstep::model {
namespace {

int refuse_global(lua_State* lua) {
  return luaL_error(lua, "a client model may not make globals: declare '%s' as local",
                    luaL_tolstring(lua, 2, nullptr));
}

int refuse_unknown_name(lua_State* lua) {
  return luaL_error(lua, "there is no '%s' here: declare it as local, or see docs/locks.md",
                    luaL_tolstring(lua, 2, nullptr));
}

void set_metamethod(lua_State* lua, const char* name, lua_CFunction function) {
  lua_pushcfunction(lua, function);
  lua_setfield(lua, -2, name);
}

/// require(name): what the library returned, run at its first use by this client in this run.
/// Upvalues: the compiled libraries by name, and what they returned (true while one is running).
int require_library(lua_State* lua) {
  const char* name = luaL_checkstring(lua, 1);
  lua_settop(lua, 1);
  if (lua_getfield(lua, lua_upvalueindex(2), name) == LUA_TBOOLEAN) {
    return luaL_error(lua, "the library '%s' requires itself", name);
  }
  if (!lua_isnil(lua, -1)) return 1;
  if (lua_getfield(lua, lua_upvalueindex(1), name) == LUA_TNIL) {
    return luaL_error(lua, "there is no library '%s': lock.toml names none, as in [libraries]",
                      name);
  }
  lua_pushboolean(lua, 1);
  lua_setfield(lua, lua_upvalueindex(2), name);
  if (lua_pcall(lua, 0, 1, 0) != LUA_OK) {  // whoever asks again is told again
    lua_pushnil(lua);
    lua_setfield(lua, lua_upvalueindex(2), name);
    return lua_error(lua);
  }
  if (!lua_istable(lua, -1)) return luaL_error(lua, "the library '%s' returns no table", name);
  lua_pushvalue(lua, -1);
  lua_setfield(lua, lua_upvalueindex(2), name);
  return 1;
}

/// While a source is executed, outside of any fiber. Upvalue: how often it was called.
int count_loading_round(lua_State* lua) {
  auto& iterations = *static_cast<int*>(lua_touserdata(lua, lua_upvalueindex(1)));
  if (iterations == iterations_max) return luaL_error(lua, "it does not come to an end");
  ++iterations;
  return 0;
}

/// What a client model calls as it begins a function or a loop; once it has run away every further
/// one raises again, so that no pcall in it can hold the error back.
int count_round(lua_State* lua) {
  Fiber* const fiber = *static_cast<Fiber**>(lua_getextraspace(lua));
  if (fiber == nullptr) return count_loading_round(lua);
  if (fiber->iterations == iterations_max) return raise_runaway(lua, *fiber);
  ++fiber->iterations;
  return 0;
}

/// The message handler while a source is loaded: what is raised that is no text has no place.
int add_place(lua_State* lua) {
  if (lua_type(lua, 1) == LUA_TSTRING) return 1;
  if (lua_istable(lua, 1)) {
    lua_pushliteral(lua, "message");
    const bool is_error = lua_rawget(lua, 1) == LUA_TSTRING;
    lua_settop(lua, 1);
    if (is_error) return 1;
  }
  lua_Debug caller;
  for (int level = 1; lua_getstack(lua, level, &caller) != 0; ++level) {
    luaL_where(lua, level);
    if (lua_rawlen(lua, -1) > 0) {
      if (lua_type(lua, 1) == LUA_TNUMBER) {
        lua_pushvalue(lua, 1);
        lua_concat(lua, 2);
        return 1;
      }
      lua_pushfstring(lua, "%sit raised a %s that is no error", lua_tostring(lua, -1),
                      luaL_typename(lua, 1));
      return 1;
    }
    lua_pop(lua, 1);
  }
  lua_settop(lua, 1);
  return 1;
}

}  // namespace

std::string chunk_name_of(const std::string& path) {
  const std::filesystem::path file(path);
  return (file.parent_path().filename() / file.filename()).string();
}

ClientModel::ClientModel(ClientRuntime::Implementation& runtime, const scenario::Options& options)
    : runtime_(runtime), options_(runtime.option_table(options)) {
  const lua::Memory::Unlimited unlimited(runtime_.state.memory());
  lua_State* lua = runtime_.main;
  make_environment();
  make_client_table();
  const LockPackage& package = runtime_.package;
  const auto add_traits = [&](const std::string& path, const std::string& source) {
    traits_.add(runtime_.sources.find(path, source).traits);
  };
  add_traits(package.client_path, package.client_source);
  for (const LockLibrary& library : package.libraries) add_traits(library.path, library.source);
  chunk_ = compile(package.client_path, package.client_source);
  lua_newtable(lua);
  libraries_ = LuaReference(lua);
  for (const LockLibrary& library : package.libraries) {
    const LuaReference chunk = compile(library.path, library.source);
    libraries_.push(lua);
    chunk.push(lua);
    lua_setfield(lua, -2, library.name.c_str());
    lua_pop(lua, 1);
  }
  for (LuaReference* of_a_run : {&returned_, &functions_, &locks_}) {
    lua_newtable(lua);
    *of_a_run = LuaReference(lua);
  }
}

void ClientModel::make_environment() {
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
  lua_pushlightuserdata(lua, &loading_iterations_);
  lua_pushcclosure(lua, &count_round, 1);
  lua_setfield(lua, -2, count_iteration_name);
  lua_newtable(lua);
  set_metamethod(lua, "__index", &refuse_unknown_name);
  lua_setmetatable(lua, -2);
  names_ = LuaReference(lua);
}

void ClientModel::load(const std::string& path, const std::string& source,
                       const std::string& text) const {
  lua_State* lua = runtime_.main;
  const std::string name = chunk_name_of(path);
  if (luaL_loadbufferx(lua, text.data(), text.size(), ("@" + name).c_str(), "t") == LUA_OK) return;
  const scenario::InputError error = input_error_from(path, source, name, lua_tostring(lua, -1));
  lua_pop(lua, 1);
  throw error;
}

LuaReference ClientModel::compile(const std::string& path, const std::string& source) const {
  lua_State* lua = runtime_.main;
  const std::size_t place = traits_.may_have_metatables ? 1 : 0;
  LuaReference& chunk = runtime_.sources.find(path, source).chunks[place];
  if (!chunk.holds_a_value()) {
    load(path, source, source);  // its mistakes are told in its own words
    lua_pop(lua, 1);
    load(path, source, instrumented_source(path, source, names_in_scope()));
    chunk = LuaReference(lua);
  }
  lua_newtable(lua);  // the environment: always empty, so that every access is looked at
  lua_newtable(lua);
  names_.push(lua);
  lua_setfield(lua, -2, "__index");
  set_metamethod(lua, "__newindex", &refuse_global);
  lua_setmetatable(lua, -2);
  push_with_environment(lua, chunk);
  lua_call(lua, 0, 1);  // raises nothing: it only looks names up that are there
  return LuaReference(lua);
}

ClientModelNames ClientModel::names_in_scope() const {
  lua_State* lua = runtime_.main;
  // Pops a table whose keys are all names; sorted, since it has no order of its own.
  const auto add_keys = [lua](std::vector<std::string>& names) {
    lua_pushnil(lua);
    while (lua_next(lua, -2) != 0) {
      lua_pop(lua, 1);
      names.emplace_back(lua_tostring(lua, -1));
    }
    lua_pop(lua, 1);
    std::sort(names.begin(), names.end());
  };
  ClientModelNames names;
  names.common = {"client"};
  runtime_.base.push(lua);
  add_keys(names.common);
  runtime_.functions_metatable.push(lua);
  lua_getfield(lua, -1, "__index");
  lua_remove(lua, -2);
  add_keys(names.client_functions);
  // The digest looks for these names in the compiled code (reachable_code.cpp).
  std::erase_if(names.client_functions, [](const std::string& name) {
    return name == "wall_ms" || name == "monotonic_ms";
  });
  names.may_have_metatables = traits_.may_have_metatables;
  return names;
}

/// `client`; the functions come through its metatable.
void ClientModel::make_client_table() {
  lua_State* lua = runtime_.main;
  lua_createtable(lua, 0, 2);
  runtime_.functions_metatable.push(lua);
  lua_setmetatable(lua, -2);
  client_ = LuaReference(lua);
  names_.push(lua);
  client_.push(lua);
  lua_setfield(lua, -2, "client");
  lua_pop(lua, 1);
}

/// Gives `client` what is its own in this run. No client model can set any other field of it.
void ClientModel::renew_client_table(std::string_view uuid) {
  lua_State* lua = runtime_.main;
  client_.push(lua);
  lua_pushliteral(lua, "state");
  lua_newtable(lua);
  lua_rawset(lua, -3);
  lua_pushliteral(lua, "uuid");
  lua_pushlstring(lua, uuid.data(), uuid.size());
  lua_rawset(lua, -3);
  lua_pop(lua, 1);
}

/// Gives the client model a `require` that has executed no library yet.
void ClientModel::renew_require() {
  if (runtime_.package.libraries.empty()) return;
  lua_State* lua = runtime_.main;
  lua_newtable(lua);
  returned_.replace();
  names_.push(lua);
  libraries_.push(lua);
  returned_.push(lua);
  lua_pushcclosure(lua, &require_library, 2);
  lua_setfield(lua, -2, "require");
  lua_pop(lua, 1);
}

scenario::InputError ClientModel::error_in_source(std::string_view lua_error) const {
  const LockPackage& package = runtime_.package;
  for (const LockLibrary& library : package.libraries) {
    const std::string name = chunk_name_of(library.path);
    if (!lua_error.starts_with(name + ":")) continue;
    return input_error_from(library.path, library.source, name, lua_error);
  }
  return input_error_from(package.client_path, package.client_source,
                          chunk_name_of(package.client_path), lua_error);
}

void ClientModel::start_run(std::string_view uuid) {
  lua_State* lua = runtime_.main;
  {
    const lua::Memory::Unlimited unlimited(runtime_.state.memory());
    renew_client_table(uuid);
    lua_newtable(lua);
    locks_.replace();
    if (image_.restore(lua)) {
      ++snapshots_restored_;
      return;
    }
    image_.forget();
    renew_require();
    chunk_.push(lua);
  }
  const int status = execute();
  const lua::Memory::Unlimited unlimited(runtime_.state.memory());
  take_functions(status);
  // Remembering costs as much as executing: in vain where every run changes something.
  constexpr std::uint32_t tries = 8;
  if (snapshots_taken_ <= snapshots_restored_ + tries) take_snapshot();
}

/// Executes the source, which is on the stack, within limits. Returns Lua's status.
int ClientModel::execute() {
  lua::Memory& memory = runtime_.state.memory();
  loading_iterations_ = 0;
  memory.allow_large_blocks(large_blocks_bytes_max);
  lua_State* lua = runtime_.main;
  const int handler = lua_gettop(lua);
  lua_pushcfunction(lua, &add_place);
  lua_insert(lua, handler);
  const int status = lua_pcall(lua, 0, 1, handler);
  lua_remove(lua, handler);
  memory.allow_all_large_blocks();
  return status;
}

/// Keeps what the source returned, which is on the stack.
void ClientModel::take_functions(int status) {
  lua_State* lua = runtime_.main;
  if (status == LUA_ERRMEM) {
    lua_pop(lua, 1);
    throw scenario::InputError::about(
        runtime_.package.client_path,
        fmt::format("it copies more than {} MiB while it is loaded", large_blocks_bytes_max >> 20));
  }
  if (status != LUA_OK) {
    const scenario::InputError error = error_in_source(read_error(lua).text);
    lua_pop(lua, 1);
    throw error;
  }
  if (!lua_istable(lua, -1)) {
    lua_pop(lua, 1);
    const LockPackage& package = runtime_.package;
    throw error_at_return(package.client_path, package.client_source,
                          "the client model must return a table of functions");
  }
  functions_.replace();
}

void ClientModel::take_snapshot() {
  if (traits_.depends_on_run) return;
  ++snapshots_taken_;
  const std::array<const LuaReference*, 2> roots = {&functions_, &returned_};
  const std::array<const LuaReference*, 2> fixed = {&names_, &libraries_};
  image_.take(runtime_.main, traits_, roots, fixed);
}

void ClientModel::push_function(lua_State* lua, scenario::StepKind function) const {
  functions_.push(lua);
  const std::string_view name = scenario::form_of(function).word;
  lua_pushlstring(lua, name.data(), name.size());
  lua_rawget(lua, -2);
  lua_remove(lua, -2);
}

namespace {

/// tagged_name of lock_package.h, without anything that an error could leave behind.
void push_tagged_name(lua_State* lua, std::string_view name) {
  const bool has_tag = name.find('{') != std::string_view::npos;
  if (!has_tag) lua_pushliteral(lua, "{");
  lua_pushlstring(lua, name.data(), name.size());
  if (has_tag) return;
  lua_pushliteral(lua, "}");
  lua_concat(lua, 3);
}

}  // namespace

void ClientModel::push_lock(lua_State* lua, std::size_t lock, std::string_view name) const {
  const auto place = static_cast<lua_Integer>(lock) + 1;
  locks_.push(lua);
  if (lua_rawgeti(lua, -1, place) == LUA_TNIL) {
    lua_pop(lua, 1);
    lua_createtable(lua, 0, 5);
    lua_pushlstring(lua, name.data(), name.size());
    lua_setfield(lua, -2, "name");
    push_tagged_name(lua, name);
    lua_setfield(lua, -2, "tagged_name");
    options_.push(lua);
    lua_setfield(lua, -2, "options");
    lua_pushvalue(lua, -1);
    lua_rawseti(lua, -3, place);
  }
  lua_remove(lua, -2);
}

}  // namespace lockstep::model
