#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "told_run.h"

namespace lockstep::checker::testing {
namespace {

constexpr Property property = Property::mutual_exclusion;

TEST(MutualExclusion, HoldsForNoBeliefAtAll) {
  EXPECT_EQ(ToldRun().judge(property).kind, VerdictKind::holds);
}

TEST(MutualExclusion, ReportsWhoOverlappedWhenAndForHowLong) {
  ToldRun run;
  run.believe("a/1", {1'000'000, 1}, {15'001'500'000, 8}, BeliefEnd::told);
  run.believe("b/1", {10'001'200'000, 5}, {17'000'000'000, 9});
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(verdict.summary,
            "a/1 and b/1 both believed that they held lock \"orders\" for 5,000.3 ms (from "
            "10,001.2 ms to 15,001.5 ms)");
  EXPECT_EQ(verdict.overlap_from_ns, 10'001'200'000);
  EXPECT_EQ(verdict.overlap_until_ns, 15'001'500'000);
  ASSERT_EQ(verdict.evidence.size(), 2U);
  EXPECT_EQ(verdict.evidence[0].what,
            "a/1 believed that it held lock \"orders\", until it was told of the loss");
  EXPECT_EQ(verdict.evidence[0].who, run.id("a/1"));
  EXPECT_EQ(verdict.evidence[0].from, (Moment{1'000'000, 1}));
  EXPECT_EQ(verdict.evidence[0].until, (Moment{15'001'500'000, 8}));
  EXPECT_EQ(verdict.evidence[1].who, run.id("b/1"));
}

TEST(MutualExclusion, TouchingBeliefsDoNotOverlap) {
  ToldRun run;
  run.believe("a/1", at_ms(1), at_ms(5, 2));
  run.believe("b/1", at_ms(5, 2), at_ms(9));
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(MutualExclusion, InOneInstantTheOrderOfEventsDecides) {
  ToldRun run;
  run.believe("a/1", at_ms(1), at_ms(5, 1));
  run.believe("b/1", at_ms(5, 2), at_ms(9));
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);

  run.believe("c/1", at_ms(9), at_ms(11, 3));
  run.believe("d/1", at_ms(11, 1), at_ms(12));
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(
      verdict.summary,
      "c/1 and d/1 both believed that they held lock \"orders\" for 0 ms, in the same instant "
      "(at 11 ms)");
}

TEST(MutualExclusion, ABeliefThatNeverLastedOverlapsNothing) {
  ToldRun run;
  run.believe("a/1", at_ms(1), at_ms(9));
  run.believe("b/1", at_ms(5), at_ms(5));
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(MutualExclusion, OneOwnerMayBelieveTwice) {
  ToldRun run;
  run.believe("a/1", at_ms(1), at_ms(9));
  run.believe("a/1", at_ms(2), at_ms(3));
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(MutualExclusion, LocksDoNotMindEachOther) {
  ToldRun run;
  run.believe("a/1", at_ms(1), at_ms(9), BeliefEnd::released, "orders");
  run.believe("b/1", at_ms(2), at_ms(8), BeliefEnd::released, "stock");
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(MutualExclusion, FindsAnOverlapBehindAShorterBeliefOfTheSameOwner) {
  ToldRun run;
  run.believe("a/1", at_ms(1), at_ms(20));
  run.believe("a/1", at_ms(2), at_ms(3));
  run.believe("b/1", at_ms(10), at_ms(12));
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(verdict.overlap_until_ns, 12 * ns_per_ms);
}

TEST(MutualExclusion, ReportsTheFirstOverlapAndMentionsTheWidestOfThatPair) {
  ToldRun run;
  run.believe("a/1", at_ms(1), at_ms(5));
  run.believe("b/1", at_ms(4), at_ms(6));
  run.believe("c/1", at_ms(10), at_ms(1000));
  run.believe("b/1", at_ms(20), at_ms(30));
  run.believe("a/1", at_ms(22), at_ms(29));
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(
      verdict.summary,
      "a/1 and b/1 both believed that they held lock \"orders\" for 1 ms (from 4 ms to 5 ms); "
      "the widest overlap of these two came later, for 7 ms (from 22 ms to 29 ms); 3 overlaps "
      "in all");
  EXPECT_EQ(verdict.overlap_from_ns, 4 * ns_per_ms);
}

TEST(MutualExclusion, BeliefsMayComeOutOfOrder) {
  ToldRun run;
  run.believe("b/1", at_ms(4), at_ms(6));
  run.believe("a/1", at_ms(1), at_ms(5));
  EXPECT_EQ(run.judge(property).evidence[0].who, run.id("a/1"));
}

/// The first moment at which two owners believe in one lock, by comparing every two beliefs.
std::optional<Moment> first_overlap_by_pairs(const std::vector<Belief>& beliefs) {
  std::optional<Moment> first;
  for (const Belief& a : beliefs) {
    for (const Belief& b : beliefs) {
      if (a.owner == b.owner || a.lock != b.lock) continue;
      const Moment from = std::max(a.from, b.from);
      const Moment until = std::min(a.until, b.until);
      if (from < until && (!first || from < *first)) first = from;
    }
  }
  return first;
}

RC_GTEST_PROP(MutualExclusion, AgreesWithComparingEveryTwoBeliefs, ()) {
  ToldRun run;
  const char* owners[] = {"a/1", "b/1", "c/1"};
  const char* locks[] = {"orders", "stock"};
  const int count = *rc::gen::inRange(0, 9);
  for (int index = 0; index < count; ++index) {
    const int from = *rc::gen::inRange(0, 40);
    const int length = *rc::gen::inRange(0, 6);
    run.believe(owners[*rc::gen::inRange(0, 3)], at_ms(from), at_ms(from + length),
                BeliefEnd::released, locks[*rc::gen::inRange(0, 2)]);
  }
  const Verdict verdict = run.judge(property);
  const std::optional<Moment> first = first_overlap_by_pairs(run.observations.beliefs);
  RC_ASSERT((verdict.kind == VerdictKind::violated) == first.has_value());
  if (first) RC_ASSERT(verdict.overlap_from_ns == first->at_ns);
}

}  // namespace
}  // namespace lockstep::checker::testing
