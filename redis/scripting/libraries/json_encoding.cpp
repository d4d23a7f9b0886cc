#include <array>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string_view>

#include "lua/interpreter/ordered_traversal.h"
#include "redis/scripting/libraries/json.h"
#include "redis/scripting/script_process_state.h"

namespace lockstep::redis {

namespace {

constexpr std::size_t json_bytes_max = std::size_t{256} * 1024 * 1024;

/// Must have no destructor: Lua errors pass through.
struct Encoder {
  lua_State* state;
  const JsonOptions& options;
  std::string& json;
};

[[noreturn]] void refuse(Encoder& encoder, int index, const char* reason) {
  luaL_error(encoder.state, "Cannot serialise %s: %s", luaL_typename(encoder.state, index), reason);
  __builtin_unreachable();
}

void add(Encoder& encoder, std::string_view text) {
  if (encoder.json.size() + text.size() > json_bytes_max) {
    luaL_error(encoder.state, "not enough memory");
  }
  encoder.json.append(text);
}

void add_escaped(Encoder& encoder, char letter) {
  constexpr std::string_view named = "\b\t\n\f\r\"/\\";
  constexpr std::string_view names = "btnfr\"/\\";
  const std::size_t name = named.find(letter);
  std::array<char, 8> text;
  if (name != std::string_view::npos) {
    text = {'\\', names[name]};
    add(encoder, {text.data(), 2});
  } else if (static_cast<unsigned char>(letter) < ' ' || letter == '\x7f') {
    const int length = std::snprintf(text.data(), text.size(), "\\u%04x",
                                     static_cast<unsigned>(static_cast<unsigned char>(letter)));
    add(encoder, {text.data(), static_cast<std::size_t>(length)});
  } else {
    encoder.json += letter;
  }
}

void add_string(Encoder& encoder, int index) {
  std::size_t length = 0;
  const char* text = lua_tolstring(encoder.state, index, &length);
  add(encoder, "\"");
  for (const char letter : std::string_view(text, length)) add_escaped(encoder, letter);
  add(encoder, "\"");
}

void add_number(Encoder& encoder, int index) {
  const double value = lua_tonumber(encoder.state, index);
  if (!std::isfinite(value)) {
    switch (encoder.options.encode_invalid_numbers) {
      case InvalidNumbers::refused:
        refuse(encoder, index, "must not be NaN or Inf");
      case InvalidNumbers::written_as_null:
        return add(encoder, "null");
      case InvalidNumbers::written:
        if (std::isnan(value)) return add(encoder, "nan");
        break;
    }
  }
  std::array<char, 40> text;
  const int length =
      std::snprintf(text.data(), text.size(), "%.*g", encoder.options.number_precision, value);
  add(encoder, {text.data(), static_cast<std::size_t>(length)});
}

void add_value(Encoder& encoder, int depth, int slots);

/// The length of the table on top as an array; 0 or less if it is none.
lua_Integer array_length(Encoder& encoder) {
  lua_Number longest = 0;
  lua_Number items = 0;
  lua_pushnil(encoder.state);
  while (lua_next(encoder.state, -2) != 0) {
    lua_pop(encoder.state, 1);
    const lua_Number key =
        lua_type(encoder.state, -1) == LUA_TNUMBER ? lua_tonumber(encoder.state, -1) : 0;
    if (!(key >= 1) || std::floor(key) != key) {
      lua_pop(encoder.state, 1);
      return 0;
    }
    if (key > longest) longest = key <= INT_MAX ? key : INT_MIN;  // as C turns it into an int
    ++items;
  }
  const JsonOptions& options = encoder.options;
  const bool is_sparse = options.sparse_ratio > 0 && longest > items * options.sparse_ratio &&
                         longest > options.sparse_safe;
  if (is_sparse && !options.converts_sparse_arrays) {
    refuse(encoder, -1, "excessively sparse array");
  }
  return is_sparse ? 0 : static_cast<lua_Integer>(longest);
}

void add_array(Encoder& encoder, lua_Integer length, int depth, int slots) {
  add(encoder, "[");
  for (lua_Integer position = 1; position <= length; ++position) {
    if (position > 1) add(encoder, ",");
    lua_rawgeti(encoder.state, -1, position);
    add_value(encoder, depth, slots + 1);
    lua_pop(encoder.state, 1);
  }
  add(encoder, "]");
}

void check_keys(Encoder& encoder) {
  lua_pushnil(encoder.state);
  while (lua_next(encoder.state, -2) != 0) {
    lua_pop(encoder.state, 1);
    const int type = lua_type(encoder.state, -1);
    if (type != LUA_TNUMBER && type != LUA_TSTRING) {
      refuse(encoder, -1, "table key must be a number or string");
    }
  }
}

void add_object(Encoder& encoder, int depth, int slots) {
  lua_State* const state = encoder.state;
  check_keys(encoder);
  lua::push_sorted_keys(state, -1);
  add(encoder, "{");
  for (lua_Integer position = 1; lua_rawgeti(state, -1, position) != LUA_TNIL; ++position) {
    if (position > 1) add(encoder, ",");
    if (lua_type(state, -1) == LUA_TNUMBER) {
      add(encoder, "\"");
      add_number(encoder, -1);
      add(encoder, "\":");
    } else {
      add_string(encoder, -1);
      add(encoder, ":");
    }
    lua_rawget(state, -3);
    add_value(encoder, depth, slots + 2);
    lua_pop(state, 1);
  }
  lua_pop(state, 2);
  add(encoder, "}");
}

void add_table(Encoder& encoder, int depth, int slots) {
  constexpr int slots_wanted = 3;
  const bool fits = depth <= encoder.options.encode_depth_max &&
                    slots + slots_wanted <= c_stack_max && lua_checkstack(encoder.state, 8) != 0;
  if (!fits) luaL_error(encoder.state, "Cannot serialise, excessive nesting (%d)", depth);
  const lua_Integer length = array_length(encoder);
  if (length > 0) {
    add_array(encoder, length, depth, slots);
  } else {
    add_object(encoder, depth, slots);
  }
}

/// Adds the value on top of the stack, which stays. `slots`: how many values would be on the stack
/// of Redis's cjson.
void add_value(Encoder& encoder, int depth, int slots) {
  switch (lua_type(encoder.state, -1)) {
    case LUA_TSTRING:
      return add_string(encoder, -1);
    case LUA_TNUMBER:
      return add_number(encoder, -1);
    case LUA_TBOOLEAN:
      return add(encoder, lua_toboolean(encoder.state, -1) != 0 ? "true" : "false");
    case LUA_TTABLE:
      return add_table(encoder, depth + 1, slots);
    case LUA_TNIL:
      return add(encoder, "null");
    case LUA_TLIGHTUSERDATA:
      if (lua_touserdata(encoder.state, -1) == nullptr) return add(encoder, "null");
      break;
    default:
      break;
  }
  refuse(encoder, -1, "type not supported");
}

}  // namespace

void encode_json(lua_State* state, const JsonOptions& options, int index, std::string& json) {
  Encoder encoder{state, options, json};
  lua_pushvalue(state, index);
  add_value(encoder, 0, 1);
  lua_pop(state, 1);
}

}  // namespace lockstep::redis
