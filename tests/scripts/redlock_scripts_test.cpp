// The server scripts of scripts/redlock, script by script: what each replies and leaves behind on
// one node. tools/mutate-scripts shows that no line of them can change without a test that fails.
#include <gtest/gtest.h>

#include <string>

#include "tests/scripts/script_server.h"

namespace lockstep::test::redlock_scripts {
namespace {

constexpr const char* nil = "(nil)";
constexpr const char* zero = "(integer) 0";
constexpr const char* one = "(integer) 1";

class RedLockScripts : public testing::Test {
 protected:
  std::string release(const std::string& token) { return server.run("release", {"L"}, {token}); }
  std::string extend(const std::string& token, const std::string& lease_ms) {
    return server.run("extend", {"L"}, {token, lease_ms});
  }
  std::string force_release() { return server.run("force_release", {"L"}, {}); }

  ScriptServer server{"redlock", "channel"};
};

TEST_F(RedLockScripts, ReleaseFreesTheCallersLock) {
  server.command("SET L a PX 10000");
  server.command("SET M a PX 10000");
  EXPECT_EQ(release("a"), one);
  EXPECT_EQ(server.data(), "M \"a\" 10000ms");
}

TEST_F(RedLockScripts, ReleaseLeavesAnothersLockAlone) {
  server.command("SET L a PX 10000");
  EXPECT_EQ(release("b"), zero);
  EXPECT_EQ(server.data(), "L \"a\" 10000ms");
}

TEST_F(RedLockScripts, ReleaseOfAFreeLockIsRefused) {
  EXPECT_EQ(release("a"), zero);
  EXPECT_EQ(server.data(), "");
}

TEST_F(RedLockScripts, ReleaseOfALockWhoseLeaseIsOverIsRefused) {
  server.command("SET L a PX 10000");
  server.advance_ms(10'001);
  EXPECT_EQ(release("a"), zero);
}

TEST_F(RedLockScripts, ExtendBeginsTheLeaseAnew) {
  server.command("SET L a PX 10000");
  server.command("SET M a PX 10000");
  server.advance_ms(4000);
  EXPECT_EQ(extend("a", "7000"), one);
  EXPECT_EQ(server.data(), "L \"a\" 7000ms, M \"a\" 6000ms");
}

TEST_F(RedLockScripts, ExtendNeverShortensALease) {
  server.command("SET L a PX 10000");
  EXPECT_EQ(extend("a", "7000"), one);
  EXPECT_EQ(server.data(), "L \"a\" 10000ms");
}

TEST_F(RedLockScripts, ExtendLeavesAnothersLockAlone) {
  server.command("SET L a PX 10000");
  EXPECT_EQ(extend("b", "30000"), zero);
  EXPECT_EQ(server.data(), "L \"a\" 10000ms");
}

TEST_F(RedLockScripts, ExtendMakesNoLock) {
  EXPECT_EQ(extend("a", "30000"), zero);
  EXPECT_EQ(server.data(), "");
}

TEST_F(RedLockScripts, ForceReleaseFreesAnybodysLockAndSaysWhoseItWas) {
  server.command("SET L a PX 10000");
  server.command("SET M b PX 10000");
  EXPECT_EQ(force_release(), "\"a\"");
  EXPECT_EQ(server.data(), "M \"b\" 10000ms");
}

TEST_F(RedLockScripts, ForceReleaseOfAFreeLockFindsNothing) {
  EXPECT_EQ(force_release(), nil);
  EXPECT_EQ(server.data(), "");
}

}  // namespace
}  // namespace lockstep::test::redlock_scripts
