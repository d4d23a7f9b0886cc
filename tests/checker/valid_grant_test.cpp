#include <gtest/gtest.h>

#include "checker/evidence.h"
#include "checker/history.h"
#include "checker/observations.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "run_builder.h"

namespace lockstep::checker::testing {
namespace {

constexpr Property property = Property::valid_grant;

Grant held(RunBuilder& run, std::int64_t ms, TimeNs true_lease_ends_ns) {
  return {run.id("a/1"), run.id("orders"), at_ms(ms), true, run.id("a/1"), true_lease_ends_ns, {}};
}

TEST(ValidGrant, HoldsWhileTheLockIsTheCallers) {
  RunBuilder run;
  run.observations.grants.push_back(held(run, 5, 15 * ns_per_ms));
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(ValidGrant, IsViolatedWhereAnotherHoldsIt) {
  RunBuilder run;
  run.observations.grants.push_back(
      {run.id("a/1"), run.id("orders"), at_ms(12), false, run.id("b/1"), 0, {}});
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(verdict.summary, "a/1 was granted lock \"orders\" at 12 ms, but in truth b/1 held it");
  ASSERT_EQ(verdict.evidence.size(), 1U);
  EXPECT_EQ(verdict.evidence[0].who, run.id("a/1"));
  EXPECT_EQ(verdict.evidence[0].from, at_ms(12));
}

TEST(ValidGrant, IsViolatedWhereNobodyHoldsIt) {
  RunBuilder run;
  run.observations.grants.push_back(
      {run.id("a/1"), run.id("orders"), at_ms(12), false, no_name, 0, {}});
  EXPECT_EQ(run.judge(property).summary,
            "a/1 was granted lock \"orders\" at 12 ms, but in truth nobody held it");
}

TEST(ValidGrant, HoldsWhereTheNextMasterHasTheLockThatNobodyServed) {
  RunBuilder run;
  run.change("a/1", "a/1", 10, 0, 1, ChangeCause::acquire);
  run.change("a/1", "", 11, 1, 0, ChangeCause::failover);
  run.observations.grants.push_back(
      {run.id("a/1"), run.id("orders"), at_ms(12), false, no_name, 0, {}});
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated) << "it is lost";
  run.change("a/1", "", 2'000, 0, 1, ChangeCause::failover);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.observations.hold_changes.back().cause = ChangeCause::acquire;
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated) << "it took the lock again";
}

TEST(ValidGrant, AReportedValidityMayEndWithTheLeaseButNotLater) {
  RunBuilder run;
  run.observations.grants.push_back(held(run, 5, 15 * ns_per_ms));
  run.observations.grants[0].reported_valid_until_ns = 15 * ns_per_ms;
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);

  run.observations.grants[0].reported_valid_until_ns = 15 * ns_per_ms + 1;
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(
      verdict.summary,
      "a/1 was granted lock \"orders\" at 5 ms and told that it was valid until 15 ms, but the "
      "lease ends at 15 ms: 0.000001 ms too long, beyond the declared drift");
}

TEST(ValidGrant, ToleratesTheDeclaredDriftOverTheLengthOfTheValidity) {
  RunBuilder run;
  run.declared_drift_ppm = 1'000;  // of 10 ms: 10 µs
  run.observations.grants.push_back(held(run, 5, 15 * ns_per_ms - 10'000));
  run.observations.grants[0].reported_valid_until_ns = 15 * ns_per_ms;
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.observations.grants[0].true_lease_ends_ns -= 1;
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
}

TEST(ValidGrant, NoValidityOutlastsAHoldWithoutALease) {
  RunBuilder run;
  run.observations.grants.push_back(held(run, 5, never_ns));
  run.observations.grants[0].reported_valid_until_ns = 1'000'000 * ns_per_ms;
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(ValidGrant, CountsEveryBadGrantAndReportsTheFirst) {
  RunBuilder run;
  for (std::int64_t ms = 1; ms <= 20; ++ms) {
    run.observations.grants.push_back(held(run, ms, 100 * ns_per_ms));
    run.observations.grants.back().truly_held = ms < 5;
  }
  const Verdict verdict = run.judge(property);
  EXPECT_NE(verdict.summary.find("at 5 ms"), std::string::npos);
  EXPECT_NE(verdict.summary.find("; 16 such grants in all"), std::string::npos);
  EXPECT_EQ(verdict.evidence.size(), evidence_max);
}

}  // namespace
}  // namespace lockstep::checker::testing
