// The server scripts of scripts/latch, script by script: what each replies, leaves behind and
// publishes. tools/mutate-scripts shows that no line of them can change without a test that fails.
#include <gtest/gtest.h>

#include <string>

#include "tests/scripts/script_server.h"

namespace lockstep::test::latch_scripts {
namespace {

constexpr const char* nil = "(nil)";
constexpr const char* zero = "(integer) 0";
constexpr const char* one = "(integer) 1";

class LatchScripts : public testing::Test {
 protected:
  std::string try_set(const std::string& count) {
    return server.run("try_set_count", {"C", "channel"}, {"closed", count});
  }
  std::string count_down() { return server.run("count_down", {"C", "channel"}, {"open"}); }

  ScriptServer server{"latch", "channel"};
};

TEST_F(LatchScripts, TrySetCountClosesALatchAndTellsIt) {
  EXPECT_EQ(try_set("3"), one);
  EXPECT_EQ(server.data(), "C \"3\" -");
  EXPECT_EQ(server.messages(), "closed");
}

TEST_F(LatchScripts, TrySetCountLeavesAClosedOneAlone) {
  server.command("SET C 1");
  EXPECT_EQ(try_set("3"), zero);
  EXPECT_EQ(server.data(), "C \"1\" -");
  EXPECT_EQ(server.messages(), "");
}

TEST_F(LatchScripts, CountDownCountsOneDown) {
  server.command("SET C 3");
  EXPECT_EQ(count_down(), nil);
  EXPECT_EQ(server.data(), "C \"2\" -");
  EXPECT_EQ(count_down(), nil);
  EXPECT_EQ(server.data(), "C \"1\" -");
  EXPECT_EQ(server.messages(), "");
}

TEST_F(LatchScripts, TheLastCountDownOpensTheLatchAndWakesWaiters) {
  server.command("SET C 1");
  EXPECT_EQ(count_down(), nil);
  EXPECT_EQ(server.data(), "");
  EXPECT_EQ(server.messages(), "open");
}

TEST_F(LatchScripts, CountDownLeavesAnOpenLatchOpenAndWakesNobody) {
  EXPECT_EQ(count_down(), nil);
  EXPECT_EQ(server.data(), "");
  EXPECT_EQ(server.messages(), "");
}

}  // namespace
}  // namespace lockstep::test::latch_scripts
