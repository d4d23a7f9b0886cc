#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "checker/evidence.h"
#include "checker/liveness_bounds.h"
#include "checker/observations.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "liveness_oracle.h"
#include "run_builder.h"

namespace lockstep::checker::testing::no_deadlock {
namespace {

constexpr Property property = Property::no_deadlock;

/// Bounds of 100 ms.
RunBuilder told() {
  RunBuilder run;
  run.liveness.progress_ns = 100 * ns_per_ms;
  return run;
}

TEST(NoDeadlock, WhomALastingFaultKeepsFromTheLockHasNoRights) {
  RunBuilder run = told();
  run.wait("a/1", 10, 1000, WaitEnd::run_over);
  run.end(1000);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
  run.observations.waits[0].is_hopeless = true;
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(NoDeadlock, HoldsWhereSomebodyBelievesOrIsGrantedInTime) {
  RunBuilder run = told();
  run.wait("a/1", 0, 1);
  run.believe("a/1", at_ms(1), at_ms(500));
  run.wait("b/1", 10, 600);
  run.believe("b/1", at_ms(600), at_ms(700));
  run.end(1000);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(NoDeadlock, IsViolatedBySomebodyWhoWaitsForTooLongWhileNobodyHolds) {
  RunBuilder run = told();
  run.believe("a/1", at_ms(1), at_ms(50), BeliefEnd::crashed);
  run.wait("b/1", 10, 151);
  run.wait("c/1", 10, 400);
  run.end(1000);
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(
      verdict.summary,
      "b/1 waited for lock \"orders\" for 101 ms (from 50 ms to 151 ms) while nobody believed "
      "to hold it and nobody was granted it; 100 ms is the bound; 2 such waits in all");
  ASSERT_EQ(verdict.evidence.size(), 2U);
  EXPECT_EQ(verdict.evidence[0].who, run.id("b/1"));
  EXPECT_EQ(verdict.evidence[0].from, at_ms(50));
  EXPECT_EQ(verdict.evidence[0].until, at_ms(151));
  EXPECT_EQ(verdict.evidence[1].who, run.id("c/1"));
  EXPECT_EQ(verdict.evidence[1].from, at_ms(50));
  EXPECT_EQ(verdict.evidence[1].until, at_ms(151));  // b/1's grant was progress
}

/// a/1 holds the lock with a lease until 500 ms, and dies at 50 ms; b/1 waits.
RunBuilder waiting_for_the_dead(std::int64_t granted_ms) {
  RunBuilder run = told();
  run.lease(1, 500, {}, "orders", "a/1");
  run.believe("a/1", at_ms(2), at_ms(50), BeliefEnd::crashed);
  run.wait("b/1", 10, granted_ms);
  run.end(2000);
  return run;
}

TEST(NoDeadlock, TheBoundBeginsWhenTheLeaseOfTheDeadEnds) {
  RunBuilder run = waiting_for_the_dead(600);
  run.lease(500, 0);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.observations.waits[0].until = at_ms(601);
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(verdict.evidence.at(0).from, at_ms(500));
}

TEST(NoDeadlock, TheLeaseOfTheDeadEndsWhereTheLockIsFreedSooner) {
  RunBuilder run = waiting_for_the_dead(600);
  run.lease(300, 0, {}, "orders", "c/1");
  EXPECT_EQ(run.judge(property).evidence.at(0).from, at_ms(300));
}

TEST(NoDeadlock, ADeadOwnerWithoutALeaseExcusesNobody) {
  RunBuilder run = waiting_for_the_dead(600);
  run.observations.lease_changes[0].ends_ns = never_ns;
  EXPECT_EQ(run.judge(property).evidence.at(0).from, at_ms(50));
  run.observations.lease_changes.clear();
  EXPECT_EQ(run.judge(property).evidence.at(0).from, at_ms(50));
}

TEST(NoDeadlock, ALeaseOfTheDeadThatAWaiterRenewsExcusesNobody) {
  RunBuilder run = waiting_for_the_dead(600);
  run.lease(200, 1500, {}, "orders", "b/1", false);
  EXPECT_EQ(run.judge(property).evidence.at(0).from, at_ms(200));
}

/// As waiting_for_the_dead, where a/1 was granted the lock for so long, and Redis was told another
/// lease; 0: the lock's own.
RunBuilder granted_and_dead(std::int64_t asked_ms, std::int64_t ends_ms) {
  RunBuilder run = told();
  run.lease(1, ends_ms, {}, "orders", "a/1");
  run.observations.asked_leases.push_back({.owner = run.id("a/1"),
                                           .lock = run.id("orders"),
                                           .asked = at_ms(0),
                                           .granted = at_ms(2),
                                           .lease_ns = asked_ms * ns_per_ms});
  run.believe("a/1", at_ms(2), at_ms(50), BeliefEnd::crashed);
  run.wait("b/1", 10, 1950);
  run.end(2000);
  return run;
}

// As of seconds that are told for milliseconds.
TEST(NoDeadlock, ALeaseOfTheDeadThatIsFarLongerThanAskedForExcusesNobody) {
  RunBuilder asked = granted_and_dead(200, 200'000);
  const Verdict verdict = asked.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(verdict.evidence.at(0).from.at_ns, at_ms(401).at_ns);
  RunBuilder twice = granted_and_dead(1000, 1900);
  twice.lease(1900, 0);
  EXPECT_EQ(twice.judge(property).kind, VerdictKind::holds);
}

TEST(NoDeadlock, ALeaseOfTheDeadThatIsTooLongIsSeenWhereTheNextOneGetsTheLockInTheEnd) {
  RunBuilder run = granted_and_dead(200, 1900);
  run.lease(1900, 0);
  run.lease(1949, 2949, {}, "orders", "b/1");
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(verdict.evidence.at(0).from.at_ns, at_ms(401).at_ns);
}

// Its last request was executed, and never answered.
TEST(NoDeadlock, ALeaseOfTheDeadThatItAskedForLastIsNotTooLong) {
  RunBuilder run = granted_and_dead(20, 21);
  run.lease(40, 1900, {}, "orders", "a/1");
  run.tell("a/1 renew 30 - info 1860");
  run.lease(1900, 0);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.history.operations.back().lease_ns = 0;
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.history.operations.back().lease_ns = 20 * ns_per_ms;
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
}

TEST(NoDeadlock, ALeaseOfTheDeadThatIsFarLongerThanTheLocksFirstExcusesNobody) {
  RunBuilder own = granted_and_dead(0, 101);
  own.lease(40, 100'040, {}, "orders", "a/1");
  const Verdict verdict = own.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(verdict.evidence.at(0).from.at_ns, at_ms(1040).at_ns);
  RunBuilder longer = granted_and_dead(0, 201);
  longer.lease(40, 1900, {}, "orders", "a/1");
  longer.lease(1900, 0);
  EXPECT_EQ(longer.judge(property).kind, VerdictKind::holds);
}

TEST(NoDeadlock, ALeaseThatAHolderSetsAfterADeathLastsAsLongAsThatOnes) {
  RunBuilder run = granted_and_dead(200, 201);
  run.lease(60, 1900, {}, "orders", "c/1");
  run.observations.asked_leases.push_back({.owner = run.id("c/1"),
                                           .lock = run.id("orders"),
                                           .asked = at_ms(55),
                                           .granted = at_ms(61),
                                           .lease_ns = 1840 * ns_per_ms});
  run.lease(1900, 0);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

// As of a reader that leaves another's lease as it was.
TEST(NoDeadlock, ALeaseThatIsLeftToTheDeadIsItsOwnStill) {
  RunBuilder run = waiting_for_the_dead(600);
  run.observations.lease_changes[0].by = run.id("a/1");
  run.lease(100, 900, {}, "orders", "c/1");
  run.lease(200, 500, {}, "orders", "c/1", false);
  run.lease(500, 0);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

// As of a reader that asked for less than another one had, and has more than that one when it goes.
TEST(NoDeadlock, WhatIsLeftToTheDeadIsItsOwnAlsoWhereItsRequestChangedNothing) {
  RunBuilder run = waiting_for_the_dead(600);
  run.observations.lease_changes.clear();
  run.lease(1, 900, {}, "orders", "c/1");
  run.tell("a/1 acquire 0 2 ok 498");
  run.lease(200, 500, {}, "orders", "c/1", false);
  run.lease(500, 0);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.observations.lease_changes.clear();
  run.lease(1, 900, {}, "orders", "c/1");
  run.lease(100, 700, {}, "orders", "c/1", false);  // and leaves what d has
  run.lease(200, 500, {}, "orders", "d/1", false);
  run.lease(500, 0);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.history.operations.back().lease_ns = 200 * 1'000'000;
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
}

TEST(NoDeadlock, ALeaseOfTheDeadMayBeRenewedByWhatWasUnderWayAndByOthersThatHold) {
  RunBuilder run = waiting_for_the_dead(1150);
  run.lease(60, 900, {}, "orders", "a/1");
  run.lease(400, 1100, {}, "orders", "c/1");
  run.lease(1100, 0);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(NoDeadlock, ALeaseOfTheDeadComesBackWithAPromotedNode) {
  RunBuilder run = waiting_for_the_dead(550);
  run.lease(100, 0);
  run.lease(120, 500);
  run.lease(500, 0);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(NoDeadlock, WhoDiesBeforeItIsToldOfTheLockHasItToo) {
  RunBuilder run = told();
  run.wait("a/1", 0, 5, WaitEnd::crashed);
  run.lease(6, 500, {}, "orders", "a/1");
  run.lease(500, 0);
  run.wait("b/1", 10, 600);
  run.end(2000);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.observations.waits[0].until = at_ms(7);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.observations.waits[0].end = WaitEnd::failed;  // it lives, and may give the lock back
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
}

// It gave the lock up as its release began, but that may never arrive.
TEST(NoDeadlock, WhoDiesWhileItGivesTheLockBackHasItToo) {
  RunBuilder run = told();
  run.tell("a/1 acquire 0 2 ok 500; a/1 release 50 - info");
  run.lease(1, 500, {}, "orders", "a/1");
  run.believe("a/1", at_ms(2), at_ms(50), BeliefEnd::released);
  run.wait("b/1", 10, 600);
  run.lease(500, 0);
  run.end(2000);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.history.operations.back().completed = at_ms(51);  // it lives, and may try again
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
  run.observations.beliefs.back().died_releasing = true;
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(NoDeadlock, TheBoundItselfIsNotTooLong) {
  RunBuilder run = told();
  run.wait("b/1", 10, 110, WaitEnd::refused);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.observations.waits[0].until.at_ns += 1;
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
}

TEST(NoDeadlock, WaitersThatTakeTurnsAreNotOneThatWaits) {
  RunBuilder run = told();
  for (std::int64_t ms = 0; ms < 1000; ms += 50) {
    run.wait("a/1", ms, ms + 90, WaitEnd::refused);
  }
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(NoDeadlock, IsNotAskedBeforeTheLastFaultIsOver) {
  RunBuilder run = told();
  run.wait("b/1", 10, 200, WaitEnd::refused);
  run.observations.healed = at_ms(100);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.observations.healed = at_ms(99);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
}

TEST(NoDeadlock, AStoppedWaiterIsNotCounted) {
  RunBuilder run = told();
  run.wait("b/1", 0, 240, WaitEnd::refused);
  run.stop("b/1", 90, 140);
  run.stop("a/1", 150, 160);  // another's stop is no matter
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.stop("b/1", 100, 120);  // within the other
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.observations.waits[0].until = at_ms(241);
  EXPECT_EQ(run.judge(property).evidence.at(0).from, at_ms(140));
}

TEST(NoDeadlock, NobodyIsLeftWaitingWhenTheRunCameToRest) {
  RunBuilder run = told();
  run.wait("b/1", 10, 50, WaitEnd::run_over);
  run.end(50);
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(verdict.summary,
            "b/1 still waited for lock \"orders\" when the run came to rest at 50 ms, and nobody "
            "believed to hold it");
  EXPECT_EQ(verdict.evidence.at(0).from, at_ms(10));
  EXPECT_EQ(verdict.evidence.at(0).until, at_ms(50));
}

TEST(NoDeadlock, WhoIsLeftToWaitForOneThatNeverReleasesIsExcused) {
  RunBuilder run = told();
  run.believe("a/1", at_ms(1), at_ms(500), BeliefEnd::run_over, "orders");
  run.wait("b/1", 10, 500, WaitEnd::run_over, "orders");
  run.believe("b/1", at_ms(1), at_ms(500), BeliefEnd::run_over, "stock");
  run.wait("c/1", 10, 500, WaitEnd::run_over, "stock");  // for b/1, which waits for a/1
  run.end(500);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(NoDeadlock, ARingIsNotExcused) {
  RunBuilder run = told();
  run.believe("a/1", at_ms(1), at_ms(500), BeliefEnd::run_over, "orders");
  run.believe("b/1", at_ms(1), at_ms(500), BeliefEnd::run_over, "stock");
  run.wait("a/1", 10, 500, WaitEnd::run_over, "stock");
  run.wait("b/1", 11, 500, WaitEnd::run_over, "orders");
  run.wait("c/1", 12, 500, WaitEnd::run_over, "orders");
  run.end(500);
  EXPECT_EQ(run.judge(property).summary,
            "a/1 still waited for lock \"stock\" when the run came to rest at 500 ms, and b/1, "
            "which held \"stock\", was left waiting too; 3 such waits in all");
}

TEST(NoDeadlock, WhoWaitsForItselfIsNotExcused) {
  RunBuilder run = told();
  run.believe_shared("a/1", at_ms(1), at_ms(500));
  run.observations.beliefs.back().end = BeliefEnd::run_over;
  run.wait("a/1", 10, 500, WaitEnd::run_over);
  run.end(500);
  EXPECT_EQ(run.judge(property).summary,
            "a/1 still waited for lock \"orders\" when the run came to rest at 500 ms, and held "
            "\"orders\" itself");
}

TEST(NoDeadlock, AProcessThatIsStoppedForGoodIsExcusedAndExcuses) {
  RunBuilder run = told();
  run.wait("a/1", 10, 50, WaitEnd::run_over, "stock");
  run.believe("a/1", at_ms(1), at_ms(50), BeliefEnd::run_over, "orders");
  run.stop("a/1", 20, 50);
  run.wait("b/1", 10, 50, WaitEnd::run_over, "orders");
  run.end(50);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.observations.stops[0].until = at_ms(40);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
}

TEST(NoDeadlock, WhoWaitsForSeveralLocksWaitsForWhoeverHoldsOne) {
  RunBuilder run = told();
  run.believe("a/1", at_ms(1), at_ms(150), BeliefEnd::released, "stock");
  run.believe("c/1", at_ms(155), at_ms(160), BeliefEnd::released, "audit");
  for (const char* lock : {"orders", "stock", "audit"}) {
    run.wait("b/1", 10, 240, WaitEnd::granted, lock);
  }
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  for (Wait& wait : run.observations.waits) wait.until = at_ms(261);
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.summary,
            "b/1 waited for locks \"orders\", \"stock\" and \"audit\" for 101 ms (from 160 ms to "
            "261 ms) while nobody believed to hold them and nobody was granted them; 100 ms is the "
            "bound");
}

TEST(NoDeadlock, WhoIsLeftToWaitForSeveralLocksIsExcusedByOne) {
  RunBuilder run = told();
  run.believe("a/1", at_ms(1), at_ms(50), BeliefEnd::run_over, "stock");
  run.wait("b/1", 10, 50, WaitEnd::run_over, "orders");
  run.wait("b/1", 10, 50, WaitEnd::run_over, "stock");
  run.end(50);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.observations.beliefs[0].end = BeliefEnd::released;
  EXPECT_NE(run.judge(property).summary.find(
                "locks \"orders\" and \"stock\" when the run came to rest at 50 ms, and nobody "
                "believed to hold any"),
            std::string::npos);
}

TEST(NoDeadlock, IsUnknownWhereTheRunWasCutOffInSuchASpan) {
  RunBuilder run = told();
  run.wait("b/1", 10, 50, WaitEnd::run_over);
  run.end(50, false);
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::unknown);
  EXPECT_EQ(verdict.summary,
            "the run was cut off when b/1 had waited for lock \"orders\" for 40 ms, and nobody "
            "believed to hold it: too early to tell");
  EXPECT_EQ(verdict.evidence.size(), 1U);

  run.believe("a/1", at_ms(1), at_ms(50), BeliefEnd::run_over);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

/// a/1 holds the lock, somebody renews it, and a/1 waits for it when the run is cut off.
RunBuilder waiting_for_itself() {
  RunBuilder run = told();
  run.believe("a/1", at_ms(5), at_ms(500), BeliefEnd::run_over);
  run.lease(5, 105);
  run.lease(450, 550);
  run.wait("a/1", 10, 500, WaitEnd::run_over);
  run.end(500, false);
  return run;
}

TEST(NoDeadlock, WhoWaitsForItselfForLongDoesSoForEver) {
  RunBuilder run = waiting_for_itself();
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(verdict.summary,
            "a/1 had waited for lock \"orders\" for 490 ms when the run was cut off at 500 ms, and "
            "held \"orders\" itself; 100 ms is the bound");
  run.observations.waits[0].from = at_ms(405);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::unknown);
}

TEST(NoDeadlock, WhatEndsByItselfIsNotForEver) {
  RunBuilder limited = waiting_for_itself();
  limited.observations.waits[0].limit_ns = 600 * ns_per_ms;
  EXPECT_EQ(limited.judge(property).kind, VerdictKind::holds);
  RunBuilder unrenewed = waiting_for_itself();
  unrenewed.observations.lease_changes.pop_back();
  EXPECT_EQ(unrenewed.judge(property).kind, VerdictKind::holds);
  unrenewed.lease(450, 0);  // it is over, and the thread doesn't know
  EXPECT_EQ(unrenewed.judge(property).kind, VerdictKind::holds);
  unrenewed.lease(455, -1);  // for ever
  EXPECT_EQ(unrenewed.judge(property).kind, VerdictKind::violated);
}

TEST(NoDeadlock, WhetherARingComesApartIsUnknownWhereALeaseWasStillToEnd) {
  RunBuilder run = waiting_for_itself();
  run.observations.lease_changes.clear();
  run.lease(5, 3'600'000);
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::unknown);
  EXPECT_EQ(verdict.summary,
            "the run was cut off when a/1 had waited for lock \"orders\" for 490 ms, and held "
            "\"orders\" itself: too early to tell");
  run.observations.lease_changes[0].ends_ns = at_ms(500).at_ns;
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(NoDeadlock, ARingIsForEverOnceAllOfItWait) {
  RunBuilder run = told();
  run.believe("a/1", at_ms(1), at_ms(500), BeliefEnd::run_over, "orders");
  run.believe("b/1", at_ms(1), at_ms(500), BeliefEnd::run_over, "stock");
  run.wait("a/1", 10, 500, WaitEnd::run_over, "stock");
  run.wait("b/1", 20, 500, WaitEnd::run_over, "orders");
  run.wait("c/1", 30, 500, WaitEnd::run_over, "orders");
  run.end(500, false);
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.summary,
            "a/1 had waited for lock \"stock\" for 480 ms when the run was cut off at 500 ms, and "
            "b/1, which held \"stock\", was left waiting too; 100 ms is the bound; 3 such waits in "
            "all");
  run.observations.waits[1].end = WaitEnd::granted;  // it gets on
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

/// Processes own: p has "orders", which b/1 waits for, and one of p's threads waits for b's
/// "stock".
RunBuilder processes_that_own() {
  RunBuilder run = told();
  run.believe("p", at_ms(0), at_ms(500), BeliefEnd::run_over, "orders");
  run.believe("b", at_ms(0), at_ms(500), BeliefEnd::run_over, "stock");
  run.wait("b", 10, 500, WaitEnd::run_over, "orders");
  run.wait("p", 20, 500, WaitEnd::run_over, "stock");
  run.observations.beliefs[1].thread = run.id("b/1");
  run.observations.waits[0].thread = run.id("b/1");
  run.observations.waits[1].thread = run.id("p/2");
  run.end(500);
  return run;
}

TEST(NoDeadlock, WhatAProcessHasIsInARingWhereTheThreadThatTookItWaits) {
  RunBuilder run = processes_that_own();
  run.observations.beliefs[0].thread = run.id("p/2");
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(verdict.evidence.front().what,
            "b/1 still waited for lock \"orders\" when the run came to rest at 500 ms, and p/2, "
            "which held \"orders\", was left waiting too");
  run.observations.beliefs[0].thread = run.id("p/1");  // which has nothing to do any more
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(NoDeadlock, AViolationIsToldBeforeWhatIsUnknown) {
  RunBuilder run = told();
  run.wait("a/1", 0, 500, WaitEnd::run_over, "stock");
  run.believe("c/1", at_ms(0), at_ms(450), BeliefEnd::released, "stock");
  run.wait("b/1", 10, 200, WaitEnd::refused);
  run.end(500, false);
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(verdict.summary.rfind("b/1 waited", 0), 0U);
  EXPECT_EQ(verdict.evidence.size(), 1U);
}

RC_GTEST_PROP(NoDeadlock, AgreesWithLookingAtEveryMillisecond, ()) {
  expect_agreement(property, &no_deadlock_by_brute_force);
}

}  // namespace
}  // namespace lockstep::checker::testing::no_deadlock
