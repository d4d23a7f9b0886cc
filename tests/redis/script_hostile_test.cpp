// Scripts that want too much: they end with an error, and soon.
#include <gtest/gtest.h>

#include <string>

#include "tests/redis/script_runner.h"

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

}  // namespace
}  // namespace lockstep::redis::test
