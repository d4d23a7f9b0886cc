// What rewritten operators call, and the arithmetic of strings, as Lua 5.1 has them.
//
// Lua 5.4 lets nobody hook the concatenation of a float, its `%` and its `#`; so where they could
// differ they are rewritten to calls of these functions (lua/source/rewriter.h). The first argument
// of
// `..` and `%` holds the operands' names for error messages, each with a `;`.
#include <cmath>
#include <cstddef>
#include <limits>
#include <lua.hpp>
#include <string_view>

#include "lua/interpreter/numbers.h"
#include "lua/source/rewriter.h"
#include "redis/scripting/libraries/libraries.h"

namespace lockstep::redis {

namespace {

constexpr int names_slot = 1;

bool is_text(lua_State* state, int index) { return lua_isstring(state, index) != 0; }

/// The name of the operand, counted from 0; empty if it has none.
std::string_view name_of(lua_State* state, int operand) {
  std::size_t length = 0;
  const char* text = lua_tolstring(state, names_slot, &length);
  std::string_view names(text, length);
  for (; operand > 0; --operand) {
    const std::size_t end = names.find(';');
    names.remove_prefix(end == std::string_view::npos ? names.size() : end + 1);
  }
  return names.substr(0, names.find(';'));
}

int fail_operand(lua_State* state, const char* action, int index) {
  const std::string_view name = name_of(state, index - names_slot - 1);
  const char* type = luaL_typename(state, index);
  if (name.empty()) return luaL_error(state, "attempt to %s a %s value", action, type);
  lua_pushlstring(state, name.data(), name.size());
  return luaL_error(state, "attempt to %s %s (a %s value)", action, lua_tostring(state, -1), type);
}

/// Calls __concat for the last two values and puts its result in their place.
void call_metamethod(lua_State* state) {
  const int left = lua_gettop(state) - 1;
  const int right = left + 1;
  if (luaL_getmetafield(state, left, "__concat") == LUA_TNIL &&
      luaL_getmetafield(state, right, "__concat") == LUA_TNIL) {
    fail_operand(state, "concatenate", is_text(state, left) ? right : left);
  }
  lua_insert(state, left);
  lua_call(state, 2, 1);
}

int concatenate(lua_State* state) {
  while (lua_gettop(state) > names_slot + 1) {
    int count = 0;  // how many values at the end are text
    for (int index = lua_gettop(state); index > names_slot && is_text(state, index); --index) {
      lua::make_text(state, index);
      ++count;
    }
    if (count > 1) {
      lua_concat(state, count);
    } else {
      call_metamethod(state);
    }
  }
  return 1;
}

/// Lua 5.1 computes with rounded quotients: the result differs from the exact remainder where the
/// numbers are large, infinite or fractional.
int modulo(lua_State* state) {
  constexpr int left = 2;
  constexpr int right = 3;
  const bool are_numbers =
      lua_type(state, left) == LUA_TNUMBER && lua_type(state, right) == LUA_TNUMBER;
  if (!are_numbers && (!lua::read_number(state, left) || !lua::read_number(state, right))) {
    if (luaL_getmetafield(state, left, "__mod") == LUA_TNIL &&
        luaL_getmetafield(state, right, "__mod") == LUA_TNIL) {
      const bool left_is_number = lua::read_number(state, left);
      return fail_operand(state, "perform arithmetic on", left_is_number ? right : left);
    }
    lua_insert(state, left);
    lua_call(state, 2, 1);
    return 1;
  }
  const lua_Number dividend = lua_tonumber(state, left);
  const lua_Number divisor = lua_tonumber(state, right);
  lua_pushnumber(state, dividend - std::floor(dividend / divisor) * divisor);
  return 1;
}

/// `#` without __len, which Lua 5.1 asks only of userdata.
int length(lua_State* state) {
  const int type = lua_type(state, 1);
  if (type != LUA_TTABLE && type != LUA_TSTRING) {
    return luaL_error(state, "attempt to get length of a %s value", luaL_typename(state, 1));
  }
  lua_pushnumber(state, static_cast<lua_Number>(lua_rawlen(state, 1)));
  return 1;
}

/// A loop's step. With zero, which Lua 5.4 refuses, 5.1's loop ends only by the limit being above;
/// so does one that steps down by next to nothing.
int step(lua_State* state) {
  constexpr lua_Number next_to_nothing = -std::numeric_limits<lua_Number>::denorm_min();
  if (!lua::read_number(state, 1)) {
    return 1;
  }
  const lua_Number value = lua_tonumber(state, 1);
  lua_pushnumber(state, value == 0 ? next_to_nothing : value);
  return 1;
}

/// The table `arg` of a function with `...`.
int argument_table(lua_State* state) {
  const int count = lua_gettop(state);
  lua_createtable(state, count, 1);
  lua_insert(state, 1);
  for (int index = count; index > 0; --index) {
    lua_rawseti(state, 1, index);
  }
  lua_pushnumber(state, count);
  lua_setfield(state, 1, "n");
  return 1;
}

}  // namespace

void install_operator_functions(lua_State* state) {
  constexpr luaL_Reg functions[] = {
      {lua::concatenation_name, &concatenate},
      {lua::modulo_name, &modulo},
      {lua::length_name, &length},
      {lua::step_name, &step},
      {lua::arg_name, &argument_table},
      {nullptr, nullptr},
  };
  luaL_setfuncs(state, functions, 0);
}

}  // namespace lockstep::redis
