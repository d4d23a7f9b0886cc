// Scripts that want too much: they end with an error, and soon.
#include <gtest/gtest.h>

#include <string>

#include "lua/interpreter/state.h"
#include "tests/redis/comparison/script_runner.h"

namespace lockstep::redis::test {
namespace {

constexpr lua::StateOptions little_memory{.memory_bytes_max = std::size_t{16} * 1024 * 1024};

TEST(ScriptHostileTest, EndsWhereMemoryEnds) {
  for (const char* hostile : {
           "local s = 'x' while true do s = s .. s end",
           "return string.rep('x', 1e10)",
           "local t = {} for i = 1, 1e9 do t[i] = {i} end",
           "local function f() return string.rep('x', 1e8) end return f()",
       }) {
    ScriptRunner runner(little_memory);
    const Reply reply = runner.run(hostile);
    EXPECT_TRUE(reply.is_error()) << hostile;
    EXPECT_EQ(runner.describe_run("return 1"), "(integer) 1");
  }
}

TEST(ScriptHostileTest, CannotGoOnAfterMemoryEnded) {
  for (const char* hostile : {
           "local t = {} for i = 1, 1e6 do pcall(function() while true do t[#t + 1] = {} end end) "
           "end return 1",
           "local t = {} while true do xpcall(function() while true do t[#t + 1] = {} end end, "
           "tostring) end",
           "local t = {} while true do pcall(function() pcall(function() while true do "
           "t[#t + 1] = {} end end) end) end",
           "local t = {} while true do coroutine.resume(coroutine.create(function() while true do "
           "t[#t + 1] = {} end end)) end",
           "local t = {} while true do pcall(coroutine.wrap(function() while true do "
           "t[#t + 1] = {} end end)) end",
       }) {
    ScriptRunner runner(little_memory);
    const Reply reply = runner.run(hostile);
    EXPECT_NE(reply.text.find("not enough memory"), std::string::npos) << hostile << "\n"
                                                                       << describe(reply);
    EXPECT_EQ(runner.describe_run("return select(2, pcall(error, 'x', 0))"), "\"x\"");
  }
}

TEST(ScriptHostileTest, EndsEndlessRecursionAndEndlessLoops) {
  for (const char* hostile : {
           "local function f() return f() + 1 end return f()",
           "local t = setmetatable({}, {__index = function(t, k) return t[k] end}) return t.x",
           "while true do end",
           "for i = 2, 1, 0 do end",
           "while true do pcall(function() while true do end end) end",
           "return string.format('%99999d', 1)",
           "local t = {} t[1] = t return cjson.encode(t)",
           "return cmsgpack.unpack(string.rep('\\145', 100000))",
           "return cjson.decode(string.rep('[', 100000))",
       }) {
    ScriptRunner runner;
    runner.engine().set_instruction_limit(1'000'000);
    EXPECT_TRUE(runner.run(hostile).is_error()) << hostile;
    EXPECT_EQ(runner.describe_run("return 1"), "(integer) 1");
  }
}

void expect_killed(const char* hostile) {
  ScriptRunner runner;
  runner.engine().set_instruction_limit(1'000'000);
  const Reply reply = runner.run(hostile);
  EXPECT_NE(reply.text.find("killed by user"), std::string::npos) << hostile << "\n"
                                                                  << describe(reply);
  EXPECT_EQ(runner.describe_run("return string.rep('x', 3)"), "\"xxx\"");
  EXPECT_EQ(runner.describe_run("return pcall(string.find, 'abc', '(b)') and 1"), "(integer) 1");
}

TEST(ScriptHostileTest, CountsMatchingAsInstructions) {
  for (const char* hostile : {
           "return string.find(string.rep('a', 40), string.rep('a*', 20) .. 'b')",
           "return string.match(string.rep('a', 40), string.rep('a-', 20) .. 'b')",
           "return string.gsub(string.rep('a', 40), string.rep('a?', 40) .. 'b', '')",
           "for word in string.gmatch(string.rep('a', 40), string.rep('a*', 20) .. 'b') do end",
           "return (string.rep('a', 40)):find(string.rep('a*', 20) .. 'b')",
           "pcall(string.find, string.rep('a', 40), string.rep('a*', 20) .. 'b') return 1",
           "pcall(string.find, string.rep('a', 40), string.rep('a*', 20) .. 'b') "
           "pcall(string.find, string.rep('a', 40), string.rep('a*', 20) .. 'b') return 1",
           "return string.find(string.rep('(', 100000), string.rep('%b()', 400))",
           "return string.find(string.rep('b', 1e5), '[' .. string.rep('a', 1e5) .. ']')",
           "return string.find(string.rep('a', 2e4), '(a*)%1b')",
           "for i = 1, 1e6 do string.find(string.rep('a', 1000), 'a*b') end",
           "return coroutine.wrap(function() string.find(string.rep('a', 40), "
           "string.rep('a*', 20) .. 'b') end)()",
       }) {
    expect_killed(hostile);
  }
}

TEST(ScriptHostileTest, CountsCopiesAsInstructions) {
  for (const char* hostile : {
           "for i = 1, 1e6 do string.rep('x', 1e6) end",
           "while true do pcall(string.rep, 'x', 1e6) end",
           "local s = string.rep('x', 1e6) while true do local t = s .. 'y' end",
           "local s = string.rep('x', 1e6) while true do local t = s:upper() end",
           "local s = string.rep('x', 1e6) while true do s:sub(2) end",
           "local s = string.rep('x', 1e6) while true do s:gsub('', 'y') end",
           "local s = string.rep('x', 1e6) while true do pcall(function() s:reverse() end) end",
           "local t = {string.rep('x', 1e6), ''} while true do table.concat(t, 'y') end",
       }) {
    expect_killed(hostile);
  }
}

}  // namespace
}  // namespace lockstep::redis::test
