#include "redis/scripting/script_reply_writer.h"

#include <algorithm>
#include <climits>

#include "lua/interpreter/numbers.h"
#include "lua/interpreter/text.h"
#include "redis/protocol/reply_writer.h"

namespace lockstep::redis {

LuaReplyWriter::LuaReplyWriter(lua_State* state, ScriptContext& context)
    : ReplyWriter(context.protocol == ScriptProtocol::resp3 ? Protocol::resp3 : Protocol::resp2),
      state_(state),
      context_(context) {
  context_.open_replies.clear();
}

/// The value on top of the stack is complete: puts it into what it belongs to, and that, if it is
/// complete now, into its own.
void LuaReplyWriter::store() {
  while (!context_.open_replies.empty()) {
    OpenReply& open = context_.open_replies.back();
    ++open.written;
    if (open.kind == OpenReply::Kind::array) {
      lua_rawseti(state_, -2, open.written);
    } else if (open.kind == OpenReply::Kind::set) {
      lua_pushboolean(state_, 1);
      lua_rawset(state_, -3);
    } else if (open.written % 2 == 0) {
      lua_rawset(state_, -3);  // below the value is its key
    }
    if (open.written < open.wanted) return;
    if (open.kind != OpenReply::Kind::array) {
      lua_setfield(state_, -2, open.kind == OpenReply::Kind::map ? "map" : "set");
    }
    context_.open_replies.pop_back();
  }
}

void LuaReplyWriter::integer(std::int64_t value) {
  lua::push_whole_number(state_, value);
  store();
}

void LuaReplyWriter::bulk(std::string_view text) {
  lua::push_view(state_, text);
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
  lua::push_view(state_, text);
  lua_setfield(state_, -2, "ok");
  store();
}

void LuaReplyWriter::error(std::string_view text) {
  count_error(text);
  is_error_ = context_.open_replies.empty();
  if (text.starts_with(located_error_mark)) {
    push_located_error_table(state_, text.substr(1));
  } else {
    push_error_table(state_, text);
  }
  lua_pushboolean(state_, 1);
  lua_setfield(state_, -2, "ignore_error_stats_update");
  store();
}

void LuaReplyWriter::open(OpenReply::Kind kind, std::size_t count) {
  luaL_checkstack(state_, 6, nullptr);
  const auto size = static_cast<lua_Integer>(count);
  if (kind != OpenReply::Kind::array) lua_createtable(state_, 0, 1);
  lua_createtable(state_, static_cast<int>(std::min<lua_Integer>(size, INT_MAX)), 0);
  if (count > 0) {
    context_.open_replies.push_back({kind, size, 0});
    return;
  }
  if (kind != OpenReply::Kind::array) {
    lua_setfield(state_, -2, kind == OpenReply::Kind::map ? "map" : "set");
  }
  store();
}

void LuaReplyWriter::array(std::size_t count) { open(OpenReply::Kind::array, count); }

void LuaReplyWriter::map(std::size_t count) {
  open(is_resp3() ? OpenReply::Kind::map : OpenReply::Kind::array, 2 * count);
}

void LuaReplyWriter::set(std::size_t count) {
  open(is_resp3() ? OpenReply::Kind::set : OpenReply::Kind::array, count);
}

void LuaReplyWriter::real(double value) {
  if (!is_resp3()) return ReplyWriter::real(value);
  lua_createtable(state_, 0, 1);
  lua_pushnumber(state_, value);
  lua_setfield(state_, -2, "double");
  store();
}

void LuaReplyWriter::boolean(bool value) {
  if (!is_resp3()) return ReplyWriter::boolean(value);
  lua_pushboolean(state_, value ? 1 : 0);
  store();
}

void LuaReplyWriter::verbatim(std::string_view format, std::string_view text) {
  if (!is_resp3()) return bulk(text);
  lua_createtable(state_, 0, 1);
  lua_createtable(state_, 0, 2);
  lua::push_view(state_, text);
  lua_setfield(state_, -2, "string");
  lua::push_view(state_, format);
  lua_setfield(state_, -2, "format");
  lua_setfield(state_, -2, "verbatim_string");
  store();
}

void LuaReplyWriter::big_number(std::string_view digits) {
  if (!is_resp3()) return bulk(digits);
  lua_createtable(state_, 0, 1);
  lua::push_view(state_, digits);
  lua_setfield(state_, -2, "big_number");
  store();
}

void push_error_text(lua_State* state, std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) {
    text.remove_suffix(1);
  }
  if (text.find(' ') == std::string_view::npos) {
    lua_pushliteral(state, "ERR ");
    lua::push_view(state, text);
    lua_concat(state, 2);
  } else {
    lua::push_view(state, text);
  }
}

void push_located_error_table(lua_State* state, std::string_view text) {
  lua_Debug caller;
  const bool is_known =
      lua_getstack(state, 1, &caller) != 0 && lua_getinfo(state, "Sl", &caller) != 0;
  lua_createtable(state, 0, 4);
  if (is_known) {
    lua_pushfstring(state, "%s: %d: ", caller.source, caller.currentline);
    lua::push_view(state, text);
    lua_concat(state, 2);
  } else {
    lua::push_view(state, text);
  }
  lua_setfield(state, -2, "err");
}

void push_error_table(lua_State* state, std::string_view text) {
  lua_createtable(state, 0, 4);  // room for the source and line that an uncaught error gets
  push_error_text(state, text);
  lua_setfield(state, -2, "err");
}

}  // namespace lockstep::redis
