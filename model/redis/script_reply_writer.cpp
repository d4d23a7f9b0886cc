#include "model/redis/script_reply_writer.h"

#include <algorithm>
#include <climits>

#include "model/redis/script_numbers.h"

namespace lockstep::redis {

namespace {

void push_view(lua_State* state, std::string_view text) {
  lua_pushlstring(state, text.data(), text.size());
}

}  // namespace

LuaReplyWriter::LuaReplyWriter(lua_State* state, ScriptContext& context)
    : state_(state), context_(context) {
  context_.open_arrays.clear();
}

/// The value on top of the stack is complete: puts it into the array it belongs to, and that one,
/// if it is complete now, into its own.
void LuaReplyWriter::store() {
  while (!context_.open_arrays.empty()) {
    OpenArray& array = context_.open_arrays.back();
    lua_rawseti(state_, -2, ++array.written);
    if (array.written < array.wanted) {
      return;
    }
    context_.open_arrays.pop_back();
  }
}

void LuaReplyWriter::integer(std::int64_t value) {
  push_whole_number(state_, value);
  store();
}

void LuaReplyWriter::bulk(std::string_view text) {
  push_view(state_, text);
  store();
}

void LuaReplyWriter::null() {
  if (context_.protocol == ScriptProtocol::resp2) {
    lua_pushboolean(state_, 0);
  } else {
    lua_pushnil(state_);
  }
  store();
}

void LuaReplyWriter::null_bulk() { null(); }

void LuaReplyWriter::null_array() { null(); }

void LuaReplyWriter::status(std::string_view text) {
  lua_createtable(state_, 0, 1);
  push_view(state_, text);
  lua_setfield(state_, -2, "ok");
  store();
}

void LuaReplyWriter::error(std::string_view text) {
  is_error_ = context_.open_arrays.empty();
  push_error_table(state_, text);
  lua_pushboolean(state_, 1);
  lua_setfield(state_, -2, "ignore_error_stats_update");
  store();
}

void LuaReplyWriter::array(std::size_t count) {
  luaL_checkstack(state_, 4, nullptr);
  const auto size = static_cast<lua_Integer>(count);
  lua_createtable(state_, static_cast<int>(std::min<lua_Integer>(size, INT_MAX)), 0);
  if (count == 0) {
    store();
  } else {
    context_.open_arrays.push_back({size, 0});
  }
}

void push_error_text(lua_State* state, std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) {
    text.remove_suffix(1);
  }
  if (text.find(' ') == std::string_view::npos) {
    lua_pushliteral(state, "ERR ");
    push_view(state, text);
    lua_concat(state, 2);
  } else {
    push_view(state, text);
  }
}

void push_error_table(lua_State* state, std::string_view text) {
  lua_createtable(state, 0, 4);  // room for the source and line that an uncaught error gets
  push_error_text(state, text);
  lua_setfield(state, -2, "err");
}

}  // namespace lockstep::redis
