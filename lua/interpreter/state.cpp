#include "lua/interpreter/state.h"

#include <cstdio>
#include <cstdlib>
#include <lua.hpp>

#include "lua/interpreter/deterministic_base.h"

namespace lockstep::lua {

namespace {

/// An error outside a protected call is a mistake in this program, never in a script.
int panic(lua_State* state) {
  const char* text = lua_tostring(state, -1);
  std::fprintf(stderr, "lockstep: unprotected Lua error: %s\n", text == nullptr ? "?" : text);
  std::abort();
}

}  // namespace

State::State(const StateOptions& options)
    : memory_(std::make_unique<Memory>(options.memory_bytes_max)), state_(nullptr) {
  const Memory::Unlimited unlimited(*memory_);
  state_ = lua_newstate(&Memory::allocate, memory_.get());
  lua_atpanic(state_, &panic);
  open_stock_libraries(state_);
  lua_pushglobaltable(state_);
  install_deterministic_base(state_, -1);
  lua_getfield(state_, -1, LUA_STRLIBNAME);
  set_string_methods(state_);
  lua_pop(state_, 1);
}

State::~State() { lua_close(state_); }

}  // namespace lockstep::lua
