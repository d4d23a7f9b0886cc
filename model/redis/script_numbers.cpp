#include "model/redis/script_numbers.h"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <lua.hpp>

namespace lockstep::redis {

namespace {

bool prints_in_full(lua_Integer value) { return value > -integers_end && value < integers_end; }

bool is_negative_zero(double value) { return value == 0 && std::signbit(value); }

}  // namespace

std::string_view number_text(lua_State* state, int index, NumberBuffer& buffer) {
  if (lua_isinteger(state, index) != 0) {
    const lua_Integer value = lua_tointeger(state, index);
    if (prints_in_full(value)) {
      const char* end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
      return {buffer.data(), static_cast<std::size_t>(end - buffer.data())};
    }
  }
  const int length =
      std::snprintf(buffer.data(), buffer.size(), "%.14g", lua_tonumber(state, index));
  return {buffer.data(), static_cast<std::size_t>(length)};
}

void make_plain(lua_State* state, int index) {
  const int absolute = lua_absindex(state, index);
  if (lua_type(state, absolute) != LUA_TNUMBER) {
    return;
  }
  if (lua_isinteger(state, absolute) != 0) {
    const lua_Integer value = lua_tointeger(state, absolute);
    if (prints_in_full(value)) {
      return;
    }
    lua_pushnumber(state, static_cast<lua_Number>(value));
  } else {
    const lua_Number value = lua_tonumber(state, absolute);
    const bool is_large = !(std::fabs(value) < static_cast<lua_Number>(integers_end));
    if (is_large || std::trunc(value) != value || is_negative_zero(value)) {
      return;
    }
    lua_pushinteger(state, static_cast<lua_Integer>(value));
  }
  lua_replace(state, absolute);
}

void push_whole_number(lua_State* state, std::int64_t value) {
  if (prints_in_full(value)) {
    lua_pushinteger(state, value);
  } else {
    lua_pushnumber(state, static_cast<lua_Number>(value));
  }
}

}  // namespace lockstep::redis
