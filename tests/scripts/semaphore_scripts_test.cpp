// The server scripts of scripts/semaphore, script by script: what each replies, leaves behind and
// publishes. tools/mutate-scripts shows that no line of them can change without a test that fails.
#include <gtest/gtest.h>

#include <string>

#include "tests/scripts/script_server.h"

namespace lockstep::test::semaphore_scripts {
namespace {

constexpr const char* nil = "(nil)";
constexpr const char* zero = "(integer) 0";
constexpr const char* one = "(integer) 1";

class SemaphoreScripts : public testing::Test {
 protected:
  std::string acquire(const std::string& permits) {
    return server.run("acquire", {"S"}, {permits});
  }
  std::string release(const std::string& permits) {
    return server.run("release", {"S", "channel"}, {permits});
  }
  std::string try_set(const std::string& permits) {
    return server.run("try_set_permits", {"S", "channel"}, {permits});
  }

  ScriptServer server{"semaphore", "channel"};
};

TEST_F(SemaphoreScripts, AcquireTakesPermitsThatAreThere) {
  server.command("SET S 5");
  EXPECT_EQ(acquire("2"), one);
  EXPECT_EQ(server.data(), "S \"3\" -");
  EXPECT_EQ(server.messages(), "");
}

TEST_F(SemaphoreScripts, AcquireTakesTheLastPermits) {
  server.command("SET S 2");
  EXPECT_EQ(acquire("2"), one);
  EXPECT_EQ(server.data(), "S \"0\" -");
}

TEST_F(SemaphoreScripts, AcquireTakesAllOrNone) {
  server.command("SET S 2");
  EXPECT_EQ(acquire("3"), zero);
  EXPECT_EQ(server.data(), "S \"2\" -");
}

TEST_F(SemaphoreScripts, AcquireComparesNumbers) {
  server.command("SET S 9");
  EXPECT_EQ(acquire("10"), zero);
  server.command("SET S 10");
  EXPECT_EQ(acquire("9"), one);
  EXPECT_EQ(server.data(), "S \"1\" -");
}

TEST_F(SemaphoreScripts, AcquireOfNoSemaphoreMakesNone) {
  EXPECT_EQ(acquire("1"), zero);
  EXPECT_EQ(server.data(), "");
}

TEST_F(SemaphoreScripts, ReleaseGivesBackAndTellsHowManyThereAre) {
  server.command("SET S 3");
  EXPECT_EQ(release("2"), nil);
  EXPECT_EQ(server.data(), "S \"5\" -");
  EXPECT_EQ(server.messages(), "5");
}

TEST_F(SemaphoreScripts, ReleaseMakesASemaphoreThatIsNotThere) {
  EXPECT_EQ(release("2"), nil);
  EXPECT_EQ(server.data(), "S \"2\" -");
  EXPECT_EQ(server.messages(), "2");
}

TEST_F(SemaphoreScripts, TrySetPermitsMakesASemaphoreAndTellsIt) {
  EXPECT_EQ(try_set("7"), one);
  EXPECT_EQ(server.data(), "S \"7\" -");
  EXPECT_EQ(server.messages(), "7");
}

TEST_F(SemaphoreScripts, TrySetPermitsLeavesOneThatIsThereAlone) {
  server.command("SET S 0");
  EXPECT_EQ(try_set("7"), zero);
  EXPECT_EQ(server.data(), "S \"0\" -");
  EXPECT_EQ(server.messages(), "");
}

}  // namespace
}  // namespace lockstep::test::semaphore_scripts
