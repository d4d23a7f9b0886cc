// The server scripts of scripts/setnx: what its one script replies and leaves behind.
#include <gtest/gtest.h>

#include <string>

#include "tests/scripts/script_server.h"

namespace lockstep::test::setnx_scripts {
namespace {

constexpr const char* zero = "(integer) 0";
constexpr const char* one = "(integer) 1";

class SetnxScripts : public testing::Test {
 protected:
  std::string release(const std::string& token) { return server.run("release", {"L"}, {token}); }
  std::string extend(const std::string& token, const std::string& lease_ms) {
    return server.run("extend", {"L"}, {token, lease_ms});
  }

  ScriptServer server{"setnx", "channel"};
};

TEST_F(SetnxScripts, ReleaseFreesTheLockThatHasTheToken) {
  server.command("SET L token NX PX 10000");
  EXPECT_EQ(release("token"), one);
  EXPECT_EQ(server.data(), "");
}

TEST_F(SetnxScripts, ReleaseLeavesAnothersLockAlone) {
  server.command("SET L another NX PX 10000");
  EXPECT_EQ(release("token"), zero);
  EXPECT_EQ(server.data(), "L \"another\" 10000ms");
}

TEST_F(SetnxScripts, ReleaseOfAFreeLockIsRefused) {
  EXPECT_EQ(release("token"), zero);
  EXPECT_EQ(server.data(), "");
}

TEST_F(SetnxScripts, ReleaseOfALockWhoseLeaseIsOverIsRefused) {
  server.command("SET L token NX PX 10000");
  server.advance_ms(10'001);
  EXPECT_EQ(release("token"), zero);
}

TEST_F(SetnxScripts, ExtendBeginsTheLeaseOfTheLockThatHasTheTokenAnew) {
  server.command("SET L token NX PX 10000");
  server.advance_ms(4000);
  EXPECT_EQ(extend("token", "7000"), one);
  EXPECT_EQ(server.data(), "L \"token\" 7000ms");
}

TEST_F(SetnxScripts, ExtendLeavesAnothersLockAlone) {
  server.command("SET L another NX PX 10000");
  EXPECT_EQ(extend("token", "7000"), zero);
  EXPECT_EQ(server.data(), "L \"another\" 10000ms");
}

TEST_F(SetnxScripts, ExtendMakesNoLock) {
  EXPECT_EQ(extend("token", "7000"), zero);
  EXPECT_EQ(server.data(), "");
}

/// The release of the variants that wait at a list.
class SetnxSignals : public testing::Test {
 protected:
  std::string release(const std::string& token, const std::string& word_ms) {
    return server.run("release-signals", {"L", "S"}, {token, word_ms});
  }

  ScriptServer server{"setnx", "channel"};
};

TEST_F(SetnxSignals, ReleaseFreesTheLockAndLeavesAWord) {
  server.command("SET L token NX PX 10000");
  EXPECT_EQ(release("token", "3000"), one);
  EXPECT_EQ(server.data(), "S [1] 3000ms");
}

TEST_F(SetnxSignals, AReleaseLeavesOneWordOnly) {
  server.command("RPUSH S old older");
  server.command("SET L token NX PX 10000");
  EXPECT_EQ(release("token", "3000"), one);
  EXPECT_EQ(server.data(), "S [1] 3000ms");
}

TEST_F(SetnxSignals, ReleaseLeavesAnothersLockAloneAndWakesNobody) {
  server.command("SET L another NX PX 10000");
  EXPECT_EQ(release("token", "3000"), zero);
  EXPECT_EQ(server.data(), "L \"another\" 10000ms");
}

TEST_F(SetnxSignals, ReleaseOfAFreeLockWakesNobody) {
  EXPECT_EQ(release("token", "3000"), zero);
  EXPECT_EQ(server.data(), "");
}

}  // namespace
}  // namespace lockstep::test::setnx_scripts
