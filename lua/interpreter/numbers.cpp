#include "lua/interpreter/numbers.h"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <lua.hpp>
#include <optional>

#include "lua/source/literals.h"

namespace lockstep::lua {

namespace {

/// Whole, short enough for all its digits, and not the negative zero.
bool prints_in_full(double value) {
  constexpr auto end = static_cast<double>(integers_end);
  if (!(value > -end && value < end)) return false;
  const auto whole = static_cast<std::int64_t>(value);
  return static_cast<double>(whole) == value && (whole != 0 || !std::signbit(value));
}

/// Up to 15 digits, which need no rounding.
std::optional<double> read_digits(std::string_view text) {
  constexpr std::size_t digits_max = 15;
  if (text.empty() || text.size() > digits_max) return std::nullopt;
  std::int64_t value = 0;
  for (const char letter : text) {
    if (letter < '0' || letter > '9') return std::nullopt;
    value = value * 10 + (letter - '0');
  }
  return static_cast<double>(value);
}

/// As Lua 5.1 reads a number, by C's strtod: that knows "inf", "nan" and "0x1p4", too. REQUIRES:
/// `text` is a Lua string, so that a zero follows it. What follows a zero byte within it is not
/// looked at.
std::optional<double> read_text(std::string_view text) {
  if (const std::optional<double> value = read_digits(text)) return value;
  char* end = nullptr;
  double value = std::strtod(text.data(), &end);
  if (end == text.data()) return std::nullopt;
  if (*end == 'x' || *end == 'X') {
    value = static_cast<double>(std::strtoul(text.data(), &end, 16));
  }
  end += std::strspn(end, " \t\n\v\f\r");
  return *end == '\0' ? std::optional(value) : std::nullopt;
}

}  // namespace

std::string_view number_text(lua_State* state, int index, NumberBuffer& buffer) {
  const double value = lua_tonumber(state, index);
  if (prints_in_full(value)) {
    const auto whole = static_cast<std::int64_t>(value);
    const char* end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), whole).ptr;
    return {buffer.data(), static_cast<std::size_t>(end - buffer.data())};
  }
  const int length = std::snprintf(buffer.data(), buffer.size(), "%.14g", value);
  return {buffer.data(), static_cast<std::size_t>(length)};
}

void make_text(lua_State* state, int index) {
  if (lua_type(state, index) != LUA_TNUMBER) return;
  const int absolute = lua_absindex(state, index);
  NumberBuffer buffer;
  const std::string_view text = number_text(state, absolute, buffer);
  lua_pushlstring(state, text.data(), text.size());
  lua_replace(state, absolute);
}

void make_float(lua_State* state, int index) {
  if (lua_isinteger(state, index) == 0) return;
  const int absolute = lua_absindex(state, index);
  lua_pushnumber(state, lua_tonumber(state, absolute));
  lua_replace(state, absolute);
}

bool read_number(lua_State* state, int index) {
  const int type = lua_type(state, index);
  if (type == LUA_TNUMBER) {
    make_float(state, index);
    return true;
  }
  if (type != LUA_TSTRING) return false;
  std::size_t length = 0;
  const char* text = lua_tolstring(state, index, &length);
  const std::optional<double> value = read_text({text, length});
  if (!value) return false;
  const int absolute = lua_absindex(state, index);
  lua_pushnumber(state, *value);
  lua_replace(state, absolute);
  return true;
}

void push_whole_number(lua_State* state, std::int64_t value) {
  lua_pushnumber(state, static_cast<lua_Number>(value));
}

}  // namespace lockstep::lua
