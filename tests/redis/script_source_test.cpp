// What is read from a script's text: what it can't do, and how it is rewritten for Lua 5.4.
#include "model/redis/script_source.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "model/redis/script_chains.h"
#include "model/redis/script_rewriting.h"
#include "model/redis/script_tokens.h"

namespace lockstep::redis::test {
namespace {

ScriptSource source_of(std::string_view program) {
  return std::get<ScriptSource>(read_script(program, "user_script"));
}

TEST(ScriptSourceTest, LeavesALocksScriptAsItIsAndKnowsItHarmless) {
  const std::string_view program =
      "if redis.call('exists', KEYS[1]) == 0 or redis.call('hexists', KEYS[1], ARGV[2]) == 1 then\n"
      "  redis.call('hincrby', KEYS[1], ARGV[2], 1)\n"
      "  redis.call('pexpire', KEYS[1], tonumber(ARGV[1]))\n"
      "  return nil\n"
      "end\n"
      "local a, b, c = KEYS[1], KEYS[2], KEYS[3]\n"
      "return redis.call('pttl', KEYS[1])";
  const ScriptSource source = source_of(program);
  EXPECT_EQ(source.code, program);
  EXPECT_FALSE(source.may_run_long);
  EXPECT_FALSE(source.may_touch_globals);
  EXPECT_FALSE(source.may_touch_arguments);
  EXPECT_FALSE(source.may_call_methods);
}

TEST(ScriptSourceTest, NoticesWhatCouldWriteToGlobals) {
  for (const char* program : {
           "redis.call = nil",
           "redis . call = nil",
           "redis['call'] = nil",
           "local r = redis r.call = nil",
           "redis.call, x = 1",
           "x, redis.call = 1",
           "local a a, redis.call, c = 1, 2",
           "x = 1 redis.call, y = 1, 2",
           "f(function() redis.call, y = 1, 2 end)",
           "function redis.foo() end",
           "function tonumber() end",
           "local function tonumber() end",
           "tonumber = 1",
           "tonumber, x = 1, 2",
           "local x = y tonumber, z = 1, 2",
           "return {function() tonumber, z = 1, 2 end}",
           "string.len = 1",
           "return pairs(redis)",
           "return _G",
           "return load(f)",
           "return getmetatable('')",
           "rawset(string, 'x', 1)",
           "setmetatable(math, {})",
           "table.insert(redis, 1)",
           "KEYS = nil",
           "bit = nil",
           "coroutine = 1",
           "return {redis}",
           "for k in next, redis do end",
       }) {
    EXPECT_TRUE(source_of(program).may_touch_globals) << program;
  }
  for (const char* program : {
           "return {pcall(redis.call, 'get', KEYS[1])}",
           "local unpack_it = unpack return unpack_it(ARGV)",
           "local t = {call = 1} t.call = 2 t.redis = 3 t.redis.call = 4",
           "return tonumber(ARGV[1]), tostring(5)",
           "local a, b, c = tonumber(ARGV[1]), tonumber, type",
           "return redis.call, 1",
           "-- redis.call = nil\nreturn 1",
           "return 'redis.call = nil'",
           "return [[ tonumber = 1 ]]",
           "if redis.call('get', 'x') == tonumber('1') then return 1 end",
       }) {
    EXPECT_FALSE(source_of(program).may_touch_globals) << program;
  }
}

TEST(ScriptSourceTest, NoticesWhatCouldKeepOrChangeArguments) {
  for (const char* program : {
           "KEYS[1] = 'x'",
           "local k = KEYS",
           "return f(KEYS)",
           "a, KEYS[1], c = 1, 2, 3",
           "KEYS[1], a = 1, 2",
           "KEYS[KEYS[1]] = 1",
           "KEYS.x = 1",
           "local f, t = ipairs(KEYS)",
           "table.insert(ARGV, 1)",
           "f(function() a, ARGV[1] = 1, 2 end)",
           "return {KEYS}",
           "return KEYS",
       }) {
    EXPECT_TRUE(source_of(program).may_touch_arguments) << program;
  }
  for (const char* program : {
           "return {KEYS[1], ARGV[2], #KEYS}",
           "for i, v in ipairs(KEYS) do f(v) end",
           "for i = 1, #ARGV do f(ARGV[i + 1], KEYS[ARGV[i]]) end",
           "return redis.call('del', unpack(KEYS))",
           "return table.concat(ARGV, ',')",
           "local a, b, c = KEYS[1], KEYS[2], KEYS[3]",
           "f(function() return KEYS[1], 2 end)",
           "x = {KEYS[1], y = KEYS[2], KEYS[3]}",
       }) {
    EXPECT_FALSE(source_of(program).may_touch_arguments) << program;
  }
}

TEST(ScriptSourceTest, NoticesWhatCouldRunLongOrCallMethods) {
  for (const char* program : {"while x do end", "repeat until x", "for i = 1, 2 do end",
                              "local f = function() end", "load(f)"}) {
    EXPECT_TRUE(source_of(program).may_run_long) << program;
  }
  EXPECT_FALSE(source_of("return 'while true do end' -- for").may_run_long);
  EXPECT_TRUE(source_of("return s:len()").may_call_methods);
  EXPECT_FALSE(source_of("return ':'").may_call_methods);
}

TEST(ScriptSourceTest, RewritesLiteralsThatTheTwoLuasReadDifferently) {
  EXPECT_EQ(source_of(R"(return "\x41\z\%", '\'', "\065\n")").code,
            R"(return "x41z%", '\'', "\065\n")");
  EXPECT_EQ(source_of("return 5.0, 1e3, 0.5, 100").code, "return 5, 1000, 0.5, 100");
  EXPECT_EQ(source_of("return 9007199254740993, 0xffffffffffffffff").code,
            "return 9007199254740992.0, 18446744073709551616.0");
  EXPECT_EQ(source_of("return 99999999999999, 100000000000000").code,
            "return 99999999999999, 100000000000000.0");
  EXPECT_EQ(source_of("return -0, x-0, (x)-0, 1 - 0").code, "return -0.0, x-0, (x)-0, 1 - 0");
}

TEST(ScriptSourceTest, RewritesConcatenationOnlyWhereNumbersMayPrintDifferently) {
  EXPECT_EQ(source_of("return 'a' .. b .. 'c'").code, "return 'a' .. b .. 'c'");
  EXPECT_EQ(source_of("return 'a' .. b / 2 .. 'c'").code,
            "return __concatenation('a' , b / 2 ,( 'c'))");
  EXPECT_EQ(source_of("x = 1/2 y = f(a .. (b .. c)[d .. e] .. g{h}) z = 1").code,
            "x = 1/2 y = f(__concatenation(a , (__concatenation(b ,( c)))[__concatenation(d ,( "
            "e))] ,( g{h}))) z = 1");
  EXPECT_EQ(source_of("local s = -x/1 .. not y .. #z a = b == c .. d and e .. f").code,
            "local s = __concatenation(-x/1 , not y ,( #z)) a = b == __concatenation(c ,( d)) and "
            "__concatenation(e ,( f))");
  EXPECT_EQ(source_of("return {x = 1/2 .. y, z .. w; 'k' .. v}").code,
            "return {x = __concatenation(1/2 ,( y)), __concatenation(z ,( w)); __concatenation('k' "
            ",( v))}");
}

TEST(ScriptSourceTest, KeepsLinesWhereTheyWere) {
  EXPECT_EQ(source_of("x = 1/2\n  .. 'a'\n\n  .. b\ny = 1").code,
            "x = __concatenation(1/2\n  , 'a'\n\n  ,( b))\ny = 1");
}

TEST(ScriptTokensTest, ReadsCommentsStringsAndNumbersAsLua51Does) {
  const auto tokens =
      read_tokens("a--[[ x\n]]b --c\n'q\\'r' [==[ ]] ]==] 1e-5 0x1F 3..4 a...b ~= ..\n\r\nz 'open");
  std::string text;
  for (const ScriptToken& token : tokens) {
    text += std::string(token.text) + "@" + std::to_string(token.line) + "|";
  }
  EXPECT_EQ(text,
            "a@1|b@2|'q\\'r'@3|[==[ ]] ]==]@3|1e-5@3|0x1F@3|3..4@3|a@3|...@3|b@3|~=@3|..@3|z@5|");
}

}  // namespace
}  // namespace lockstep::redis::test
