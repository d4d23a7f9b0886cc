#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "checker/evidence.h"
#include "checker/observations.h"
#include "checker/property.h"
#include "checker/text.h"
#include "checker/verdict.h"
#include "run_builder.h"

namespace lockstep::checker::testing::mutual_exclusion {
namespace {

constexpr Property property = Property::mutual_exclusion;

TEST(MutualExclusion, HoldsForNoBeliefAtAll) {
  EXPECT_EQ(RunBuilder().judge(property).kind, VerdictKind::holds);
}

TEST(MutualExclusion, ReportsWhoOverlappedWhenAndForHowLong) {
  RunBuilder run;
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
  RunBuilder run;
  run.believe("a/1", at_ms(1), at_ms(5, 2));
  run.believe("b/1", at_ms(5, 2), at_ms(9));
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(MutualExclusion, InOneInstantTheOrderOfEventsDecides) {
  RunBuilder run;
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

// Nobody takes it for two spans that only touch.
TEST(MutualExclusion, SaysOfABeliefThatWasGivenUpAtOnceThatItWas) {
  RunBuilder run;
  run.believe("a/1", at_ms(1), at_ms(20));
  run.believe("b/1", at_ms(11, 1), at_ms(11, 3));
  EXPECT_EQ(run.judge(property).summary,
            "a/1 and b/1 both believed that they held lock \"orders\" at 11 ms; b/1 gave it up at "
            "once");
}

TEST(MutualExclusion, ABeliefThatNeverLastedOverlapsNothing) {
  RunBuilder run;
  run.believe("a/1", at_ms(1), at_ms(9));
  run.believe("b/1", at_ms(5), at_ms(5));
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(MutualExclusion, OneOwnerMayBelieveTwice) {
  RunBuilder run;
  run.believe("a/1", at_ms(1), at_ms(9));
  run.believe("a/1", at_ms(2), at_ms(3));
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(MutualExclusion, LocksDoNotMindEachOther) {
  RunBuilder run;
  run.believe("a/1", at_ms(1), at_ms(9), BeliefEnd::released, "orders");
  run.believe("b/1", at_ms(2), at_ms(8), BeliefEnd::released, "stock");
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(MutualExclusion, FindsAnOverlapBehindAShorterBeliefOfTheSameOwner) {
  RunBuilder run;
  run.believe("a/1", at_ms(1), at_ms(20));
  run.believe("a/1", at_ms(2), at_ms(3));
  run.believe("b/1", at_ms(10), at_ms(12));
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(verdict.overlap_until_ns, 12 * ns_per_ms);
}

TEST(MutualExclusion, TellsTheWidestOverlapAndWhenTheFirstBegan) {
  RunBuilder run;
  run.believe("a/1", at_ms(1), at_ms(5));
  run.believe("b/1", at_ms(4), at_ms(6));
  run.believe("c/1", at_ms(10), at_ms(1000));
  run.believe("b/1", at_ms(20), at_ms(30));
  run.believe("a/1", at_ms(22), at_ms(29));
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(
      verdict.summary,
      "c/1 and b/1 both believed that they held lock \"orders\" for 10 ms (from 20 ms to 30 ms); "
      "3 overlaps in all, the first at 4 ms");
  EXPECT_EQ(verdict.overlap_from_ns, 20 * ns_per_ms);
}

TEST(MutualExclusion, BeliefsMayComeOutOfOrder) {
  RunBuilder run;
  run.believe("b/1", at_ms(4), at_ms(6));
  run.believe("a/1", at_ms(1), at_ms(5));
  EXPECT_EQ(run.judge(property).evidence[0].who, run.id("a/1"));
}

TEST(MutualExclusion, CountsAnOverlapWithWhoeverReachesFurthestAmongTheOthers) {
  RunBuilder run;
  run.believe("a/1", at_ms(1), at_ms(50));
  run.believe("b/1", at_ms(2), at_ms(40));
  run.believe("c/1", at_ms(3), at_ms(30));
  run.believe("a/1", at_ms(35), at_ms(60));
  run.believe("a/1", at_ms(45), at_ms(70));
  EXPECT_NE(run.judge(property).summary.find("; 3 overlaps in all"), std::string::npos);
}

bool begins_during(const Belief& later, const Belief& earlier) {
  return later.owner != earlier.owner && later.lock == earlier.lock && earlier.from < later.from &&
         later.from < earlier.until && later.from < later.until;
}

TimeNs width(const Belief& later, const Belief& earlier) {
  return std::min(later.until, earlier.until).at_ns - later.from.at_ns;
}

/// What the sweep says, by comparing every two beliefs.
struct Expected {
  std::size_t count = 0;  ///< beliefs that began during another's
  TimeNs widest_ns = -1;
  Moment first;  ///< when the first of them began
};

Expected compare_every_two(const std::vector<Belief>& beliefs) {
  Expected expected;
  for (const Belief& later : beliefs) {
    bool is_one = false;
    for (const Belief& earlier : beliefs) {
      if (!begins_during(later, earlier)) continue;
      is_one = true;
      expected.widest_ns = std::max(expected.widest_ns, width(later, earlier));
    }
    if (is_one && (expected.count++ == 0 || later.from < expected.first)) {
      expected.first = later.from;
    }
  }
  return expected;
}

/// Whether two beliefs of these owners overlap from then on for so long.
bool has_overlap(const std::vector<Belief>& beliefs, const Verdict& verdict) {
  for (const Belief& later : beliefs) {
    for (const Belief& earlier : beliefs) {
      const bool is_it =
          begins_during(later, earlier) && earlier.owner == verdict.evidence[0].who &&
          later.owner == verdict.evidence[1].who && later.from.at_ns == *verdict.overlap_from_ns;
      if (is_it && later.from.at_ns + width(later, earlier) == *verdict.overlap_until_ns) {
        return true;
      }
    }
  }
  return false;
}

RC_GTEST_PROP(MutualExclusion, AgreesWithComparingEveryTwoBeliefs, ()) {
  RunBuilder run;
  const char* owners[] = {"a/1", "b/1", "c/1"};
  const char* locks[] = {"orders", "stock"};
  const int count = *rc::gen::inRange(0, 12);
  for (int index = 0; index < count; ++index) {
    const int from = *rc::gen::inRange(0, 40);
    const int length = *rc::gen::inRange(0, 12);
    const auto tie = static_cast<std::uint64_t>(index);
    run.believe(owners[*rc::gen::inRange(0, 3)], at_ms(from, tie), at_ms(from + length, tie),
                BeliefEnd::released, locks[*rc::gen::inRange(0, 4) / 3]);
  }
  const Verdict verdict = run.judge(property);
  const Expected expected = compare_every_two(run.observations.beliefs);
  RC_ASSERT((verdict.kind == VerdictKind::violated) == (expected.count > 0));
  if (expected.count == 0) return;
  RC_ASSERT(*verdict.overlap_until_ns - *verdict.overlap_from_ns == expected.widest_ns);
  RC_ASSERT(has_overlap(run.observations.beliefs, verdict));
  const std::string in_all = "; " + std::to_string(expected.count) + " overlaps in all";
  RC_ASSERT((verdict.summary.find(in_all) != std::string::npos) == (expected.count > 1));
  const std::size_t first = verdict.summary.find(", the first at ");
  const bool is_told_first = verdict.evidence[1].from.at_ns == expected.first.at_ns;
  if (first == std::string::npos) {
    RC_ASSERT(is_told_first);
  } else {
    RC_ASSERT(verdict.summary.ends_with(", the first at " + milliseconds(expected.first.at_ns)));
  }
}

}  // namespace
}  // namespace lockstep::checker::testing::mutual_exclusion
