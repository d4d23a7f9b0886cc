// The functions of the cmsgpack library over message_pack.h.
#include <climits>
#include <cstddef>
#include <cstdint>
#include <lua.hpp>
#include <string>
#include <string_view>

#include "lua/interpreter/numbers.h"
#include "redis/scripting/libraries/libraries.h"
#include "redis/scripting/libraries/message_pack.h"
#include "redis/scripting/script_result.h"

namespace lockstep::redis {

namespace {

int pack(lua_State* state) {
  const int count = lua_gettop(state);
  if (count == 0) return luaL_argerror(state, 0, "MessagePack pack needs input.");
  std::string& bytes = cleared_library_text(context_of(state));
  luaL_checkstack(state, 1, "in function mp_check");
  for (int index = 1; index <= count; ++index) {
    lua_pushvalue(state, index);
    encode_message_pack(state, bytes);
    lua_pop(state, 1);
  }
  lua_pushlstring(state, bytes.data(), bytes.size());
  return 1;
}

/// Reads up to `limit` values of the text at index 1 (0: all of them) from an offset on. With a
/// limit, the first result is where to go on, or -1.
int unpack_values(lua_State* state, std::int64_t limit, std::int64_t offset) {
  lua::make_text(state, 1);
  std::size_t length = 0;
  const char* text = luaL_checklstring(state, 1, &length);
  lua_settop(state, 1);
  if (offset < 0 || limit < 0) {
    return luaL_error(state, "Invalid request to unpack with offset of %d and limit of %d.",
                      static_cast<int>(offset), static_cast<int>(length));
  }
  if (offset > static_cast<std::int64_t>(length)) {
    return luaL_error(state, "Start offset %d greater than input length %d.",
                      static_cast<int>(offset), static_cast<int>(length));
  }
  const bool reads_all = limit == 0 && offset == 0;
  std::string_view rest(text, length);
  rest.remove_prefix(static_cast<std::size_t>(offset));
  int count = 0;
  for (; !rest.empty() && (reads_all || count < limit); ++count) {
    switch (decode_message_pack(state, rest)) {
      case MessageResult::done:
        break;
      case MessageResult::bytes_missing:
        return luaL_error(state, "Missing bytes in input.");
      case MessageResult::bad_format:
        return luaL_error(state, "Bad data format in input.");
    }
  }
  if (reads_all) return count;
  lua::push_whole_number(state,
                         rest.empty() ? -1 : static_cast<std::int64_t>(length - rest.size()));
  lua_insert(state, 2);
  return count + 1;
}

std::int64_t optional_integer(lua_State* state, int index) {
  return cut_to_integer(luaL_optnumber(state, index, 0));
}

int unpack_all(lua_State* state) { return unpack_values(state, 0, 0); }

int unpack_one(lua_State* state) { return unpack_values(state, 1, optional_integer(state, 2)); }

int unpack_limit(lua_State* state) {
  const std::int64_t limit = cut_to_integer(luaL_checknumber(state, 2));
  return unpack_values(state, limit, optional_integer(state, 3));
}

}  // namespace

void install_message_pack_functions(lua_State* state, ScriptContext& context) {
  set_context_function(state, context, "pack", &pack);
  constexpr luaL_Reg functions[] = {{"unpack", &unpack_all},
                                    {"unpack_limit", &unpack_limit},
                                    {"unpack_one", &unpack_one},
                                    {nullptr, nullptr}};
  luaL_setfuncs(state, functions, 0);
  constexpr const char* texts[][2] = {
      {"_NAME", "cmsgpack"},
      {"_VERSION", "lua-cmsgpack 0.4.0"},
      {"_COPYRIGHT", "Copyright (C) 2012, Salvatore Sanfilippo"},
      {"_DESCRIPTION", "MessagePack C implementation for Lua"},
  };
  for (const auto& [name, text] : texts) {
    lua_pushstring(state, text);
    lua_setfield(state, -2, name);
  }
}

}  // namespace lockstep::redis
