// LuaJIT's bit library, as Redis bundles it: 32-bit signed numbers, rounded from doubles.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <lua.hpp>

#include "redis/scripting/libraries/libraries.h"

namespace lockstep::redis {

namespace {

/// Adding 2^52 + 2^51 leaves a double's rounded integer, modulo 2^32, in its lowest bits.
std::uint32_t bits_of(lua_State* state, int index) {
  constexpr double bias = 6755399441055744.0;
  const double biased = luaL_checknumber(state, index) + bias;
  return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(biased));
}

int give(lua_State* state, std::uint32_t bits) {
  lua_pushnumber(state, static_cast<std::int32_t>(bits));
  return 1;
}

int to_bits(lua_State* state) { return give(state, bits_of(state, 1)); }
int invert(lua_State* state) { return give(state, ~bits_of(state, 1)); }

int swap_bytes(lua_State* state) {
  const std::uint32_t bits = bits_of(state, 1);
  return give(state,
              (bits >> 24) | ((bits >> 8) & 0xFF00U) | ((bits & 0xFF00U) << 8) | (bits << 24));
}

template <typename Combine>
int combine_all(lua_State* state, Combine combine) {
  std::uint32_t bits = bits_of(state, 1);
  for (int index = lua_gettop(state); index > 1; --index) {
    bits = combine(bits, bits_of(state, index));
  }
  return give(state, bits);
}

int bitwise_and(lua_State* state) {
  return combine_all(state, [](std::uint32_t left, std::uint32_t right) { return left & right; });
}
int bitwise_or(lua_State* state) {
  return combine_all(state, [](std::uint32_t left, std::uint32_t right) { return left | right; });
}
int exclusive_or(lua_State* state) {
  return combine_all(state, [](std::uint32_t left, std::uint32_t right) { return left ^ right; });
}

template <typename Shift>
int shift(lua_State* state, Shift move) {
  const std::uint32_t bits = bits_of(state, 1);
  return give(state, move(bits, static_cast<int>(bits_of(state, 2) & 31U)));
}

int shift_left(lua_State* state) {
  return shift(state, [](std::uint32_t bits, int by) { return bits << by; });
}
int shift_right(lua_State* state) {
  return shift(state, [](std::uint32_t bits, int by) { return bits >> by; });
}
int shift_right_signed(lua_State* state) {
  return shift(state, [](std::uint32_t bits, int by) {
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(bits) >> by);
  });
}
int rotate_left(lua_State* state) {
  return shift(state, [](std::uint32_t bits, int by) { return std::rotl(bits, by); });
}
int rotate_right(lua_State* state) {
  return shift(state, [](std::uint32_t bits, int by) { return std::rotr(bits, by); });
}

/// The last |digits| hexadecimal digits, in capitals if `digits` is negative; 8 by default.
int to_hexadecimal(lua_State* state) {
  constexpr std::size_t digits_max = 8;
  std::uint32_t bits = bits_of(state, 1);
  const std::int32_t wanted =
      lua_isnone(state, 2) ? 8 : static_cast<std::int32_t>(bits_of(state, 2));
  const char* letters = wanted < 0 ? "0123456789ABCDEF" : "0123456789abcdef";
  const std::uint32_t magnitude =
      wanted < 0 ? 0U - static_cast<std::uint32_t>(wanted) : static_cast<std::uint32_t>(wanted);
  const std::size_t digits = magnitude > digits_max ? digits_max : magnitude;
  std::array<char, digits_max> text;
  for (std::size_t position = digits; position > 0; --position) {
    text[position - 1] = letters[bits & 15U];
    bits >>= 4;
  }
  lua_pushlstring(state, text.data(), digits);
  return 1;
}

}  // namespace

void install_bit_functions(lua_State* state) {
  constexpr luaL_Reg functions[] = {
      {"arshift", &shift_right_signed},
      {"band", &bitwise_and},
      {"bnot", &invert},
      {"bor", &bitwise_or},
      {"bswap", &swap_bytes},
      {"bxor", &exclusive_or},
      {"lshift", &shift_left},
      {"rol", &rotate_left},
      {"ror", &rotate_right},
      {"rshift", &shift_right},
      {"tobit", &to_bits},
      {"tohex", &to_hexadecimal},
      {nullptr, nullptr},
  };
  luaL_setfuncs(state, functions, 0);
}

}  // namespace lockstep::redis
