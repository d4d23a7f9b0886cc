// Which assumptions excuse a lock whose master was replaced, or came back.
#include <gtest/gtest.h>

#include <string>

#include "checker/property.h"
#include "model/lock/assumption.h"
#include "tests/search/contract_stories.h"

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

}  // namespace
}  // namespace lockstep::search
