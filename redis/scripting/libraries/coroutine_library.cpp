#include <climits>
#include <lua.hpp>
#include <string_view>

#include "lua/interpreter/deterministic_base.h"
#include "redis/scripting/libraries/libraries.h"
#include "redis/scripting/script_errors.h"

namespace lockstep::redis {

namespace {

constexpr std::string_view memory_error = "not enough memory";  // Lua's own words

/// The stock resume (upvalue 2); a message it returns is in Lua 5.1's words.
int resume(lua_State* state) {
  const int results = lua_tocfunction(state, lua_upvalueindex(2))(state);
  if (lua_toboolean(state, -results) == 0) {
    const bool is_memory_error = lua_type(state, -1) == LUA_TSTRING &&
                                 std::string_view(lua_tostring(state, -1)) == memory_error;
    end_if_out_of_memory(state, context_of(state), is_memory_error);
    use_lua51_wording(state);
  }
  return results;
}

/// The coroutine that runs, or nil in the script itself.
int running(lua_State* state) {
  if (state == context_of(state).thread) {
    lua_pushnil(state);
  } else {
    lua_pushthread(state);
  }
  return 1;
}

/// The stock create or wrap (upvalue 1), which Lua 5.1 lets have no C function.
int begin(lua_State* state) {
  const bool is_lua = lua_isfunction(state, 1) && lua_iscfunction(state, 1) == 0;
  luaL_argcheck(state, is_lua, 1, "Lua function expected");
  return lua_tocfunction(state, lua_upvalueindex(1))(state);
}

void set_wrapper(lua_State* state, const char* name, lua_CFunction wrapper) {
  lua::push_stock_function(state, LUA_COLIBNAME, name);
  lua_pushcclosure(state, wrapper, 1);
  lua_setfield(state, -2, name);
}

}  // namespace

void install_coroutine_functions(lua_State* state, ScriptContext& context) {
  for (const char* name : {"status", "yield"}) {
    set_stock_function(state, LUA_COLIBNAME, name);
  }
  set_wrapper(state, "create", &begin);
  set_wrapper(state, "wrap", &begin);
  lua_pushlightuserdata(state, &context);
  lua::push_stock_function(state, LUA_COLIBNAME, "resume");
  lua_pushcclosure(state, &resume, 2);
  lua_setfield(state, -2, "resume");
  set_context_function(state, context, "running", &running);
}

}  // namespace lockstep::redis
