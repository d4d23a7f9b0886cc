#include <bit>
#include <cmath>
#include <cstdint>

#include "lua/interpreter/ordered_traversal.h"
#include "redis/scripting/libraries/message_pack.h"
#include "redis/scripting/script_result.h"

namespace lockstep::redis {

namespace {

constexpr int nesting_max = 16;  // what lies deeper is written as nil
constexpr std::size_t bytes_max = std::size_t{256} * 1024 * 1024;

void add(std::string& bytes, std::uint64_t value, int size) {
  for (int shift = 8 * (size - 1); shift >= 0; shift -= 8) {
    bytes += static_cast<char>(value >> shift & 0xFF);
  }
}

void add_tagged(std::string& bytes, std::uint8_t tag, std::uint64_t value, int size) {
  bytes += static_cast<char>(tag);
  add(bytes, value, size);
}

void add_integer(std::string& bytes, std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  if (value >= -32 && value <= 127) {
    add(bytes, bits, 1);
  } else if (value >= 0) {
    if (value <= 0xFF) return add_tagged(bytes, 0xCC, bits, 1);
    if (value <= 0xFFFF) return add_tagged(bytes, 0xCD, bits, 2);
    if (value <= 0xFFFF'FFFF) return add_tagged(bytes, 0xCE, bits, 4);
    add_tagged(bytes, 0xCF, bits, 8);
  } else {
    if (value >= -128) return add_tagged(bytes, 0xD0, bits, 1);
    if (value >= -32768) return add_tagged(bytes, 0xD1, bits, 2);
    if (value >= -2147483648LL) return add_tagged(bytes, 0xD2, bits, 4);
    add_tagged(bytes, 0xD3, bits, 8);
  }
}

void add_number(std::string& bytes, double value) {
  const std::int64_t whole = cut_to_integer(value);
  if (!std::isinf(value) && static_cast<double>(whole) == value) {
    return add_integer(bytes, whole);
  }
  const auto narrow = static_cast<float>(value);
  if (static_cast<double>(narrow) == value) {
    add_tagged(bytes, 0xCA, std::bit_cast<std::uint32_t>(narrow), 4);
  } else {
    add_tagged(bytes, 0xCB, std::bit_cast<std::uint64_t>(value), 8);
  }
}

/// The head of a text (`small` 0xA0, up to 31), array (0x90, 15) or map (0x80, 15).
void add_length(std::string& bytes, std::uint8_t small, std::size_t small_max, std::uint8_t tag,
                std::size_t length) {
  if (length <= small_max) {
    bytes += static_cast<char>(small | length);
  } else if (length <= 0xFFFF) {
    add_tagged(bytes, tag, length, 2);
  } else {
    add_tagged(bytes, static_cast<std::uint8_t>(tag + 1), length, 4);
  }
}

void add_string(lua_State* state, std::string& bytes) {
  constexpr std::size_t small_max = 31;
  std::size_t length = 0;
  const char* text = lua_tolstring(state, -1, &length);
  if (bytes.size() + length > bytes_max) luaL_error(state, "not enough memory");
  if (length > small_max && length <= 0xFF) {
    add_tagged(bytes, 0xD9, length, 1);
  } else {
    add_length(bytes, 0xA0, small_max, 0xDA, length);
  }
  bytes.append(text, length);
}

/// The table on top has the keys 1…n and no others; or none at all.
bool is_array(lua_State* state) {
  lua_Number count = 0;
  lua_Number largest = 0;
  lua_pushnil(state);
  while (lua_next(state, -2) != 0) {
    lua_pop(state, 1);
    const lua_Number key = lua_type(state, -1) == LUA_TNUMBER ? lua_tonumber(state, -1) : 0;
    if (!(key > 0) || std::floor(key) != key) {
      lua_pop(state, 1);
      return false;
    }
    largest = std::fmax(largest, key);
    ++count;
  }
  return largest == count;
}

void add_value(lua_State* state, std::string& bytes, int level);

void add_array(lua_State* state, std::string& bytes, int level) {
  const auto length = static_cast<std::size_t>(lua_rawlen(state, -1));
  add_length(bytes, 0x90, 15, 0xDC, length);
  for (std::size_t position = 1; position <= length; ++position) {
    lua_rawgeti(state, -1, static_cast<lua_Integer>(position));
    add_value(state, bytes, level + 1);
    lua_pop(state, 1);
  }
}

void add_map(lua_State* state, std::string& bytes, int level) {
  lua::push_sorted_keys(state, -1);
  const auto length = static_cast<std::size_t>(lua_rawlen(state, -1));
  add_length(bytes, 0x80, 15, 0xDE, length);
  for (std::size_t position = 1; position <= length; ++position) {
    lua_rawgeti(state, -1, static_cast<lua_Integer>(position));
    add_value(state, bytes, level + 1);
    lua_rawget(state, -3);
    add_value(state, bytes, level + 1);
    lua_pop(state, 1);
  }
  lua_pop(state, 1);
}

void add_value(lua_State* state, std::string& bytes, int level) {
  luaL_checkstack(state, 8, "in function mp_encode_lua_table_as_array");
  if (bytes.size() > bytes_max) luaL_error(state, "not enough memory");
  switch (lua_type(state, -1)) {
    case LUA_TSTRING:
      return add_string(state, bytes);
    case LUA_TBOOLEAN:
      return add(bytes, lua_toboolean(state, -1) != 0 ? 0xC3 : 0xC2, 1);
    case LUA_TNUMBER:
      return add_number(bytes, lua_tonumber(state, -1));
    case LUA_TTABLE:
      if (level == nesting_max) break;
      return is_array(state) ? add_array(state, bytes, level) : add_map(state, bytes, level);
    default:
      break;
  }
  add(bytes, 0xC0, 1);
}

}  // namespace

void encode_message_pack(lua_State* state, std::string& bytes) { add_value(state, bytes, 0); }

}  // namespace lockstep::redis
