// The client models that an engine has compiled.
#include "model/client/runtime/compiled_sources.h"

#include <gtest/gtest.h>

#include <lua.hpp>
#include <string>

#include "lua/interpreter/state.h"

namespace lockstep::model {
namespace {

/// Pops a function, and returns the whole number that it returns.
lua_Integer called(lua_State* lua) {
  lua_call(lua, 0, 1);
  const lua_Integer result = lua_tointeger(lua, -1);
  lua_pop(lua, 1);
  return result;
}

TEST(CompiledSources, FunctionsOfOneChunkHaveEnvironmentsOfTheirOwn) {
  const lua::State state;
  lua_State* lua = state.raw();
  ASSERT_EQ(luaL_loadstring(lua,
                            "local own = value\n"
                            "return function() own = own + value return own end"),
            LUA_OK);
  const LuaReference chunk(lua);
  const auto push_copy = [&](lua_Integer value) {
    lua_newtable(lua);
    lua_pushinteger(lua, value);
    lua_setfield(lua, -2, "value");
    push_with_environment(lua, chunk);
    lua_call(lua, 0, 1);
  };
  push_copy(1);
  push_copy(10);
  const auto call = [&](int index) {
    lua_pushvalue(lua, index);
    return called(lua);
  };
  EXPECT_EQ(call(1), 2);
  EXPECT_EQ(call(2), 20);
  EXPECT_EQ(call(1), 3);
  EXPECT_EQ(call(2), 30);
  lua_settop(lua, 0);
}

TEST(CompiledSources, KnowEachFileByItsPathAndText) {
  lua::State state;
  CompiledSources sources(state);
  sources.find("a.lua", "return 1").has_checked_interactions = true;
  EXPECT_TRUE(sources.find("a.lua", "return 1").has_checked_interactions);
  EXPECT_FALSE(sources.find("a.lua", "return 2").has_checked_interactions);
  EXPECT_FALSE(sources.find("b.lua", "return 1").has_checked_interactions);
  EXPECT_TRUE(sources.find("a.lua", "setmetatable({}, {})").traits.may_have_metatables);
}

TEST(CompiledSources, KeepSoManyAndNoMore) {
  lua::State state;
  CompiledSources sources(state);
  sources.find("first.lua", "").has_checked_interactions = true;
  for (int i = 0; i < 300; ++i) static_cast<void>(sources.find(std::to_string(i), ""));
  EXPECT_FALSE(sources.find("first.lua", "").has_checked_interactions);
}

}  // namespace
}  // namespace lockstep::model
