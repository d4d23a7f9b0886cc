#include "redis/scripting/libraries/string_arithmetic.h"

#include <cmath>

#include "lua/interpreter/numbers.h"

namespace lockstep::redis {

namespace {

enum class Operation : std::uint8_t { add, subtract, multiply, divide, modulo, power, negate };

struct Metamethod {
  const char* name;
  lua_CFunction function;
};

const char* event_name(Operation operation) {
  switch (operation) {
    case Operation::add:
      return "__add";
    case Operation::subtract:
      return "__sub";
    case Operation::multiply:
      return "__mul";
    case Operation::divide:
      return "__div";
    case Operation::modulo:
      return "__mod";
    case Operation::power:
      return "__pow";
    case Operation::negate:
      break;
  }
  return "__unm";
}

lua_Number compute(Operation operation, lua_Number left, lua_Number right) {
  switch (operation) {
    case Operation::add:
      return left + right;
    case Operation::subtract:
      return left - right;
    case Operation::multiply:
      return left * right;
    case Operation::divide:
      return left / right;
    case Operation::modulo:
      return left - std::floor(left / right) * right;
    case Operation::power:
      return std::pow(left, right);
    case Operation::negate:
      break;
  }
  return -left;
}

/// Lua calls this with a string as one of its two operands. Upvalue 2: Lua 5.4's own function.
template <Operation operation>
int calculate(lua_State* state) {
  if (context_of(state).host == nullptr) {
    return lua_tocfunction(state, lua_upvalueindex(2))(state);
  }
  const bool left_is_number = lua::read_number(state, 1);
  if (left_is_number && lua::read_number(state, 2)) {
    lua_pushnumber(state, compute(operation, lua_tonumber(state, 1), lua_tonumber(state, 2)));
    return 1;
  }
  const bool may_have_event = lua_type(state, 2) != LUA_TSTRING;
  if (may_have_event && luaL_getmetafield(state, 2, event_name(operation)) != LUA_TNIL) {
    lua_insert(state, 1);
    lua_call(state, 2, 1);
    return 1;
  }
  return luaL_error(state, "attempt to perform arithmetic on a %s value",
                    luaL_typename(state, left_is_number ? 2 : 1));
}

constexpr Metamethod metamethods[] = {
    {"__add", &calculate<Operation::add>},      {"__sub", &calculate<Operation::subtract>},
    {"__mul", &calculate<Operation::multiply>}, {"__div", &calculate<Operation::divide>},
    {"__mod", &calculate<Operation::modulo>},   {"__pow", &calculate<Operation::power>},
    {"__unm", &calculate<Operation::negate>},
};

void push_string_metatable(lua_State* state) {
  lua_pushliteral(state, "");
  lua_getmetatable(state, -1);
  lua_remove(state, -2);
}

}  // namespace

void install_string_arithmetic(lua_State* state, ScriptContext& context) {
  push_string_metatable(state);
  for (const Metamethod& method : metamethods) {
    lua_pushlightuserdata(state, &context);
    lua_getfield(state, -2, method.name);
    lua_pushcclosure(state, method.function, 2);
    lua_setfield(state, -2, method.name);
  }
  lua_pop(state, 1);
}

void remove_string_arithmetic(lua_State* state) {
  push_string_metatable(state);
  for (const Metamethod& method : metamethods) {
    lua_getfield(state, -1, method.name);
    lua_getupvalue(state, -1, 2);
    lua_setfield(state, -3, method.name);
    lua_pop(state, 1);
  }
  lua_pop(state, 1);
}

}  // namespace lockstep::redis
