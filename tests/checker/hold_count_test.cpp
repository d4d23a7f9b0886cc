#include <gtest/gtest.h>

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
            "at 3 ms lock \"orders\" counted 2 for a/1, which had acquired it 1 more often than "
            "released: a release too few would leave it held");
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
            "at 5 ms lock \"orders\" counted 0 for a/1, which had acquired it 1 more often than "
            "released: its own releases removed more than it released");
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
  run.change("b/1", "", 1, 1, 0, ChangeCause::expiry);
  run.change("a/1", "", 1, 1, 0, ChangeCause::expiry, "stock");
  run.count("a/1", 3, 1, 0);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
}

TEST(HoldCount, ALossAfterTheCheckDoesNotExcuseIt) {
  RunBuilder run;
  run.count("a/1", 3, 1, 0);
  run.change("a/1", "", 4, 1, 0, ChangeCause::expiry);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
}

TEST(HoldCount, AtTheSameMomentTheChangeComesFirst) {
  RunBuilder run;
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
