#include <gtest/gtest.h>

#include "checker/evidence.h"
#include "checker/observations.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "run_builder.h"

namespace lockstep::checker::testing::no_leak {
namespace {

constexpr Property property = Property::no_leak;

TEST(NoLeak, HoldsWhereARunAtRestLeftNothing) {
  RunBuilder run;
  run.observations.came_to_rest = true;
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(NoLeak, IsUnknownWhereTheRunDidNotComeToRest) {
  const Verdict verdict = RunBuilder().judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::unknown);
  EXPECT_EQ(verdict.summary,
            "the run did not come to rest, so what it would have left behind is unknown");
}

TEST(NoLeak, EveryKindOfResidueIsAViolation) {
  const struct {
    ResidueKind kind;
    const char* summary;
  } cases[] = {
      {ResidueKind::lease_without_ttl, "key \"orders\" is a lease, but had no TTL at 40 ms"},
      {ResidueKind::lock_key,
       "key \"orders\" was left at 40 ms, with all holders gone and leases passed"},
      {ResidueKind::subscription,
       "the subscription to \"orders\" was left at 40 ms, with all holders gone"},
      {ResidueKind::background_task,
       "the background task \"orders\" still ran at 40 ms, with all holders gone"},
  };
  for (const auto& [kind, summary] : cases) {
    RunBuilder run;
    run.observations.came_to_rest = true;
    run.observations.residues.push_back({kind, "orders", at_ms(40)});
    const Verdict verdict = run.judge(property);
    EXPECT_EQ(verdict.kind, VerdictKind::violated);
    EXPECT_EQ(verdict.summary, summary);
    EXPECT_EQ(texts(verdict.evidence), std::vector<std::string>{summary});
    EXPECT_EQ(verdict.evidence[0].from, at_ms(40));
  }
}

TEST(NoLeak, AResidueSeenBeforeTheHorizonIsAViolationAllTheSame) {
  RunBuilder run;
  run.observations.residues.push_back({ResidueKind::lease_without_ttl, "orders", at_ms(40)});
  run.observations.residues.push_back({ResidueKind::lock_key, "stock", at_ms(50)});
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_NE(verdict.summary.find("; 2 residues in all"), std::string::npos);
}

TEST(NoLeak, CountsEveryResidueAndShowsTheFirstFew) {
  RunBuilder run;
  for (std::int64_t ms = 1; ms <= 20; ++ms) {
    run.observations.residues.push_back({ResidueKind::lock_key, "orders", at_ms(ms)});
  }
  const Verdict verdict = run.judge(property);
  EXPECT_NE(verdict.summary.find("; 20 residues in all"), std::string::npos);
  EXPECT_EQ(verdict.evidence.size(), evidence_max);
}

}  // namespace
}  // namespace lockstep::checker::testing::no_leak
