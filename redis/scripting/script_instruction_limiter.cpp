#include "redis/scripting/script_instruction_limiter.h"

#include <algorithm>
#include <cstdlib>

#include "redis/scripting/script_reply_writer.h"

namespace lockstep::redis {

namespace {

constexpr char watch_key = 0;  // its address names the watch in the registry
constexpr std::uint64_t period_max = 10'000;

}  // namespace

int InstructionLimiter::period() const {
  return static_cast<int>(std::min(period_max, instructions_max_));
}

void InstructionLimiter::attach(lua_State* state) {
  lua_pushlightuserdata(state, this);
  lua_rawsetp(state, LUA_REGISTRYINDEX, &watch_key);
}

void InstructionLimiter::start(lua_State* thread) {
  if (instructions_max_ != 0) {
    lua_sethook(thread, &on_count, LUA_MASKCOUNT, period());
    is_hooked_ = true;
  }
}

void InstructionLimiter::stop(lua_State* thread) {
  if (is_hooked_) {
    lua_sethook(thread, nullptr, 0, 0);
    is_hooked_ = false;
  }
}

void InstructionLimiter::count(lua_State* state, std::uint64_t instructions) {
  instructions_ += instructions;
  if (instructions_max_ != 0 && instructions_ >= instructions_max_) {
    end(state);
  }
}

void InstructionLimiter::end(lua_State* state) {
  lua_sethook(state, &on_count, LUA_MASKCOUNT, 1);  // so that no pcall of the script survives it
  is_hooked_ = true;
  push_error(state);
  lua_error(state);
  std::abort();  // lua_error does not return
}

void InstructionLimiter::push_error(lua_State* state) {
  push_error_table(state, "ERR Script killed by user with SCRIPT KILL...");
}

void InstructionLimiter::on_count(lua_State* state, lua_Debug*) {
  lua_rawgetp(state, LUA_REGISTRYINDEX, &watch_key);
  auto* watch = static_cast<InstructionLimiter*>(lua_touserdata(state, -1));
  lua_pop(state, 1);
  watch->count(state, static_cast<std::uint64_t>(watch->period()));
}

}  // namespace lockstep::redis
