// The server scripts of scripts/fair that give the lock back, and what the beginning of every
// script does: it takes dead waiters out. See fair_scripts_test.cpp for the rest.
#include <gtest/gtest.h>

#include <functional>
#include <initializer_list>
#include <ostream>
#include <string>

#include "tests/scripts/fair_scripts.h"

namespace lockstep::test::fair_release_scripts {
namespace {

constexpr const char* nil = "(nil)";
constexpr const char* zero = "(integer) 0";
constexpr const char* one = "(integer) 1";

void stage(FairServer& server, std::initializer_list<const char*> commands) {
  for (const char* command : commands) server.command(command);
}

// -- release, in its three generations

class FairRelease : public testing::TestWithParam<std::string> {
 protected:
  static constexpr std::int64_t now_ms = 1000;

  [[nodiscard]] static bool is_latched() { return GetParam() == "release"; }
  std::string release(const std::string& owner) {
    return is_latched() ? server.release_once(owner, 8000, now_ms, "latch")
                        : server.release(GetParam(), owner, 8000, now_ms);
  }
  /// What is left, without the latch, and what the latch says.
  std::string left() {
    const std::string data = server.data();
    const std::size_t latch = data.find("latch");
    if (latch == std::string::npos) return data;
    // The names of keys are in order: nothing stands behind the latch.
    return data.substr(0, latch >= 2 ? latch - 2 : 0);
  }
  std::string latch() {
    const std::string data = server.data();
    const std::size_t at = data.find("latch");
    return at == std::string::npos ? "" : data.substr(at);
  }
  void expect_latch(const std::string& value) {
    EXPECT_EQ(latch(), is_latched() ? "latch \"" + value + "\" 500ms" : "");
  }

  FairServer server;
};

TEST_P(FairRelease, FreesTheLockWithTheLastHoldAndWakesTheHeadAlone) {
  stage(server, {"HSET L a 1", "RPUSH Q b c", "ZADD T 5000 b 6000 c"});
  EXPECT_EQ(release("a"), one);
  EXPECT_EQ(left(), "Q [b c] -, T <b:5000 c:6000> -");
  EXPECT_EQ(server.published(), "channel:b free");
  expect_latch("1");
}

TEST_P(FairRelease, WakesNobodyWhereNobodyWaits) {
  stage(server, {"HSET L a 1"});
  EXPECT_EQ(release("a"), one);
  EXPECT_EQ(left(), "");
  EXPECT_EQ(server.published(), "");
  expect_latch("1");
}

TEST_P(FairRelease, KeepsTheOtherHoldsAndBeginsTheirLeaseAnew) {
  stage(server, {"HSET L a 2", "RPUSH Q b", "ZADD T 5000 b"});
  EXPECT_EQ(release("a"), zero);
  EXPECT_EQ(left(), "L {a=1} 8000ms, Q [b] -, T <b:5000> -");
  EXPECT_EQ(server.published(), "");
  expect_latch("0");
}

TEST_P(FairRelease, GivesBackOneHoldOfMany) {
  stage(server, {"HSET L a 3"});
  EXPECT_EQ(release("a"), zero);
  EXPECT_EQ(left(), "L {a=2} 8000ms");
}

TEST_P(FairRelease, LeavesAnothersLockAloneAndRemembersNothing) {
  stage(server, {"HSET L b 1", "RPUSH Q a", "ZADD T 5000 a"});
  EXPECT_EQ(release("a"), nil);
  EXPECT_EQ(server.data(), "L {b=1} -, Q [a] -, T <a:5000> -");
  EXPECT_EQ(server.published(), "");
}

TEST_P(FairRelease, OfNoLockSaysYesAndWakesTheHead) {
  stage(server, {"RPUSH Q b c", "ZADD T 5000 b 6000 c"});
  EXPECT_EQ(release("a"), one);
  EXPECT_EQ(left(), "Q [b c] -, T <b:5000 c:6000> -");
  EXPECT_EQ(server.published(), "channel:b free");
  expect_latch("1");
}

TEST_P(FairRelease, OfNoLockWakesNobodyWhereNobodyWaits) {
  EXPECT_EQ(release("a"), one);
  EXPECT_EQ(left(), "");
  EXPECT_EQ(server.published(), "");
  expect_latch("1");
}

TEST_P(FairRelease, WakesTheFirstThatIsNotDead) {
  stage(server, {"HSET L a 1", "RPUSH Q b c d", "ZADD T 900 b 1000 c 1001 d"});
  EXPECT_EQ(release("a"), one);
  EXPECT_EQ(left(), "Q [d] -, T <d:1001> -");
  EXPECT_EQ(server.published(), "channel:d free");
}

INSTANTIATE_TEST_SUITE_P(Generations, FairRelease,
                         testing::Values("release", "release-unlatched", "release-old"),
                         [](const testing::TestParamInfo<std::string>& parameter) -> std::string {
                           if (parameter.param == "release") return "Latched";
                           return parameter.param == "release-old" ? "Old" : "Unlatched";
                         });

TEST(FairLatchedRelease, SentAgainSaysTheSameAndDoesNothing) {
  FairServer server;
  stage(server, {"HSET L a 2", "RPUSH Q b", "ZADD T 5000 b"});
  EXPECT_EQ(server.release_once("a", 8000, 1000, "latch"), zero);
  // Nor does it take a dead head out.
  EXPECT_EQ(server.release_once("a", 9000, 6000, "latch"), zero);
  EXPECT_EQ(server.data(), "L {a=1} 8000ms, Q [b] -, T <b:5000> -, latch \"0\" 500ms");
  EXPECT_EQ(server.release_once("a", 8000, 1000, "latch2"), one);
  EXPECT_EQ(server.published(), "channel:b free");
  EXPECT_EQ(server.release_once("a", 8000, 1000, "latch2"), one);
  EXPECT_EQ(server.published(), "");
}

TEST(FairLatchedRelease, RunsAgainWhenTheLatchIsOver) {
  FairServer server;
  stage(server, {"HSET L a 3"});
  EXPECT_EQ(server.release_once("a", 8000, 1000, "latch"), zero);
  server.advance_ms(501);
  EXPECT_EQ(server.release_once("a", 8000, 1000, "latch"), zero);
  EXPECT_EQ(server.data(), "L {a=1} 8000ms, latch \"0\" 500ms");
}

TEST(FairLatchedRelease, PublishesWithTheCommandThatItIsGiven) {
  FairServer server;
  stage(server, {"HSET L a 1", "RPUSH Q b", "ZADD T 5000 b"});
  EXPECT_EQ(server.release_once("a", 8000, 1000, "latch", "set"), one);
  EXPECT_EQ(server.data(), "Q [b] -, T <b:5000> -, channel:b \"free\" -, latch \"1\" 500ms");
}

// -- force_release

class FairForceRelease : public testing::TestWithParam<std::string> {
 protected:
  std::string force_release() { return server.force_release(GetParam(), 1000); }

  FairServer server;
};

TEST_P(FairForceRelease, FreesAnybodysLockAndWakesTheHeadAlone) {
  stage(server, {"HSET L a 3", "RPUSH Q b c", "ZADD T 5000 b 6000 c"});
  EXPECT_EQ(force_release(), one);
  EXPECT_EQ(server.data(), "Q [b c] -, T <b:5000 c:6000> -");
  EXPECT_EQ(server.published(), "channel:b free");
}

TEST_P(FairForceRelease, WakesTheFirstThatIsNotDead) {
  stage(server, {"HSET L a 1", "RPUSH Q b c d", "ZADD T 900 b 1000 c 1001 d"});
  EXPECT_EQ(force_release(), one);
  EXPECT_EQ(server.data(), "Q [d] -, T <d:1001> -");
  EXPECT_EQ(server.published(), "channel:d free");
}

TEST_P(FairForceRelease, WakesNobodyWhereNobodyWaits) {
  stage(server, {"HSET L a 1"});
  EXPECT_EQ(force_release(), one);
  EXPECT_EQ(server.data(), "");
  EXPECT_EQ(server.published(), "");
}

TEST_P(FairForceRelease, OfAFreeLockWakesNobody) {
  stage(server, {"RPUSH Q b", "ZADD T 5000 b"});
  EXPECT_EQ(force_release(), zero);
  EXPECT_EQ(server.data(), "Q [b] -, T <b:5000> -");
  EXPECT_EQ(server.published(), "");
}

INSTANTIATE_TEST_SUITE_P(Generations, FairForceRelease,
                         testing::Values("force_release", "force_release-old"),
                         [](const testing::TestParamInfo<std::string>& parameter) -> std::string {
                           return parameter.param == "force_release" ? "Current" : "Old";
                         });

// -- dead waiters

/// A script that begins with taking dead waiters out, called by c at a time, so that it does
/// nothing else where c waits and another has the lock.
struct Purging {
  const char* name;
  bool is_old;
  std::function<std::string(FairServer&, std::int64_t now_ms)> call;

  friend void PrintTo(const Purging& purging, std::ostream* out) { *out << purging.name; }
};

Purging acquiring(const char* name, const char* script, bool is_old = false) {
  return {name, is_old, [script](FairServer& server, std::int64_t now_ms) {
            return server.acquire(script, "d", 10'000, 300, now_ms);
          }};
}

Purging trying(const char* name, const char* script, bool is_old = false) {
  return {name, is_old, [script](FairServer& server, std::int64_t now_ms) {
            return server.try_acquire(script, "d", 10'000, now_ms, 300);
          }};
}

Purging releasing(const char* name, const char* script, bool is_old = false) {
  return {name, is_old, [script](FairServer& server, std::int64_t now_ms) {
            return server.release(script, "d", 8000, now_ms);
          }};
}

Purging forcing(const char* name, const char* script, bool is_old = false) {
  return {name, is_old, [script](FairServer& server, std::int64_t now_ms) {
            server.command("DEL L");
            const std::string reply = server.force_release(script, now_ms);
            server.command("HSET L h 1");
            return reply;
          }};
}

const Purging latched_release = {"Release", false, [](FairServer& server, std::int64_t now_ms) {
                                   return server.release_once("d", 8000, now_ms, "latch");
                                 }};

class FairDeadWaiters : public testing::TestWithParam<Purging> {
 protected:
  std::string call(std::int64_t now_ms) { return GetParam().call(server, now_ms); }

  FairServer server;
};

TEST_P(FairDeadWaiters, AreTakenOutFromTheHeadOn) {
  stage(server, {"HSET L h 1", "RPUSH Q a b c d", "ZADD T 900 a 1000 b 1001 c 2000 d"});
  call(1000);
  EXPECT_EQ(server.data(), "L {h=1} -, Q [c d] -, T <c:1001 d:2000> -");
}

TEST_P(FairDeadWaiters, StayBehindOneThatLives) {
  stage(server, {"HSET L h 1", "RPUSH Q a b d", "ZADD T 1500 a 900 b 2000 d"});
  call(1000);
  EXPECT_EQ(server.data(), "L {h=1} -, Q [a b d] -, T <b:900 a:1500 d:2000> -");
}

TEST_P(FairDeadWaiters, OrTheOldScriptsFailAtAHeadWithoutDeadline) {
  stage(server, {"HSET L h 1", "RPUSH Q a b d", "ZADD T 900 b 2000 d"});
  const std::string reply = call(1000);
  EXPECT_EQ(reply.find("attempt to compare") != std::string::npos, GetParam().is_old) << reply;
  EXPECT_EQ(server.data(), "L {h=1} -, Q [a b d] -, T <b:900 d:2000> -");
}

INSTANTIATE_TEST_SUITE_P(Scripts, FairDeadWaiters,
                         testing::Values(acquiring("Acquire", "acquire"),
                                         acquiring("AcquireInflating", "acquire-inflating"),
                                         acquiring("AcquireNegativeTtl", "acquire-negative-ttl"),
                                         acquiring("AcquireOld", "acquire-old", true),
                                         trying("Try", "try"), trying("TryOld", "try-old", true),
                                         latched_release,
                                         releasing("ReleaseUnlatched", "release-unlatched"),
                                         releasing("ReleaseOld", "release-old", true),
                                         forcing("ForceRelease", "force_release"),
                                         forcing("ForceReleaseOld", "force_release-old", true)),
                         [](const testing::TestParamInfo<Purging>& parameter) -> std::string {
                           return parameter.param.name;
                         });

}  // namespace
}  // namespace lockstep::test::fair_release_scripts
