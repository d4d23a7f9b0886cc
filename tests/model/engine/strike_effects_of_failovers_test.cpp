// When a failover mattered: not where nobody counted on what the new master lacks. And what a
// takeover is said to have done to the lock.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "model/engine/run_result.h"
#include "model/faults/strike_effects.h"
#include "model/observers/takeovers.h"
#include "sim/time.h"
#include "tests/model/engine/simulated_run.h"

namespace lockstep::model::strike_effects_of_failovers_test {
namespace {

constexpr std::string_view sentinels =
    "[redis]\ntopology = \"sentinel\"\nreplicas = 2\nsentinel = { down_after = \"2s\" }\n";
constexpr std::string_view cluster =
    "[redis]\ntopology = \"cluster\"\nmasters = 3\nreplicas = 1\n"
    "cluster = { node_timeout = \"2s\" }\n";
constexpr std::string_view replicas_get_nothing =
    "[[fault]]\ndelay = \"replication\"\nby = \"41s\"\ntimes = \"always\"\n";

/// Of all faults, where those who take the lock hold it for so long.
Mattered of_faults(std::string_view lock, std::string_view redis, std::string_view hold,
                   std::string_view faults) {
  std::string steps = "run = [\"lock lease=30s\", \"write\", \"sleep ";
  steps += hold;
  steps += "\", \"unlock\"]\n";
  std::string text = "title = \"t\"\nlock = \"";
  text += lock;
  text += "\"\nexpect = { holds = \"no-leak\" }\n";
  text += redis;
  text += "[[client]]\nname = \"a\"\n" + steps;
  text += "[[client]]\nname = \"b\"\nstart = \"1s\"\n" + steps;
  text += "[[client]]\nname = \"c\"\nstart = \"10s\"\n" + steps;
  text += faults;
  const test::SimulatedRun run(text);
  Mattered most = Mattered::no;
  for (const Mattered each : run.result().fault_effects) most = std::max(most, each);
  return most;
}

TEST(StrikeEffects, AMasterThatStandsStillAndLosesNothingIsNotWhatAWaiterWaitedFor) {
  constexpr std::string_view stop = "[[fault]]\npause = \"n1\"\nat = \"5s\"\nfor = \"20s\"\n";
  for (const std::string_view lock : {"redisson-redlock", "plain", "redlock"}) {
    EXPECT_LE(of_faults(lock, sentinels, "28s", stop), Mattered::to_waiters) << lock;
  }
}

TEST(StrikeEffects, AFailoverAfterItsOwnerGaveTheLockUpMattersToOwnersAtMost) {
  const std::string isolate = "[[fault]]\nisolate = \"n1\"\nat = \"2s\"\nfor = \"20s\"\n" +
                              std::string(replicas_get_nothing);
  const std::string crash =
      "[[fault]]\ncrash = \"n2\"\nat = \"2s\"\n" + std::string(replicas_get_nothing);
  for (const std::string_view lock : {"plain", "setnx", "spin"}) {
    EXPECT_LE(of_faults(lock, sentinels, "2s", isolate), Mattered::to_owners) << lock;
    EXPECT_GE(of_faults(lock, sentinels, "15s", isolate), Mattered::to_holders) << lock;
    EXPECT_LE(of_faults(lock, cluster, "2500ms", crash), Mattered::to_owners) << lock;
    EXPECT_GE(of_faults(lock, cluster, "15s", crash), Mattered::to_holders) << lock;
  }
}

TEST(StrikeEffects, ANodeThatComesBackWithTheLockMattersWhereAnotherAsksItWhileItIsHeld) {
  constexpr std::string_view stored =
      "[redis]\nconfig = { appendonly = \"yes\", appendfsync = \"always\" }\n";
  constexpr std::string_view back =
      "[[fault]]\ncrash = \"n1\"\nwhen = \"a acquired\"\n[[fault]]\nrestart = \"n1\"\nat = "
      "\"5s\"\n";
  for (const std::string_view lock : {"plain", "setnx", "spin"}) {
    EXPECT_LT(of_faults(lock, stored, "2s", back), Mattered::to_holders) << lock;
    EXPECT_GE(of_faults(lock, stored, "15s", back), Mattered::to_holders) << lock;
  }
}

TEST(StrikeEffects, AReleaseThatItsOldMasterRefusesMattersToNoHolderWhereNothingWasLost) {
  constexpr std::string_view part =
      "[[fault]]\npartition = [[\"a\", \"n2\"], [\"b\", \"c\", \"n1\", \"n3\", "
      "\"n1-replica-1\", \"n2-replica-1\", \"n3-replica-1\"]]\nat = \"2s\"\nfor = \"60s\"\n";
  for (const std::string_view lock : {"plain", "setnx", "spin"}) {
    EXPECT_LT(of_faults(lock, cluster, "15s", part), Mattered::to_holders) << lock;
  }
}

TEST(StrikeEffects, ALockOfAnOldMasterThatTheNewOneLacksMattersThoughNoCallIsLate) {
  std::string text = "title = \"t\"\nlock = \"plain\"\nexpect = { holds = \"no-leak\" }\n";
  text += sentinels;
  for (const std::string_view client :
       {"name = \"a\"\nstart = \"3s\"\n", "name = \"b\"\nstart = \"6s\"\n"}) {
    text += "[[client]]\n" + std::string(client) +
            "run = [\"lock\", \"write\", \"sleep 15s\", \"unlock\"]\n";
  }
  text +=
      "[[fault]]\npartition = [[\"a\", \"n1\"], [\"b\", \"n1-replica-1\", \"n1-replica-2\", "
      "\"s1\", \"s2\", "
      "\"s3\"]]\nat = \"2s\"\nfor = \"20s\"\n";
  const test::SimulatedRun run(text);
  EXPECT_GE(run.result().fault_effects[0], Mattered::to_holders);
}

TEST(StrikeEffects, ALockThatIsDeletedMattersToHoldersWhereAnotherAsksForItMeanwhile) {
  const auto of_deletion = [](std::string_view lock, std::string_view fault,
                              std::string_view others) {
    std::string text = "title = \"t\"\nlock = \"";
    text += lock;
    text += "\"\nexpect = { holds = \"no-leak\" }\n";
    for (const std::string_view client : {"name = \"a\"\n", "name = \"b\"\nstart = \"100ms\"\n"}) {
      text += "[[client]]\n" + std::string(client) +
              "run = [\"lock lease=10s\", \"write\", \"sleep 5s\", \"unlock\"]\n";
    }
    text += others;
    text += "[[fault]]\nat = \"1s\"\n" + std::string(fault);
    const test::SimulatedRun run(text);
    EXPECT_GT(run.result().fault_strikes[0], 0U) << lock;
    return run.result().fault_effects[0];
  };
  constexpr std::string_view asks =
      "[[client]]\nname = \"c\"\nstart = \"3s\"\nrun = [\"lock lease=10s\", \"unlock\"]\n";
  for (const std::string_view fault :
       {"flush_all = \"n1\"\n", "delete = \"lock\"\non = \"n1\"\n"}) {
    for (const std::string_view lock : {"plain", "fenced"}) {
      EXPECT_EQ(of_deletion(lock, fault, ""), Mattered::to_owners) << lock << ", b sleeps";
      EXPECT_GE(of_deletion(lock, fault, asks), Mattered::to_holders) << lock;
    }
    for (const std::string_view lock : {"spin", "setnx"}) {
      EXPECT_GE(of_deletion(lock, fault, ""), Mattered::to_holders) << lock << ", b asks again";
    }
  }
}

// Nobody had the lock as the master was replaced; it gave it to a all the same.
TEST(StrikeEffects, AMasterThatGoesOnGivingTheLockAwayMattersWhereAnotherWantsIt) {
  const auto promoted = [](std::string_view start) {
    std::string text =
        "title = \"t\"\nlock = \"plain\"\nexpect = { holds = \"no-leak\" }\n[redis]\nreplicas = 1\n"
        "[[client]]\nname = \"a\"\nrun = [\"lock lease=10s\", \"sleep 1s\", \"unlock\"]\n"
        "[[client]]\nname = \"b\"\nrun = [\"lock lease=10s\", \"unlock\"]\nstart = \"";
    text += start;
    text += "\"\n[[fault]]\npromote = \"n1-replica-1\"\nwhen = \"1st acquire from a to n1\"\n";
    const test::SimulatedRun run(text);
    return run.result().fault_effects[0];
  };
  EXPECT_GE(promoted("7ms"), Mattered::to_holders);
  EXPECT_LT(promoted("30s"), Mattered::to_holders) << "a is done by then";
}

// All had connected before, and go on with the old master: the new one is asked for nothing.
TEST(StrikeEffects, AMasterThatGoesOnGivingTheLockAwayToAllMattersToNobody) {
  std::string text =
      "title = \"t\"\nlock = \"plain\"\nexpect = { holds = \"no-leak\" }\n[redis]\nreplicas = 1\n"
      "[[fault]]\npromote = \"n1-replica-1\"\nat = \"1s\"\n";
  for (const std::string_view name : {"a", "b", "c"}) {
    text += "[[client]]\nname = \"";
    text += name;
    text += "\"\nrun = [\"lock lease=10s\", \"sleep 3s\", \"unlock\"]\n";
  }
  const test::SimulatedRun run(text);
  EXPECT_LT(run.result().fault_effects[0], Mattered::to_holders);
}

// -- what a takeover did to the lock --

constexpr std::string_view with_replica = "[redis]\nreplicas = 1\n";
constexpr std::string_view stored =
    "[redis]\nconfig = { appendonly = \"yes\", appendfsync = \"always\" }\n";

constexpr std::string_view promoted_without_the_lock = R"(
[[fault]]
lag = "n1-replica-1"
by  = "60s"
[[fault]]
promote = "n1-replica-1"
when    = "a acquired"
)";

constexpr std::string_view clients = R"(
[[client]]
name = "a"
run  = ["lock lease=10s", "write", "sleep 3s", "unlock"]
[[client]]
name  = "b"
start = "5ms"
run   = ["lock lease=10s", "write", "sleep 3s", "unlock"]
[[client]]
name = "idle"
run  = ["sleep 100s"]
)";

std::vector<Takeover> takeovers_of(std::string_view redis, std::string_view faults) {
  std::string text = "title = \"t\"\nlock = \"plain\"\nexpect = { holds = \"no-leak\" }\n";
  text += redis;
  text += clients;
  text += faults;
  const test::SimulatedRun run(text);
  return *run.result().takeovers;
}

TEST(Takeovers, SayWhetherTheNewMasterHasTheLockThatIsHeld) {
  const std::vector<Takeover> lacking = takeovers_of(with_replica, promoted_without_the_lock);
  ASSERT_EQ(lacking.size(), 1U);
  EXPECT_EQ(lacking[0].kind, TakeoverKind::promotion);
  EXPECT_TRUE(lacking[0].was_held);
  EXPECT_TRUE(lacking[0].lacked);

  EXPECT_TRUE(lacking[0].asked) << "b connects later";

  const std::vector<Takeover> unseen = takeovers_of(with_replica, R"(
[[fault]]
lag = "n1-replica-1"
by  = "60s"
[[fault]]
promote = "n1-replica-1"
at      = "1s"
)");
  ASSERT_EQ(unseen.size(), 1U);
  EXPECT_TRUE(unseen[0].lacked);
  EXPECT_FALSE(unseen[0].asked) << "all are connected to the old master";

  const std::vector<Takeover> whole = takeovers_of(with_replica, R"(
[[fault]]
crash = "n1"
at    = "1s"
[[fault]]
promote = "n1-replica-1"
at      = "2s"
)");
  ASSERT_EQ(whole.size(), 1U);
  EXPECT_TRUE(whole[0].was_held);
  EXPECT_FALSE(whole[0].lacked);

  const std::vector<Takeover> idle = takeovers_of(with_replica, R"(
[[fault]]
promote = "n1-replica-1"
at      = "50s"
)");
  ASSERT_EQ(idle.size(), 1U);
  EXPECT_FALSE(idle[0].was_held);
}

TEST(Takeovers, SayWhenAWriteWasLostThatHadBeenAcknowledged) {
  const std::vector<Takeover> lacking = takeovers_of(with_replica, promoted_without_the_lock);
  ASSERT_EQ(lacking.size(), 1U);
  EXPECT_EQ(lacking[0].lost_write_at_ns, lacking[0].at_ns);

  const std::vector<Takeover> whole = takeovers_of(with_replica, R"(
[[fault]]
crash = "n1"
at    = "1s"
[[fault]]
promote = "n1-replica-1"
at      = "2s"
)");
  ASSERT_EQ(whole.size(), 1U);
  EXPECT_EQ(whole[0].lost_write_at_ns, sim::never_ns);

  const std::vector<Takeover> goes_on = takeovers_of(with_replica, R"(
[[fault]]
promote = "n1-replica-1"
at      = "1s"
)");
  ASSERT_EQ(goes_on.size(), 1U);
  EXPECT_LT(goes_on[0].lost_write_at_ns, sim::never_ns) << "the clients stay with the old master";
  EXPECT_GT(goes_on[0].lost_write_at_ns, goes_on[0].at_ns);
}

TEST(Takeovers, SayWhatANodeCameBackWith) {
  constexpr std::string_view back = R"(
[[fault]]
crash = "n1"
at    = "1s"
[[fault]]
restart = "n1"
at      = "2s"
)";
  const std::vector<Takeover> forgot = takeovers_of("", back);
  ASSERT_EQ(forgot.size(), 1U);
  EXPECT_EQ(forgot[0].kind, TakeoverKind::restart);
  EXPECT_TRUE(forgot[0].lacked);
  const std::vector<Takeover> knew = takeovers_of(stored, back);
  ASSERT_EQ(knew.size(), 1U);
  EXPECT_TRUE(knew[0].was_held);
  EXPECT_FALSE(knew[0].lacked);
}

TEST(Takeovers, CountNoLeaseThatIsOverByThen) {
  const std::vector<Takeover> late = takeovers_of(with_replica, R"(
[[fault]]
crash = "n1"
at    = "1s"
[[fault]]
promote = "n1-replica-1"
at      = "30s"
)");
  ASSERT_EQ(late.size(), 1U);
  EXPECT_FALSE(late[0].was_held);
}

TEST(StrikeEffects, AReplicaOfANodeThatNeverHadTheHoldersVoteLosesNothing) {
  const auto of_promotion_on = [](std::string_view number) {
    const std::string node = "n" + std::string(number);
    const test::SimulatedRun run(
        "title = \"t\"\nlock = \"redlock\"\nexpect = { holds = \"no-leak\" }\n[redis]\nmasters = "
        "3\nreplicas = 1\n"
        "[[client]]\nname = \"a\"\nrun = [\"lock lease=10s\", \"write\", \"unlock\"]\n"
        "[[client]]\nname = \"b\"\nrun = [\"lock lease=10s\", \"sleep 4s\", \"write\", "
        "\"unlock\"]\n"
        "[[fault]]\nlag = \"" +
        node + "-replica-1\"\nby = \"60s\"\n[[fault]]\ncut = [\"b\", \"n1\"]\nfor = \"8s\"\n" +
        "[[fault]]\ncut = [\"a\", \"n2\"]\nfor = \"1500ms\"\n" + "[[fault]]\ncrash = \"" + node +
        "\"\nat = \"1s\"\n" + "[[fault]]\npromote = \"" + node + "-replica-1\"\nat = \"1100ms\"\n");
    EXPECT_GT(run.result().fault_strikes[4], 0U) << number;
    return run.result().fault_effects[4];
  };
  EXPECT_LT(of_promotion_on("1"), Mattered::to_holders);
  EXPECT_GE(of_promotion_on("2"), Mattered::to_holders);
}

}  // namespace
}  // namespace lockstep::model::strike_effects_of_failovers_test
