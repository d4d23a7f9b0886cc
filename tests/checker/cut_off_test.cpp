// Runs that were cut off: what they leave open is unknown.
#include <gtest/gtest.h>

#include "checker/liveness_bounds.h"
#include "checker/property.h"
#include "run_builder.h"

namespace lockstep::checker::testing::cut_off {
namespace {

constexpr Property property = Property::mutual_exclusion;

/// a/1 had the lock for a while, and is at work when the run is cut off at 100 s.
RunBuilder told() {
  RunBuilder run;
  run.believe("a/1", at_ms(10), at_ms(20));
  run.observations.at_work = {run.id("a/1")};
  run.end(100'000, false);
  return run;
}

TEST(CutOff, WhatHeldSoFarIsUnknownWhileSomebodyIsAtWork) {
  RunBuilder run = told();
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::unknown);
  EXPECT_EQ(
      verdict.summary,
      "the run was cut off at 100,000 ms while a/1 was still at work, so what would have come "
      "is unknown");
  run.observations.at_work.push_back(run.id("b/1"));
  run.observations.at_work.push_back(run.id("b/2"));
  EXPECT_EQ(
      run.judge(property).summary,
      "the run was cut off at 100,000 ms while a/1 and 2 other threads were still at work, so "
      "what would have come is unknown");
}

TEST(CutOff, LeavesNothingOpenWhereNobodyIsAtWork) {
  RunBuilder run = told();
  run.observations.at_work.clear();
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(CutOff, AViolationStays) {
  RunBuilder run = told();
  run.believe("b/1", at_ms(15), at_ms(25));
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
}

TEST(CutOff, WhoWaitsForLongerThanTheBoundOfProgressIsAtNothing) {
  RunBuilder run = told();
  run.liveness.progress_ns = 60'000 * ns_per_ms;
  run.wait("a/1", 40'000, 100'000, WaitEnd::run_over);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::unknown);
  run.observations.waits[0].from = at_ms(39'999);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.observations.healed = at_ms(50'000);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::unknown);
  run.observations.waits[0].is_hopeless = true;
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(CutOff, LivenessAndLeaksSayByThemselvesWhatIsOpen) {
  RunBuilder run = told();
  for (const Property each : {Property::no_deadlock, Property::no_lost_wakeup}) {
    EXPECT_EQ(run.judge(each).kind, VerdictKind::holds) << to_string(each);
  }
  const Verdict verdict = run.judge(Property::no_leak);
  EXPECT_EQ(verdict.kind, VerdictKind::unknown);
  EXPECT_EQ(verdict.summary.find("at work"), std::string::npos);
}

}  // namespace
}  // namespace lockstep::checker::testing::cut_off
