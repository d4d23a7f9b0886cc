#include "lua/interpreter/sort.h"

#include <climits>
#include <lua.hpp>

namespace lockstep::lua {

namespace {

constexpr int table_index = 1;
constexpr int less_function = 2;

bool is_less(lua_State* state, int left, int right) {
  if (lua_isnil(state, less_function)) {
    return lua_compare(state, left, right, LUA_OPLT) != 0;
  }
  const int left_absolute = lua_absindex(state, left);
  const int right_absolute = lua_absindex(state, right);
  lua_pushvalue(state, less_function);
  lua_pushvalue(state, left_absolute);
  lua_pushvalue(state, right_absolute);
  lua_call(state, 2, 1);
  const bool result = lua_toboolean(state, -1) != 0;
  lua_pop(state, 1);
  return result;
}

/// Stores the top of the stack at `first` and the value below it at `second`; pops both.
void store_two(lua_State* state, lua_Integer first, lua_Integer second) {
  lua_rawseti(state, table_index, first);
  lua_rawseti(state, table_index, second);
}

/// Brings a[low] and a[high] into order; true if they were not.
bool order_two(lua_State* state, lua_Integer low, lua_Integer high) {
  lua_rawgeti(state, table_index, low);
  lua_rawgeti(state, table_index, high);
  if (is_less(state, -1, -2)) {
    store_two(state, low, high);
    return true;
  }
  lua_pop(state, 2);
  return false;
}

void exchange(lua_State* state, lua_Integer left, lua_Integer right) {
  lua_rawgeti(state, table_index, left);
  lua_rawgeti(state, table_index, right);
  store_two(state, left, right);
}

[[noreturn]] void fail_order(lua_State* state) {
  luaL_error(state, "invalid order function for sorting");
  __builtin_unreachable();
}

/// Splits a[low..high] around the pivot, which is on top of the stack and at a[high - 1]; pops it.
/// Invariant: a[low..left] <= pivot <= a[right..high]. Returns the pivot's final place.
lua_Integer split(lua_State* state, lua_Integer low, lua_Integer high) {
  lua_Integer left = low;
  lua_Integer right = high - 1;
  for (;;) {
    while (lua_rawgeti(state, table_index, ++left), is_less(state, -1, -2)) {
      if (left >= high) {
        fail_order(state);
      }
      lua_pop(state, 1);
    }
    while (lua_rawgeti(state, table_index, --right), is_less(state, -3, -1)) {
      if (right <= low) {
        fail_order(state);
      }
      lua_pop(state, 1);
    }
    if (right < left) {
      lua_pop(state, 3);
      exchange(state, high - 1, left);
      return left;
    }
    store_two(state, left, right);
  }
}

/// Sorts a[low..high]. Recurses into the smaller part, so the depth is at most log2 of the size.
void sort_range(lua_State* state, lua_Integer low, lua_Integer high) {
  while (low < high) {
    order_two(state, low, high);
    if (high - low == 1) {
      return;
    }
    const lua_Integer middle = (low + high) / 2;
    if (!order_two(state, low, middle)) {
      order_two(state, middle, high);
    }
    if (high - low == 2) {
      return;
    }
    luaL_checkstack(state, 12, "array too big");
    lua_rawgeti(state, table_index, middle);
    exchange(state, middle, high - 1);
    const lua_Integer pivot = split(state, low, high);
    if (pivot - low < high - pivot) {
      sort_range(state, low, pivot - 1);
      low = pivot + 1;
    } else {
      sort_range(state, pivot + 1, high);
      high = pivot - 1;
    }
  }
}

}  // namespace

int sort_table(lua_State* state) {
  luaL_checktype(state, table_index, LUA_TTABLE);
  const auto size = static_cast<lua_Integer>(lua_rawlen(state, table_index));
  luaL_argcheck(state, size < INT_MAX, table_index, "array too big");
  if (!lua_isnoneornil(state, less_function)) {
    luaL_checktype(state, less_function, LUA_TFUNCTION);
  }
  lua_settop(state, 2);
  sort_range(state, 1, size);
  return 0;
}

}  // namespace lockstep::lua
