#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "checker/evidence.h"
#include "checker/observations.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "run_builder.h"

namespace lockstep::checker::testing {
namespace {

constexpr Property property = Property::fencing;

TEST(Fencing, HoldsWhereTokensGrowWithTheGrants) {
  RunBuilder run;
  run.fenced("a/1", 1, 0, 5);
  run.fenced("b/1", 2, 6, 9);
  run.fenced("a/1", 5, 10, 12);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(Fencing, IsViolatedByALowerTokenOfALaterGrant) {
  RunBuilder run;
  run.fenced("a/1", 7, 0, 5);
  run.fenced("b/1", 6, 6, 9);
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(verdict.summary,
            "b/1 asked for lock \"orders\" at 6 ms and was granted it with token 6 at 9 ms, but "
            "a/1 had been granted it with token 7 at 5 ms");
  EXPECT_EQ(
      texts(verdict.evidence),
      (std::vector<std::string>{"a/1 was granted lock \"orders\" with token 7", verdict.summary}));
  EXPECT_EQ(verdict.evidence[0].from, at_ms(0));
  EXPECT_EQ(verdict.evidence[0].until, at_ms(5));
  EXPECT_EQ(verdict.evidence[1].who, run.id("b/1"));
  EXPECT_EQ(verdict.evidence[1].from, at_ms(6));
  EXPECT_EQ(verdict.evidence[1].until, at_ms(9));
}

TEST(Fencing, GrantsThatOverlapMayHaveTheirTokensInEitherOrder) {
  RunBuilder run;
  run.fenced("a/1", 2, 0, 5);
  run.fenced("b/1", 1, 5, 9);  // asked for in the moment of the return, not after it
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

// b asks while a does; a draws the lower token and gets the lock second.
TEST(Fencing, IsViolatedByALowerTokenOfALaterHoldEvenIfTheGrantsOverlap) {
  RunBuilder run;
  run.change("b/1", "b/1", 3, 0, 1, ChangeCause::acquire);
  run.change("a/1", "", 8, 0, 1, ChangeCause::failover);  // none that it asked for
  run.change("b/1", "", 9, 1, 0, ChangeCause::expiry);
  run.change("a/1", "a/1", 10, 0, 1, ChangeCause::acquire);
  run.fenced("b/1", 2, 1, 5);
  run.fenced("a/1", 1, 0, 12);
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(verdict.summary,
            "a/1 held lock \"orders\" with token 1 from 10 ms on, but b/1, which held it from 3 ms "
            "on, has the higher token 2");
  EXPECT_EQ(
      texts(verdict.evidence),
      (std::vector<std::string>{"b/1 was granted lock \"orders\" with token 2", verdict.summary}));
}

TEST(Fencing, TheLastHoldThatItsOwnerAskedForIsTheGrants) {
  RunBuilder run;
  run.change("a/1", "a/1", 1, 0, 1, ChangeCause::acquire);  // the reply is lost, the lease ends
  run.change("b/1", "b/1", 3, 0, 1, ChangeCause::acquire);
  run.change("a/1", "a/1", 8, 0, 1, ChangeCause::acquire);  // asked again
  run.fenced("b/1", 2, 1, 5);
  run.fenced("a/1", 3, 0, 12);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.observations.grants.back().token = 1;
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
}

TEST(Fencing, AReentryBeginsNoHold) {
  RunBuilder run;
  run.change("a/1", "a/1", 1, 0, 1, ChangeCause::acquire);
  run.change("a/1", "a/1", 6, 1, 2, ChangeCause::acquire);
  run.fenced("b/1", 2, 0, 20);
  run.fenced("a/1", 1, 4, 8);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(Fencing, IsViolatedByATokenThatTwoGrantsShareEvenIfTheyOverlap) {
  RunBuilder run;
  run.fenced("a/1", 7, 0, 5);
  run.fenced("b/1", 7, 2, 9);
  EXPECT_EQ(run.judge(property).summary,
            "b/1 was granted lock \"orders\" with token 7 at 9 ms, which a/1 had been given at 5 "
            "ms already");
}

TEST(Fencing, ARepeatedTokenOfOneOwnerIsOneToo) {
  RunBuilder run;
  run.fenced("a/1", 7, 0, 5);
  run.fenced("a/1", 7, 6, 9);
  EXPECT_EQ(run.judge(property).summary,
            "a/1 was granted lock \"orders\" with token 7 at 9 ms, which it had been given at 5 ms "
            "already");
  RunBuilder lower;
  lower.fenced("a/1", 7, 0, 5);
  lower.fenced("a/1", 6, 6, 9);
  EXPECT_NE(lower.judge(property).summary.find("but it had been granted it with token 7 at 5 ms"),
            std::string::npos);
}

TEST(Fencing, LocksDoNotMindEachOthersTokens) {
  RunBuilder run;
  run.fenced("a/1", 7, 0, 5, "orders");
  run.fenced("b/1", 7, 6, 9, "stock");
  run.fenced("b/1", 1, 10, 11, "audit");
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(Fencing, GrantsWithoutATokenSayNothing) {
  RunBuilder run;
  run.fenced("a/1", 7, 0, 5);
  run.fenced("b/1", 1, 6, 9);
  run.observations.grants.back().token.reset();
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(Fencing, CountsEveryBadGrantAndReportsTheFirst) {
  RunBuilder run;
  run.fenced("a/1", 100, 0, 5);
  for (std::int64_t index = 1; index <= 20; ++index) {
    run.fenced("b/1", index, index * 10, index * 10 + 5);
  }
  const Verdict verdict = run.judge(property);
  EXPECT_NE(verdict.summary.find("with token 1 at 15 ms"), std::string::npos);
  EXPECT_NE(verdict.summary.find("; 20 such grants in all"), std::string::npos);
  EXPECT_EQ(verdict.evidence.size(), evidence_max);
}

/// When the grant's hold began; 0: it began none.
std::uint64_t begun(const Grant& grant, const std::vector<HoldChange>& changes) {
  std::uint64_t order = 0;
  for (const HoldChange& change : changes) {
    const bool is_its_own = change.lock == grant.lock && change.owner == grant.owner &&
                            change.count_before == 0 && change.by == change.owner;
    const bool is_within = change.at.order >= grant.invoked.order &&
                           change.at.order <= grant.at.order && change.at.order > order;
    if (is_its_own && is_within) order = change.at.order;
  }
  return order;
}

/// Grants that break the order with any other, by comparing every two.
std::size_t bad_grants(const std::vector<Grant>& grants, const std::vector<HoldChange>& changes) {
  std::size_t count = 0;
  for (std::size_t one = 0; one < grants.size(); ++one) {
    bool bad = false;
    for (std::size_t two = 0; two < grants.size(); ++two) {
      if (one == two || grants[one].lock != grants[two].lock) continue;
      if (!grants[one].token || !grants[two].token) continue;
      const bool is_later = grants[two].at.order < grants[one].invoked.order;
      if (is_later && *grants[one].token <= *grants[two].token) bad = true;
      const bool came_second = grants[two].at.order < grants[one].at.order;
      if (came_second && *grants[one].token == *grants[two].token) bad = true;
      const std::uint64_t held = begun(grants[one], changes);
      const std::uint64_t other_held = begun(grants[two], changes);
      const bool held_later = other_held > 0 && other_held < held;
      if (held_later && *grants[one].token < *grants[two].token) bad = true;
    }
    if (bad) ++count;
  }
  return count;
}

RC_GTEST_PROP(Fencing, AgreesWithComparingEveryTwoGrants, ()) {
  RunBuilder run;
  const int count = *rc::gen::inRange(0, 12);
  for (int index = 0; index < count; ++index) {
    const int returned = 10 + index * 3;
    run.fenced(*rc::gen::inRange(0, 2) == 0 ? "a/1" : "b/1",
               index / 2 + *rc::gen::inRange(0, 12) / 4, *rc::gen::inRange(returned - 10, returned),
               returned, *rc::gen::inRange(0, 3) == 0 ? "stock" : "orders");
    if (*rc::gen::inRange(0, 8) == 0) run.observations.grants.back().token.reset();
    const Grant& grant = run.observations.grants.back();
    const std::string_view owner = run.names.text(grant.owner);
    for (int times = *rc::gen::inRange(0, 3); times > 0; --times) {
      const std::int64_t before = *rc::gen::inRange(0, 4) == 0 ? 1 : 0;
      run.change(run.names.text(grant.owner),
                 *rc::gen::inRange(0, 4) == 0 ? std::string_view() : owner,
                 *rc::gen::inRange(std::max(returned - 12, 0), returned + 2), before, before + 1,
                 ChangeCause::acquire, run.names.text(grant.lock));
    }
  }
  const Verdict verdict = run.judge(property);
  const std::size_t expected = bad_grants(run.observations.grants, run.observations.hold_changes);
  RC_TAG(expected > 0 ? "violated" : "holds");
  RC_ASSERT((verdict.kind == VerdictKind::violated) == (expected > 0));
  const std::string in_all = "; " + std::to_string(expected) + " such grants in all";
  RC_ASSERT((verdict.summary.find(in_all) != std::string::npos) == (expected > 1));
}

}  // namespace
}  // namespace lockstep::checker::testing
