// What a script's text tells: what it can't do, and how it is rewritten for Lua 5.4.
#include "lua/source/source.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "lua/source/tokens.h"
#include "lua/source/warning.h"

namespace lockstep::lua::test {
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
  EXPECT_EQ(source_of("x = {5.0, 1e3, 0.5, 100, 0x10}").code, "x = {5.0, 1e3, 0.5, 100.0, 16.0}");
  EXPECT_EQ(source_of("x = {9007199254740993, 0xffffffffffffffff}").code,
            "x = {9007199254740992.0, 18446744073709551616.0}");
  EXPECT_EQ(source_of("x = -0 y = x-1").code, "x = -0.0 y = x-1.0");
}

TEST(ScriptSourceTest, LeavesIntegersWhereNobodyCanTell) {
  for (const char* program :
       {"return t[1][-2]", "return {[3] = x}", "if x == 0 or 1 < x then end",
        "return 'a' .. 5 .. -6", "redis.call('incrby', k, 1, -2)", "return 1, -2"}) {
    EXPECT_EQ(source_of(program).code, program);
  }
  EXPECT_EQ(source_of("return function() return 1 end").code, "return function() return 1.0 end");
  EXPECT_EQ(source_of("f(1) redis.log(2, 'x')").code, "f(1.0) redis.log(2.0, 'x')");
}

TEST(ScriptSourceTest, RewritesOperatorsOnlyWhereTheirOperandsMayBeNumbers) {
  for (const char* program : {
           "return 'a' .. KEYS[1] .. 'c' .. ARGV[2]",
           "local k = KEYS[1] .. ':x' local l = k return 'a' .. l .. tostring(5.5)",
           "local k = 'a' return function() return k .. 'b' end",
       }) {
    EXPECT_EQ(source_of(program).code, program);
  }
  EXPECT_EQ(source_of("local k = 'a' if x then k = y end return k .. 'b'").code,
            "local k = 'a' if x then k = y end return __concatenation(\"local 'k';;\",k ,( 'b'))");
  EXPECT_EQ(source_of("KEYS[1] = x return 'a' .. KEYS[1]").code,
            "KEYS[1] = x return __concatenation(\";field '?';\",'a' ,( KEYS[1]))");
  EXPECT_EQ(source_of("return 'a' .. b / 2 .. 'c'").code,
            "return __concatenation(\"\",'a' , b / 2.0 ,( 'c'))");
  EXPECT_EQ(
      source_of("return a .. (b .. c)[d .. e] .. g{h}").code,
      "return __concatenation(\"global 'a';field '?';;\",a , (__concatenation(\"global 'b';"
      "global 'c';\",b ,( c)))[__concatenation(\"global 'd';global 'e';\",d ,( e))] ,( g{h}))");
  EXPECT_EQ(source_of("return a % b * c % d .. 'x'").code,
            "return __concatenation(\"\",__modulo(\";global 'd';\",__modulo(\"global 'a';global 'b'"
            ";\",a ,( b)) * c ,( d)) ,( 'x'))");
  EXPECT_EQ(source_of("return -x, #t").code, "return -x, (#t+0.0)");
  EXPECT_EQ(source_of("local m = '__len' return #t.x[1] + 1").code,
            "local m = '__len' return __length(t.x[1]) + 1.0");
  EXPECT_EQ(source_of("for i = a, b, c do end for i = 1, 2, 0 do end for i = 2, 1, -1 do end").code,
            "for i = a, b, __step(c) do end for i = 1.0, 2.0, __step(0.0) do end "
            "for i = 2.0, 1.0, -1.0 do end");
}

TEST(ScriptSourceTest, GivesNamesThatLua54KeepsForItselfAnotherSpelling) {
  EXPECT_EQ(source_of("local goto, _ENV = t.goto, {goto = 1} return goto, _ENV").code,
            "local __goto, __ENV = t[\"goto\"], {[\"goto\"] = 1.0} return __goto, __ENV");
  EXPECT_EQ(source_of("return goto, _ENV").code, "return _ENV[\"goto\"], _ENV[\"_ENV\"]");
  EXPECT_EQ(source_of("local function f(a, ...) return arg.n end").code,
            "local function f(a, ...) local arg=__arg(...)  return arg.n end");
  EXPECT_EQ(source_of("local function f(...) return arg, ... end").code,
            "local function f(...) local arg  return arg, ... end");
}

TEST(ScriptSourceTest, KeepsLinesWhereTheyWere) {
  EXPECT_EQ(source_of("x = 1/2\n  .. 'a'\n\n  .. b\ny = 1").code,
            "x = __concatenation(\";;global 'b';\",1.0/2.0\n  , 'a'\n\n  ,( b))\ny = 1.0");
}

TEST(ScriptSourceTest, WarnsOfWhatMayDifferFromRedis) {
  const auto warnings = [](std::string_view program) {
    std::string text;
    for (const ScriptWarning& warning : source_of(program).warnings) {
      text += std::to_string(warning.line) + " " + warning.construct + "|";
    }
    return text;
  };
  EXPECT_EQ(warnings("local x = KEYS[1]\nfor k, v in pairs(t) do end\nreturn next(t)"),
            "2 pairs|3 next|");
  EXPECT_EQ(warnings("local pairs, next = f, g for k in pairs(t) do end return next(t)"), "");
  EXPECT_EQ(warnings("\nreturn cjson.encode(t)"), "2 cjson.encode|");
  EXPECT_EQ(warnings("local cjson = f() return cjson.encode(t)"), "");
  EXPECT_EQ(warnings("t[i] = nil\nreturn #t"), "1 = nil|");
  EXPECT_EQ(warnings("t[#t] = nil t['x'] = nil t.x = nil return #t"), "");
  EXPECT_EQ(warnings("return #{1,\nnil, 2}"), "2 nil|");
  EXPECT_EQ(warnings("return -0"), "1 -0|");
  EXPECT_EQ(warnings("x = a\n.. b"), "1 ..|");
  EXPECT_EQ(warnings("\nreturn {__mode = 'k'}"), "2 __mode|");
  EXPECT_EQ(warnings("t[i] = nil return {1, nil, 2}"), "");
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
}  // namespace lockstep::lua::test
