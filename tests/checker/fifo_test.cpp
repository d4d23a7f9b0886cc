#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "checker/evidence.h"
#include "checker/observations.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "fifo_oracle.h"
#include "run_builder.h"

namespace lockstep::checker::testing::fifo {
namespace {

constexpr Property property = Property::fifo;
constexpr QueueEventKind entered = QueueEventKind::entered;
constexpr QueueEventKind seen = QueueEventKind::seen;
constexpr QueueEventKind left = QueueEventKind::left;
constexpr QueueEventKind lost_with_failover = QueueEventKind::lost_with_failover;

/// a/1, b/1 and c/1 wait from 0 ms on and enter the queue at 10, 20 and 30 ms.
RunBuilder three_waiters() {
  RunBuilder run;
  for (const char* owner : {"a/1", "b/1", "c/1"}) run.wait(owner, 0, 1000);
  run.queue(entered, "a/1", 10, "a/1");
  run.queue(entered, "b/1", 20, "b/1");
  run.queue(entered, "c/1", 30, "c/1");
  return run;
}

void grant(RunBuilder& run, std::string_view owner, std::int64_t ms) {
  run.change(owner, owner, ms, 0, 1, ChangeCause::acquire);
}

TEST(Fifo, HoldsWhereGrantsFollowTheQueue) {
  RunBuilder run = three_waiters();
  for (const char* owner : {"a/1", "b/1", "c/1"}) {
    const std::int64_t ms = owner[0] == 'a' ? 50 : owner[0] == 'b' ? 60 : 70;
    run.queue(left, owner, ms, owner);
    grant(run, owner, ms);
  }
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

/// b/1 is refused twice and gets no place; c/1 comes later, is queued, and served.
RunBuilder one_without_a_place() {
  RunBuilder run;
  run.wait("b/1", 0, 1000);
  run.wait("c/1", 25, 1000);
  run.tell("b/1 acquire 5 10 fail; b/1 acquire 15 20 fail; c/1 acquire 25 30 fail");
  run.queue(entered, "c/1", 27, "c/1");
  run.queue(left, "c/1", 50, "c/1");
  grant(run, "c/1", 50);
  return run;
}

TEST(Fifo, IsViolatedPastOneWhoWasRefusedTwiceAndNeverQueued) {
  const Verdict verdict = one_without_a_place().judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(verdict.summary,
            "c/1, queued since 27 ms, was granted lock \"orders\" at 50 ms before b/1, which was "
            "refused at 20 ms and had no place in the queue");
  EXPECT_EQ(verdict.evidence[0].what, "b/1 waited for lock \"orders\"");
}

TEST(Fifo, AsksForNoPlaceOfWhoDoesNotWait) {
  RunBuilder run = one_without_a_place();
  run.observations.waits[0].limit_ns = 0;
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(Fifo, AsksForNoPlaceWhereAFaultMayHaveTakenItAway) {
  RunBuilder run = one_without_a_place();
  run.observations.has_fault_struck = true;
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(Fifo, AsksForNoPlaceOfWhoWasRefusedOnce) {
  RunBuilder run = one_without_a_place();
  run.history.operations[0].outcome = Outcome::info;
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(Fifo, AsksForNoPlaceOfWhoHadOneInThisWait) {
  RunBuilder run = one_without_a_place();
  run.observations.queue_events.clear();
  run.queue(entered, "b/1", 7, "b/1");
  run.queue(lost_with_failover, "b/1", 8, {});
  run.queue(entered, "c/1", 27, "c/1");
  run.queue(left, "c/1", 50, "c/1");
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(Fifo, IsViolatedByOneWhoOvertakes) {
  RunBuilder run = three_waiters();
  grant(run, "c/1", 50);
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(
      verdict.summary,
      "c/1, queued since 30 ms, was granted lock \"orders\" at 50 ms before a/1, queued since "
      "10 ms");
  EXPECT_EQ(texts(verdict.evidence),
            (std::vector<std::string>{"a/1 queued for lock \"orders\"", verdict.summary}));
  EXPECT_EQ(verdict.evidence[0].who, run.id("a/1"));
  EXPECT_EQ(verdict.evidence[0].from, at_ms(10));
  EXPECT_EQ(verdict.evidence[0].until, at_ms(50));
  EXPECT_EQ(verdict.evidence[1].who, run.id("c/1"));
  EXPECT_EQ(verdict.evidence[1].from, at_ms(50));
}

TEST(Fifo, OneWithoutAPlaceOvertakesWhoeverHasOne) {
  RunBuilder run = three_waiters();
  run.wait("d/1", 40, 50);
  grant(run, "d/1", 45);
  EXPECT_EQ(run.judge(property).summary,
            "d/1, without a place in the queue, was granted lock \"orders\" at 45 ms before a/1, "
            "queued since 10 ms");
}

TEST(Fifo, AReentryIsNoGrant) {
  RunBuilder run = three_waiters();
  run.change("d/1", "d/1", 50, 1, 2, ChangeCause::acquire);
  run.change("d/1", "", 60, 0, 1, ChangeCause::failover);
  run.change("d/1", "d/1", 70, 1, 0, ChangeCause::acquire);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(Fifo, WhoeverStopsWaitingForfeitsItsPlace) {
  for (const WaitEnd end : {WaitEnd::refused, WaitEnd::failed, WaitEnd::crashed}) {
    RunBuilder run = three_waiters();
    run.observations.waits[0].until = at_ms(40);
    run.observations.waits[0].end = end;
    run.queue(left, "b/1", 50, "b/1");
    grant(run, "b/1", 50);
    EXPECT_EQ(run.judge(property).kind, VerdictKind::holds) << static_cast<int>(end);
  }
}

TEST(Fifo, WhoStillWaitsWhenTheRunEndsDoesNot) {
  RunBuilder run = three_waiters();
  run.observations.waits[0].end = WaitEnd::run_over;
  grant(run, "b/1", 50);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
}

TEST(Fifo, SilenceUpToTheDeadlineForfeitsThePlace) {
  RunBuilder run = three_waiters();
  run.observations.queue_events[0].deadline_ns = 60 * ns_per_ms;
  grant(run, "b/1", 60);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.observations.hold_changes[0].at = at_ms(59);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
}

TEST(Fifo, WhoIsSeenInTimeIsNotSilent) {
  RunBuilder run = three_waiters();
  run.observations.queue_events[0].deadline_ns = 60 * ns_per_ms;
  run.queue(seen, "a/1", 55, "a/1", 100);
  grant(run, "b/1", 90);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
}

TEST(Fifo, WhoComesBackTooLateBlocksNobodyUntilItEntersAnew) {
  RunBuilder run = three_waiters();
  run.observations.queue_events[0].deadline_ns = 60 * ns_per_ms;
  run.queue(seen, "a/1", 60, "a/1", 500);
  run.queue(left, "b/1", 70, "b/1");
  grant(run, "b/1", 70);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);

  RunBuilder own_turn = run;
  grant(own_turn, "a/1", 80);  // it is still ahead of c/1
  EXPECT_EQ(own_turn.judge(property).kind, VerdictKind::holds);

  run.queue(left, "a/1", 80, "c/1");
  run.queue(entered, "a/1", 81, "a/1");
  grant(run, "a/1", 90);  // now behind c/1
  EXPECT_EQ(
      run.judge(property).summary,
      "a/1, queued since 81 ms, was granted lock \"orders\" at 90 ms before c/1, queued since "
      "30 ms");
}

TEST(Fifo, ClocksMayBeOffByTheDeclaredDriftSinceTheStart) {
  RunBuilder run = three_waiters();
  run.declared_drift_ppm = 1'000;  // of 50 ms: 0.05 ms for each of two clocks
  run.observations.queue_events[0].deadline_ns = 50 * ns_per_ms + 100'000;
  grant(run, "b/1", 50);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.observations.queue_events[0].deadline_ns += 1;
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
}

TEST(Fifo, APlaceThatAnotherTookAwayIsKept) {
  RunBuilder run = three_waiters();
  run.queue(left, "a/1", 40, "b/1");
  grant(run, "b/1", 50);
  EXPECT_EQ(
      run.judge(property).summary,
      "b/1, queued since 20 ms, was granted lock \"orders\" at 50 ms before a/1, queued since "
      "10 ms, but whose place was taken away by b/1's script at 40 ms");

  RunBuilder by_nobody = three_waiters();
  by_nobody.queue(left, "a/1", 40, "");
  grant(by_nobody, "b/1", 50);
  EXPECT_NE(by_nobody.judge(property).summary.find("taken away at 40 ms"), std::string::npos);
}

TEST(Fifo, WhoEntersAgainAfterSuchALossHasItsOldPlace) {
  RunBuilder run = three_waiters();
  run.queue(left, "a/1", 40, "b/1");
  run.queue(entered, "a/1", 45, "a/1");
  run.queue(left, "a/1", 50, "a/1");
  grant(run, "a/1", 50);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.observations.hold_changes.clear();
  grant(run, "b/1", 50);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);  // a/1 may be leaving
}

TEST(Fifo, WhoTakesItselfOffMayBeLeaving) {
  RunBuilder run = three_waiters();
  run.queue(left, "a/1", 40, "a/1");
  grant(run, "b/1", 50);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.queue(entered, "a/1", 60, "a/1");  // it was not: it has its old place
  grant(run, "c/1", 70);
  EXPECT_EQ(
      run.judge(property).summary,
      "c/1, queued since 30 ms, was granted lock \"orders\" at 70 ms before a/1, queued since "
      "10 ms");
}

TEST(Fifo, AFailoverMayLoseAPlace) {
  RunBuilder run = three_waiters();
  run.queue(lost_with_failover, "a/1", 40, "");
  run.queue(entered, "a/1", 45, "a/1");
  grant(run, "b/1", 50);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(Fifo, AnEntryThatCameAfterItsOwnerHadGivenUpBlocksNobody) {
  RunBuilder run = three_waiters();
  run.observations.waits[0].until = at_ms(5);
  run.observations.waits[0].end = WaitEnd::refused;
  grant(run, "b/1", 50);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);

  run.observations.hold_changes.clear();
  run.wait("a/1", 40, 1000);
  run.queue(seen, "a/1", 45, "a/1");  // its next request takes that place over
  grant(run, "b/1", 50);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
}

TEST(Fifo, ARequestWhoseOwnerGaveUpMayBeGrantedInItsTurn) {
  for (const WaitEnd end : {WaitEnd::failed, WaitEnd::crashed}) {
    RunBuilder run = three_waiters();
    run.observations.waits[0].until = at_ms(40);
    run.observations.waits[0].end = end;
    run.queue(left, "a/1", 50, "a/1");
    grant(run, "a/1", 50);
    EXPECT_EQ(run.judge(property).kind, VerdictKind::holds) << static_cast<int>(end);
  }
}

TEST(Fifo, ARequestWhoseOwnerGaveUpMustNotBeGrantedBeforeItsTurn) {
  RunBuilder run = three_waiters();
  run.observations.waits[1].until = at_ms(40);
  run.observations.waits[1].end = WaitEnd::failed;
  run.queue(left, "b/1", 50, "b/1");
  grant(run, "b/1", 50);
  EXPECT_EQ(
      run.judge(property).summary,
      "b/1, queued since 20 ms, was granted lock \"orders\" at 50 ms before a/1, queued since "
      "10 ms");
}

TEST(Fifo, WhoLeftAfterGivingUpHasNoTurnAnyMore) {
  RunBuilder run = three_waiters();
  run.observations.waits[0].until = at_ms(40);
  run.observations.waits[0].end = WaitEnd::failed;
  run.queue(left, "a/1", 50, "a/1");
  grant(run, "a/1", 51);
  EXPECT_EQ(run.judge(property).summary,
            "a/1, without a place in the queue, was granted lock \"orders\" at 51 ms before b/1, "
            "queued since 20 ms");
}

TEST(Fifo, WhoComesBackTooLateMayTakeItselfOffAsItIsGrantedInItsTurn) {
  RunBuilder run = three_waiters();
  run.observations.queue_events[0].deadline_ns = 60 * ns_per_ms;
  run.queue(left, "a/1", 70, "a/1");
  grant(run, "a/1", 70);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(Fifo, ANextRequestEntersAtTheEnd) {
  RunBuilder run = three_waiters();
  run.queue(left, "a/1", 50, "a/1");
  grant(run, "a/1", 50);
  run.queue(entered, "a/1", 60, "a/1");
  grant(run, "a/1", 70);
  EXPECT_EQ(
      run.judge(property).summary,
      "a/1, queued since 60 ms, was granted lock \"orders\" at 70 ms before b/1, queued since "
      "20 ms");
}

TEST(Fifo, WhoOversleepsTheEndOfItsWaitIsOwedNoPlaceAnyMore) {
  RunBuilder run = three_waiters();
  run.queue(left, "a/1", 40, "b/1");
  grant(run, "b/1", 50);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
  run.observations.waits[0].limit_ns = 30 * ns_per_ms;
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(Fifo, LocksHaveEachTheirQueue) {
  RunBuilder run;
  run.wait("a/1", 0, 1000, WaitEnd::granted, "stock");
  run.queue(entered, "a/1", 10, "a/1", -1, "stock");
  grant(run, "b/1", 50);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(Fifo, CountsEveryOvertakingAndReportsTheFirst) {
  RunBuilder run = three_waiters();
  run.observations.waits[0].end = WaitEnd::run_over;
  for (std::int64_t ms = 50; ms < 70; ++ms) grant(run, "d/1", ms);
  const Verdict verdict = run.judge(property);
  EXPECT_NE(verdict.summary.find("at 50 ms before a/1"), std::string::npos);
  EXPECT_NE(verdict.summary.find("; 20 overtakings in all"), std::string::npos);
  EXPECT_EQ(verdict.evidence.size(), evidence_max);
}

RC_GTEST_PROP(Fifo, AgreesWithAskingForEveryTwoOwnersAtEveryGrant, ()) {
  const RunBuilder run = random_queue();
  const std::size_t expected = overtakings_by_brute_force(run);
  const Verdict verdict = run.judge(property);
  RC_TAG(expected > 0 ? "violated" : "holds");
  RC_ASSERT((verdict.kind == VerdictKind::violated) == (expected > 0));
  const std::string in_all = "; " + std::to_string(expected) + " overtakings in all";
  RC_ASSERT((verdict.summary.find(in_all) != std::string::npos) == (expected > 1));
}

}  // namespace
}  // namespace lockstep::checker::testing::fifo
