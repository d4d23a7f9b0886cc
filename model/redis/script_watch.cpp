#include "model/redis/script_watch.h"

#include <algorithm>

#include "model/redis/script_reply_writer.h"

namespace lockstep::redis {

namespace {

constexpr char watch_key = 0;  // its address names the watch in the registry
constexpr std::uint64_t period_max = 10'000;

}  // namespace

int ScriptWatch::period() const {
  return static_cast<int>(std::min(period_max, instructions_max_));
}

void ScriptWatch::attach(lua_State* state) {
  lua_pushlightuserdata(state, this);
  lua_rawsetp(state, LUA_REGISTRYINDEX, &watch_key);
}

void ScriptWatch::start(lua_State* thread) {
  instructions_ = 0;
  if (instructions_max_ != 0) {
    lua_sethook(thread, &on_count, LUA_MASKCOUNT, period());
  }
}

void ScriptWatch::stop(lua_State* thread) { lua_sethook(thread, nullptr, 0, 0); }

void ScriptWatch::on_count(lua_State* state, lua_Debug*) {
  lua_rawgetp(state, LUA_REGISTRYINDEX, &watch_key);
  auto* watch = static_cast<ScriptWatch*>(lua_touserdata(state, -1));
  lua_pop(state, 1);
  watch->instructions_ += static_cast<std::uint64_t>(watch->period());
  if (watch->instructions_ < watch->instructions_max_) {
    return;
  }
  lua_sethook(state, &on_count, LUA_MASKCOUNT, 1);  // so that no pcall of the script survives it
  push_error_table(state, "ERR Script killed by user with SCRIPT KILL...");
  lua_error(state);
}

}  // namespace lockstep::redis
