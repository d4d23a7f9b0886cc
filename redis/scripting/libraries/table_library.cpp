#include <algorithm>
#include <cmath>
#include <cstddef>
#include <lua.hpp>
#include <string_view>

#include "lua/interpreter/numbers.h"
#include "lua/interpreter/ordered_traversal.h"
#include "lua/interpreter/sort.h"
#include "redis/scripting/libraries/libraries.h"

namespace lockstep::redis {

namespace {

constexpr int table_argument = 1;
/// An insertion far before a table's beginning would move nothing, for very long.
constexpr lua_Integer moves_max = 10'000'000;

/// The length of the table that is the first argument.
lua_Integer checked_length(lua_State* state) {
  luaL_checktype(state, table_argument, LUA_TTABLE);
  return static_cast<lua_Integer>(lua_rawlen(state, table_argument));
}

lua_Integer cut_argument(lua_State* state, int index) {
  const lua_Number number = std::trunc(luaL_checknumber(state, index));
  const bool fits = std::fabs(number) < 9.0e18;
  return fits ? static_cast<lua_Integer>(number) : 0;
}

lua_Integer optional_argument(lua_State* state, int index, lua_Integer otherwise) {
  return lua_isnoneornil(state, index) ? otherwise : cut_argument(state, index);
}

void add_element(lua_State* state, luaL_Buffer& buffer, lua_Integer position) {
  const int type = lua_rawgeti(state, table_argument, position);
  if (type == LUA_TNUMBER) {
    lua::NumberBuffer numbers;
    const std::string_view text = lua::number_text(state, -1, numbers);
    lua_pop(state, 1);
    luaL_addlstring(&buffer, text.data(), text.size());
    return;
  }
  if (type != LUA_TSTRING) {
    luaL_error(state, "invalid value (%s) at index %d in table for 'concat'",
               luaL_typename(state, -1), static_cast<int>(position));
  }
  luaL_addvalue(&buffer);
}

int concatenate_elements(lua_State* state) {
  std::size_t separator_length = 0;
  lua::make_text(state, 2);
  const char* separator = luaL_optlstring(state, 2, "", &separator_length);
  const lua_Integer length = checked_length(state);
  const lua_Integer first = optional_argument(state, 3, 1);
  const lua_Integer last = optional_argument(state, 4, length);
  luaL_Buffer buffer;
  luaL_buffinit(state, &buffer);
  for (lua_Integer position = first; position <= last; ++position) {
    add_element(state, buffer, position);
    if (position < last) {
      luaL_addlstring(&buffer, separator, separator_length);
    }
  }
  luaL_pushresult(&buffer);
  return 1;
}

int insert(lua_State* state) {
  const lua_Integer next = checked_length(state) + 1;
  check_writable(state, table_argument);
  lua_Integer position = next;
  switch (lua_gettop(state)) {
    case 2:
      break;
    case 3: {
      position = cut_argument(state, 2);
      luaL_argcheck(state, next - position < moves_max, 2, "position out of bounds");
      for (lua_Integer moved = std::max(next, position); moved > position; --moved) {
        lua_rawgeti(state, table_argument, moved - 1);
        lua_rawseti(state, table_argument, moved);
      }
      break;
    }
    default:
      return luaL_error(state, "wrong number of arguments to 'insert'");
  }
  lua_rawseti(state, table_argument, position);
  return 0;
}

int remove(lua_State* state) {
  const lua_Integer length = checked_length(state);
  check_writable(state, table_argument);
  lua_Integer position = optional_argument(state, 2, length);
  if (position < 1 || position > length) {
    return 0;
  }
  lua_rawgeti(state, table_argument, position);
  for (; position < length; ++position) {
    lua_rawgeti(state, table_argument, position + 1);
    lua_rawseti(state, table_argument, position);
  }
  lua_pushnil(state);
  lua_rawseti(state, table_argument, length);
  return 1;
}

int length_of(lua_State* state) {
  lua::push_whole_number(state, checked_length(state));
  return 1;
}

int largest_number_key(lua_State* state) {
  luaL_checktype(state, table_argument, LUA_TTABLE);
  lua_Number largest = 0;
  lua_pushnil(state);
  while (lua_next(state, table_argument) != 0) {
    lua_pop(state, 1);
    if (lua_type(state, -1) == LUA_TNUMBER) {
      largest = std::max(largest, lua_tonumber(state, -1));
    }
  }
  lua_pushnumber(state, largest);
  return 1;
}

int set_length(lua_State* state) {
  luaL_checktype(state, table_argument, LUA_TTABLE);
  return luaL_error(state, "'setn' is obsolete");
}

/// Calls the function (second argument) with each pair of the iteration on top of the stack, until
/// it returns something.
int call_for_each(lua_State* state) {
  const int iterator = lua_gettop(state) - 2;
  for (;;) {
    lua_pushvalue(state, iterator);
    lua_pushvalue(state, iterator + 1);
    lua_pushvalue(state, iterator + 2);
    lua_call(state, 2, 2);
    if (lua_isnil(state, -2)) {
      return 0;
    }
    lua_pushvalue(state, -2);
    lua_replace(state, iterator + 2);
    lua_pushvalue(state, 2);
    lua_insert(state, -3);
    lua_call(state, 2, 1);
    if (!lua_isnil(state, -1)) {
      return 1;
    }
    lua_pop(state, 1);
  }
}

int for_each(lua_State* state) {
  luaL_checktype(state, table_argument, LUA_TTABLE);
  luaL_checktype(state, 2, LUA_TFUNCTION);
  lua_settop(state, 2);
  lua_pushcfunction(state, &lua::raw_ordered_pairs);
  lua_pushvalue(state, table_argument);
  lua_call(state, 1, 3);
  return call_for_each(state);
}

int for_each_element(lua_State* state) {
  const lua_Integer length = checked_length(state);
  luaL_checktype(state, 2, LUA_TFUNCTION);
  for (lua_Integer position = 1; position <= length; ++position) {
    lua_pushvalue(state, 2);
    lua::push_whole_number(state, position);
    lua_rawgeti(state, table_argument, position);
    lua_call(state, 2, 1);
    if (!lua_isnil(state, -1)) {
      return 1;
    }
    lua_pop(state, 1);
  }
  return 0;
}

/// The order of a large table, whose comparisons are counted as instructions.
int counted_less(lua_State* state) {
  context_of(state).watch->count(state, 1);
  lua_pushboolean(state, lua_compare(state, 1, 2, LUA_OPLT));
  return 1;
}

int sort(lua_State* state) {
  constexpr lua_Unsigned uncounted_max = 1000;
  luaL_checktype(state, table_argument, LUA_TTABLE);
  check_writable(state, table_argument);
  if (lua_isnoneornil(state, 2) && lua_rawlen(state, table_argument) > uncounted_max) {
    lua_settop(state, table_argument);
    lua_pushvalue(state, lua_upvalueindex(1));
    lua_pushcclosure(state, &counted_less, 1);
  }
  return lua::sort_table(state);
}

}  // namespace

void install_table_functions(lua_State* state, ScriptContext& context) {
  constexpr luaL_Reg functions[] = {
      {"concat", &concatenate_elements},
      {"foreach", &for_each},
      {"foreachi", &for_each_element},
      {"getn", &length_of},
      {"insert", &insert},
      {"maxn", &largest_number_key},
      {"remove", &remove},
      {"setn", &set_length},
      {nullptr, nullptr},
  };
  luaL_setfuncs(state, functions, 0);
  set_context_function(state, context, "sort", &sort);
}

}  // namespace lockstep::redis
