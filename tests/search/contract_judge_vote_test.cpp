// Which assumptions excuse a lock that asks a majority of its masters, and says itself until when
// it is valid.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "checker/property.h"
#include "model/lock/assumption.h"
#include "scenario/cluster_spec.h"
#include "search/contract/failed_servers.h"
#include "tests/search/contract_stories.h"

namespace lockstep::search {
namespace {

using checker::Property;
using model::Assumption;
using model::AssumptionSet;

// a has the lock until it says itself that it is over; b asks when a's keys have ended.
constexpr const char* used_up = R"([redis]
masters = 3
[[client]]
name = "a"
run  = ["lock lease=1s", "sleep 5s", "unlock"]
[[client]]
name  = "b"
start = "1002ms"
run   = ["lock lease=9s", "sleep 1s", "unlock"]
)";

TEST(ContractJudge, WhoHoldsUntilTheLockSaysThatItIsOverDoesNotOversleep) {
  const std::string late_replies = R"([[fault]]
delay = "reply to set"
to    = "a"
by    = "40ms"
times = 3
)";
  EXPECT_EQ(broken(story("redlock/counted-from-reply", used_up + late_replies),
                   Property::mutual_exclusion),
            AssumptionSet{});
  EXPECT_EQ(broken(story("redlock", used_up + late_replies), Property::mutual_exclusion),
            std::nullopt);
}

TEST(ContractJudge, WhoSleepsOnWhenTheLockHasSaidThatItIsOverIsALimit) {
  const std::string pause = R"([[fault]]
pause = "a"
when  = "a acquired"
for   = "3s"
)";
  EXPECT_EQ(broken(story("redlock", used_up + pause), Property::mutual_exclusion),
            (AssumptionSet{Assumption::holds_within_lease}));
}

/// Its validity is over at 9,948 ms by a's clock, which is as slow as n1's is fast, and a, which is
/// slow, stops believing 60 ms later.
TEST(ContractJudge, WhoStopsBelievingAfterTheValidityHasOversleptByItsOwnClockToo) {
  const std::string late = R"([redis.nodes.n1]
drift = "5000ppm"
[clocks]
declared_drift = "5000ppm"
[[client]]
name  = "a"
drift = "-5000ppm"
run   = ["lock lease=10s", "sleep 10s", "unlock"]
[[client]]
name  = "b"
start = "9.9s"
run   = ["lock lease=10s", "unlock"]
[[fault]]
slow = "a"
by   = "60ms"
at   = "3ms"
for  = "20s"
)";
  EXPECT_EQ(broken(story("redlock", late), Property::mutual_exclusion),
            (AssumptionSet{Assumption::holds_within_lease}));
}

TEST(ContractJudge, ALockThatIsHandedOutWhenItsOwnValidityIsOverIsABug) {
  const std::string late = R"([redis]
masters = 3
[[client]]
name = "a"
run  = ["lock lease=30ms", "unlock"]
[[fault]]
delay = "reply to set"
to    = "a"
by    = "45ms"
times = 3
)";
  EXPECT_EQ(broken(story("redlock/past-validity", late), Property::valid_grant), AssumptionSet{});
}

// The clients try again in step for as long as the run lasts, which is no longer than what a
// message that is lost may leave.
std::string in_step(const std::string& faults) {
  return story("redlock/fixed-delay", R"([redis]
masters = 5
latency = "1ms"
[liveness]
progress = "5s"
[limits]
horizon = "9s"
[[client]]
name = "a"
run  = ["lock lease=10s", "unlock"]
[[client]]
name = "b"
run  = ["lock lease=10s", "unlock"]
[[client]]
name = "c"
run  = ["lock lease=10s", "unlock"]
)" + faults);
}

std::string lost(const std::string& from) {
  return "[[fault]]\ndrop  = \"reply to release\"\nfrom  = \"" + from + "\"\ntimes = 3\n";
}

TEST(ContractJudge, AMinorityOfAVoteMayFail) {
  EXPECT_EQ(broken(in_step(""), Property::no_deadlock), AssumptionSet{});
  EXPECT_EQ(broken(in_step(lost("n1")), Property::no_deadlock), AssumptionSet{});
  EXPECT_EQ(broken(in_step(lost("n1") + lost("n2")), Property::no_deadlock), AssumptionSet{});
  EXPECT_EQ(broken(in_step(lost("n1") + lost("n2") + lost("n3")), Property::no_deadlock),
            (AssumptionSet{Assumption::messages_arrive, Assumption::calls_answered}));
}

TEST(ContractJudge, AReplicaFailsItsMaster) {
  scenario::RedisSpec redis;
  redis.masters = 3;
  redis.replicas = 1;
  FailedServers failed(redis);
  EXPECT_TRUE(failed.are_a_minority());
  failed.add_nodes(0b000011);  // n1 and its replica
  EXPECT_TRUE(failed.are_a_minority());
  failed.add_nodes(0b100000);  // n3's replica
  EXPECT_FALSE(failed.are_a_minority());
}

TEST(ContractJudge, HalfOfAVoteIsNoMinority) {
  scenario::RedisSpec redis;
  redis.masters = 4;
  FailedServers failed(redis);
  failed.add_master(0);
  EXPECT_TRUE(failed.are_a_minority());
  failed.add_master(3);
  EXPECT_FALSE(failed.are_a_minority());
}

// b waits for what is left of the lease that a could not give back, and no longer.
TEST(ContractJudge, WhatALostReleaseLeavesExcusesNoWaitBeyondTheLease) {
  const auto losing_releases = [](const std::string& lock, const std::string& lease) {
    return story(lock, R"([redis]
masters = 4
[liveness]
progress = "1s"
[limits]
horizon = "10m"
[[client]]
name = "a"
run  = ["lock lease=)" + lease +
                           R"(", "unlock"]
[[client]]
name  = "b"
start = "0s"
run   = ["lock lease=)" + lease +
                           R"(", "unlock"]
[[fault]]
drop  = "release"
times = 8
)");
  };
  EXPECT_EQ(broken(losing_releases("redlock", "5s"), Property::no_deadlock),
            (AssumptionSet{Assumption::messages_arrive, Assumption::calls_answered}));
  // The vote is split, and never over.
  EXPECT_EQ(broken(losing_releases("redlock/settled-by-quorum", "5s"), Property::no_deadlock),
            AssumptionSet{});
}

// Who does not know whether the lease is longer now does not say that it is.
TEST(ContractJudge, AValidityThatIsTooLongIsNotExcusedByACallWithoutAnAnswer) {
  const std::string cut = R"([redis]
masters = 5
[[client]]
name = "a"
run  = ["lock lease=10s", "sleep 8s", "extend lease=10s", "unlock"]
[[fault]]
drop  = "extend"
times = 4
)";
  EXPECT_EQ(broken(story("redlock/extension-by-any", cut), Property::truthful_answers),
            AssumptionSet{});
}

// a has n2 and n3. Its release frees n3; n2, which it cannot reach, refuses it when a's lease is
// over: that c2 got the lock in between is no matter of a release that did nothing.
TEST(ContractJudge, ARefusalThatComesLateIsNoReleaseThatDidNothing) {
  const std::string late = R"([redis]
masters = 3
[[client]]
name  = "a"
start = "20ms"
run   = ["lock lease=3.244s", "sleep 1s", "unlock"]
[[client]]
name  = "c2"
start = "10ms"
run   = ["try_lock lease=3.522s", "sleep 1.6s", "unlock", "lock lease=3.175s", "unlock"]
[[fault]]
cut   = ["n2", "a"]
when  = "c2 releasing"
after = "12ms"
for   = "18s"
)";
  EXPECT_EQ(broken(story("redisson-redlock", late), Property::lease_linearizability), std::nullopt);
}

}  // namespace
}  // namespace lockstep::search
