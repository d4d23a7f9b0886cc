// Ends scripts that run for too long.
//
// A count hook is called every few thousand instructions of a script that has loops or functions of
// its own; it makes every instruction a little slower, so other scripts do without. Library
// functions that can run for long count their own work.
//
// A process on real time sets a watchdog in place of a number. It is asked about once a
// millisecond: the hook comes as often as that takes, since one instruction may call a command or a
// library function that is slow.
#pragma once

#include <cstdint>
#include <lua.hpp>

namespace lockstep::redis {

/// Decides by real time whether the script that runs must end.
class ScriptWatchdog {
 public:
  /// A script begins.
  virtual void begin() = 0;
  /// Real time that never goes back.
  virtual std::int64_t now_us() = 0;
  /// Called about once a millisecond while it runs. May serve other clients meanwhile, as long as
  /// none of them uses this engine. Must not throw or raise a Lua error.
  virtual bool must_end() = 0;

 protected:
  ~ScriptWatchdog() = default;
};

class InstructionLimiter {
 public:
  /// 0: no limit.
  void set_limit(std::uint64_t instructions_max) { instructions_max_ = instructions_max; }
  /// 0: no limit.
  [[nodiscard]] std::uint64_t instructions_max() const { return instructions_max_; }
  /// Not owned; nullptr: none.
  void set_watchdog(ScriptWatchdog* watchdog) { watchdog_ = watchdog; }
  /// A script begins: counts from zero.
  void reset() {
    instructions_ = 0;
    if (watchdog_ != nullptr) begin_watch();
  }
  /// Counts the instructions of `thread`, and of coroutines that it creates, from here on.
  void start(lua_State* thread);
  void stop(lua_State* thread);
  /// Counts a library function's work as instructions. Raises if they exceed the limit. `state` is
  /// the running thread.
  void count(lua_State* state, std::uint64_t instructions);
  /// Asks the watchdog, if there is one and it is time to. Raises if the script must end.
  void look(lua_State* state) {
    if (watchdog_ != nullptr) ask_watchdog(state);
  }
  /// Pushes the error that scripts end with.
  static void push_error(lua_State* state);
  /// Registers the limiter for its hook. Called once. May raise "not enough memory".
  void attach(lua_State* state);

 private:
  static void on_count(lua_State* state, lua_Debug* activation);
  [[noreturn]] void end(lua_State* state);
  [[nodiscard]] int period() const;
  void begin_watch();
  void ask_watchdog(lua_State* state);
  void adapt_period(lua_State* state);

  std::uint64_t instructions_max_ = 100'000'000;
  std::uint64_t instructions_ = 0;
  bool is_hooked_ = false;
  ScriptWatchdog* watchdog_ = nullptr;
  int watched_period_ = 0;  // instructions until the hook comes again, with a watchdog
  std::int64_t asked_at_us_ = 0;
  std::int64_t hooked_at_us_ = 0;
};

}  // namespace lockstep::redis
