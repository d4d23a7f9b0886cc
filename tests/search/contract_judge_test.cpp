// Which assumptions a violating run did not keep: a planted bug has none, each limit has its own.
#include "search/contract/contract_judge.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "checker/evidence.h"
#include "checker/history.h"
#include "checker/observations.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "model/engine/run_result.h"
#include "model/faults/strike_effects.h"
#include "scenario/cluster_spec.h"
#include "scenario/faults/fault_kind.h"
#include "search/contract/held_leases.h"
#include "search/contract/outages.h"
#include "search/contract/violation.h"
#include "tests/search/contract_stories.h"
#include "tests/support/source_folder.h"

namespace lockstep::search {
namespace {

using checker::Property;
using model::Assumption;
using model::AssumptionSet;

constexpr const char* overslept = R"([[client]]
name = "a"
run  = ["lock lease=5s", "sleep 1s", "write", "unlock"]
[[client]]
name  = "b"
start = "10ms"
run   = ["lock lease=30s", "write", "sleep 10s", "unlock"]
[[fault]]
pause = "a"
when  = "a acquired"
for   = "8s"
)";

TEST(ContractJudge, APauseBeyondTheLeaseIsALimit) {
  EXPECT_EQ(broken(story("plain", overslept), Property::mutual_exclusion),
            (AssumptionSet{Assumption::holds_within_lease}));
}

TEST(ContractJudge, AHoldIsJudgedByTheLeaseThatItsCallerAskedFor) {
  const std::string twice = R"([[client]]
name = "a"
run  = ["lock lease=60s", "lock lease=2s", "unlock", "sleep 40s", "write", "unlock"]
[[client]]
name  = "b"
start = "1s"
run   = ["lock lease=60s", "sleep 1m", "write", "unlock"]
)";
  // The inner release gives the key the lock's own lease, 30 s; its caller had asked for 60.
  const auto found = broken(story("plain", twice), Property::mutual_exclusion);
  ASSERT_TRUE(found.has_value());
}

// The inner hold is renewed, but over when the outer one's lease ends.
TEST(ContractJudge, AHoldInsideThatIsRenewedDoesNotLengthenTheLeaseAroundIt) {
  const std::string inside = R"([[client]]
name = "a"
run  = ["lock lease=30s", "lock", "sleep 1s", "unlock", "sleep 2m", "write", "unlock"]
[[client]]
name  = "b"
start = "10ms"
run   = ["lock lease=60s", "sleep 1m", "unlock"]
)";
  EXPECT_EQ(broken(story("plain", inside), Property::mutual_exclusion),
            (AssumptionSet{Assumption::holds_within_lease}));
}

// a sleeps past its lease, and its release takes b's lock away: c's overlap with b is no matter of
// a's.
TEST(ContractJudge, ALateReleaseOfAnothersLockIsABug) {
  const std::string clients = R"([[client]]
name = "a"
run  = ["lock lease=2s", "unlock"]
[[client]]
name  = "b"
start = "10ms"
run   = ["lock lease=20s", "sleep 5s", "write", "unlock"]
[[client]]
name  = "c"
start = "20ms"
run   = ["lock lease=20s", "sleep 1s", "write", "unlock"]
)";
  const auto late = [&](const std::string& release) {
    return clients + "[[fault]]\ndelay = \"" + release + "\"\nfrom = \"a\"\nby = \"2500ms\"\n";
  };
  EXPECT_EQ(broken(story("setnx/delete-without-token", late("del")), Property::mutual_exclusion),
            AssumptionSet{});
  EXPECT_EQ(broken(story("setnx", late("release")), Property::mutual_exclusion), std::nullopt);
}

// Who asks when its lease is over asks for just that: to be told that it has what b has is a lie.
TEST(ContractJudge, AnAnswerIsNotExcusedByTheLeaseThatItIsAbout) {
  const std::string clients = R"([[client]]
name = "a"
run  = ["lock lease=1s", "sleep 3s", "is_held_by_me"]
[[client]]
name  = "b"
start = "10ms"
run   = ["lock lease=20s", "sleep 5s", "unlock"]
)";
  EXPECT_EQ(broken(story("setnx/fixed-value", clients), Property::truthful_answers),
            AssumptionSet{});
  EXPECT_EQ(broken(story("setnx", clients), Property::truthful_answers), std::nullopt);
}

// Four believe in three permits, of which one has ended: the limit of who kept it, not the lock's.
TEST(ContractJudge, APermitThatEndsByItselfIsALease) {
  const std::string others = "[[client]]\nname = \"b\"\ncount = 3\nstart = \"1s\"\n";
  const auto kept_for = [&](const std::string& kept) {
    return story(source_folder() + "/tests/search/locks/ending-permits",
                 "[[client]]\nname = \"a\"\nrun = [\"acquire\", \"sleep " + kept +
                     "\", \"release\"]\n" + others +
                     "run = [\"acquire\", \"sleep 20s\", \"release\"]\nrounds = 2\n");
  };
  EXPECT_EQ(broken(kept_for("40s"), Property::permits),
            (AssumptionSet{Assumption::holds_within_lease}));
  EXPECT_EQ(broken(kept_for("25s"), Property::permits), std::nullopt);
}

// That its permit is over is what a release has to say. One that had ended and was still there, as
// nobody else came, may be given back.
TEST(ContractJudge, AReleaseIsNotExcusedByThePermitThatHasEnded) {
  const auto kept_too_long = [](const std::string& variant, const std::string& others) {
    return story(
        source_folder() + "/tests/search/locks/ending-permits" + variant,
        "[[client]]\nname = \"a\"\nrun = [\"acquire\", \"sleep 40s\", \"release\"]\n" + others);
  };
  const std::string later =
      "[[client]]\nname = \"b\"\nstart = \"35s\"\n"
      "run = [\"acquire\", \"sleep 10s\", \"release\"]\n";
  const std::string before =
      "[[client]]\nname = \"b\"\nstart = \"20s\"\n"
      "run = [\"acquire\", \"sleep 25s\", \"release\"]\n";
  EXPECT_EQ(broken(kept_too_long("/says-yes", later), Property::truthful_answers), AssumptionSet{});
  EXPECT_EQ(broken(kept_too_long("", later), Property::truthful_answers), std::nullopt);
  EXPECT_EQ(broken(kept_too_long("/says-yes", before), Property::truthful_answers), std::nullopt);
  EXPECT_EQ(broken(kept_too_long("", before), Property::truthful_answers), std::nullopt);
}

// b has waited for longer than its lease is; its lease begins when it gets the lock.
TEST(ContractJudge, ALeaseDoesNotBeginWhileItIsWaitedFor) {
  const std::string clients = R"([[client]]
name = "a"
run  = ["lock lease=40s", "sleep 39s", "unlock"]
[[client]]
name  = "b"
start = "10ms"
run   = ["lock lease=20s", "sleep 5s", "write", "unlock"]
[[client]]
name  = "c"
start = "41s"
run   = ["lock lease=20s", "sleep 1s", "write", "unlock"]
[[fault]]
delay = "del"
from  = "a"
by    = "2500ms"
)";
  EXPECT_EQ(broken(story("setnx/delete-without-token", clients), Property::mutual_exclusion),
            AssumptionSet{});
}

// b's request that was executed twice excuses b, and nobody else. a's sleep is a's alone, too.
TEST(ContractJudge, WhatWasExecutedTwiceExcusesOnlyItsOwner) {
  const std::string clients = R"([[client]]
name = "a"
run  = ["lock name=other lease=60s", "unlock name=other"]
[[client]]
name  = "b"
start = "30s"
run   = ["lock lease=60s", "sleep 10s", "write", "unlock"]
[[client]]
name  = "c"
start = "38s"
run   = ["force_unlock", "lock lease=60s", "sleep 1s", "write", "unlock"]
[[fault]]
drop = "reply to acquire"
to   = "%"
nth  = 1
)";
  const auto losing = [&](const std::string& whose) {
    std::string text = clients;
    return text.replace(text.find('%'), 1, whose);
  };
  EXPECT_EQ(broken(story("plain/unlatched", losing("a")), Property::mutual_exclusion),
            AssumptionSet{});
  EXPECT_EQ(broken(story("plain/unlatched", losing("b")), Property::mutual_exclusion),
            (AssumptionSet{Assumption::executed_once}));
}

// The textbook lock does not know that it has released: a release that is sent again says "lost".
TEST(ContractJudge, AReleaseThatIsSentAgainIsALimitOfWhatItIsAnswered) {
  const std::string unanswered = R"([[client]]
name = "a"
run  = ["lock lease=60s", "unlock"]
[[fault]]
drop = "reply to release"
nth  = 1
)";
  EXPECT_EQ(broken(story("setnx", unanswered), Property::lease_linearizability),
            (AssumptionSet{Assumption::executed_once}));
}

// Nobody can give a permit back where each server that is asked answers with an error.
TEST(ContractJudge, ACallThatOnlyErrorsAnswerIsALimit) {
  const std::string down = R"([redis]
topology = "cluster"
cluster  = { node_timeout = "2s" }
[[client]]
name = "a"
run  = ["try_set_permits permits=3", "acquire", "sleep 3s", "release"]
[[fault]]
shutdown = "n3"
at       = "0s"
)";
  EXPECT_EQ(broken(story("semaphore", down), Property::permits),
            (AssumptionSet{Assumption::calls_answered}));
}

// The release whose reply is lost takes both holds off; the interruption comes long after that.
TEST(ContractJudge, ACallThatIsInterruptedLaterExcusesNothing) {
  const auto interrupted = [](const std::string& at) {
    return story("plain/unlatched", R"([[client]]
name = "a"
run  = ["lock lease=60s", "lock lease=60s", "unlock", "sleep 1s", "lock name=other", "sleep 60s"]
[[fault]]
drop = "reply to release"
[[fault]]
interrupt = "a"
at        = ")" + at + "\"\n");
  };
  EXPECT_EQ(broken(interrupted("30s"), Property::hold_count), AssumptionSet{});
  EXPECT_EQ(broken(interrupted("1ms"), Property::hold_count), std::nullopt);
}

// The lock has one lease for all who read; that another reader began it anew is no renewal of a's.
TEST(ContractJudge, WhatOthersDoToASharedLeaseRenewsNobody) {
  const std::string text = R"([[client]]
name = "a"
run  = ["read_lock", "sleep 60s", "read_unlock"]
[[client]]
name  = "b"
start = "24s"
run   = ["read_lock", "read_unlock"]
[[client]]
name  = "c"
start = "25s"
run   = ["write_lock", "write", "sleep 1s", "write_unlock"]
[[fault]]
pause = "a"
at    = "1s"
for   = "45s"
)";
  EXPECT_EQ(broken(story("readwrite", text), Property::mutual_exclusion),
            (AssumptionSet{Assumption::renewals_get_through}));
}

// What showed that a reads is lost in the first 37 s, though the lock's lease is renewed
// afterwards.
TEST(ContractJudge, AReadersOwnLeaseIsLostBeforeTheLocks) {
  const std::string text = R"([[client]]
name  = "a"
run   = ["read_lock", "sleep 87s", "read_unlock"]
[[client]]
name  = "b"
run   = ["read_lock", "sleep 60495ms", "read_unlock"]
[[client]]
name  = "c"
start = "1s"
run   = ["write_lock", "write", "sleep 1s", "write_unlock"]
[[fault]]
isolate = "a"
at      = "1s"
for     = "37s"
)";
  EXPECT_EQ(broken(story("readwrite", text), Property::mutual_exclusion),
            (AssumptionSet{Assumption::renewals_get_through}));
}

// The lock inside was taken, with the lock's own lease, though its caller was interrupted.
TEST(ContractJudge, ALeaseMayBeCutShortByACallThatNobodyKnowsTheOutcomeOf) {
  const std::string text = R"([[client]]
name = "a"
run  = ["lock lease=40s", "lock", "unlock", "sleep 35s", "unlock"]
[[client]]
name  = "b"
start = "1s"
run   = ["lock lease=40s", "write", "unlock"]
[[fault]]
interrupt = "a/1"
when      = "2nd reply to acquire from n1 to a"
)";
  EXPECT_EQ(broken(story("spin", text), Property::mutual_exclusion),
            (AssumptionSet{Assumption::holds_within_lease}));
}

// a waits for the answer to an extension that leaves less than there was.
TEST(ContractJudge, AnExtensionThatIsUnderWayMayHaveCutTheLeaseShort) {
  const std::string text = R"([[client]]
name = "a"
run  = ["lock lease=2s", "extend lease=6s", "extend lease=2s", "unlock"]
[[client]]
name  = "b"
start = "10ms"
run   = ["lock lease=2s", "write", "unlock"]
[[fault]]
drop = "reply to extend"
from = "n1"
to   = "a"
nth  = 2
)";
  EXPECT_EQ(broken(story("setnx", text), Property::mutual_exclusion),
            (AssumptionSet{Assumption::holds_within_lease}));
}

TEST(ContractJudge, AServersClockThatLeapsIsALimit) {
  const std::string leap = R"([[client]]
name = "a"
run  = ["lock lease=30s", "sleep 10s", "write", "unlock"]
[[client]]
name  = "b"
start = "6s"
run   = ["lock lease=30s", "sleep 10s", "write", "unlock"]
[[fault]]
clock_step = "n1"
by         = "40s"
at         = "5s"
)";
  EXPECT_EQ(broken(story("plain", leap), Property::mutual_exclusion),
            (AssumptionSet{Assumption::clocks_steady}));
}

TEST(ContractJudge, WhoHoldsPermitsMayBeRefusedMore) {
  EXPECT_EQ(broken(story(source_folder() + "/tests/search/locks/ending-permits", R"([[client]]
name = "a"
run  = ["acquire permits=2", "sleep 200ms", "try_acquire permits=1"]
[[client]]
name  = "b"
start = "50ms"
run   = ["acquire permits=1", "sleep 5s", "release permits=1"]
)"),
                   Property::truthful_answers),
            std::nullopt);
}

TEST(ContractJudge, ServersAreAwayTogetherOrNotAtAll) {
  const auto crash = [](std::int64_t at_ns, std::uint64_t server) {
    return model::StrikeSpan{.fault = 0,
                             .kind = scenario::FaultKind::crash,
                             .from_ns = at_ns,
                             .until_ns = at_ns,
                             .servers = server};
  };
  const auto restart = [&](std::int64_t at_ns, std::uint64_t server) {
    model::StrikeSpan span = crash(at_ns, server);
    span.kind = scenario::FaultKind::restart;
    return span;
  };
  scenario::RedisSpec redis;
  redis.masters = 5;
  const auto away_until = [&](const std::vector<model::StrikeSpan>& strikes) {
    return with_servers_away(strikes, 120, redis, true).front().until_ns;
  };
  EXPECT_EQ(away_until({crash(1, 1), crash(2, 2), crash(3, 4)}), 120);
  EXPECT_EQ(away_until({crash(1, 1), crash(2, 2)}), 1) << "the others are enough";
  EXPECT_EQ(away_until({crash(1, 1), restart(5, 1), crash(6, 2), restart(9, 2), crash(10, 4)}), 1)
      << "one after the other";
  EXPECT_EQ(away_until({crash(1, 1), crash(2, 2), crash(3, 4), restart(9, 1)}), 9);
  redis.replicas = 1;
  EXPECT_EQ(away_until({crash(1, 1), crash(2, 4), crash(3, 16)}), 1) << "a replica takes its place";
}

TEST(ContractJudge, OnlyWhatKeepsSomebodyFromANodeIsAnOutage) {
  const auto count_of = [](scenario::FaultKind kind) {
    const model::StrikeSpan strike{
        .fault = 0, .kind = kind, .from_ns = 10, .until_ns = 20, .clients = 1};
    return outages_between(0, 100, {&strike, 1}, 1, {}).count;
  };
  for (const auto kind : {scenario::FaultKind::script_flush, scenario::FaultKind::clock_step,
                          scenario::FaultKind::delete_key, scenario::FaultKind::interrupt}) {
    EXPECT_EQ(count_of(kind), 0) << scenario::to_string(kind);
  }
  for (const auto kind : {scenario::FaultKind::pause, scenario::FaultKind::drop,
                          scenario::FaultKind::busy, scenario::FaultKind::clog}) {
    EXPECT_EQ(count_of(kind), 1) << scenario::to_string(kind);
  }
}

TEST(ContractJudge, AnOutageCountsWhereItMayCostACallItsAnswer) {
  const auto count_of = [](scenario::FaultKind kind, sim::TimeNs until_ns, std::uint64_t clients) {
    const model::StrikeSpan strike{
        .fault = 0, .kind = kind, .from_ns = 10, .until_ns = until_ns, .clients = clients};
    return outages_between(0, 100, {&strike, 1}, 1, {.answer_ns = 10, .resend_ns = 0}).count;
  };
  // What holds a call up for less time than its client waits costs nothing.
  EXPECT_EQ(count_of(scenario::FaultKind::pause, 19, 1), 0);
  EXPECT_EQ(count_of(scenario::FaultKind::pause, 20, 1), 1);
  EXPECT_EQ(count_of(scenario::FaultKind::cut, 11, 1), 1);
  // Whose message it is: another client's, or the nodes' own.
  EXPECT_EQ(count_of(scenario::FaultKind::drop, 10, 1), 1);
  EXPECT_EQ(count_of(scenario::FaultKind::drop, 10, 2), 0);
  EXPECT_EQ(count_of(scenario::FaultKind::drop, 10, 0), 0);
}

// A writer that takes the lock once more adds its lease to what is left: here to that of a hold
// that it does not know of. Whoever is told of both sleeps on after the release has taken one back.
TEST(ContractJudge, WhatACallWithoutAnAnswerLeftMayComeOnTopOfALease) {
  const std::string text = R"([[client]]
name  = "a"
start = "10ms"
run   = ["remaining_lease", "write_lock lease=205s", "write_unlock"]
[[client]]
name = "b"
run  = ["write_lock lease=244s", "write_unlock", "write_lock lease=130s", "write", "write_unlock"]
[[fault]]
partition = [["b", "a", "resource"], ["n1"]]
when      = "n1 executed write_acquire"
for       = "18s"
)";
  const auto excuses = broken(story("readwrite", text), Property::no_deadlock);
  ASSERT_TRUE(excuses);
  EXPECT_TRUE(excuses->contains(Assumption::calls_answered));
}

// Who dies has no message for anybody: what it leaves for ever is no matter of lost messages.
TEST(ContractJudge, AClientThatDiesLosesNoMessages) {
  const std::string dead = R"([[client]]
name = "a"
run  = ["lock lease=2s", "write", "unlock"]
[[client]]
name  = "b"
start = "100ms"
run   = ["try_lock wait=1m lease=2s", "write", "unlock"]
[[fault]]
crash = "a"
when  = "n1 executed setnx"
)";
  EXPECT_EQ(broken(story("setnx/setnx-then-expire", dead), Property::no_leak), AssumptionSet{});
}

TEST(ContractJudge, WhatIsNoPromiseIsNotJudged) {
  EXPECT_EQ(broken(story("fair", overslept), Property::truthful_answers), std::nullopt);
}

// c asks again only when the lease is over of which it was told; its place is nobody's but its own.
TEST(ContractJudge, WhatTheDeadLeaveInAQueueIsExcusedForAsLongAsTheirPlacesLast) {
  const auto dead_waiter = [](const std::string& lock, const std::string& bound) {
    return story(lock, R"([liveness]
progress = ")" + bound + R"("
[[client]]
name = "a"
run  = ["lock lease=5s", "sleep 2s", "unlock"]
[[client]]
name  = "b"
start = "100ms"
run   = ["lock lease=5s", "unlock"]
[[client]]
name  = "c"
start = "200ms"
run   = ["lock lease=5s", "unlock"]
[[fault]]
crash = "b"
at    = "1s"
[options]
wait = "3s"
)");
  };
  EXPECT_EQ(broken(dead_waiter("fair", "500ms"), Property::no_deadlock),
            (AssumptionSet{Assumption::calls_answered}));
  EXPECT_EQ(broken(dead_waiter("fair", "20s"), Property::no_deadlock), std::nullopt);
}

// a's overlap with b is excused, since a slept past its lease. The one of b and c is not.
TEST(ContractJudge, TellsTheOverlapThatNothingExcuses) {
  const std::string two = R"([[client]]
name = "a"
run  = ["lock lease=2s", "sleep 3s", "unlock"]
[[client]]
name  = "b"
start = "10ms"
run   = ["lock lease=20s", "sleep 5s", "unlock"]
[[client]]
name  = "c"
start = "20ms"
run   = ["lock lease=20s", "sleep 5s", "unlock"]
)";
  const std::string text = story("setnx/delete-without-token", two);
  ASSERT_EQ(broken(text, Property::mutual_exclusion), AssumptionSet{});
  const checker::Verdict told = told_of(text, Property::mutual_exclusion);
  EXPECT_EQ(told.kind, checker::VerdictKind::violated);
  EXPECT_EQ(told.summary.find("a/1"), std::string::npos) << told.summary;
  EXPECT_TRUE(told.summary.ends_with(
      ", which is excused: a hold outlasts the lease that its caller asked for"))
      << told.summary;
  EXPECT_EQ(told.evidence.size(), 2U);
}

// a is granted the lock when its lease is over, since the answer was late; b's is over since its
// last PEXPIRE was.
TEST(ContractJudge, TellsTheGrantThatNothingExcuses) {
  const std::string text = story("multi", R"([[client]]
name = "a"
run  = ["lock_all lease=2s names=orders,stock", "unlock_all names=orders,stock"]
[[client]]
name  = "b"
start = "60s"
run   = ["try_lock_all wait=4ms lease=60s names=orders,stock", "unlock_all names=orders,stock"]
[[fault]]
postpone = "a"
reply    = "pexpire"
by       = "30s"
[[fault]]
postpone = "b"
task     = "part"
by       = "7s"
)");
  ASSERT_EQ(broken(text, Property::valid_grant), AssumptionSet{});
  const checker::Verdict told = told_of(text, Property::valid_grant);
  EXPECT_TRUE(told.summary.starts_with("b/1 was granted lock ")) << told.summary;
  EXPECT_TRUE(told.summary.ends_with(" such grants in all")) << told.summary;
  ASSERT_GT(told.evidence.size(), 1U);
  EXPECT_TRUE(told.evidence[0].what.starts_with("b/1 was granted lock "));
  EXPECT_TRUE(told.evidence[1].what.starts_with("a/1 was granted lock "));
}

/// Who asked at that many seconds for a lease of that many.
checker::AskedLease asked_at(checker::TimeNs at_s, checker::TimeNs lease_s,
                             checker::HoldMode mode) {
  checker::AskedLease asked{};
  asked.mode = mode;
  asked.asked = {at_s * sim::second_ns, static_cast<std::uint64_t>(at_s)};
  asked.granted = asked.asked;
  asked.lease_ns = lease_s * sim::second_ns;
  return asked;
}

/// Until when it counted on the first of two leases, of which it asked for the second at 5 s; it
/// gave all back at 20 s.
checker::TimeNs first_lease_until_s(OwnLeases own, checker::HoldMode mode) {
  checker::Names names;
  names.intern("a/1");
  const checker::History history;
  checker::Observations observations;
  observations.asked_leases = {asked_at(0, 15, mode), asked_at(5, 60, mode)};
  checker::Belief belief{};
  belief.until = {20 * sim::second_ns, 20};
  belief.mode = mode;
  belief.end = checker::BeliefEnd::run_over;
  observations.beliefs = {belief};
  model::RunResult run;
  run.names = &names;
  run.history = &history;
  run.observations = &observations;
  return HeldLeases(run, own, LeaseBegins::with_the_call).of(checker::NameId{}).front().until_ns /
         sim::second_ns;
}

TEST(HeldLeases, CountUntilTheirOwnerAsksAgainButForThoseThatEndByThemselves) {
  using checker::HoldMode;
  EXPECT_EQ(first_lease_until_s(OwnLeases::renewed, HoldMode::exclusive), 5);
  EXPECT_EQ(first_lease_until_s(OwnLeases::end_too, HoldMode::exclusive), 5);
  EXPECT_EQ(first_lease_until_s(OwnLeases::apart, HoldMode::exclusive), 20);
  // Only the readers of a lock that lists them have leases of their own.
  EXPECT_EQ(first_lease_until_s(OwnLeases::shared_apart, HoldMode::exclusive), 5);
  EXPECT_EQ(first_lease_until_s(OwnLeases::shared_apart, HoldMode::shared), 20);
}

// Who sleeps on, as nobody wakes it, has an outer hold all the while; its attempts were answered.
TEST(Violation, OnlyWhoNeverHeardWaitsUnheardWithAHold) {
  checker::History history;
  checker::Operation attempt{};
  attempt.kind = checker::OperationKind::acquire;
  attempt.completed = checker::Moment{1, 1};
  attempt.outcome = checker::Outcome::fail;
  history.operations = {attempt};
  checker::Observations observations;
  checker::Belief outer{};
  outer.end = checker::BeliefEnd::run_over;
  observations.beliefs = {outer};
  EXPECT_FALSE(waits_unheard_with_a_hold(history, observations));
  history.operations.front().completed.reset();
  EXPECT_TRUE(waits_unheard_with_a_hold(history, observations));
  observations.beliefs.front().end = checker::BeliefEnd::released;
  EXPECT_FALSE(waits_unheard_with_a_hold(history, observations));
}

}  // namespace
}  // namespace lockstep::search
