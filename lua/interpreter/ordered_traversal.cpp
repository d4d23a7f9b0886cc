#include "lua/interpreter/ordered_traversal.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <lua.hpp>

#include "lua/interpreter/read_only.h"

namespace lockstep::lua {

namespace {

/// A key, comparable without calling into Lua. Its bytes belong to the table it was read from.
struct Key {
  enum class Kind : std::uint8_t { integer, number, string, boolean };
  Kind kind;
  lua_Integer integer;
  lua_Number number;
  const char* bytes;
  std::size_t length;
};

/// The key at a stack index; raises where it has no order.
Key read_key(lua_State* state, int index) {
  Key key{};
  switch (lua_type(state, index)) {
    case LUA_TNUMBER:
      if (lua_isinteger(state, index) != 0) {
        key.kind = Key::Kind::integer;
        key.integer = lua_tointeger(state, index);
      } else {
        key.kind = Key::Kind::number;
        key.number = lua_tonumber(state, index);
      }
      return key;
    case LUA_TSTRING:
      key.kind = Key::Kind::string;
      key.bytes = lua_tolstring(state, index, &key.length);
      return key;
    case LUA_TBOOLEAN:
      key.kind = Key::Kind::boolean;
      key.integer = lua_toboolean(state, index);
      return key;
    default:
      luaL_error(state, "a table with a %s as a key has no order to be traversed in",
                 luaL_typename(state, index));
      return key;
  }
}

void push_key(lua_State* state, const Key& key) {
  switch (key.kind) {
    case Key::Kind::integer:
      lua_pushinteger(state, key.integer);
      return;
    case Key::Kind::number:
      lua_pushnumber(state, key.number);
      return;
    case Key::Kind::string:
      lua_pushlstring(state, key.bytes, key.length);
      return;
    case Key::Kind::boolean:
      lua_pushboolean(state, key.integer != 0 ? 1 : 0);
      return;
  }
}

int rank(Key::Kind kind) {
  switch (kind) {
    case Key::Kind::integer:
    case Key::Kind::number:
      return 0;
    case Key::Kind::string:
      return 1;
    case Key::Kind::boolean:
      return 2;
  }
  return 3;
}

constexpr lua_Number two_to_63 = 9223372036854775808.0;

/// Exact. A float key is never the value of an integer: Lua turns those into integers.
bool integer_is_less(lua_Integer left, lua_Number right) {
  if (right >= two_to_63) {
    return true;
  }
  return right >= -two_to_63 && left <= static_cast<lua_Integer>(std::floor(right));
}

bool number_is_less(const Key& left, const Key& right) {
  const bool left_is_integer = left.kind == Key::Kind::integer;
  const bool right_is_integer = right.kind == Key::Kind::integer;
  if (left_is_integer && right_is_integer) {
    return left.integer < right.integer;
  }
  if (left_is_integer) {
    return integer_is_less(left.integer, right.number);
  }
  if (right_is_integer) {
    return !integer_is_less(right.integer, left.number);
  }
  return left.number < right.number;
}

bool string_is_less(const Key& left, const Key& right) {
  const int order = std::memcmp(left.bytes, right.bytes, std::min(left.length, right.length));
  return order != 0 ? order < 0 : left.length < right.length;
}

bool operator<(const Key& left, const Key& right) {
  const int left_rank = rank(left.kind);
  const int right_rank = rank(right.kind);
  if (left_rank != right_rank) {
    return left_rank < right_rank;
  }
  switch (left.kind) {
    case Key::Kind::integer:
    case Key::Kind::number:
      return number_is_less(left, right);
    case Key::Kind::string:
      return string_is_less(left, right);
    case Key::Kind::boolean:
      return left.integer < right.integer;
  }
  return false;
}

struct Contents {
  lua_Integer count;
  bool is_sequence;  ///< the keys are 1..count and Lua lists them so
};

Contents survey(lua_State* state, int table) {
  Contents contents{0, true};
  lua_pushnil(state);
  while (lua_next(state, table) != 0) {
    lua_pop(state, 1);
    ++contents.count;
    contents.is_sequence = contents.is_sequence && lua_isinteger(state, -1) != 0 &&
                           lua_tointeger(state, -1) == contents.count;
  }
  return contents;
}

/// Pushes a table of the keys of the table at `table`, in order.
void push_counted_keys(lua_State* state, int table, lua_Integer count) {
  const auto size = static_cast<std::size_t>(count);
  auto* keys = static_cast<Key*>(lua_newuserdatauv(state, size * sizeof(Key), 0));
  Key* end = keys;
  lua_pushnil(state);
  while (lua_next(state, table) != 0) {
    lua_pop(state, 1);
    *end++ = read_key(state, -1);
  }
  std::sort(keys, end);
  lua_createtable(state, static_cast<int>(count), 0);
  for (lua_Integer position = 1; position <= count; ++position) {
    push_key(state, keys[position - 1]);
    lua_rawseti(state, -2, position);
  }
  lua_remove(state, -2);
}

/// Lua 5.1 has no integers: there, a number among the keys is a float.
enum class KeyNumbers : std::uint8_t { as_kept, floats };

/// Turns the integer on top of the stack into what the iteration gives.
template <KeyNumbers numbers>
void adapt_key(lua_State* state) {
  if constexpr (numbers == KeyNumbers::floats) {
    if (lua_isinteger(state, -1) != 0) {
      const lua_Number value = lua_tonumber(state, -1);
      lua_pop(state, 1);
      lua_pushnumber(state, value);
    }
  }
}

/// Iterator over an array. Upvalue 1: its length when the loop began.
template <KeyNumbers numbers>
int next_of_sequence(lua_State* state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  const lua_Integer count = lua_tointeger(state, lua_upvalueindex(1));
  lua_Integer position = lua_isnil(state, 2) ? 0 : luaL_checkinteger(state, 2);
  while (position < count) {
    ++position;
    if (lua_rawgeti(state, 1, position) != LUA_TNIL) {
      lua_pushinteger(state, position);
      adapt_key<numbers>(state);
      lua_insert(state, -2);
      return 2;
    }
    lua_pop(state, 1);
  }
  lua_pushnil(state);
  return 1;
}

constexpr int table_upvalue = 1;
constexpr int keys_upvalue = 2;
constexpr int position_upvalue = 3;

/// The position of the key at stack index 2 in the ordered keys; 0 for nil.
lua_Integer position_of(lua_State* state) {
  if (lua_isnil(state, 2)) {
    return 0;
  }
  const lua_Integer expected = lua_tointeger(state, lua_upvalueindex(position_upvalue));
  lua_rawgeti(state, lua_upvalueindex(keys_upvalue), expected);
  const bool as_expected = lua_rawequal(state, -1, 2) != 0;
  lua_pop(state, 1);
  if (as_expected) {
    return expected;
  }
  for (lua_Integer position = 1;; ++position) {
    if (lua_rawgeti(state, lua_upvalueindex(keys_upvalue), position) == LUA_TNIL) {
      return luaL_error(state, "invalid key to 'next'");
    }
    if (lua_rawequal(state, -1, 2) != 0) {
      lua_pop(state, 1);
      return position;
    }
    lua_pop(state, 1);
  }
}

/// Iterator over ordered keys. Upvalues: the table, its keys in order, the position reached.
template <KeyNumbers numbers>
int next_of_keys(lua_State* state) {
  lua_settop(state, 2);
  lua_Integer position = position_of(state);
  while (lua_rawgeti(state, lua_upvalueindex(keys_upvalue), ++position) != LUA_TNIL) {
    lua_pushvalue(state, -1);
    if (lua_rawget(state, lua_upvalueindex(table_upvalue)) != LUA_TNIL) {
      lua_pushinteger(state, position);
      lua_replace(state, lua_upvalueindex(position_upvalue));
      lua_insert(state, -2);
      adapt_key<numbers>(state);
      lua_insert(state, -2);
      return 2;
    }
    lua_pop(state, 2);
  }
  return 1;
}

template <KeyNumbers numbers>
int traverse(lua_State* state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  lua_settop(state, 1);
  lua_pushvalue(state, 1);
  replace_view_by_table(state, 2);
  const Contents contents = survey(state, 2);
  if (contents.is_sequence) {
    lua_pushinteger(state, contents.count);
    lua_pushcclosure(state, &next_of_sequence<numbers>, 1);
  } else {
    push_counted_keys(state, 2, contents.count);
    lua_pushinteger(state, 0);
    lua_pushcclosure(state, &next_of_keys<numbers>, 3);
  }
  lua_pushvalue(state, 1);
  lua_pushnil(state);
  return 3;
}

template <KeyNumbers numbers>
int next_key(lua_State* state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  lua_settop(state, 2);
  replace_view_by_table(state, 1);
  const bool from_start = lua_isnil(state, 2);
  const Key previous = from_start ? Key{} : read_key(state, 2);
  bool found = false;
  Key least{};
  lua_pushnil(state);
  while (lua_next(state, 1) != 0) {
    lua_pop(state, 1);
    const Key key = read_key(state, -1);
    if ((from_start || previous < key) && (!found || key < least)) {
      least = key;
      found = true;
    }
  }
  if (!found) {
    lua_pushnil(state);
    return 1;
  }
  push_key(state, least);
  lua_pushvalue(state, -1);
  lua_rawget(state, 1);
  lua_insert(state, -2);
  adapt_key<numbers>(state);
  lua_insert(state, -2);
  return 2;
}

}  // namespace

int raw_ordered_pairs(lua_State* state) { return traverse<KeyNumbers::floats>(state); }

int ordered_pairs(lua_State* state) {
  luaL_checkany(state, 1);
  if (luaL_getmetafield(state, 1, "__pairs") == LUA_TNIL) {
    return traverse<KeyNumbers::as_kept>(state);
  }
  lua_pushvalue(state, 1);
  lua_call(state, 1, 3);
  return 3;
}

void push_sorted_keys(lua_State* state, int index) {
  const int table = lua_absindex(state, index);
  push_counted_keys(state, table, survey(state, table).count);
}

int ordered_next(lua_State* state) { return next_key<KeyNumbers::as_kept>(state); }

int raw_ordered_next(lua_State* state) { return next_key<KeyNumbers::floats>(state); }

}  // namespace lockstep::lua
