// Holds on to a Lua value by a reference in the registry.
#pragma once

#include <lua.hpp>
#include <utility>

namespace lockstep::model {

class LuaReference {
 public:
  LuaReference() = default;
  /// Pops the value on top of the stack. May raise "not enough memory".
  explicit LuaReference(lua_State* lua) : lua_(lua), key_(luaL_ref(lua, LUA_REGISTRYINDEX)) {}
  LuaReference(LuaReference&& other) noexcept
      : lua_(std::exchange(other.lua_, nullptr)), key_(other.key_) {}
  LuaReference& operator=(LuaReference&& other) noexcept {
    std::swap(lua_, other.lua_);
    std::swap(key_, other.key_);
    return *this;
  }
  LuaReference(const LuaReference&) = delete;
  LuaReference& operator=(const LuaReference&) = delete;
  ~LuaReference() {
    if (lua_ != nullptr) luaL_unref(lua_, LUA_REGISTRYINDEX, key_);
  }

  [[nodiscard]] bool holds_a_value() const { return lua_ != nullptr; }
  /// Pushes the value onto any coroutine of the state.
  void push(lua_State* onto) const { lua_rawgeti(onto, LUA_REGISTRYINDEX, key_); }
  /// Pops another value and keeps that from now on. REQUIRES: it holds one.
  void replace() { lua_rawseti(lua_, LUA_REGISTRYINDEX, key_); }

 private:
  lua_State* lua_ = nullptr;
  int key_ = LUA_NOREF;
};

}  // namespace lockstep::model
