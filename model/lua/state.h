// The one Lua 5.4 state of a simulation engine, with its sources of surprise closed.
//
// Server scripts and client halves share it, each in environments of their own. Lua errors and yields
// are longjmps: no object with a destructor may live across a call that can raise.
#pragma once

struct lua_State;

namespace lockstep::lua {

class State {
 public:
  /// Opens a state with the base, string, table, math and coroutine libraries. No io, os, package.
  State();
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State();

  [[nodiscard]] lua_State* raw() const { return state_; }

 private:
  lua_State* state_;
};

}  // namespace lockstep::lua
