// What the engine promises its server: one compilation for each text, a clean slate for each run.
#include <gtest/gtest.h>

#include <lua.hpp>
#include <string>

#include "tests/redis/comparison/script_runner.h"

namespace lockstep::redis::test {
namespace {

ScriptId compiled(ScriptEngine& engine, std::string_view body) {
  return std::get<ScriptId>(engine.compile(body));
}

TEST(ScriptEngineTest, KnowsAScriptByItsTextAndByItsSha1) {
  ScriptRunner runner;
  ScriptEngine& engine = runner.engine();
  const ScriptId script = compiled(engine, "return 1");
  EXPECT_EQ(compiled(engine, "return 1"), script);
  EXPECT_NE(compiled(engine, "return 2"), script);
  EXPECT_EQ(engine.sha1(script), "e0e1f9fabfc9d4800c877a703b823ac0578ff8db");
  EXPECT_EQ(engine.body(script), "return 1");
  ASSERT_NE(engine.find("e0e1f9fabfc9d4800c877a703b823ac0578ff8db"), nullptr);
  EXPECT_EQ(*engine.find("E0E1F9FABFC9D4800C877A703B823AC0578FF8DB"), script);
  EXPECT_EQ(engine.find("e0e1f9fabfc9d4800c877a703b823ac0578ff8d"), nullptr);
  EXPECT_EQ(engine.find("0000000000000000000000000000000000000000"), nullptr);
}

TEST(ScriptEngineTest, ForgetsAScriptThatDoesNotCompile) {
  ScriptRunner runner;
  EXPECT_EQ(std::get<std::string>(runner.engine().compile("return return")),
            "ERR Error compiling script (new function): user_script:1: unexpected symbol near "
            "'return'");
  EXPECT_EQ(runner.engine().find(sha1_hex("return return")), nullptr);
}

TEST(ScriptEngineTest, ReadsWhatTheFirstLineDeclares) {
  ScriptRunner runner;
  ScriptEngine& engine = runner.engine();
  EXPECT_FALSE(engine.declaration(compiled(engine, "return 1")).has_shebang);
  const ScriptFlags& declared =
      engine.declaration(compiled(engine, "#!lua flags=no-writes,allow-oom\nreturn 1"));
  EXPECT_TRUE(declared.has_shebang && declared.no_writes && declared.allow_oom);
  EXPECT_FALSE(declared.allow_stale || declared.no_cluster || declared.allow_cross_slot_keys);
}

TEST(ScriptEngineTest, CountsLinesFromTheShebang) {
  ScriptRunner runner;
  EXPECT_EQ(runner.run("#!lua\nerror('x')").text.substr(0, 20), "ERR user_script:2: x");
}

TEST(ScriptEngineTest, PassesKeysAndArgumentsAsBytes) {
  ScriptRunner runner;
  const std::string odd("a\0\r\n\xff", 5);
  runner.run("redis.call('x', KEYS[1], ARGV[2], #KEYS, #ARGV)", {odd}, {"1", odd});
  ASSERT_EQ(runner.calls().size(), 1U);
  EXPECT_EQ(runner.calls()[0], "x " + odd + " " + odd + " 1 2");
}

TEST(ScriptEngineTest, LeavesNoArgumentsOfTheRunBefore) {
  ScriptRunner runner;
  const std::string_view counts = "return {#KEYS, #ARGV, KEYS[2], ARGV[3]}";
  EXPECT_EQ(runner.describe_run(counts, {"a", "b"}, {"1", "2", "3"}),
            "[(integer) 2, (integer) 3, \"b\", \"3\"]");
  EXPECT_EQ(runner.describe_run("return {#KEYS, #ARGV, KEYS[2] == nil, ARGV[3] == nil}", {"a"}),
            "[(integer) 1, (integer) 0, (integer) 1, (integer) 1]");
}

// A script may do what it likes with KEYS and ARGV; the next one gets its own.
TEST(ScriptEngineTest, UndoesWhatAScriptDoesToItsArguments) {
  ScriptRunner runner;
  const std::string all = "local n = 0 for _ in pairs(KEYS) do n = n + 1 end return {n, KEYS[1]}";
  for (const char* hostile : {
           "KEYS[7] = 'x' KEYS.x = 1 return KEYS.x",
           "table.insert(KEYS, 'y') return #KEYS",
           "local keys = KEYS keys[1] = nil keys[3] = 5 return 1",
           "return setmetatable(KEYS, {__index = function() return 'z' end})[9]",
           "local a a, KEYS[2], b = 1, 2",
           "for i, v in ipairs(KEYS) do KEYS[i] = v .. 'x' KEYS[i + 10] = v end",
           "rawset(KEYS, 'k', 'v')",
           "local function f(t) t.q = 1 end f(KEYS) f(ARGV)",
           "KEYS = nil",
       }) {
    runner.run(hostile, {"a", "b"}, {"c"});
    EXPECT_EQ(runner.describe_run(all, {"k1"}), "[(integer) 1, \"k1\"]") << hostile;
    EXPECT_EQ(runner.describe_run("return {#KEYS, KEYS[1], KEYS[2] == nil, KEYS[9] == nil}", {"k"}),
              "[(integer) 1, \"k\", (integer) 1, (integer) 1]")
        << hostile;
  }
}

TEST(ScriptEngineTest, AppliesSetrespToOneRunOnly) {
  ScriptRunner runner;
  runner.answer_with(Reply{});
  EXPECT_EQ(runner.describe_run("redis.setresp(3) return {redis.call('get') == nil, false}"),
            "[(integer) 1, (integer) 0]");
  EXPECT_EQ(runner.describe_run("return {redis.call('get') == false, false}"),
            "[(integer) 1, (nil)]");
}

TEST(ScriptEngineTest, LogsWhatTheScriptLogs) {
  ScriptRunner runner;
  runner.run("redis.log(redis.LOG_WARNING, 'a', 5, 'b')");
  EXPECT_EQ(runner.log_lines(), std::vector<std::string>{"3 a 5 b"});
}

TEST(ScriptEngineTest, StartsMathRandomWhereAFreshServerDoes) {
  ScriptRunner runner;
  const std::string_view draw = "return {tostring(math.random()), tostring(math.random())}";
  const std::string first = runner.describe_run(draw);
  EXPECT_EQ(first, "[\"0.39646477363839\", \"0.84048536971234\"]");
  EXPECT_NE(runner.describe_run(draw), first);  // as in Redis 7.0, nobody seeds it between scripts
  runner.restart();
  EXPECT_EQ(runner.describe_run(draw), first);
}

TEST(ScriptEngineTest, ReplacesStringMethodsForTheRunOnly) {
  ScriptRunner runner;
  EXPECT_EQ(runner.describe_run("return ('%d'):format(3.9)"), "\"3\"");
  lua_State* state = runner.state().raw();
  luaL_dostring(state, "local ok = pcall(function() return ('%d'):format(3.9) end) return ok");
  EXPECT_EQ(lua_toboolean(state, -1), 0) << "Lua 5.4's own refuses a fraction";
  lua_settop(state, 0);
}

TEST(ScriptEngineTest, GivesSha1AsRedisDoes) {
  EXPECT_EQ(sha1_hex(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(sha1_hex("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
}

TEST(ScriptEngineTest, TakesAnyNumberOfArgumentsForACall) {
  ScriptRunner runner;
  for (const int count : {1, 15, 16, 17, 32, 33, 1000, 7990}) {
    runner.run(
        "local t = {} for i = 1, ARGV[1] do t[i] = i % 2 == 0 and i or 'x' end "
        "redis.call(unpack(t))",
        {}, {std::to_string(count)});
    ASSERT_EQ(runner.calls().size(), 1U) << count;
    std::string expected = "x";
    for (int i = 2; i <= count; ++i) {
      expected += i % 2 == 0 ? " " + std::to_string(i) : " x";
    }
    EXPECT_EQ(runner.calls()[0], expected);
  }
}

TEST(ScriptEngineTest, CallsFromWithinACoroutine) {
  ScriptRunner runner;
  EXPECT_EQ(
      runner.describe_run("local c = coroutine.wrap(function() coroutine.yield(redis.call('a')) "
                          "return redis.call('b') end) return {c(), c()}"),
      "[a, b]");
}

TEST(ScriptEngineTest, WritesItsErrorsWithScriptAndLine) {
  ScriptRunner runner;
  const std::string script = "local x = 1\n\nredis.call('a')";
  Reply error;
  error.kind = Reply::Kind::error;
  error.text = "WRONGTYPE no";
  runner.answer_with(error);
  EXPECT_EQ(runner.describe_run(script),
            "(error) WRONGTYPE no script: " + sha1_hex(script) + ", on @user_script:3.");
}

}  // namespace
}  // namespace lockstep::redis::test
