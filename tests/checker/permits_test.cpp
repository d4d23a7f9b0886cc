#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "checker/evidence.h"
#include "checker/history.h"
#include "checker/observations.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "run_builder.h"

namespace lockstep::checker::testing::permits {
namespace {

constexpr Property property = Property::permits;

TEST(Permits, HoldsWhileNoMoreAreOutThanWereSet) {
  RunBuilder run;
  run.set_permits(0, 3);
  run.believe_permits("a/1", 2, at_ms(1), at_ms(9));
  run.believe_permits("b/1", 1, at_ms(2), at_ms(8));
  run.believe_permits("c/1", 1, at_ms(8), at_ms(12));  // touching is no overlap
  run.believe_permits("a/1", 2, at_ms(9), at_ms(12));
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(Permits, IsViolatedWhereMoreAreBelievedOut) {
  RunBuilder run;
  run.set_permits(0, 3);
  run.believe_permits("a/1", 2, at_ms(1), at_ms(9));
  run.believe_permits("b/1", 2, at_ms(4), at_ms(8));
  run.believe_permits("c/1", 3, at_ms(8), at_ms(12));
  run.end(20);
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(verdict.summary,
            "4 permits of \"orders\" were believed out, though only 3 existed, for 4 ms (from 4 ms "
            "to 8 ms); 2 such spans in all");
  EXPECT_EQ(texts(verdict.evidence),
            (std::vector<std::string>{"a/1 believed that it had 2 permits of \"orders\"",
                                      "b/1 believed that it had 2 permits of \"orders\""}));
  EXPECT_EQ(verdict.evidence[0].from, at_ms(1));
  EXPECT_EQ(verdict.evidence[0].until, at_ms(9));
  EXPECT_EQ(verdict.overlap_from_ns, 4 * ns_per_ms);
  EXPECT_EQ(verdict.overlap_until_ns, 8 * ns_per_ms);
}

TEST(Permits, OneOwnerHasAsManyAsItsAcquisitionsTogether) {
  RunBuilder run;
  run.set_permits(0, 3);
  run.believe_permits("a/1", 2, at_ms(1), at_ms(9));
  run.believe_permits("a/1", 2, at_ms(4), at_ms(8));
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
}

TEST(Permits, BeforeAnyAreSetThereAreNone) {
  RunBuilder run;
  run.believe_permits("a/1", 1, at_ms(1), at_ms(9));
  run.set_permits(5, 3);
  EXPECT_EQ(run.judge(property).summary,
            "1 permit of \"orders\" was believed out, though only 0 existed, for 4 ms (from 1 ms "
            "to 5 ms)");
}

TEST(Permits, FewerThatAreSetWhileMoreAreOutAreTooFew) {
  RunBuilder run;
  run.set_permits(0, 3);
  run.believe_permits("a/1", 2, at_ms(1), at_ms(9), BeliefEnd::run_over);
  run.set_permits(5, 1);
  run.end(9);
  EXPECT_EQ(run.judge(property).summary,
            "2 permits of \"orders\" were believed out, though only 1 existed, for 4 ms (from 5 ms "
            "to 9 ms)");
}

TEST(Permits, WhatMayHaveBeenSetCanOnlyBeMore) {
  RunBuilder run;
  run.set_permits(0, 2);
  run.set_permits(1, 1);
  run.observations.permits_set.back().outcome = SetOutcome::unknown;
  run.believe_permits("a/1", 2, at_ms(2), at_ms(9));
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.set_permits(4, 3);
  run.observations.permits_set.back().outcome = SetOutcome::unknown;
  run.believe_permits("b/1", 1, at_ms(5), at_ms(9));
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.believe_permits("c/1", 1, at_ms(6), at_ms(9));
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
}

TEST(Permits, WhoWasRefusedMayHaveSetThemAtItsFirstTry) {
  RunBuilder run;
  run.set_permits(0, 2);
  run.observations.permits_set.back().outcome = SetOutcome::refused;
  run.believe_permits("a/1", 2, at_ms(2), at_ms(9));
  run.permits_left(20, 1);  // of how many isn't known
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.believe_permits("b/1", 1, at_ms(3), at_ms(9));
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
}

TEST(Permits, WhoWasRefusedSetNoneWhereAnotherIsKnownToHave) {
  RunBuilder run;
  run.set_permits(0, 1);
  run.set_permits(1, 5);
  run.observations.permits_set.back().outcome = SetOutcome::refused;
  run.believe_permits("a/1", 2, at_ms(2), at_ms(9));
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
}

TEST(Permits, SemaphoresDoNotMindEachOther) {
  RunBuilder run;
  run.set_permits(0, 1, "orders");
  run.set_permits(0, 1, "stock");
  run.believe_permits("a/1", 1, at_ms(1), at_ms(9), BeliefEnd::released, "orders");
  run.believe_permits("b/1", 1, at_ms(1), at_ms(9), BeliefEnd::released, "stock");
  run.permits_left(20, 1, "orders");
  run.permits_left(20, 1, "stock");
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(Permits, WhatIsLeftAndWhatIsOutMakeWhatWasSet) {
  RunBuilder run;
  run.set_permits(0, 5);
  run.believe_permits("a/1", 2, at_ms(1), at_ms(9));
  run.believe_permits("b/1", 2, at_ms(1), at_ms(20), BeliefEnd::run_over);
  run.permits_left(20, 3);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(Permits, NoneIsLost) {
  RunBuilder run;
  run.set_permits(0, 5);
  run.believe_permits("a/1", 2, at_ms(1), at_ms(9));
  run.believe_permits("b/1", 1, at_ms(1), at_ms(20), BeliefEnd::run_over);
  run.permits_left(20, 2);
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(verdict.summary,
            "when the run came to rest 2 permits of \"orders\" were left and 1 believed out, "
            "though 5 had been set: 2 lost");
  ASSERT_EQ(verdict.evidence.size(), 1U);
  EXPECT_EQ(verdict.evidence[0].from, at_ms(20));
}

TEST(Permits, NoneIsInvented) {
  RunBuilder run;
  run.set_permits(0, 5);
  run.permits_left(20, 6);
  EXPECT_EQ(run.judge(property).summary,
            "when the run came to rest 6 permits of \"orders\" were left and 0 believed out, "
            "though 5 had been set: 1 too many");
}

TEST(Permits, BothClausesCanBreakAtOnce) {
  RunBuilder run;
  run.set_permits(0, 1);
  run.believe_permits("a/1", 1, at_ms(1), at_ms(9));
  run.believe_permits("b/1", 1, at_ms(4), at_ms(8));
  run.permits_left(20, 2);
  EXPECT_EQ(run.judge(property).summary,
            "2 permits of \"orders\" were believed out, though only 1 existed, for 4 ms (from 4 ms "
            "to 8 ms); when the run came to rest 2 permits of \"orders\" were left and 0 believed "
            "out, though 1 had been set: 1 too many");
}

/// Whether too many are out at the moment, by adding up; what begins or is set there counts.
bool is_exceeded_at(const Observations& observations, const Moment& at) {
  std::int64_t out = 0;
  for (const Belief& belief : observations.beliefs) {
    if (!(at < belief.from) && at < belief.until) out += belief.permits;
  }
  std::int64_t set = 0;
  for (const PermitsSet& each : observations.permits_set) {
    if (!(at < each.at)) set = each.permits;
  }
  return out > set;
}

RC_GTEST_PROP(Permits, AgreeWithAddingUpAtEveryMoment, ()) {
  RunBuilder run;
  std::vector<Moment> moments;
  const int settings = *rc::gen::inRange(0, 3);
  for (int index = 0; index < settings; ++index) {
    run.set_permits(index * 13, *rc::gen::inRange(1, 6));
    moments.push_back(run.observations.permits_set.back().at);
  }
  const int count = *rc::gen::inRange(0, 10);
  for (int index = 0; index < count; ++index) {
    const int from = *rc::gen::inRange(0, 30);
    const auto tie = static_cast<std::uint64_t>(index);  // no two moments are the same
    run.believe_permits("a/1", *rc::gen::inRange(1, 4), at_ms(from, 1 + tie),
                        at_ms(from + *rc::gen::inRange(0, 8), 100 + tie));
    moments.push_back(run.observations.beliefs.back().from);
    moments.push_back(run.observations.beliefs.back().until);
  }
  run.end(100);
  std::sort(moments.begin(), moments.end());
  std::optional<Moment> first;
  std::size_t spans = 0;
  bool was_exceeded = false;
  for (const Moment& moment : moments) {
    const bool is_exceeded = is_exceeded_at(run.observations, moment);
    if (is_exceeded && !was_exceeded) {
      ++spans;
      if (!first) first = moment;
    }
    was_exceeded = is_exceeded;
  }
  const Verdict verdict = run.judge(property);
  RC_TAG(spans > 0 ? "violated" : "holds");
  RC_ASSERT((verdict.kind == VerdictKind::violated) == (spans > 0));
  if (first) RC_ASSERT(verdict.overlap_from_ns == first->at_ns);
  const std::string in_all = "; " + std::to_string(spans) + " such spans in all";
  RC_ASSERT((verdict.summary.find(in_all) != std::string::npos) == (spans > 1));
}

}  // namespace
}  // namespace lockstep::checker::testing::permits
