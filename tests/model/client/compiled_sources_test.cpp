// What an engine keeps of the locks of its scenarios: their files, and their compiled client
// models.
#include "model/client/runtime/compiled_sources.h"

#include <gtest/gtest.h>

#include <lua.hpp>

#include "lock_folder.h"
#include "lock_run.h"
#include "lua/interpreter/state.h"
#include "model/lock/loaded_locks.h"
#include "scenario/scenario.h"
#include "scenario/text/input_error.h"
#include "scenario/workload_spec.h"

namespace lockstep::model {
namespace {

using test::LockFolder;

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

// -- loaded locks --

scenario::Scenario scenario_of(const LockFolder& folder) {
  scenario::Scenario scenario;
  scenario.lock = folder.folder().string();
  return scenario;
}

TEST(LoadedLocks, AreReadOnce) {
  const LockFolder folder;
  folder.write("client.lua", "-- old");
  LoadedLocks locks({});
  EXPECT_EQ(locks.load(scenario_of(folder)).client_source, "-- old");
  folder.write("client.lua", "-- new");
  EXPECT_EQ(locks.load(scenario_of(folder)).client_source, "-- old");
  EXPECT_EQ(LoadedLocks({}).load(scenario_of(folder)).client_source, "-- new");
}

TEST(LoadedLocks, AreOthersWithOtherOptions) {
  const LockFolder folder;
  folder.write("client.lua", "");
  LoadedLocks locks({});
  scenario::Scenario scenario = scenario_of(folder);
  scenario.clients.emplace_back().name = "a";
  const auto timeout = [&](std::string_view client) {
    return std::get<std::int64_t>(
        locks.load(scenario).options_of(client).find("timeout_ms")->second);
  };
  EXPECT_EQ(timeout("a"), 3000);
  scenario.options["timeout_ms"] = std::int64_t{50};
  EXPECT_EQ(timeout("a"), 50);
  scenario.clients[0].options["timeout_ms"] = std::int64_t{70};
  EXPECT_EQ(timeout("a"), 70);
  EXPECT_EQ(timeout("b"), 50);
  scenario.clients[0].name = "b";
  EXPECT_EQ(timeout("a"), 50);
  EXPECT_EQ(timeout("b"), 70);
}

TEST(LoadedLocks, AreTriedAgainWhereTheyWereRefused) {
  const LockFolder folder;
  LoadedLocks locks({});
  EXPECT_THROW(static_cast<void>(locks.load(scenario_of(folder))), scenario::InputError);
  folder.write("client.lua", "-- mended");
  EXPECT_EQ(locks.load(scenario_of(folder)).client_source, "-- mended");
}

TEST(LoadedLocks, ForgetTheOnesUsedLongestAgo) {
  const LockFolder folder;
  folder.write("client.lua", "-- old");
  LoadedLocks locks({});
  const auto source = [&](std::int64_t timeout) {
    scenario::Scenario scenario = scenario_of(folder);
    scenario.options["timeout_ms"] = timeout;
    return locks.load(scenario).client_source;
  };
  for (std::int64_t i = 1; i <= 16; ++i) EXPECT_EQ(source(i), "-- old");
  EXPECT_EQ(source(1), "-- old");
  folder.write("client.lua", "-- new");
  EXPECT_EQ(source(17), "-- new");
  EXPECT_EQ(source(1), "-- old");
  EXPECT_EQ(source(2), "-- new");
}

}  // namespace
}  // namespace lockstep::model
