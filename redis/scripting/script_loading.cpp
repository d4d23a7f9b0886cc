#include "redis/scripting/script_loading.h"

#include <cstddef>

#include "redis/scripting/libraries/libraries.h"
#include "redis/scripting/script_errors.h"

namespace lockstep::redis {

namespace {

/// A chunk's name as messages give it.
std::string shown_chunk(std::string_view chunk) {
  constexpr std::size_t shown_max = 40;
  if (chunk.starts_with('@') || chunk.starts_with('=')) {
    return std::string(chunk.substr(1));
  }
  const std::string_view line = chunk.substr(0, chunk.find_first_of("\r\n"));
  const bool is_cut = line.size() < chunk.size() || line.size() > shown_max;
  return "[string \"" + std::string(line.substr(0, shown_max)) + (is_cut ? "..." : "") + "\"]";
}

/// Compiles the chunk on the stack (text, chunk name) for load and loadstring: function, or nil and
/// message. The environment is upvalue 2.
int load_text(lua_State* state, int text_index, const char* chunk) {
  bool loaded = false;
  {
    const lua::Memory::Unlimited unlimited(*context_of(state).memory);
    std::size_t length = 0;
    const char* text = lua_tolstring(state, text_index, &length);
    const auto result = load_script(state, {text, length}, chunk);
    const auto* complaint = std::get_if<std::string>(&result);
    loaded = complaint == nullptr;
    if (!loaded) {
      lua_pushnil(state);
      lua_pushlstring(state, complaint->data(), complaint->size());
    }
  }
  if (!loaded) {
    return 2;
  }
  lua_pushvalue(state, lua_upvalueindex(2));
  lua_setupvalue(state, -2, 1);
  return 1;
}

int load_string(lua_State* state) {
  const char* text = luaL_checkstring(state, 1);
  return load_text(state, 1, luaL_optstring(state, 2, text));
}

/// load of Lua 5.1: the function gives the program piece by piece.
int load_pieces(lua_State* state) {
  const char* chunk = luaL_optstring(state, 2, "=(load)");
  luaL_checktype(state, 1, LUA_TFUNCTION);
  lua_settop(state, 2);
  lua_pushliteral(state, "");
  for (;;) {
    lua_pushvalue(state, 1);
    lua_call(state, 0, 1);
    if (lua_isnil(state, -1) || (lua_isstring(state, -1) != 0 && lua_rawlen(state, -1) == 0)) {
      break;
    }
    if (lua_isstring(state, -1) == 0) {
      return luaL_error(state, "reader function must return a string");
    }
    lua_concat(state, 2);
  }
  return load_text(state, 3, chunk);
}

void set_loading_function(lua_State* state, ScriptContext& context, const char* name,
                          lua_CFunction function, int environment) {
  lua_pushlightuserdata(state, &context);
  lua_pushvalue(state, environment);
  lua_pushcclosure(state, function, 2);
  lua_setfield(state, -2, name);
}

}  // namespace

std::variant<lua::ScriptSource, std::string> load_script(lua_State* state, std::string_view program,
                                                         std::string_view chunk) {
  const std::string name(chunk);
  auto source = lua::read_script(program, shown_chunk(chunk));
  if (const auto* readable = std::get_if<lua::ScriptSource>(&source)) {
    const std::string& code = readable->code;
    if (luaL_loadbufferx(state, code.data(), code.size(), name.c_str(), "t") != LUA_OK) {
      std::size_t length = 0;
      const char* message = lua_tolstring(state, -1, &length);
      source = lua51_compiler_wording({message, length});
      lua_pop(state, 1);
    }
  }
  return source;
}

void install_loading_functions(lua_State* state, int environment_index, ScriptContext& context) {
  const int environment = lua_absindex(state, environment_index);
  set_loading_function(state, context, "load", &load_pieces, environment);
  set_loading_function(state, context, "loadstring", &load_string, environment);
}

}  // namespace lockstep::redis
