// Readers and a writer: what mutual-exclusion, valid-grant and hold-count say of locks that are
// shared.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "checker/evidence.h"
#include "checker/history.h"
#include "checker/observations.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "run_builder.h"

namespace lockstep::checker::testing {
namespace {

TEST(Modes, ReadersShare) {
  RunBuilder run;
  run.believe_shared("a/1", at_ms(1), at_ms(9));
  run.believe_shared("b/1", at_ms(2), at_ms(8));
  run.believe_shared("c/1", at_ms(3), at_ms(10));
  EXPECT_EQ(run.judge(Property::mutual_exclusion).kind, VerdictKind::holds);
}

TEST(Modes, AWriterExcludesAReaderWhoeverCameFirst) {
  RunBuilder run;
  run.believe_shared("a/1", at_ms(1), at_ms(9));
  run.believe("b/1", at_ms(2), at_ms(8));
  const Verdict verdict = run.judge(Property::mutual_exclusion);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(verdict.summary,
            "reader a/1 and writer b/1 both believed that they held lock \"orders\" for 6 ms (from "
            "2 ms to 8 ms)");
  EXPECT_EQ(texts(verdict.evidence),
            (std::vector<std::string>{
                "reader a/1 believed that it held lock \"orders\", until it released",
                "writer b/1 believed that it held lock \"orders\", until it released"}));

  RunBuilder other;
  other.believe("a/1", at_ms(1), at_ms(9));
  other.believe_shared("b/1", at_ms(2), at_ms(8));
  EXPECT_EQ(other.judge(Property::mutual_exclusion).summary.rfind("writer a/1 and reader b/1 ", 0),
            0U);
}

TEST(Modes, OneOwnerMayReadAndWriteAtOnce) {
  RunBuilder run;
  run.believe("a/1", at_ms(1), at_ms(9));
  run.believe_shared("a/1", at_ms(2), at_ms(12));
  run.believe_shared("b/1", at_ms(10), at_ms(12));
  EXPECT_EQ(run.judge(Property::mutual_exclusion).kind, VerdictKind::holds);
}

TEST(Modes, AReaderMeetsTheWriterBehindReadersThatReachFurther) {
  RunBuilder run;
  run.believe_shared("c/1", at_ms(1), at_ms(50));
  run.believe_shared("d/1", at_ms(1, 1), at_ms(60));
  run.believe("c/1", at_ms(55), at_ms(58));
  run.believe_shared("a/1", at_ms(56), at_ms(57));
  EXPECT_NE(run.judge(Property::mutual_exclusion).summary.find("; 2 overlaps in all"),
            std::string::npos);
}

/// How many beliefs began while another owner's excluded them, by comparing every two.
std::size_t clashes(const std::vector<Belief>& beliefs) {
  std::size_t count = 0;
  for (const Belief& later : beliefs) {
    bool clashes = false;
    for (const Belief& earlier : beliefs) {
      const bool both_share = later.mode == HoldMode::shared && earlier.mode == HoldMode::shared;
      clashes =
          clashes || (later.owner != earlier.owner && !both_share && earlier.from < later.from &&
                      later.from < earlier.until && later.from < later.until);
    }
    if (clashes) ++count;
  }
  return count;
}

RC_GTEST_PROP(Modes, AgreeWithComparingEveryTwoBeliefs, ()) {
  RunBuilder run;
  const char* owner_names[] = {"a/1", "b/1", "c/1"};
  const int count = *rc::gen::inRange(0, 12);
  for (int index = 0; index < count; ++index) {
    const int from = *rc::gen::inRange(0, 30);
    const auto tie = static_cast<std::uint64_t>(index);
    run.believe(owner_names[*rc::gen::inRange(0, 3)], at_ms(from, tie),
                at_ms(from + *rc::gen::inRange(0, 12), tie));
    if (*rc::gen::inRange(0, 2) == 0) run.observations.beliefs.back().mode = HoldMode::shared;
  }
  const Verdict verdict = run.judge(Property::mutual_exclusion);
  const std::size_t expected = clashes(run.observations.beliefs);
  RC_ASSERT((verdict.kind == VerdictKind::violated) == (expected > 0));
  const std::string in_all = "; " + std::to_string(expected) + " overlaps in all";
  RC_ASSERT((verdict.summary.find(in_all) != std::string::npos) == (expected > 1));
}

TEST(Modes, AReadersGrantIsToldAsSuch) {
  RunBuilder run;
  Grant grant{run.id("a/1"), run.id("orders"), at_ms(12), false, run.id("b/1"), 0, {}};
  grant.mode = HoldMode::shared;
  run.observations.grants.push_back(grant);
  EXPECT_EQ(run.judge(Property::valid_grant).summary,
            "reader a/1 was granted lock \"orders\" at 12 ms, but in truth b/1 held it");
}

TEST(Modes, HoldsAreCountedForEachModeByItself) {
  RunBuilder run;
  run.change("a/1", "", 1, 1, 0, ChangeCause::expiry);
  run.observations.hold_changes.back().mode = HoldMode::shared;
  run.count("a/1", 2, 1, 0);
  run.observations.hold_checks.back().mode = HoldMode::shared;
  EXPECT_EQ(run.judge(Property::hold_count).kind, VerdictKind::holds);

  run.change("a/1", "a/1", 2, 0, 1, ChangeCause::acquire);
  run.change("a/1", "a/1", 3, 1, 0, ChangeCause::release);
  run.count("a/1", 3, 1, 0);  // the writer's hold was taken away by nobody else
  EXPECT_EQ(run.judge(Property::hold_count).summary,
            "at 3 ms Redis counts 0 holds of lock \"orders\" for a/1, which has 1: "
            "its own releases removed more than it released");
}

TEST(Modes, AWritersReleaseMustNotRemoveItsOwnReadHold) {
  RunBuilder run;
  run.change("a/1", "a/1", 4, 0, 1, ChangeCause::acquire);
  run.change("a/1", "a/1", 5, 1, 0, ChangeCause::release);
  for (HoldChange& change : run.observations.hold_changes) change.mode = HoldMode::shared;
  run.count("a/1", 6, 1, 0);
  run.observations.hold_checks.back().mode = HoldMode::shared;
  EXPECT_EQ(run.judge(Property::hold_count).summary,
            "at 6 ms Redis counts 0 holds of lock \"orders\" for reader a/1, which has 1: "
            "its own releases removed more than it released");
}

TEST(Modes, AReadersReleaseMustNotRemoveAnothersHold) {
  RunBuilder run;
  run.change("b/1", "a/1", 5, 1, 0, ChangeCause::release);
  run.observations.hold_changes.back().mode = HoldMode::shared;
  EXPECT_EQ(run.judge(Property::hold_count).summary,
            "a/1's release lowered reader b/1's hold count on lock \"orders\" from 1 to 0 at 5 ms");
}

}  // namespace
}  // namespace lockstep::checker::testing
