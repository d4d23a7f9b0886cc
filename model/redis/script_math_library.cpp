#include <climits>
#include <lua.hpp>

#include "model/lua/deterministic_base.h"
#include "model/redis/script_libraries.h"
#include "model/redis/script_numbers.h"

namespace lockstep::redis {

namespace {

/// A stock function under Lua 5.1's name, with the number of arguments that 5.1 looks at.
struct Function {
  const char* name;
  const char* stock_name;
  int arguments_max;
};

constexpr Function functions[] = {
    {"abs", "abs", 1},       {"acos", "acos", 1}, {"asin", "asin", 1},   {"atan", "atan", 1},
    {"atan2", "atan", 2},    {"ceil", "ceil", 1}, {"cos", "cos", 1},     {"cosh", "cosh", 1},
    {"deg", "deg", 1},       {"exp", "exp", 1},   {"floor", "floor", 1}, {"frexp", "frexp", 1},
    {"ldexp", "ldexp", 2},   {"log", "log", 1},   {"log10", "log10", 1}, {"max", "max", INT_MAX},
    {"min", "min", INT_MAX}, {"modf", "modf", 1}, {"pow", "pow", 2},     {"rad", "rad", 1},
    {"sin", "sin", 1},       {"sinh", "sinh", 1}, {"sqrt", "sqrt", 1},   {"tan", "tan", 1},
    {"tanh", "tanh", 1},
};

/// The stock function (upvalue 1) on at most so many arguments (upvalue 2), with floats.
int compute(lua_State* state) {
  const auto arguments_max = static_cast<int>(lua_tointeger(state, lua_upvalueindex(2)));
  luaL_checknumber(state, 1);
  if (lua_gettop(state) > arguments_max) {
    lua_settop(state, arguments_max);
  }
  for (int index = lua_gettop(state); index > 0; --index) {
    read_number(state, index);  // what is none, the stock function complains of
  }
  const int results = lua_tocfunction(state, lua_upvalueindex(1))(state);
  for (int index = -results; index < 0; ++index) {
    make_float(state, index);
  }
  return results;
}

/// Lua 5.4 refuses an integer remainder by zero; 5.1 computes with floats and gives nan.
int remainder(lua_State* state) {
  const lua_Number dividend = luaL_checknumber(state, 1);
  const lua_Number divisor = luaL_checknumber(state, 2);
  lua_settop(state, 0);
  lua_pushnumber(state, dividend);
  lua_pushnumber(state, divisor);
  return compute(state);
}

void set_computing_function(lua_State* state, const Function& function, lua_CFunction wrapper) {
  lua::push_stock_function(state, LUA_MATHLIBNAME, function.stock_name);
  lua_pushinteger(state, function.arguments_max);
  lua_pushcclosure(state, wrapper, 2);
  lua_setfield(state, -2, function.name);
}

}  // namespace

void install_math_functions(lua_State* state) {
  for (const Function& function : functions) {
    set_computing_function(state, function, &compute);
  }
  set_computing_function(state, {"fmod", "fmod", 2}, &remainder);
  set_computing_function(state, {"mod", "fmod", 2}, &remainder);
  set_stock_function(state, LUA_MATHLIBNAME, "huge");
  set_stock_function(state, LUA_MATHLIBNAME, "pi");
}

}  // namespace lockstep::redis
