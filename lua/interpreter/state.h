// The one Lua 5.4 state of a simulation engine, made deterministic.
//
// Server scripts and client models share it, each in its own environments (deterministic_base.h).
// Lua errors and yields are longjmps: no object with a destructor may live across a call that can
// raise. Under Memory::Unlimited, calls that only create values don't raise.
//
// One thing stock Lua does not allow to fix: the border that `#t` finds in a table with holes can
// depend on the process's hash seed if the table has both string keys and integer keys.
#pragma once

#include <cstddef>
#include <memory>

#include "lua/interpreter/memory.h"

struct lua_State;

namespace lockstep::lua {

struct StateOptions {
  /// The limit for all Lua values of the state; beyond it Lua raises "not enough memory".
  std::size_t memory_bytes_max = std::size_t{256} * 1024 * 1024;
};

class State {
 public:
  /// Opens a state with the base, string, table, math and coroutine libraries in the deterministic
  /// form of deterministic_base.h as its globals. No io, os, package, debug; no print, load,
  /// require.
  explicit State(const StateOptions& options = {});
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State();

  [[nodiscard]] lua_State* raw() const { return state_; }
  [[nodiscard]] Memory& memory() const { return *memory_; }

 private:
  std::unique_ptr<Memory> memory_;  ///< outlives the state, which frees into it
  lua_State* state_;
};

}  // namespace lockstep::lua
