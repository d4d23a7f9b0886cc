#include "redis/scripting/script_mistake.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

#include "redis/protocol/reply.h"
#include "redis/server/server.h"
#include "redis/server/server_version.h"
#include "redis/server/version_traits.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis {
namespace {

/// "2: attempt to …" of what a server of the version answers; "none".
std::string mistake_of(const VersionTraits& version, std::string_view script) {
  test::SimulatedServer server(options_of(version.version));
  server.run({"rpush", "list", "a"});
  const Reply reply = server.run({"eval", script, "0"});
  if (!reply.is_error()) return "no error";
  const std::optional<ScriptMistake> mistake = find_script_mistake(reply.text);
  if (!mistake) return "none";
  return std::to_string(mistake->line) + ": " + std::string(mistake->what);
}

TEST(ScriptMistakeTest, IsFoundInTheWordsOfEveryVersion) {
  for (const VersionTraits& version : version_table) {
    SCOPED_TRACE(version.name);
    const auto of = [&](std::string_view script) { return mistake_of(version, script); };
    EXPECT_EQ(of("local t = nil\nreturn t.x"), "2: attempt to index local 't' (a nil value)");
    EXPECT_EQ(of("\n\nreturn 1 + {}"), "3: attempt to perform arithmetic on a table value");
    EXPECT_EQ(of("return nosuch"),
              "1: Script attempted to access nonexistent global variable 'nosuch'");
    EXPECT_EQ(of("\nfor i = 1, nil do end"), "2: 'for' limit must be a number");
    EXPECT_EQ(of("for i = nil, 1 do end"), "1: 'for' initial value must be a number");
    EXPECT_EQ(of("for i = 1, 2, {} do end"), "1: 'for' step must be a number");
    EXPECT_EQ(of("return table.concat({{}})"),
              "1: invalid value (table) at index 1 in table for 'concat'");
    EXPECT_EQ(of("return table.concat({'a'}, '', 1, 2)"),
              "1: invalid value (nil) at index 2 in table for 'concat'");
    EXPECT_EQ(of("local t = {}\nt[nil] = 1"), "2: table index is nil");
    EXPECT_EQ(of("return ('a'):find('%')"), "1: malformed pattern (ends with '%')");
    EXPECT_EQ(of("return ('a'):find('(a')"), "1: unfinished capture");
    EXPECT_EQ(of("return string.format('%y', 1)"), "1: invalid option '%y' to 'format'");
    EXPECT_EQ(of("return table.insert({}, 1, 2, 3)"), "1: wrong number of arguments to 'insert'");
    EXPECT_TRUE(
        of("local function f() return 1 + f() end\nreturn f()").ends_with("stack overflow"));
    EXPECT_TRUE(of("return redis.call('nosuch')").starts_with("1: Unknown "));
    EXPECT_TRUE(of("return redis.call('get')").starts_with("1: Wrong number of args calling "));
    EXPECT_TRUE(of("return redis.call('get', {})").ends_with(" must be strings or integers"));
  }
}

TEST(ScriptMistakeTest, IsNotWhatAScriptSaysOnPurposeOrItsCommandsMeet) {
  for (const VersionTraits& version : version_table) {
    SCOPED_TRACE(version.name);
    const auto of = [&](std::string_view script) { return mistake_of(version, script); };
    EXPECT_EQ(of("return redis.error_reply('attempt to unlock, not locked')"), "none");
    EXPECT_EQ(of("error('attempt to unlock lock, not locked by current thread')"), "none");
    EXPECT_EQ(of("error('invalid value (7)')"), "none");
    EXPECT_EQ(of("return redis.call('get', 'list')"), "none");
    EXPECT_EQ(of("return redis.call('incrby', 'n', 'x')"), "none");
  }
}

}  // namespace
}  // namespace lockstep::redis
