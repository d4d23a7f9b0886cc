// The server scripts of scripts/fenced: what its acquire replies and leaves behind. The other
// scripts are plain's.
#include <gtest/gtest.h>

#include <string>

#include "tests/scripts/script_server.h"

namespace lockstep::test::fenced_scripts {
namespace {

class FencedScripts : public testing::Test {
 protected:
  std::string acquire(const std::string& owner, const std::string& lease_ms = "10000") {
    return server.run("acquire", {"L", "tokens"}, {lease_ms, owner});
  }

  ScriptServer server{"fenced", "channel"};
};

TEST_F(FencedScripts, AcquireTakesAFreeLockWithTheNextToken) {
  EXPECT_EQ(acquire("a"), "[(integer) -1, (integer) 1]");
  EXPECT_EQ(server.data(), "L {a=1} 10000ms, tokens \"1\" -");
}

TEST_F(FencedScripts, AcquireTakesALockOnceMoreWithANewToken) {
  server.command("SET tokens 41");
  acquire("a");
  server.advance_ms(4000);
  EXPECT_EQ(acquire("a", "7000"), "[(integer) -1, (integer) 43]");
  EXPECT_EQ(server.data(), "L {a=2} 7000ms, tokens \"43\" -");
}

TEST_F(FencedScripts, AcquireOfAnothersLockGivesNoToken) {
  acquire("a");
  server.advance_ms(4000);
  EXPECT_EQ(acquire("b"), "[(integer) 6000, (integer) -1]");
  EXPECT_EQ(server.data(), "L {a=1} 6000ms, tokens \"1\" -");
}

TEST_F(FencedScripts, TokensGoOnWhereTheLeaseIsOver) {
  acquire("a");
  server.advance_ms(10'001);
  EXPECT_EQ(acquire("b"), "[(integer) -1, (integer) 2]");
  EXPECT_EQ(server.data(), "L {b=1} 10000ms, tokens \"2\" -");
}

}  // namespace
}  // namespace lockstep::test::fenced_scripts
