#include <climits>
#include <cmath>
#include <cstdint>
#include <limits>
#include <lua.hpp>

#include "lua/interpreter/deterministic_base.h"
#include "lua/interpreter/numbers.h"
#include "redis/scripting/libraries/libraries.h"
#include "redis/scripting/script_process_state.h"
#include "redis/scripting/script_result.h"

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
    lua::read_number(state, index);  // what is none, the stock function complains of
  }
  const int results = lua_tocfunction(state, lua_upvalueindex(1))(state);
  for (int index = -results; index < 0; ++index) {
    lua::make_float(state, index);
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

int random_number(lua_State* state) {
  constexpr auto range = std::numeric_limits<std::int32_t>::max();
  const int argument_count = lua_gettop(state);
  // The draw comes first, as in Redis: a refused interval has used it up.
  const std::int32_t draw = context_of(state).host->process().random.next();
  const lua_Number fraction = static_cast<lua_Number>(draw % range) / range;
  if (argument_count > 2) {
    return luaL_error(state, "wrong number of arguments");
  }
  if (argument_count == 0) {
    lua_pushnumber(state, fraction);
    return 1;
  }
  const lua_Number low = argument_count == 1 ? 1 : std::trunc(luaL_checknumber(state, 1));
  const lua_Number high = std::trunc(luaL_checknumber(state, argument_count));
  luaL_argcheck(state, low <= high, argument_count, "interval is empty");
  lua_pushnumber(state, std::floor(fraction * (high - low + 1)) + low);
  return 1;
}

int random_seed(lua_State* state) {
  const std::int64_t seed = cut_to_integer(luaL_checknumber(state, 1));
  context_of(state).host->process().random.seed(static_cast<std::int32_t>(seed));
  return 0;
}

}  // namespace

void install_math_functions(lua_State* state, ScriptContext& context) {
  set_context_function(state, context, "random", &random_number);
  set_context_function(state, context, "randomseed", &random_seed);
  for (const Function& function : functions) {
    set_computing_function(state, function, &compute);
  }
  set_computing_function(state, {"fmod", "fmod", 2}, &remainder);
  set_computing_function(state, {"mod", "fmod", 2}, &remainder);
  set_stock_function(state, LUA_MATHLIBNAME, "huge");
  set_stock_function(state, LUA_MATHLIBNAME, "pi");
}

}  // namespace lockstep::redis
