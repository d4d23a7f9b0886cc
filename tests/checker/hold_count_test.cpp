#include <gtest/gtest.h>

#include "checker/evidence.h"
#include "checker/observations.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "run_builder.h"

namespace lockstep::checker::testing::hold_count {
namespace {

constexpr Property property = Property::hold_count;

TEST(HoldCount, HoldsWhereReleasesMatchAcquires) {
  RunBuilder run;
  run.change("a/1", "a/1", 1, 0, 1, ChangeCause::acquire);
  run.count("a/1", 2, 1, 1);
  run.change("a/1", "a/1", 3, 1, 2, ChangeCause::acquire);
  run.count("a/1", 4, 2, 2);
  run.change("a/1", "a/1", 5, 2, 1, ChangeCause::release);
  run.count("a/1", 6, 1, 1);
  run.change("a/1", "a/1", 7, 1, 0, ChangeCause::release);
  run.count("a/1", 8, 0, 0);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(HoldCount, ANonHoldersReleaseMustNotRemoveAHold) {
  RunBuilder run;
  run.change("b/1", "b/1", 1, 0, 1, ChangeCause::acquire);
  run.change("b/1", "a/1", 16, 1, 0, ChangeCause::release);
  run.count("b/1", 20, 1, 0);  // told of once, not twice
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(verdict.summary,
            "a/1's release lowered b/1's hold count on lock \"orders\" from 1 to 0 at 16 ms");
  ASSERT_EQ(verdict.evidence.size(), 1U);
  EXPECT_EQ(verdict.evidence[0].who, run.id("a/1"));
  EXPECT_EQ(verdict.evidence[0].from, at_ms(16));
}

TEST(HoldCount, AnAcquireThatRanTwiceCountsTooMuch) {
  RunBuilder run;
  run.change("a/1", "a/1", 1, 0, 1, ChangeCause::acquire);
  run.change("a/1", "a/1", 2, 1, 2, ChangeCause::acquire);
  run.count("a/1", 3, 1, 2);
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(verdict.summary,
            "at 3 ms Redis counts 2 holds of lock \"orders\" for a/1, which has 1: "
            "a release too few would leave it held");
}

TEST(HoldCount, AHoldThatStaysIsOfOneWhoHasNone) {
  RunBuilder run;
  run.change("a/1", "a/1", 1, 0, 1, ChangeCause::acquire);
  run.count("a/1", 3, 0, 1);
  EXPECT_EQ(run.judge(property).summary,
            "at 3 ms Redis counts 1 hold of lock \"orders\" for a/1, which has 0: "
            "a release too few would leave it held");
}

TEST(HoldCount, AReleaseThatRanTwiceRemovesAHoldTooMany) {
  RunBuilder run;
  run.change("a/1", "a/1", 1, 0, 1, ChangeCause::acquire);
  run.change("a/1", "a/1", 2, 1, 2, ChangeCause::acquire);
  run.change("a/1", "a/1", 3, 2, 1, ChangeCause::release);
  run.change("a/1", "a/1", 4, 1, 0, ChangeCause::release);
  run.count("a/1", 5, 1, 0);
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(verdict.summary,
            "at 5 ms Redis counts 0 holds of lock \"orders\" for a/1, which has 1: "
            "its own releases removed more than it released");
}

TEST(HoldCount, AHoldThatWasTakenAwayMayFallShort) {
  for (const ChangeCause cause :
       {ChangeCause::expiry, ChangeCause::failover, ChangeCause::force_release, ChangeCause::other,
        ChangeCause::eviction, ChangeCause::acquire}) {
    RunBuilder run;
    run.change("a/1", "a/1", 1, 0, 1, ChangeCause::acquire);
    run.change("a/1", "", 2, 1, 0, cause);
    run.count("a/1", 3, 1, 0);
    EXPECT_EQ(run.judge(property).kind, VerdictKind::holds) << static_cast<int>(cause);
  }
}

TEST(HoldCount, ALossExcusesUntilTheOwnersOwnCountingIsBackAtZero) {
  RunBuilder run;
  run.change("a/1", "a/1", 1, 0, 1, ChangeCause::acquire);
  run.change("a/1", "", 2, 1, 0, ChangeCause::expiry);
  run.change("a/1", "a/1", 3, 0, 1, ChangeCause::acquire);
  run.count("a/1", 4, 2, 1);
  run.count("a/1", 4, 2, 1);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);

  run.change("a/1", "a/1", 5, 1, 0, ChangeCause::release);
  run.count("a/1", 6, 0, 0);
  run.change("a/1", "a/1", 7, 0, 1, ChangeCause::acquire);
  run.change("a/1", "a/1", 8, 1, 0, ChangeCause::release);
  run.count("a/1", 9, 1, 0);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
}

TEST(HoldCount, AnothersLossExcusesNobody) {
  RunBuilder run;
  run.change("a/1", "a/1", 0, 0, 1, ChangeCause::acquire);
  run.change("b/1", "", 1, 1, 0, ChangeCause::expiry);
  run.change("a/1", "", 1, 1, 0, ChangeCause::expiry, "stock");
  run.change("a/1", "a/1", 2, 1, 0, ChangeCause::release);
  run.count("a/1", 3, 1, 0);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
}

TEST(HoldCount, ALossAfterTheCheckDoesNotExcuseIt) {
  RunBuilder run;
  run.change("a/1", "a/1", 1, 0, 1, ChangeCause::acquire);
  run.count("a/1", 3, 1, 0);
  run.change("a/1", "", 4, 1, 0, ChangeCause::expiry);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
}

TEST(HoldCount, AtTheSameMomentTheChangeComesFirst) {
  RunBuilder run;
  run.change("a/1", "a/1", 1, 0, 1, ChangeCause::acquire);
  run.count("a/1", 3, 1, 0);
  run.change("a/1", "", 3, 1, 0, ChangeCause::expiry);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(HoldCount, AForeignReleaseIsFoundAlsoAfterTheLastCheck) {
  RunBuilder run;
  run.count("a/1", 3, 0, 0);
  run.change("a/1", "a/1", 4, 0, 1, ChangeCause::acquire);
  run.change("b/1", "a/1", 5, 2, 1, ChangeCause::release);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
}

/// b/1 took the lock for 5 ms, and is still in it when a/1 gives back its own hold.
RunBuilder remnant(std::int64_t released_ms) {
  RunBuilder run;
  run.tell("a/1 acquire 0 1 ok 60; b/1 acquire 1 2 ok 5");
  run.change("a/1", "a/1", 1, 0, 1, ChangeCause::acquire);
  run.change("b/1", "b/1", 2, 0, 1, ChangeCause::acquire);
  run.change("a/1", "a/1", released_ms, 1, 0, ChangeCause::release);
  run.change("b/1", "a/1", released_ms, 1, 0, ChangeCause::release);
  return run;
}

TEST(HoldCount, WhatIsLeftOfAHoldThatIsOverMayGoWithAnyRelease) {
  EXPECT_EQ(remnant(6).judge(property).kind, VerdictKind::holds);
  EXPECT_EQ(remnant(5).judge(property).summary,
            "a/1's release lowered b/1's hold count on lock \"orders\" from 1 to 0 at 5 ms");
}

TEST(HoldCount, AHoldIsOverNoLaterThanTheDeclaredDriftAllows) {
  RunBuilder run = remnant(5);
  run.declared_drift_ppm = 200'000;
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(HoldCount, ARenewalPutsTheEndOff) {
  for (const std::string_view outcome : {"ok", "info"}) {
    RunBuilder run = remnant(20);
    run.tell("b/1 renew 4 5 " + std::string(outcome) + " 30");
    EXPECT_EQ(run.judge(property).kind, VerdictKind::violated) << outcome;
  }
  RunBuilder refused = remnant(20);
  refused.tell("b/1 renew 4 5 fail 30");
  EXPECT_EQ(refused.judge(property).kind, VerdictKind::holds);
}

TEST(HoldCount, ALeaseOfAnEarlierHoldProlongsNone) {
  RunBuilder run;
  run.tell("b/1 acquire 0 1 ok 60; b/1 release 2 3 ok; b/1 acquire 4 5 ok 5");
  run.change("b/1", "b/1", 1, 0, 1, ChangeCause::acquire);
  run.change("b/1", "b/1", 3, 1, 0, ChangeCause::release);
  run.change("b/1", "b/1", 5, 0, 1, ChangeCause::acquire);
  run.change("b/1", "a/1", 20, 1, 0, ChangeCause::release);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(HoldCount, WhoAskedForNoLeaseCountsOnItForAsLongAsItBelieves) {
  RunBuilder run = remnant(20);
  run.believe("b/1", at_ms(2), at_ms(30));
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.observations.beliefs.back().until_released = true;
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
  run.observations.beliefs.back().until = at_ms(10);  // it died
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(HoldCount, AReadersReleaseMayTakeItsHoldsWithItThatAreOver) {
  RunBuilder run;
  run.tell("a/1 acquire 0 1 ok 5; a/1 acquire 1 2 ok 60; a/1 release 10 11 ok 60");
  for (Operation& operation : run.history.operations) operation.mode = HoldMode::shared;
  run.change("a/1", "a/1", 1, 0, 1, ChangeCause::acquire);
  run.count("a/1", 1, 1, 1);
  run.change("a/1", "a/1", 2, 1, 2, ChangeCause::acquire);
  run.count("a/1", 2, 2, 2);
  run.change("a/1", "a/1", 10, 2, 0, ChangeCause::release);
  run.count("a/1", 11, 1, 0);
  const RunBuilder exclusive = run;
  for (HoldChange& change : run.observations.hold_changes) change.mode = HoldMode::shared;
  for (HoldCheck& check : run.observations.hold_checks) check.mode = HoldMode::shared;
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  EXPECT_EQ(exclusive.judge(property).kind, VerdictKind::violated);

  run.tell("a/1 renew 4 5 ok 60");  // then none is over
  run.history.operations.back().mode = HoldMode::shared;
  std::swap(run.history.operations[2], run.history.operations[3]);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
}

TEST(HoldCount, WhatAReaderIsLeftWithMayBeTheHoldWhoseLeaseEndsFirst) {
  RunBuilder run;
  run.tell("b/1 acquire 0 1 ok 5; b/1 acquire 1 2 ok 60; b/1 release 3 4 ok");
  for (Operation& operation : run.history.operations) operation.mode = HoldMode::shared;
  run.change("b/1", "b/1", 1, 0, 1, ChangeCause::acquire);
  run.change("b/1", "b/1", 2, 1, 2, ChangeCause::acquire);
  run.change("b/1", "b/1", 4, 2, 1, ChangeCause::release);
  run.change("b/1", "a/1", 20, 1, 0, ChangeCause::release);
  for (HoldChange& change : run.observations.hold_changes) change.mode = HoldMode::shared;
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.observations.hold_changes.back().at = at_ms(4, 1);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated) << "none is over yet";
}

TEST(HoldCount, WhatTheLockNeverHadIsAMatterOfTheGrant) {
  RunBuilder run;
  run.count("a/1", 3, 1, 0);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(HoldCount, AReentryThatWasNotCountedFallsShort) {
  RunBuilder run;
  run.change("a/1", "a/1", 1, 0, 1, ChangeCause::acquire);
  run.count("a/1", 2, 1, 1);
  run.count("a/1", 4, 2, 1);
  EXPECT_EQ(run.judge(property).summary,
            "at 4 ms Redis counts 1 hold of lock \"orders\" for a/1, which has 2: "
            "not every acquire was counted");
}

TEST(HoldCount, WhatAFailoverBringsBackMayBeTooMuch) {
  RunBuilder run;
  run.change("a/1", "a/1", 1, 0, 1, ChangeCause::acquire);
  run.count("a/1", 2, 1, 1);
  run.change("a/1", "a/1", 3, 1, 0, ChangeCause::release);
  run.count("a/1", 4, 0, 0);
  RunBuilder without = run;
  run.change("a/1", "", 5, 0, 1, ChangeCause::failover);
  for (RunBuilder* each : {&run, &without}) {
    each->change("a/1", "a/1", 6, 1, 2, ChangeCause::acquire);
    each->count("a/1", 7, 1, 2);
  }
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  EXPECT_EQ(without.judge(property).kind, VerdictKind::violated);

  // Once both are at zero, it begins anew.
  run.change("a/1", "", 8, 2, 0, ChangeCause::expiry);
  run.count("a/1", 9, 0, 0);
  run.change("a/1", "a/1", 10, 0, 2, ChangeCause::acquire);
  run.count("a/1", 11, 1, 2);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
}

TEST(HoldCount, AForeignReleaseThatLowersNothingIsNone) {
  RunBuilder run;
  run.change("b/1", "a/1", 4, 1, 1, ChangeCause::release);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(HoldCount, WhatAnAcquireDoesToAnotherIsNotItsMatter) {
  RunBuilder run;
  run.change("a/1", "b/1", 1, 1, 0, ChangeCause::acquire);
  run.change("b/1", "b/1", 1, 0, 1, ChangeCause::acquire);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(HoldCount, CountsEveryMismatchAndReportsTheFirst) {
  RunBuilder run;
  for (std::int64_t ms = 1; ms <= 10; ++ms) run.count("a/1", ms, 1, 2);
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.summary.rfind("at 1 ms", 0), 0U);
  EXPECT_NE(verdict.summary.find("; 10 mismatches in all"), std::string::npos);
  EXPECT_EQ(verdict.evidence.size(), evidence_max);
}

}  // namespace
}  // namespace lockstep::checker::testing::hold_count
