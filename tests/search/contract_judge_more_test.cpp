// Which assumptions excuse a lock whose master was replaced or came back, or whose holder was kept
// from it; permits, which may have no leases; and requests that are executed twice to no effect.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "checker/property.h"
#include "model/lock/assumption.h"
#include "tests/model/client/lock_folder.h"
#include "tests/search/contract_stories.h"
#include "tests/support/source_folder.h"

namespace lockstep::search {
namespace {

using checker::Property;
using model::Assumption;
using model::AssumptionSet;

// The lock is there again with the new master. Its waiters sleep on, for nobody wakes them.
TEST(ContractJudge, ALockThatNobodyServesForAWhileIsNotLost) {
  const std::string failover = R"([redis]
topology = "sentinel"
replicas = 2
sentinel = { down_after = "2s" }
[[client]]
name = "a"
run  = ["lock", "write", "sleep 5s", "unlock"]
[[client]]
name  = "b"
start = "10ms"
run   = ["lock", "write", "sleep 5s", "unlock"]
[[fault]]
crash = "n1"
at    = "3s"
)";
  EXPECT_EQ(broken(story("plain", failover), Property::no_lost_wakeup),
            (AssumptionSet{Assumption::messages_arrive}));
}

// It was granted, and its master crashed before its client heard of it. The replica had the write.
TEST(ContractJudge, ALockThatTheNextMasterHasIsGrantedMeanwhile) {
  const std::string crash_in_between = R"([redis]
topology = "sentinel"
replicas = 1
sentinel = { count = 1, quorum = 1, down_after = "2s" }
[[client]]
name = "a"
run  = ["lock lease=75s", "unlock"]
[[fault]]
crash = "n1"
when  = "n1 executed acquire"
)";
  EXPECT_EQ(broken(story("plain", crash_in_between), Property::valid_grant), std::nullopt);
}

// It comes to the resource when its thread, cut off from there, has written anew in an inner hold.
TEST(ContractJudge, AWriteThatItsThreadHasGivenUpOnIsNoMatterOfTheLock) {
  const std::string overtaken = R"([[client]]
name = "a"
run  = ["lock", "write", "lock", "write", "unlock", "write", "unlock"]
[[fault]]
reorder = "write"
behind  = "release"
from    = "a"
to      = "resource"
at_most = "100s"
[[fault]]
half_open = ["resource", "a"]
at        = "900ms"
)";
  EXPECT_EQ(broken(story("plain", overtaken), Property::harm), std::nullopt);
  EXPECT_EQ(broken(story("fenced", overtaken), Property::harm), std::nullopt);
  // It comes when the thread has read anew: what another has written since is lost.
  const std::string of_another = R"([[client]]
name = "a"
run  = ["lock lease=1s", "write", "sleep 2s", "lock lease=1m", "write", "unlock"]
[[client]]
name  = "b"
start = "1200ms"
run   = ["lock lease=1m", "write", "unlock"]
[[fault]]
reorder = "write"
behind  = "read"
from    = "a"
to      = "resource"
at_most = "100s"
[[fault]]
half_open = ["resource", "a"]
at        = "900ms"
)";
  EXPECT_NE(broken(story("plain", of_another), Property::harm), std::nullopt);
}

// The client gives the connection up, and with it the message that would have woken its thread.
TEST(ContractJudge, AWakeUpOnAConnectionThatHearsNothingForLongIsLost) {
  const auto late = [](const std::string& by) {
    return R"([[client]]
name = "a"
  [[client.thread]]
  run = ["lock name=stock", "sleep 200ms", "unlock name=stock", "lock name=orders", "unlock name=orders"]
  [[client.thread]]
  run = ["try_lock name=orders", "sleep 100ms", "lock name=stock", "unlock name=stock", "unlock name=orders"]
[[client]]
name  = "b"
start = "10ms"
run   = ["lock name=stock", "unlock name=stock"]
[[fault]]
delay = "reply to subscribe"
by    = ")" +
           by + "\"\nfrom = \"n1\"\nto = \"a\"\nnth = 2\n";
  };
  EXPECT_EQ(broken(story("plain", late("7s")), Property::no_lost_wakeup),
            (AssumptionSet{Assumption::messages_arrive}));
  EXPECT_EQ(broken(story("plain", late("1s")), Property::no_lost_wakeup), std::nullopt);
}

// What the new master has acknowledged, the old one doesn't know.
TEST(ContractJudge, AnAnswerOfAnOldMasterIsALimit) {
  const std::string parted = R"([redis]
topology = "sentinel"
replicas = 2
sentinel = { quorum = 2, down_after = "2s" }
[[client]]
name = "a"
run  = ["lock lease=60s", "sleep 5s", "unlock"]
[[client]]
name = "b"
run  = ["sleep 8s", "try_lock"]
[[fault]]
partition = [["a", "n1-replica-1", "n1-replica-2", "s1", "s2", "s3"], ["n1", "b"]]
at        = "500ms"
for       = "24s"
)";
  EXPECT_EQ(broken(story("setnx", parted), Property::lease_linearizability),
            (AssumptionSet{Assumption::writes_survive}));
}

TEST(ContractJudge, AFailoverThatLosesTheLockIsALimit) {
  const std::string failover = R"([redis]
replicas = 1
[[client]]
name = "a"
run  = ["lock lease=30s", "sleep 10s", "write", "unlock"]
[[client]]
name  = "b"
start = "10ms"
run   = ["lock lease=30s", "sleep 10s", "write", "unlock"]
[[fault]]
lag = "n1-replica-1"
by  = "60s"
[[fault]]
crash = "n1"
when  = "a acquired"
[[fault]]
promote = "n1-replica-1"
when    = "n1 crashed"
after   = "1s"
)";
  EXPECT_EQ(broken(story("plain", failover), Property::mutual_exclusion),
            (AssumptionSet{Assumption::writes_survive}));
}

// A latch has no lease, and what was set had come to the replica, or had not: the limit names what
// was so. A delayed message that comes when all is made good concerns only what relies on it.
TEST(ContractJudge, AFailoverOfALatchIsToldByWhatItDidToTheLatch) {
  const auto failover = [](const std::string& crash, const std::string& more) {
    return story("latch", R"([redis]
replicas = 1
[[client]]
name = "a"
run  = ["try_set_count count=1", "await"]
[[client]]
name  = "worker"
start = "3s"
run   = ["count_down"]
[[fault]]
promote = "n1-replica-1"
when    = "n1 crashed"
after   = "500ms"
[[fault]]
crash = "n1"
)" + crash + more);
  };
  EXPECT_EQ(broken(failover("at = \"2s\"\n", ""), Property::no_lost_wakeup),
            (AssumptionSet{Assumption::messages_arrive}));
  const std::string lag = "[[fault]]\ndelay = \"replication\"\nby = \"11s\"\ntimes = 30\n";
  EXPECT_EQ(broken(failover("when = \"n1 executed try_set_count\"\n", lag), Property::latch),
            (AssumptionSet{Assumption::writes_survive}));
}

// Nobody had the lock as its node went down; but the tokens began anew.
TEST(ContractJudge, ACounterThatARestartLosesIsALimit) {
  const std::string down = R"([[client]]
name = "a"
run  = ["lock lease=30s", "unlock"]
[[client]]
name  = "b"
start = "20s"
run   = ["lock lease=30s", "unlock"]
[[fault]]
shutdown = "n1"
at       = "5s"
[heal]
at = "10s"
)";
  EXPECT_EQ(broken(story("fenced", down), Property::fencing),
            (AssumptionSet{Assumption::writes_survive}));
}

// Without a lease of its own the hold is renewed: a pause that is shorter than a third of the
// lock's own lease excuses nothing.
TEST(ContractJudge, ARenewalIsExcusedOnlyWhereItWasKeptFromTheServer) {
  const auto paused = [](const std::string& lock, const std::string& for_how_long) {
    return story(lock, R"([[client]]
name = "a"
run  = ["lock", "sleep 60s", "write", "unlock"]
[[client]]
name  = "b"
start = "10ms"
run   = ["lock", "sleep 60s", "write", "unlock"]
[[fault]]
pause = "a"
at    = "5s"
for   = ")" + for_how_long +
                           "\"\n");
  };
  EXPECT_EQ(broken(paused("plain", "45s"), Property::mutual_exclusion),
            (AssumptionSet{Assumption::renewals_get_through}));
  EXPECT_EQ(broken(paused("plain", "5s"), Property::mutual_exclusion), std::nullopt);
}

// Two renewals fail, which are a tick apart where nothing is sent again; or one fails in two ways.
TEST(ContractJudge, OneRenewalThatFailsExcusesNothing) {
  const auto failing =
      [](const std::string& lock, const std::string& renewal, const std::string& more) {
        return story(lock, R"(options = { retry_attempts = 0 }
[[client]]
name = "a"
run  = ["lock", "sleep 90s", "write", "unlock"]
[[client]]
name  = "b"
start = "10ms"
run   = ["lock", "sleep 60s", "write", "unlock"]
[[fault]]
drop = ")" + renewal + "\"\n" + more);
      };
  const std::string cut = R"([[fault]]
cut = ["a", "n1"]
at  = "8s"
for = "9s"
)";
  const std::string another = "times = 2\n";
  // Two strikes, of which one keeps nobody from anything: the connections are there.
  const std::string refusal = R"([[fault]]
refuse = "n1"
at     = "20s"
for    = "4s"
)";
  EXPECT_EQ(broken(failing("plain/timer-per-lock", "renew", refusal), Property::mutual_exclusion),
            AssumptionSet{});
  EXPECT_EQ(broken(failing("plain", "renew_batch", cut), Property::mutual_exclusion), std::nullopt);
  EXPECT_EQ(broken(failing("plain/timer-per-lock", "renew", cut), Property::mutual_exclusion),
            AssumptionSet{});
  EXPECT_EQ(broken(failing("plain", "renew_batch", another), Property::mutual_exclusion),
            (AssumptionSet{Assumption::renewals_get_through}));
}

// Those before a renewal that came through kept nobody from the next.
TEST(ContractJudge, OutagesBeforeTheLastRenewalExcuseNothing) {
  const std::string text = R"(options = { retry_attempts = 0 }
[[client]]
name = "a"
run  = ["lock", "sleep 110s", "write", "unlock"]
[[client]]
name  = "b"
start = "10ms"
run   = ["lock", "sleep 60s", "write", "unlock"]
[[fault]]
pause = "n1"
at    = "1s"
for   = "8s"
[[fault]]
pause = "n1"
at    = "11s"
for   = "8s"
[[fault]]
reset = "renew"
nth   = 3
)";
  EXPECT_EQ(broken(story("plain/timer-per-lock", text), Property::mutual_exclusion),
            AssumptionSet{});
}

constexpr const char* lost_message = R"([[client]]
name = "a"
run  = ["try_set_permits permits=1", "acquire", "sleep 1s", "release"]
[[client]]
name  = "b"
start = "100ms"
run   = ["acquire", "release"]
[[fault]]
drop  = "message"
to    = "b"
times = 1
)";

TEST(ContractJudgeOfPermits, PermitsThatDoNotEndAreNoHoldsBeyondALease) {
  const std::optional<AssumptionSet> found =
      broken(story("semaphore", lost_message), Property::no_deadlock);
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(found->contains(Assumption::messages_arrive));
  EXPECT_FALSE(found->contains(Assumption::holds_within_lease));
}

TEST(ContractJudgeOfPermits, WaitingForThoseThatNobodySetIsNoDeadlockOfTheLock) {
  EXPECT_EQ(broken(story("semaphore", "[[client]]\nname = \"a\"\nrun = [\"acquire\"]\n"),
                   Property::no_deadlock),
            std::nullopt);
}

// Who tries to set them, and is told no, has waited for the lock's fault.
TEST(ContractJudgeOfPermits, WaitingForThoseThatNobodyCouldSetIsItsBug) {
  const test::LockFolder folder;
  folder.write("never.lua", "return 0\n");
  folder.write("lock.toml",
               "base = \"" + source_folder() +
                   "/scripts/semaphore\"\n[scripts]\ntry_set_permits = \"never.lua\"\n");
  EXPECT_EQ(
      broken(
          story(folder.folder().string(),
                "[[client]]\nname = \"a\"\nrun = [\"try_set_permits permits=1\", \"acquire\"]\n"),
          Property::no_deadlock),
      AssumptionSet{});
}

TEST(ContractJudgeOfPermits, GivingSomeBackBeginsTheOthersNotAnew) {
  EXPECT_EQ(broken(story(source_folder() + "/tests/search/locks/ending-permits", R"([[client]]
name = "a"
run  = ["acquire permits=3", "sleep 20s", "release permits=1", "sleep 25s", "release permits=2"]
[[client]]
name  = "b"
start = "25s"
run   = ["acquire permits=3", "sleep 5s", "release permits=3"]
)"),
                   Property::permits),
            (AssumptionSet{Assumption::holds_within_lease}));
}

TEST(ContractJudge, ARequestThatIsExecutedTwiceIsALimitOfThatScriptAlone) {
  const auto resent = [](const std::string& lock, const std::string& label) {
    return story(lock, R"([[client]]
name = "a"
run  = ["lock", "lock", "sleep 1s", "unlock", "sleep 20s", "unlock"]
[[fault]]
drop = "reply to )" + label +
                           R"("
to   = "a"
)");
  };
  EXPECT_EQ(broken(resent("plain", "acquire"), Property::hold_count),
            (AssumptionSet{Assumption::executed_once}));
  // The contract of plain says nothing of releases, so what an unlatched one does is a bug.
  EXPECT_EQ(broken(resent("plain/unlatched", "release"), Property::hold_count), AssumptionSet{});
}

// b asks again once the node is back, and sends the script again, whole: it has no such script.
TEST(ContractJudge, AScriptThatTheServerDoesNotHaveIsNotExecuted) {
  const std::string restart = R"([[client]]
name = "a"
run  = ["lock", "sleep 2m", "write", "unlock"]
[[client]]
name  = "b"
start = "1s"
run   = ["lock", "write", "unlock"]
[[fault]]
crash = "n1"
at    = "30s"
[[fault]]
restart = "n1"
at      = "35s"
)";
  EXPECT_EQ(broken(story("plain", restart), Property::mutual_exclusion),
            (AssumptionSet{Assumption::writes_survive}));
}

// A lease begins as a server executes the request, which may be seconds after it was sent.
TEST(ContractJudge, ARequestThatIsUnderWayUsesUpNoLease) {
  const std::string late = R"([[client]]
name = "a"
run  = ["try_read_lock wait=5s lease=4s", "sleep 2s", "read_unlock"]
[[fault]]
clog = ["a", "n1"]
by   = "1s"
for  = "3s"
)";
  EXPECT_EQ(broken(story("readwrite", late), Property::hold_count),
            (AssumptionSet{Assumption::executed_once}));
}

// Sent again it finds no hold any more, and what was sent first comes when there is another.
TEST(ContractJudge, ALatchRemembersNothingOfAReleaseThatDidNothing) {
  const std::string late = R"([[client]]
name = "a"
run  = ["lock lease=2s", "unlock", "lock lease=60s", "sleep 10s", "unlock"]
[[fault]]
delay = "release"
by    = "7s"
)";
  EXPECT_EQ(broken(story("plain", late), Property::lease_linearizability),
            (AssumptionSet{Assumption::executed_once}));
}

// Until the last of them is there each has another lease, by which it is waited for.
TEST(ContractJudge, TheLeaseOfSeveralLocksBeginsWhenItIsSet) {
  const std::string removed = R"([[client]]
name = "a"
run  = ["try_lock_all wait=20s lease=1s names=orders,stock", "sleep 500ms", "unlock_all names=orders,stock"]
[[client]]
name = "b"
run  = ["lock name=stock", "sleep 5s", "unlock name=stock"]
[[client]]
name  = "c"
start = "5.3s"
run   = ["lock name=orders", "unlock name=orders"]
[[fault]]
delete = "orders"
on     = "n1"
at     = "5.2s"
)";
  EXPECT_EQ(broken(story("multi", removed), Property::mutual_exclusion),
            (AssumptionSet{Assumption::keys_stay}));
}

// It reads the answer after its pause, and sleeps for as long as the lease was to last before that.
TEST(ContractJudge, WhoReadsARefusalLateSleepsByIt) {
  const auto paused = [](const std::string& pause) {
    return R"([[client]]
name = "a"
run  = ["lock lease=30s", "crash"]
[[client]]
name  = "c"
start = "1s"
run   = ["lock", "unlock"]
[[fault]]
pause = "c"
when  = "2nd reply to acquire from n1 to c"
for   = ")" +
           pause + "\"\n";
  };
  for (const char* const pause : {"20s", "100s"}) {
    EXPECT_EQ(broken(story("plain", paused(pause)), Property::no_lost_wakeup),
              (AssumptionSet{Assumption::calls_answered}))
        << pause;
  }
  EXPECT_EQ(broken(story("plain", paused("3s")), Property::no_lost_wakeup), std::nullopt);
}

// a's release of a lease that is over is executed twice, and nothing comes of it either time.
TEST(ContractJudge, WhatDidNothingTwiceIsNoReasonForAYes) {
  const std::string twice = R"([[client]]
name = "a"
run  = ["lock lease=1s", "sleep 2s", "unlock"]
[[fault]]
drop  = "reply to release"
times = 1
)";
  EXPECT_EQ(broken(story(source_folder() + "/tests/search/locks/lying-plain/latches-first", twice),
                   Property::truthful_answers),
            AssumptionSet{});
  EXPECT_EQ(broken(story("plain", twice), Property::truthful_answers), std::nullopt);
}

}  // namespace
}  // namespace lockstep::search
