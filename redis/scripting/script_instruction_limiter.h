// Ends scripts that run for too long.
//
// A count hook is called every few thousand instructions of a script that has loops or functions of
// its own; it makes every instruction a little slower, so other scripts do without. Library
// functions that can run for long count their own work.
#pragma once

#include <cstdint>
#include <lua.hpp>

namespace lockstep::redis {

class InstructionLimiter {
 public:
  /// 0: no limit.
  void set_limit(std::uint64_t instructions_max) { instructions_max_ = instructions_max; }
  /// 0: no limit.
  [[nodiscard]] std::uint64_t instructions_max() const { return instructions_max_; }
  /// A script begins: counts from zero.
  void reset() { instructions_ = 0; }
  /// Counts the instructions of `thread`, and of coroutines that it creates, from here on.
  void start(lua_State* thread);
  void stop(lua_State* thread);
  /// Counts a library function's work as instructions. Raises if they exceed the limit. `state` is
  /// the running thread.
  void count(lua_State* state, std::uint64_t instructions);
  /// Pushes the error that scripts end with.
  static void push_error(lua_State* state);
  /// Registers the limiter for its hook. Called once. May raise "not enough memory".
  void attach(lua_State* state);

 private:
  static void on_count(lua_State* state, lua_Debug* activation);
  [[noreturn]] void end(lua_State* state);
  [[nodiscard]] int period() const;

  std::uint64_t instructions_max_ = 100'000'000;
  std::uint64_t instructions_ = 0;
  bool is_hooked_ = false;
};

}  // namespace lockstep::redis
