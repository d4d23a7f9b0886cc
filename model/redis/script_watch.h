// Ends scripts that run for too long.
//
// A count hook is called every few thousand instructions of a script that has loops or functions of
// its own; it makes every instruction a little slower, so other scripts do without.
#pragma once

#include <cstdint>
#include <lua.hpp>

namespace lockstep::redis {

class ScriptWatch {
 public:
  /// 0: no limit.
  void set_limit(std::uint64_t instructions_max) { instructions_max_ = instructions_max; }
  /// From here on the instructions of `thread`, and of coroutines it makes, are counted from zero.
  void start(lua_State* thread);
  void stop(lua_State* thread);
  /// Makes the watch known to its hook. Called once. May raise "not enough memory".
  void attach(lua_State* state);

 private:
  static void on_count(lua_State* state, lua_Debug* activation);
  [[nodiscard]] int period() const;

  std::uint64_t instructions_max_ = 100'000'000;
  std::uint64_t instructions_ = 0;
};

}  // namespace lockstep::redis
