// redis.register_function, which a library's code calls while it is loaded.
#include <lua.hpp>
#include <string>
#include <string_view>

#include "lua/interpreter/text.h"
#include "redis/protocol/letter_case.h"
#include "redis/scripting/function_library.h"
#include "redis/scripting/libraries/libraries.h"
#include "redis/scripting/script_reply_writer.h"
#include "redis/scripting/script_shebang.h"

namespace lockstep::redis {

bool is_library_name(std::string_view name) {
  for (const char letter : name) {
    const char low = lower_case(letter);
    const bool is_fine = (low >= 'a' && low <= 'z') || (low >= '0' && low <= '9') || low == '_';
    if (!is_fine) return false;
  }
  return !name.empty();
}

namespace {

// What was read stands in these places of the stack, since Lua errors destroy nothing.
constexpr int name_slot = 2;
constexpr int callback_slot = 3;
constexpr int description_slot = 4;
constexpr int flags_slot = 5;

/// None where all is well.
using Complaint = const char*;

bool is_key(lua_State* state, const char* key) { return lua::view_of(state, -2) == key; }

/// Puts the value on top of the stack into a place and pops it.
Complaint keep(lua_State* state, int slot, bool is_fine, Complaint complaint) {
  if (!is_fine) return complaint;
  lua_pushvalue(state, -1);
  lua_replace(state, slot);
  return nullptr;
}

Complaint read_named_argument(lua_State* state) {
  if (lua_type(state, -2) != LUA_TSTRING) {
    return "named argument key given to redis.register_function is not a string";
  }
  const bool is_text = lua_type(state, -1) == LUA_TSTRING;
  if (is_key(state, "function_name")) {
    return keep(state, name_slot, is_text,
                "function_name argument given to redis.register_function must be a string");
  }
  if (is_key(state, "description")) {
    return keep(state, description_slot, is_text,
                "description argument given to redis.register_function must be a string");
  }
  if (is_key(state, "callback")) {
    return keep(state, callback_slot, lua_isfunction(state, -1),
                "callback argument given to redis.register_function must be a function");
  }
  if (is_key(state, "flags")) {
    return keep(state, flags_slot, lua_istable(state, -1),
                "flags argument to redis.register_function must be a table representing function "
                "flags");
  }
  return "unknown argument given to redis.register_function";
}

Complaint read_named_arguments(lua_State* state) {
  lua_pushnil(state);
  while (lua_next(state, 1) != 0) {
    if (const Complaint complaint = read_named_argument(state)) return complaint;
    lua_pop(state, 1);
  }
  if (lua_isnil(state, name_slot)) {
    return "redis.register_function must get a function name argument";
  }
  if (lua_isnil(state, callback_slot)) {
    return "redis.register_function must get a callback argument";
  }
  return nullptr;
}

Complaint read_arguments(lua_State* state, int count) {
  if (count < 1 || count > 2) return "wrong number of arguments to redis.register_function";
  if (count == 1 && !lua_istable(state, 1)) {
    return "calling redis.register_function with a single argument is only applicable to Lua table "
           "(representing named arguments).";
  }
  if (count == 2) {
    if (lua_type(state, 1) != LUA_TSTRING && lua_type(state, 1) != LUA_TNUMBER) {
      return "first argument to redis.register_function must be a string";
    }
    if (!lua_isfunction(state, 2)) {
      return "second argument to redis.register_function must be a function";
    }
  }
  lua_settop(state, 2);
  if (count == 1) {
    lua_settop(state, flags_slot);
    return read_named_arguments(state);
  }
  lua_pushvalue(state, 2);  // callback
  lua_pushvalue(state, 1);
  lua_replace(state, name_slot);
  lua_settop(state, flags_slot);
  return nullptr;
}

Complaint read_flags(lua_State* state, ScriptFlags& flags) {
  flags.has_shebang = true;  // as a script that says what it does
  if (lua_isnil(state, flags_slot)) return nullptr;
  for (lua_Integer i = 1;; ++i) {
    const int type = lua_rawgeti(state, flags_slot, i);
    if (type == LUA_TNIL) return nullptr;
    if (type != LUA_TSTRING || !set_script_flag(lua::view_of(state, -1), flags)) {
      return "unknown flag given";
    }
    lua_pop(state, 1);
  }
}

Complaint add_function(lua_State* state, ScriptContext& context) {
  ScriptFlags flags;
  if (const Complaint complaint = read_flags(state, flags)) return complaint;
  const lua::Memory::Unlimited unlimited(*context.memory);
  const std::string_view name = lua::view_of(state, name_slot);
  if (!is_library_name(name)) {
    return "Library names can only contain letters, numbers, or underscores(_) and must be at "
           "least one character long";
  }
  LibraryFunction added;
  for (const LibraryFunction& each : context.loading->functions) {
    if (each.name == name) return "Function already exists in the library";
  }
  added.name = name;
  added.flags = flags;
  if (!lua_isnil(state, description_slot))
    added.description = lua::view_of(state, description_slot);
  lua_pushvalue(state, callback_slot);
  added.reference = luaL_ref(state, LUA_REGISTRYINDEX);
  context.loading->functions.push_back(std::move(added));
  return nullptr;
}

int register_function(lua_State* state) {
  ScriptContext& context = context_of(state);
  Complaint complaint = "redis.register_function can only be called on FUNCTION LOAD command";
  if (context.loading != nullptr) {
    complaint = read_arguments(state, lua_gettop(state));
    if (complaint == nullptr) complaint = add_function(state, context);
  }
  if (complaint == nullptr) return 0;
  lua_pushliteral(state, "ERR ");
  lua_pushstring(state, complaint);
  lua_concat(state, 2);
  push_error_table(state, lua::view_of(state, -1));
  return lua_error(state);
}

}  // namespace

void install_register_function(lua_State* state, ScriptContext& context) {
  set_context_function(state, context, "register_function", &register_function);
}

}  // namespace lockstep::redis
