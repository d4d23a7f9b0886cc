// The server scripts of scripts/plain, script by script: what each replies, leaves behind and
// publishes. tools/mutate-scripts shows that no line of them can change without a test that fails.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/scripts/script_server.h"

namespace lockstep::test::plain_scripts {
namespace {

constexpr const char* nil = "(nil)";
constexpr const char* zero = "(integer) 0";
constexpr const char* one = "(integer) 1";

class PlainScripts : public testing::Test {
 protected:
  std::string acquire(const std::string& owner, const std::string& lease_ms = "10000") {
    return server.run("acquire", {"L"}, {lease_ms, owner});
  }
  std::string renew(const std::string& owner, const std::string& lease_ms) {
    return server.run("renew", {"L"}, {lease_ms, owner});
  }

  ScriptServer server{"plain", "channel"};
};

// -- acquire, in its two generations

class PlainAcquire : public testing::TestWithParam<std::string> {
 protected:
  std::string acquire(const std::string& owner, const std::string& lease_ms = "10000") {
    return server.run(GetParam(), {"L"}, {lease_ms, owner});
  }

  ScriptServer server{"plain", "channel"};
};

INSTANTIATE_TEST_SUITE_P(Generations, PlainAcquire, testing::Values("acquire", "acquire-oldest"),
                         [](const testing::TestParamInfo<std::string>& parameter) -> std::string {
                           return parameter.param == "acquire" ? "Current" : "Oldest";
                         });

TEST_P(PlainAcquire, TakesAFreeLockForItsLease) {
  EXPECT_EQ(acquire("a"), nil);
  EXPECT_EQ(server.data(), "L {a=1} 10000ms");
  EXPECT_EQ(server.messages(), "");
}

TEST_P(PlainAcquire, TakesALockOnceMoreAndBeginsTheLeaseAnew) {
  acquire("a");
  server.advance_ms(4000);
  EXPECT_EQ(acquire("a", "7000"), nil);
  EXPECT_EQ(server.data(), "L {a=2} 7000ms");
}

TEST_P(PlainAcquire, SaysHowLongAnothersLockStays) {
  acquire("a");
  server.advance_ms(4000);
  EXPECT_EQ(acquire("b"), "(integer) 6000");
  EXPECT_EQ(server.data(), "L {a=1} 6000ms");
}

TEST_P(PlainAcquire, SaysThatAnothersLockStaysForEver) {
  server.command("HSET L a 1");
  EXPECT_EQ(acquire("b"), "(integer) -1");
  EXPECT_EQ(server.data(), "L {a=1} -");
}

TEST_P(PlainAcquire, TakesALockWhoseLeaseIsOver) {
  acquire("a");
  server.advance_ms(10'001);
  EXPECT_EQ(acquire("b"), nil);
  EXPECT_EQ(server.data(), "L {b=1} 10000ms");
}

// -- renew

TEST_F(PlainScripts, RenewBeginsTheOwnersLeaseAnew) {
  acquire("a");
  acquire("a");
  server.advance_ms(4000);
  EXPECT_EQ(renew("a", "30000"), one);
  EXPECT_EQ(server.data(), "L {a=2} 30000ms");
}

TEST_F(PlainScripts, RenewLeavesAnothersLockAlone) {
  acquire("a");
  EXPECT_EQ(renew("b", "30000"), zero);
  EXPECT_EQ(server.data(), "L {a=1} 10000ms");
}

TEST_F(PlainScripts, RenewMakesNoLock) {
  EXPECT_EQ(renew("a", "30000"), zero);
  EXPECT_EQ(server.data(), "");
}

TEST_F(PlainScripts, BlindRenewalRenewsAnybodysLockAndMakesNone) {
  acquire("a");
  EXPECT_EQ(server.run("renew-blind", {"L"}, {"30000", "b"}), one);
  EXPECT_EQ(server.data(), "L {a=1} 30000ms");
  EXPECT_EQ(server.run("renew-blind", {"M"}, {"30000", "b"}), zero);
  EXPECT_EQ(server.data(), "L {a=1} 30000ms");
}

TEST_F(PlainScripts, RenewBatchRenewsEachLockThatItsOwnerHas) {
  server.command("HSET L a 1");
  server.command("HSET M b 2");
  server.command("HSET N a 1");
  EXPECT_EQ(server.run("renew_batch", {"L", "M", "N", "O"}, {"30000", "a", "a", "a", "a"}),
            "[(integer) 1, (integer) 0, (integer) 1, (integer) 0]");
  EXPECT_EQ(server.data(), "L {a=1} 30000ms, M {b=2} -, N {a=1} 30000ms");
}

// -- force_release

TEST_F(PlainScripts, ForceReleaseFreesAnybodysLockAndWakesWaiters) {
  acquire("a");
  acquire("a");
  EXPECT_EQ(server.run("force_release", {"L", "channel"}, {"free"}), one);
  EXPECT_EQ(server.data(), "");
  EXPECT_EQ(server.messages(), "free");
}

TEST_F(PlainScripts, ForceReleaseOfAFreeLockWakesNobody) {
  EXPECT_EQ(server.run("force_release", {"L", "channel"}, {"free"}), zero);
  EXPECT_EQ(server.data(), "");
  EXPECT_EQ(server.messages(), "");
}

// -- release, in its three generations

/// A release script and what it shares with the others.
class PlainReleases : public testing::TestWithParam<std::string> {
 protected:
  std::string release(const std::string& owner, const std::string& latch = "latch") {
    if (GetParam() == "release") {
      return server.run("release", {"L", "channel", latch},
                        {"free", "8000", owner, "publish", "500"});
    }
    return server.run(GetParam(), {"L", "channel"}, {"free", "8000", owner});
  }
  /// What the latched release adds to the data.
  [[nodiscard]] std::string latch(const std::string& value) const {
    return GetParam() == "release" ? "latch \"" + value + "\" 500ms" : "";
  }

  ScriptServer server{"plain", "channel"};
};

TEST_P(PlainReleases, FreesTheLockWithTheLastHoldAndWakesWaiters) {
  server.command("HSET L a 1");
  EXPECT_EQ(release("a"), one);
  EXPECT_EQ(server.data(), latch("1"));
  EXPECT_EQ(server.messages(), "free");
}

TEST_P(PlainReleases, KeepsTheOtherHoldsAndBeginsTheirLeaseAnew) {
  server.command("HSET L a 2");
  EXPECT_EQ(release("a"), zero);
  const std::string latched = latch("0");
  EXPECT_EQ(server.data(), "L {a=1} 8000ms" + (latched.empty() ? "" : ", " + latched));
  EXPECT_EQ(server.messages(), "");
}

TEST_P(PlainReleases, GivesBackOneHoldAtATime) {
  server.command("HSET L a 4");
  EXPECT_EQ(release("a", "latch1"), zero);
  EXPECT_EQ(release("a", "latch2"), zero);
  EXPECT_EQ(release("a", "latch3"), zero);
  EXPECT_EQ(release("a", "latch4"), one);
  EXPECT_EQ(server.messages(), "free");
}

TEST_P(PlainReleases, LeavesAnothersLockAloneAndRemembersNothing) {
  server.command("HSET L b 1");
  EXPECT_EQ(release("a"), nil);
  EXPECT_EQ(server.data(), "L {b=1} -");
  EXPECT_EQ(server.messages(), "");
}

INSTANTIATE_TEST_SUITE_P(Generations, PlainReleases,
                         testing::Values("release", "release-unlatched", "release-oldest"),
                         [](const testing::TestParamInfo<std::string>& parameter) -> std::string {
                           if (parameter.param == "release") return "Latched";
                           return parameter.param == "release-oldest" ? "Oldest" : "Unlatched";
                         });

TEST_F(PlainScripts, ReleaseOfAFreeLockIsRefused) {
  EXPECT_EQ(server.run("release-unlatched", {"L", "channel"}, {"free", "8000", "a"}), nil);
  EXPECT_EQ(
      server.run("release", {"L", "channel", "latch"}, {"free", "8000", "a", "publish", "500"}),
      nil);
  EXPECT_EQ(server.data(), "");
  EXPECT_EQ(server.messages(), "");
}

TEST_F(PlainScripts, TheOldestReleaseOfAFreeLockSaysYesAndWakesWaiters) {
  EXPECT_EQ(server.run("release-oldest", {"L", "channel"}, {"free", "8000", "a"}), one);
  EXPECT_EQ(server.data(), "");
  EXPECT_EQ(server.messages(), "free");
}

TEST_F(PlainScripts, AReleaseSentAgainSaysTheSameAndDoesNothing) {
  const std::vector<std::string> keys = {"L", "channel", "latch"};
  const std::vector<std::string> arguments = {"free", "8000", "a", "publish", "500"};
  server.command("HSET L a 2");
  EXPECT_EQ(server.run("release", keys, arguments), zero);
  EXPECT_EQ(server.run("release", keys, arguments), zero);
  EXPECT_EQ(server.data(), "L {a=1} 8000ms, latch \"0\" 500ms");
  server.advance_ms(501);
  EXPECT_EQ(server.run("release", keys, arguments), one);
  server.command("HSET L a 1");
  EXPECT_EQ(server.run("release", keys, arguments), one);
  EXPECT_EQ(server.data(), "L {a=1} -, latch \"1\" 500ms");
  EXPECT_EQ(server.messages(), "free");
}

TEST_F(PlainScripts, ReleasePublishesWithTheCommandThatItIsGiven) {
  server.command("HSET L a 1");
  EXPECT_EQ(server.run("release", {"L", "list", "latch"}, {"free", "8000", "a", "set", "500"}),
            one);
  EXPECT_EQ(server.data(), "latch \"1\" 500ms, list \"free\" -");
}

}  // namespace
}  // namespace lockstep::test::plain_scripts
