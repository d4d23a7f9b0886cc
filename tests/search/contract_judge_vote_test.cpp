// Which assumptions excuse a lock that asks a majority of its masters, and says itself until when
// it is valid.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include "checker/property.h"
#include "model/lock/assumption.h"
#include "scenario/cluster_spec.h"
#include "search/contract/failed_servers.h"
#include "tests/model/client/lock_folder.h"
#include "tests/search/contract_stories.h"
#include "tests/support/source_folder.h"

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

// a has n1's vote at once, n2's 400 ms later, and never n3's: n1's is over, and b's, as a is told
// that it has the lock, 700 ms after its second vote.
TEST(ContractJudge, ALeaseOfVotesBeginsWithTheFirst) {
  const std::string slow = R"([options]
retry_attempts = 0
timeout_ms     = 500
[redis]
masters = 3
[[client]]
name = "a"
run  = ["try_lock lease=1s", "sleep 50ms", "unlock"]
[[client]]
name  = "b"
start = "1010ms"
run   = ["try_lock lease=9s", "sleep 1s", "unlock"]
[[fault]]
drop  = "acquire"
from  = "a"
to    = "n3"
[[fault]]
delay = "acquire"
from  = "a"
to    = "n2"
by    = "400ms"
[[fault]]
delay = "pexpire"
from  = "a"
to    = "n1"
by    = "300ms"
)";
  EXPECT_EQ(broken(story("redisson-redlock", slow), Property::mutual_exclusion),
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

// It asks one server after the other, and sleeps until that one tells it: for minutes, if it may.
TEST(ContractJudge, AVoteThatMaySleepOnWaitsForTheMessageOfOneServer) {
  const std::string unheard = R"([redis]
masters = 3
[[client]]
name = "a"
run  = ["lock lease=20m", "sleep 10ms", "unlock"]
[[client]]
name  = "b"
start = "5ms"
run   = ["lock lease=20m", "unlock"]
[[fault]]
reset = "message"
from  = "n1"
to    = "b"
)";
  EXPECT_EQ(broken(story("redisson-redlock", unheard), Property::no_deadlock),
            (AssumptionSet{Assumption::messages_arrive}));
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

// Three of five nodes are down for longer than a's lease; its inner hold is granted when they are
// back, and with it goes the outer one, whose renewals did not get through.
TEST(ContractJudge, AnInnerHoldDoesNotRenewTheOuterOneThatWasLostBefore) {
  EXPECT_EQ(broken(story("redisson-redlock", R"([redis]
masters = 5
[heal]
at = "2m"
[[client]]
name = "a"
run  = ["lock", "sleep 1865ms", "lock", "sleep 3ms", "unlock", "sleep 7s", "unlock"]
[[client]]
name  = "b"
start = "240ms"
run   = ["lock", "sleep 1500ms", "unlock"]
[[fault]]
crash = "n3"
at    = "1750ms"
[[fault]]
crash = "n2"
at    = "1750ms"
[[fault]]
crash = "n5"
at    = "1750ms"
)"),
                   Property::mutual_exclusion),
            (AssumptionSet{Assumption::renewals_get_through, Assumption::writes_survive}));
}

// n1 has forgotten its vote before n2 casts its own, and n3 is down: nobody ever has the lock.
TEST(ContractJudge, AVoteThatIsForgottenBeforeTheOthersCountIsALostWrite) {
  EXPECT_EQ(broken(story("redlock", R"([redis]
masters = 3
[[client]]
name = "a"
run  = ["lock", "unlock"]
[[fault]]
crash = "n1"
when  = "n1 executed set"
[[fault]]
restart = "n1"
when    = "n1 crashed"
[[fault]]
crash = "n3"
when  = "n1 executed set"
[[fault]]
delay = "set"
to    = "n2"
by    = "2ms"
)"),
                   Property::valid_grant),
            (AssumptionSet{Assumption::writes_survive}));
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

// Where a process owns as one: which assumptions a violating run did not keep.

namespace {

using checker::Property;
using model::Assumption;
using model::AssumptionSet;

/// Counts the holds of a process; the lease is the one that was asked for last.
void write_lock_of_processes(const test::LockFolder& folder) {
  folder.write("lock.toml", R"(title = "t"
client = "client.lua"
promises = ["mutual-exclusion", "lease-linearizability", "harm"]
[scripts]
take = "take.lua"
give = "give.lua"
[state]
key = "{name}"
owner = "process"
)");
  folder.write("client.lua", R"(local model = {}
function model.lock(lock, lease_ms)
  while true do
    local operation = client.invoke("acquire", lock, lease_ms)
    local taken = client.eval(1, "take", {lock.name}, {client.owner(), lease_ms}) == 1
    client.complete(operation, taken and "ok" or "fail")
    if taken then return true end
    client.sleep(50)
  end
end
function model.unlock(lock)
  local operation = client.invoke("release", lock)
  local given = client.eval(1, "give", {lock.name}, {client.owner()}) == 1
  client.complete(operation, given and "ok" or "fail")
  return true
end
return model
)");
  folder.write("take.lua", R"(
if redis.call('exists', KEYS[1]) == 1 and redis.call('hexists', KEYS[1], ARGV[1]) == 0 then
  return 0
end
redis.call('hincrby', KEYS[1], ARGV[1], 1)
redis.call('pexpire', KEYS[1], ARGV[2])
return 1
)");
  folder.write("give.lua", R"(
if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then return 0 end
if redis.call('hincrby', KEYS[1], ARGV[1], -1) == 0 then redis.call('del', KEYS[1]) end
return 1
)");
}

TEST(ContractJudgeOfProcesses, HarmOfAProcessAfterItsLeaseIsALimit) {
  const test::LockFolder folder;
  write_lock_of_processes(folder);
  const std::string text = R"([[client]]
name = "a"
run  = ["lock lease=2s", "write", "unlock"]
[[client]]
name  = "b"
start = "1s"
run   = ["lock lease=30s", "write", "sleep 10s", "unlock"]
[[fault]]
delay = "write"
from  = "a"
by    = "5s"
)";
  EXPECT_EQ(broken(story(folder.folder().string(), text), Property::harm),
            (AssumptionSet{Assumption::holds_within_lease}));
}

// What the first time gave is over, and no key tells of it: what is sent again takes the lock anew.
TEST(ContractJudgeOfProcesses, NoLockRecognizesARequestWhoseHoldHasEnded) {
  const test::LockFolder folder;
  write_lock_of_processes(folder);
  std::ofstream(folder.file("lock.toml"), std::ios::app) << "[contract]\nexecuted_once = []\n";
  const auto late = [&](const std::string& lease) {
    return broken(story(folder.folder().string(), R"([[client]]
name = "a"
run  = ["lock lease=)" + lease + R"(", "unlock"]
[[client]]
name  = "b"
start = "10ms"
run   = ["lock lease=30s", "unlock"]
[[fault]]
delay = "reply to take"
to    = "a"
by    = "10s"
times = 1
)"),
                  Property::lease_linearizability);
  };
  EXPECT_EQ(late("4s"), (AssumptionSet{Assumption::executed_once}));
}

/// a/1 hears late that it has the lock, and in the meantime a/2 took it for less.
TEST(ContractJudgeOfProcesses, AThreadMayCutTheLeaseOfItsProcessShort) {
  const test::LockFolder folder;
  write_lock_of_processes(folder);
  const std::optional<AssumptionSet> found = broken(story(folder.folder().string(), R"([options]
retry_attempts = 0
[[client]]
name = "a"
[[client.thread]]
run = ["lock lease=60s", "sleep 20s", "unlock"]
[[client.thread]]
run = ["sleep 100ms", "lock lease=2s", "sleep 1m", "unlock"]
[[client]]
name  = "b"
start = "500ms"
run   = ["lock lease=60s", "sleep 1s", "unlock"]
[[fault]]
delay = "reply to take"
to    = "a/1"
by    = "1s"
[[fault]]
delay = "reply to take"
to    = "a/2"
by    = "4s"
)"),
                                                    Property::mutual_exclusion);
  EXPECT_EQ(found, (AssumptionSet{Assumption::holds_within_lease}));
}

// A client that asks no node again which did not answer once waits for ever, though all are up:
// that each of its attempts had no answer excuses nothing then.
TEST(ContractJudge, AQuorumThatNobodyAsksAnyMoreIsABug) {
  const std::string redlock = source_folder() + "/scripts/redlock";
  std::ifstream file(redlock + "/client.lua");
  std::string client((std::istreambuf_iterator<char>(file)), {});
  const std::string asks = "local replied, answer = pcall(question, node)\n";
  const std::size_t place = client.find(asks);
  ASSERT_NE(place, std::string::npos);
  client.insert(place + asks.size(), "  down[node] = not replied\n");
  client.insert(place, "if down[node] then return client.signal(asked) end\n  ");
  const test::LockFolder folder;
  folder.write("client.lua", "local down = {}\n" + client);
  folder.write("lock.toml", "base = \"" + redlock + "\"\nclient = \"client.lua\"\n");
  const auto waits = [](const std::string& lock) {
    return broken(story(lock, R"([redis]
masters = 3
[heal]
at = "30s"
[[client]]
name = "a"
run  = ["lock lease=30s", "unlock"]
[[fault]]
drop  = "reply to set"
from  = "n1"
times = 1
[[fault]]
drop  = "reply to set"
from  = "n2"
times = 1
)"),
                  Property::no_deadlock);
  };
  EXPECT_EQ(waits(folder.folder().string()), AssumptionSet{});
  EXPECT_EQ(waits("redlock"), std::nullopt);
}

// a's lock is extended for longer than b can wait, and a does not hear of it before that is over.
TEST(ContractJudge, AnAnswerThatComesWhenOthersHaveWaitedForTooLongIsNone) {
  const std::optional<AssumptionSet> found = broken(story("redlock", R"([redis]
masters = 3
[[client]]
name = "a"
run  = ["lock", "extend lease=78s", "unlock"]
[[client]]
name  = "b"
start = "1s"
run   = ["lock lease=20s", "unlock"]
[[fault]]
postpone = "a"
reply    = "extend"
by       = "100s"
)"),
                                                    Property::no_deadlock);
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(found->contains(Assumption::calls_answered));
}

}  // namespace
}  // namespace lockstep::search
