#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "checker/evidence.h"
#include "checker/liveness_bounds.h"
#include "checker/observations.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "liveness_oracle.h"
#include "run_builder.h"

namespace lockstep::checker::testing::no_starvation {
namespace {

constexpr Property property = Property::no_starvation;

/// At most 2 grants to others.
RunBuilder told() {
  RunBuilder run;
  run.liveness.overtakings = 2;
  run.end(1000);
  return run;
}

/// The owner asks and is granted the lock, and believes for 5 ms.
void grant(RunBuilder& run, std::string_view owner, std::int64_t ms,
           std::string_view lock = "orders") {
  run.fenced(owner, ms, ms - 1, ms, lock);
  run.believe(owner, at_ms(ms), at_ms(ms + 5), BeliefEnd::released, lock);
}

TEST(NoStarvation, HoldsUpToTheBound) {
  RunBuilder run = told();
  run.wait("a/1", 0, 100);
  grant(run, "b/1", 10);
  grant(run, "c/1", 20);
  grant(run, "b/1", 100);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(NoStarvation, IsViolatedByOneGrantMore) {
  RunBuilder run = told();
  run.wait("a/1", 0, 100);
  for (const std::int64_t ms : {10, 20, 30}) grant(run, ms == 20 ? "c/1" : "b/1", ms);
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(
      verdict.summary,
      "a/1 waited for lock \"orders\" for 100 ms (from 0 ms to 100 ms) while 3 grants went to "
      "others; 2 is the bound");
  ASSERT_EQ(verdict.evidence.size(), 1U);
  EXPECT_EQ(verdict.evidence[0].who, run.id("a/1"));
  EXPECT_EQ(verdict.evidence[0].from, at_ms(0));
  EXPECT_EQ(verdict.evidence[0].until, at_ms(100));
}

TEST(NoStarvation, OwnGrantsAndThoseOfOtherLocksAreNone) {
  RunBuilder run = told();
  run.wait("a/1", 0, 100);
  for (std::int64_t ms = 10; ms < 50; ms += 10) {
    grant(run, "a/1", ms);
    grant(run, "b/1", ms, "stock");
  }
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(NoStarvation, AReentryIsNoGrantToAnother) {
  RunBuilder run = told();
  run.wait("a/1", 0, 100);
  run.fenced("b/1", 1, 9, 10);
  run.believe("b/1", at_ms(10), at_ms(90));
  for (std::int64_t ms = 20; ms < 60; ms += 10) run.fenced("b/1", ms, ms - 1, ms);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);

  run.observations.beliefs[0].until = at_ms(25);  // it was told that it had lost it
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
}

TEST(NoStarvation, IsNotAskedBeforeTheLastFaultIsOverNorWhileTheProcessIsStopped) {
  RunBuilder run = told();
  run.wait("a/1", 0, 100);
  for (std::int64_t ms = 10; ms < 100; ms += 20) grant(run, "b/1", ms);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
  run.observations.healed = at_ms(30);
  run.stop("a/1", 60, 80);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);  // at 50 and 90 ms
  run.observations.healed = at_ms(29);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
}

TEST(NoStarvation, IsUnknownWhereTheRunWasCutOffDuringTheWait) {
  RunBuilder run = told();
  run.wait("a/1", 0, 100, WaitEnd::run_over);
  grant(run, "b/1", 10);
  run.end(100, false);
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::unknown);
  EXPECT_EQ(verdict.summary,
            "the run was cut off while a/1 waited for lock \"orders\", with 1 grant to others so "
            "far: too early to tell");
  run.observations.came_to_rest = true;
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

RC_GTEST_PROP(NoStarvation, AgreesWithCountingEveryGrant, ()) {
  expect_agreement(property, &no_starvation_by_brute_force);
}

}  // namespace
}  // namespace lockstep::checker::testing::no_starvation
