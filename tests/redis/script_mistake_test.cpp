#include "redis/scripting/script_mistake.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

#include "redis/protocol/reply.h"
#include "redis/server/server.h"
#include "redis/server/server_version.h"
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
    EXPECT_EQ(of("return redis.call('get', 'list')"), "none");
    EXPECT_EQ(of("return redis.call('incrby', 'n', 'x')"), "none");
  }
}

}  // namespace
}  // namespace lockstep::redis
