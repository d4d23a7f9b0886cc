#include "redis/scripting/script_instruction_limiter.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "redis/scripting/script_reply_writer.h"

namespace lockstep::redis {

namespace {

constexpr char watch_key = 0;  // its address names the watch in the registry
constexpr std::uint64_t period_max = 10'000;
constexpr int watched_period_min = 8;
constexpr std::int64_t between_questions_us = 1000;

}  // namespace

int InstructionLimiter::period() const {
  if (watchdog_ != nullptr) return watched_period_;
  return static_cast<int>(std::min(period_max, instructions_max_));
}

void InstructionLimiter::attach(lua_State* state) {
  lua_pushlightuserdata(state, this);
  lua_rawsetp(state, LUA_REGISTRYINDEX, &watch_key);
}

void InstructionLimiter::start(lua_State* thread) {
  if (instructions_max_ != 0 || watchdog_ != nullptr) {
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
  look(state);
}

void InstructionLimiter::begin_watch() {
  watched_period_ = watched_period_min;
  asked_at_us_ = hooked_at_us_ = watchdog_->now_us();
  watchdog_->begin();
}

void InstructionLimiter::ask_watchdog(lua_State* state) {
  if (watchdog_->now_us() - asked_at_us_ < between_questions_us) return;
  if (watchdog_->must_end()) end(state);
  asked_at_us_ = watchdog_->now_us();  // it may have served others meanwhile
}

/// Makes the hook come about twice in the time between two questions. It begins often, since the
/// first instructions may be slow ones.
void InstructionLimiter::adapt_period(lua_State* state) {
  const std::int64_t now_us = watchdog_->now_us();
  const std::int64_t passed_us = now_us - std::exchange(hooked_at_us_, now_us);
  int wanted = watched_period_;
  if (passed_us < between_questions_us / 4) {
    wanted = std::min(2 * wanted, static_cast<int>(period_max));
  } else if (passed_us > between_questions_us) {
    wanted = std::max(wanted / 2, 1);
  }
  if (wanted == lua_gethookcount(state)) return;
  watched_period_ = wanted;
  lua_sethook(state, &on_count, LUA_MASKCOUNT, wanted);
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
  lua_pushboolean(state, 1);
  lua_setfield(state, -2, "is_kill");  // for describe_error
}

void InstructionLimiter::on_count(lua_State* state, lua_Debug*) {
  lua_rawgetp(state, LUA_REGISTRYINDEX, &watch_key);
  auto* watch = static_cast<InstructionLimiter*>(lua_touserdata(state, -1));
  lua_pop(state, 1);
  if (watch->watchdog_ != nullptr) watch->adapt_period(state);
  watch->count(state, static_cast<std::uint64_t>(watch->period()));
}

}  // namespace lockstep::redis
