#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "checker/evidence.h"
#include "checker/history.h"
#include "checker/liveness_bounds.h"
#include "checker/observations.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "liveness_oracle.h"
#include "run_builder.h"

namespace lockstep::checker::testing::no_lost_wakeup {
namespace {

constexpr Property property = Property::no_lost_wakeup;

/// Bounds of 100 ms; the lock is taken at first.
RunBuilder told() {
  RunBuilder run;
  run.liveness.wakeup_ns = 100 * ns_per_ms;
  run.available(0, 0, 0);
  return run;
}

TEST(NoLostWakeup, WhoAsksAgainAndAgainIsNotSaidToSleep) {
  RunBuilder run;
  run.liveness = {100 * ns_per_ms, 100 * ns_per_ms, 5};
  run.available(0, 1, 1);
  run.wait("a/1", 10, 300);
  run.request("a/1", 1, 5);
  run.request("b/1", 2, 50);
  for (std::int64_t ms = 20; ms < 24; ++ms) run.request("a/1", 1, ms);
  EXPECT_EQ(run.judge(Property::no_lost_wakeup).summary,
            "a/1 waited on for 290 ms (from 10 ms to 300 ms) though lock \"orders\" was available, "
            "and sent 4 requests meanwhile; 100 ms is the bound");
}

// A client that can reach no server sends nothing.
TEST(NoLostWakeup, WhoGivesUpOneCallAfterTheOtherIsNotSaidToSleep) {
  RunBuilder run = told();
  run.wait("a/1", 10, 500);
  run.available(300, 1, 1);
  run.call_given_up("b/1", 350);
  run.call_given_up("a/1", 290);
  run.call_given_up("a/1", 350);
  run.call_given_up("a/1", 450);
  run.end(1000);
  EXPECT_EQ(
      run.judge(property).summary,
      "a/1 waited on for 200 ms (from 300 ms to 500 ms) though lock \"orders\" was available, "
      "and gave up 2 calls meanwhile; 100 ms is the bound");
}

TEST(NoLostWakeup, HoldsWhereWaitersAreServedInTime) {
  RunBuilder run = told();
  run.wait("a/1", 10, 400);
  run.available(300, 1, 1);
  run.available(399, 0, 0);
  run.end(1000);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(NoLostWakeup, IsViolatedByWhoSleepsOnThoughTheLockIsAvailable) {
  RunBuilder run = told();
  run.wait("a/1", 10, 500);
  run.available(300, 1, 1);
  run.end(1000);
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(verdict.summary,
            "a/1 slept on for 200 ms (from 300 ms to 500 ms) though lock \"orders\" was available; "
            "100 ms is the bound");
  ASSERT_EQ(verdict.evidence.size(), 1U);
  EXPECT_EQ(verdict.evidence[0].who, run.id("a/1"));
  EXPECT_EQ(verdict.evidence[0].from, at_ms(300));
  EXPECT_EQ(verdict.evidence[0].until, at_ms(500));
}

TEST(NoLostWakeup, WhomALastingFaultKeepsFromTheLockHasNoRights) {
  RunBuilder run = told();
  run.wait("a/1", 10, 500);
  run.wait("b/1", 10, 1000, WaitEnd::run_over);
  run.available(300, 1, 1);
  for (Wait& wait : run.observations.waits) wait.is_hopeless = true;
  run.end(1000);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.observations.came_to_rest = false;
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.observations.waits[1].is_hopeless = false;
  EXPECT_EQ(run.judge(property).evidence.at(0).who, run.id("b/1"));
}

TEST(NoLostWakeup, IsViolatedByWhoTriesForLongerThanItWasToWait) {
  RunBuilder run = told();
  run.wait("a/1", 10, 131, WaitEnd::refused);
  run.limit(100);
  run.end(1000);
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(
      verdict.summary,
      "a/1 tried for lock \"orders\" for 121 ms (from 10 ms to 131 ms), though it was to wait "
      "for 100 ms at most");
  run.observations.waits.back().end = WaitEnd::granted;
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
}

TEST(NoLostWakeup, ATryMayBeLateByATenthAndByATenthOfTheBound) {
  RunBuilder run = told();
  run.wait("a/1", 10, 130, WaitEnd::refused);
  run.limit(100);
  run.wait("b/1", 10, 20, WaitEnd::refused);
  run.limit(0);
  run.end(1000);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(NoLostWakeup, ATryThatAFaultOrAStopHeldUpIsNotTooLate) {
  RunBuilder run = told();
  run.wait("a/1", 10, 500, WaitEnd::refused);
  run.limit(100);
  run.stop("a/1", 100, 495);
  run.end(1000);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.observations.stops.clear();
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
  run.observations.has_fault_struck = true;
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(NoLostWakeup, TheBoundItselfIsNotTooLong) {
  RunBuilder run = told();
  run.available(20, 1, 1);
  run.wait("a/1", 10, 120);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.observations.waits[0].until.at_ns += 1;
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
}

TEST(NoLostWakeup, WhereTheLockIsTakenInBetweenTheSleepBeginsAnew) {
  RunBuilder run = told();
  run.wait("a/1", 10, 500);
  for (std::int64_t ms = 50; ms < 500; ms += 100) {
    run.available(ms, 1, 1);
    run.available(ms + 90, 0, 0);
  }
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(NoLostWakeup, AChangeThatLeavesEnoughIsNoInterruption) {
  RunBuilder run = told();
  run.wait("a/1", 10, 200, WaitEnd::refused, "orders", HoldMode::exclusive, 2);
  run.available(20, 5, 0);
  run.available(90, 2, 0);
  EXPECT_EQ(run.judge(property).summary,
            "a/1 slept on for 180 ms (from 20 ms to 200 ms) though 2 permits of \"orders\" were "
            "available; 100 ms is the bound");
}

TEST(NoLostWakeup, EveryoneNeedsAsMuchAsItAsksFor) {
  RunBuilder run = told();
  run.available(20, 2, 9);
  run.wait("a/1", 10, 400, WaitEnd::refused, "orders", HoldMode::exclusive, 3);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.wait("b/1", 10, 400, WaitEnd::refused, "orders", HoldMode::exclusive, 2);
  EXPECT_EQ(run.judge(property).evidence.at(0).who, run.id("b/1"));
  EXPECT_EQ(run.judge(property).evidence.size(), 1U);
}

TEST(NoLostWakeup, AReaderNeedsALockThatReadersMayShare) {
  RunBuilder run = told();
  run.available(20, 0, 1);
  run.wait("a/1", 10, 400);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.wait("b/1", 10, 400, WaitEnd::refused, "orders", HoldMode::shared);
  EXPECT_EQ(run.judge(property).summary,
            "reader b/1 slept on for 380 ms (from 20 ms to 400 ms) though lock \"orders\" was "
            "available; 100 ms is the bound");
}

TEST(NoLostWakeup, IsNotAskedBeforeTheLastFaultIsOverNorWhileTheProcessIsStopped) {
  RunBuilder run = told();
  run.available(20, 1, 1);
  run.wait("a/1", 10, 360);
  run.observations.healed = at_ms(100);
  run.stop("a/1", 190, 260);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.observations.waits[0].until = at_ms(361);
  EXPECT_EQ(run.judge(property).evidence.at(0).from, at_ms(260));
  run.observations.healed = at_ms(80);
  EXPECT_EQ(run.judge(property).evidence.at(0).from, at_ms(80));
}

TEST(NoLostWakeup, NobodyIsLeftAsleepWhenTheRunCameToRest) {
  RunBuilder run = told();
  run.wait("a/1", 10, 60, WaitEnd::run_over);
  run.available(50, 1, 1);
  run.end(60);
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(verdict.summary,
            "a/1 was left asleep when the run came to rest at 60 ms, though lock \"orders\" was "
            "available since 50 ms");
  EXPECT_EQ(verdict.evidence.at(0).from, at_ms(50));
}

TEST(NoLostWakeup, WhoIsLeftToWaitForWhatIsTakenOrIsStoppedSleepsRightly) {
  RunBuilder run = told();
  run.wait("a/1", 10, 60, WaitEnd::run_over);
  run.available(50, 1, 1);
  run.stop("a/1", 40, 60);
  run.wait("b/1", 10, 60, WaitEnd::run_over, "stock");
  run.end(60);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(NoLostWakeup, EvenIfTheLastFaultWasOverLast) {
  RunBuilder run = told();
  run.wait("a/1", 10, 60, WaitEnd::run_over);
  run.available(50, 1, 1);
  run.observations.healed = at_ms(60);
  run.end(60);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
}

TEST(NoLostWakeup, WhoAsksForSeveralLocksNeedsThemAll) {
  RunBuilder run = told();
  run.available(0, 1, 1, "stock");
  run.wait("a/1", 10, 400, WaitEnd::refused, "stock");
  run.wait("a/1", 10, 400, WaitEnd::refused, "orders");
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.available(250, 1, 1, "orders");
  EXPECT_EQ(run.judge(property).summary,
            "a/1 slept on for 150 ms (from 250 ms to 400 ms) though locks \"stock\" and \"orders\" "
            "were available; 100 ms is the bound");
}

TEST(NoLostWakeup, InOrderNobodyIsServedBeforeWhoCameFirst) {
  RunBuilder run = told();
  run.available(20, 2, 0);
  run.wait("a/1", 10, 300, WaitEnd::granted, "orders", HoldMode::exclusive, 3);
  run.wait("b/1", 20, 350, WaitEnd::granted, "orders", HoldMode::exclusive, 2);
  run.end(1000);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
  run.service = Service::in_order;
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.observations.waits[1].until = at_ms(401);
  EXPECT_EQ(run.judge(property).summary,
            "b/1 slept on for 101 ms (from 300 ms to 401 ms) though 2 permits of \"orders\" were "
            "available; 100 ms is the bound");
  run.observations.waits[1].until = at_ms(350);
  run.available(100, 3, 0);
  EXPECT_EQ(run.judge(property).evidence.at(0).who, run.id("a/1"));
}

TEST(NoLostWakeup, InOrderWhoIsLeftBehindSomebodyWhoIsLeftSleepsRightly) {
  RunBuilder run = told();
  run.service = Service::in_order;
  run.wait("a/1", 10, 60, WaitEnd::run_over, "orders", HoldMode::exclusive, 3);
  run.wait("b/1", 20, 60, WaitEnd::run_over);
  run.available(50, 2, 0);
  run.end(60);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.observations.waits[0].is_hopeless = true;
  EXPECT_EQ(run.judge(property).evidence.at(0).who, run.id("b/1"));
}

TEST(NoLostWakeup, WritersFirstLetsReadersWaitForWritersThatCameLater) {
  RunBuilder run = told();
  run.service = Service::writers_first;
  run.available(20, 0, 1);
  run.wait("a/1", 10, 300, WaitEnd::granted, "orders", HoldMode::shared);
  run.wait("b/1", 50, 250);
  run.end(1000);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.observations.waits[0].until = at_ms(351);
  EXPECT_EQ(run.judge(property).evidence.at(0).from, at_ms(250));
}

TEST(NoLostWakeup, IsUnknownWhereTheRunWasCutOffInSuchASpan) {
  RunBuilder run = told();
  run.wait("a/1", 10, 60, WaitEnd::run_over);
  run.available(50, 1, 1);
  run.end(60, false);
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::unknown);
  EXPECT_EQ(verdict.summary,
            "the run was cut off when a/1 had slept on for 10 ms though lock \"orders\" was "
            "available: too early to tell");
}

// A client that asks without a pause fills a run within moments.
TEST(NoLostWakeup, IsBrokenForWhoAskedInVainAgainAndAgainUntilTheRunWasCutOff) {
  RunBuilder run = told();
  run.wait("a/1", 10, 60, WaitEnd::run_over);
  run.available(50, 1, 1);
  run.end(60, false);
  run.request("a/1", 0, 40);
  for (int i = 0; i < 399; ++i) run.request("a/1", 0, 51 + i / 50);
  run.request("b/1", 1, 59);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::unknown)
      << "one is from when it was not available, and one another's";
  run.request("a/1", 0, 59);
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(verdict.summary,
            "a/1 waited on for 10 ms though lock \"orders\" was available, and sent 400 requests "
            "meanwhile, when the run was cut off at 60 ms");
  const auto kind_with = [&run](const auto& change) {
    RunBuilder changed = run;
    change(changed);
    return changed.judge(property).kind;
  };
  EXPECT_EQ(kind_with([](RunBuilder& it) { it.observations.has_fault_struck = true; }),
            VerdictKind::unknown);
  EXPECT_EQ(kind_with([](RunBuilder& it) { it.wait("c/1", 5, 20, WaitEnd::crashed); }),
            VerdictKind::unknown)
      << "a queue may wait for a dead one";
  EXPECT_EQ(kind_with([](RunBuilder& it) { it.slowest_hop_ns = ns_per_ms; }), VerdictKind::unknown)
      << "so many are asked at once";
}

RC_GTEST_PROP(NoLostWakeup, AgreesWithLookingAtEveryMillisecond, ()) {
  expect_agreement(property, &no_lost_wakeup_by_brute_force);
}

}  // namespace
}  // namespace lockstep::checker::testing::no_lost_wakeup
