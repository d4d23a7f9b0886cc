#include "model/client/runtime/errors.h"

#include <lua.hpp>

namespace lockstep::model {
namespace {

/// Pushes a field of the table on top of the stack, whatever metatable the table has.
int push_raw_field(lua_State* lua, const char* field) {
  lua_pushstring(lua, field);
  return lua_rawget(lua, -2);
}

bool is_set(lua_State* lua, const char* field) {
  push_raw_field(lua, field);
  const bool result = lua_toboolean(lua, -1) != 0;
  lua_pop(lua, 1);
  return result;
}

bool is_interaction_error(lua_State* lua) {
  if (!lua_istable(lua, -1)) return false;
  const bool result = push_raw_field(lua, "message") == LUA_TSTRING;
  lua_pop(lua, 1);
  return result;
}

}  // namespace

void push_error(lua_State* lua, const LuaReference& error_metatable, std::string_view code,
                std::string_view message, CallEffect effect) {
  lua_createtable(lua, 0, 3);
  lua_pushlstring(lua, code.data(), code.size());
  lua_setfield(lua, -2, "code");
  lua_pushlstring(lua, message.data(), message.size());
  lua_setfield(lua, -2, "message");
  lua_pushboolean(lua, effect == CallEffect::unknown ? 1 : 0);
  lua_setfield(lua, -2, "unknown");
  error_metatable.push(lua);
  lua_setmetatable(lua, -2);
}

RaisedError read_error(lua_State* lua) {
  RaisedError error;
  if (is_interaction_error(lua)) {
    const bool was_refused = is_set(lua, "refused");
    const bool is_unknown = is_set(lua, "unknown");
    error.kind = was_refused  ? RaisedError::Kind::refused
                 : is_unknown ? RaisedError::Kind::unknown
                              : RaisedError::Kind::no_effect;
    push_raw_field(lua, "message");
    error.text = lua_tostring(lua, -1);
    lua_pop(lua, 1);
  } else if (lua_type(lua, -1) == LUA_TSTRING) {
    error.text = lua_tostring(lua, -1);
  } else {
    error.text = std::string("it raised a ") + luaL_typename(lua, -1) + " that is no error";
  }
  return error;
}

}  // namespace lockstep::model
