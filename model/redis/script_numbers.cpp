#include "model/redis/script_numbers.h"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <lua.hpp>

namespace lockstep::redis {

namespace {

constexpr lua_Integer exact_max = lua_Integer{1} << 53;
constexpr lua_Integer printed_in_full_below = 100'000'000'000'000;  // 14 digits

bool is_negative_zero(double value) { return value == 0 && std::signbit(value); }

}  // namespace

std::string_view number_text(lua_State* state, int index, NumberBuffer& buffer) {
  if (lua_isinteger(state, index) != 0) {
    const lua_Integer value = lua_tointeger(state, index);
    if (value > -printed_in_full_below && value < printed_in_full_below) {
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
    if (value >= -exact_max && value <= exact_max) {
      return;
    }
    lua_pushnumber(state, static_cast<lua_Number>(value));
  } else {
    const lua_Number value = lua_tonumber(state, absolute);
    const bool is_exact = std::fabs(value) <= static_cast<lua_Number>(exact_max);
    if (!is_exact || std::trunc(value) != value || is_negative_zero(value)) {
      return;
    }
    lua_pushinteger(state, static_cast<lua_Integer>(value));
  }
  lua_replace(state, absolute);
}

}  // namespace lockstep::redis
