// lease-linearizability as a property: what a reader is shown, several locks, and the effort.
#include "checker/properties/lease_linearizability.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "checker/evidence.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "run_builder.h"

namespace lockstep::checker::testing::lease_linearizability {
namespace {

constexpr Property property = Property::lease_linearizability;

constexpr VerdictKind holds = VerdictKind::holds;
constexpr VerdictKind violated = VerdictKind::violated;

TEST(LeaseLinearizability, LocksDoNotMindEachOther) {
  RunBuilder run;
  run.tell("a acquire 0 1 ok 10", "orders");
  run.tell("b acquire 2 3 ok 10", "stock");
  run.tell("b acquire 4 5 fail 10; a release 6 7 ok", "orders");
  EXPECT_EQ(run.judge(property).kind, holds);
}

TEST(LeaseLinearizability, ARefusalOfAFreeLockIsAViolationUnlessTheLockMayRefuseAsItLikes) {
  RunBuilder run;
  run.tell("a acquire 0 1 fail 10; b acquire 2 3 ok 10; c release 4 5 fail");
  EXPECT_EQ(run.judge(property).kind, violated);
  run.refusal = Refusal::spurious;
  EXPECT_EQ(run.judge(property).kind, holds);
  run.tell("d acquire 6 7 ok 10");
  EXPECT_EQ(run.judge(property).kind, violated) << "grants are looked at as ever";
}

TEST(LeaseLinearizability, AReleaseByVoteThatEndedTheHoldWithoutAMajorityMayHaveDoneIt) {
  RunBuilder run;
  run.refusal = Refusal::spurious;
  run.tell("a acquire 0 1 ok 50; a release 2 60 fail; b acquire 6 7 ok 10");
  EXPECT_EQ(run.judge(property).kind, violated);
  run.change("a", "a", 3, 1, 0, ChangeCause::release);
  EXPECT_EQ(run.judge(property).kind, holds);
  run.refusal = Refusal::truthful;
  EXPECT_EQ(run.judge(property).kind, violated) << "it asked one server, which said no";
}

TEST(LeaseLinearizability, TheOrderOfTheListDoesNotMatter) {
  RunBuilder run;
  run.tell("c acquire 4 5 fail 10; b acquire 2 3 fail 10; a acquire 0 1 ok 10");
  EXPECT_EQ(run.judge(property).kind, holds);
}

TEST(LeaseLinearizability, ShowsByHowMuchALeaseEndedTooEarly) {
  RunBuilder run;
  run.tell("a/1 acquire 0 1 ok 10000; b/1 acquire 9400 9500 ok 10000; b/1 release 9600 9700 ok");
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, violated);
  EXPECT_EQ(verdict.summary,
            "lock \"orders\": b/1's acquire returned ok at 9,500 ms, but a/1's lease ran until at "
            "least 10,000 ms: it ended at least 500 ms too early");
  EXPECT_EQ(texts(verdict.evidence),
            (std::vector<std::string>{
                "b/1's acquire returned ok",
                "until then the lock was held by a/1 until at least 10,000 ms, by this acquire"}));
  EXPECT_EQ(verdict.evidence[0].from, at_ms(9400));
  EXPECT_EQ(verdict.evidence[0].until, at_ms(9500));
  EXPECT_EQ(verdict.evidence[1].who, run.id("a/1"));
  EXPECT_EQ(verdict.evidence[1].from, at_ms(0));
  EXPECT_EQ(verdict.evidence[1].until, at_ms(1));
}

TEST(LeaseLinearizability, NamesTheRefusalThatShowsThatALateAnswerToldOfAnOldGrant) {
  const std::string pinned = "b/1 acquire 5 6 fail 3000; ";
  const std::string late =
      "a/1 acquire 0 4900 ok 3000; b/1 acquire 3001 3002 ok 3000; b/1 release 3003 3004 ok; "
      "a/1 release 5900 5901 ok";
  RunBuilder unpinned;
  unpinned.tell(late);
  EXPECT_EQ(unpinned.judge(property).kind, holds);
  RunBuilder run;
  run.tell(pinned + late);
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, violated);
  EXPECT_EQ(texts(verdict.evidence),
            (std::vector<std::string>{
                "a/1's release returned ok",
                "refused: a/1's acquire, which returned ok at 4,900 ms, had taken effect by then",
                "until then the lock was free"}));
  EXPECT_EQ(verdict.evidence[1].until, at_ms(6));
  // Whether another had it, or had given it back.
  for (const bool is_back : {false, true}) {
    RunBuilder two;
    two.tell("c/1 acquire 1 2 ok 1000; " + std::string(is_back ? "c/1 release 3 4 ok; " : "") +
             pinned + late);
    EXPECT_EQ(texts(two.judge(property).evidence).size(), is_back ? 3U : 0U);
  }
}

TEST(LeaseLinearizability, ShowsWhatTheLockMayHaveBeenBeforeTheFirstOperationThatFails) {
  RunBuilder run;
  run.tell(
      "a/1 acquire 0 1 ok 10; a/1 acquire 2 11 ok 5000; a/1 release 12 13 ok; "
      "c/1 renew 14 15 ok 10; c/1 release 16 17 ok");
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, violated);
  EXPECT_EQ(verdict.summary,
            "lock \"orders\": c/1's renewal returned ok at 15 ms, but no order of the operations "
            "explains it: the lock was held by a/1 until at least 5,002 ms, or free");
  ASSERT_EQ(verdict.evidence.size(), 3U);
  EXPECT_EQ(verdict.evidence[0].what, "c/1's renewal returned ok");
  EXPECT_EQ(verdict.evidence[1].what,
            "until then the lock was held by a/1 until at least 5,002 ms, by this acquire");
  EXPECT_EQ(verdict.evidence[1].from, at_ms(2));
  EXPECT_EQ(verdict.evidence[2].what, "until then the lock was free");
  EXPECT_EQ(verdict.evidence[2].who, no_name);
}

TEST(LeaseLinearizability, ShowsCountsAndHoldsWithoutALease) {
  RunBuilder run;
  run.tell("a/1 acquire 0 1 ok 0; a/1 acquire 2 3 ok 0; b/1 force 4 5 fail");
  EXPECT_EQ(
      run.judge(property).summary,
      "lock \"orders\": b/1's forced release found nothing to release at 5 ms, but no order of the "
      "operations explains it: the lock was held by a/1 (count 2) for good");
}

TEST(LeaseLinearizability, ShowsTheOperationThatSetTheLease) {
  RunBuilder
      run;  // others with the same deadline: another owner's, and one that came too late to count
  run.tell(
      "a/1 acquire 5 6 ok 5; b/1 acquire 6 - info 4; c/1 acquire 7 8 ok 50; a/1 renew 9 9.5 ok 1");
  const Verdict verdict = run.judge(property);
  EXPECT_NE(verdict.summary.find("at least 2 ms too early"), std::string::npos) << verdict.summary;
  ASSERT_EQ(verdict.evidence.size(), 2U);
  EXPECT_EQ(verdict.evidence[1].from, at_ms(5));

  RunBuilder leaseless;
  leaseless.tell("a/1 acquire 0 1 ok 0; b/1 release 2 3 ok");
  EXPECT_EQ(texts(leaseless.judge(property).evidence)[1],
            "until then the lock was held by a/1 for good, by this acquire");
}

// Only the client knows how often its owner has it. Of an acquisition or a release whose end it
// never heard it may know nothing, and ask with another token.
TEST(LeaseLinearizability, WhereTheClientCountsWhatItNeverHeardOfMayRefuseItsOwnOwner) {
  const auto judged = [](std::string_view history, Reentry reentry) {
    RunBuilder run;
    run.reentry = reentry;
    run.tell(history);
    return run.judge(property).kind;
  };
  constexpr auto by_client = Reentry::counted_by_client;
  const std::string unheard = "a/1 acquire 0 - info 100; ";
  EXPECT_EQ(judged(unheard + "a/1 acquire 5 6 fail 100", by_client), holds);
  EXPECT_EQ(judged(unheard + "a/1 acquire 5 6 fail 100", Reentry::counted), violated);
  // Or it asks with the same one, and has it.
  const std::string had = unheard + "b/1 acquire 2 3 fail 9; a/1 acquire 5 6 ok 100; ";
  EXPECT_EQ(judged(had + "b/1 acquire 7 8 fail 9; a/1 release 9 10 ok; b/1 acquire 11 12 ok 9",
                   by_client),
            holds);
  EXPECT_EQ(judged(had + "b/1 acquire 7 8 ok 9", by_client), violated);
  EXPECT_EQ(judged(unheard + "b/1 acquire 2 3 fail 9; a/1 release 5 6 ok; b/1 acquire 7 8 ok 9",
                   by_client),
            holds);
  const std::string heard = "a/1 acquire 0 1 ok 100; ";
  const std::string left = heard + "a/1 release 2 - info; a/1 acquire 5 6 fail 100; ";
  EXPECT_EQ(judged(left + "b/1 acquire 7 8 fail 9; b/1 acquire 9 10 ok 9", by_client), holds);
  EXPECT_EQ(judged(left, Reentry::counted), violated);
  // An inner release asks nobody: that the lock was lost is for the outer one to hear.
  const std::string lost = "a/1 acquire 0 1 ok 5; a/1 acquire 2 3 ok 5; b/1 acquire 8 9 ok 50; ";
  EXPECT_EQ(judged(lost + "a/1 release 10 11 ok; a/1 release 12 13 fail", by_client), holds);
  EXPECT_EQ(judged(lost + "a/1 release 10 11 ok; a/1 release 12 13 ok", by_client), violated);
  EXPECT_EQ(judged(lost + "a/1 release 10 11 ok", Reentry::counted), violated);
  // Also where it would have begun the lease anew, had it come in time.
  const std::string late = "a/1 acquire 0 1 ok 5; a/1 acquire 2 3 ok 5; a/1 release 6 9 ok 50; ";
  EXPECT_EQ(judged(late + "b/1 acquire 10 11 ok 50", by_client), holds);
  EXPECT_EQ(judged(late + "b/1 acquire 10 11 ok 50", Reentry::counted), violated);
  EXPECT_EQ(judged(heard + "a/1 acquire 5 6 fail 100", by_client), violated);
  const std::string twice = heard + "a/1 acquire 2 3 ok 100; a/1 release 4 5 ok; ";
  EXPECT_EQ(judged(twice + "b/1 acquire 6 7 ok 9", by_client), violated);
  EXPECT_EQ(judged(twice + "a/1 release 6 7 ok; b/1 acquire 8 9 ok 9", by_client), holds);
}

TEST(LeaseLinearizability, OfSeveralLeasesBlamesTheOneThatWasNearestToItsEnd) {
  RunBuilder run;
  run.tell(
      "x/1 acquire 0 10 ok 90; c/1 force 0 10.1 ok; y/1 acquire 0 10.2 ok 40; z/1 acquire 12 20 ok "
      "9");
  EXPECT_EQ(
      run.judge(property).summary,
      "lock \"orders\": z/1's acquire returned ok at 20 ms, but y/1's lease ran until at least "
      "40 ms: it ended at least 20 ms too early");
}

TEST(LeaseLinearizability, ShowsEachStateOnceHoweverItCameAbout) {
  RunBuilder run;
  run.tell(
      "a/1 acquire 0 1 ok 100; a/1 release 2 - info; c/1 force 2 - info; b/1 force 4 5 fail; "
      "b/1 release 6 7 ok");
  EXPECT_EQ(run.judge(property).summary,
            "lock \"orders\": b/1's release returned ok at 7 ms, but no order of the operations "
            "explains it: the lock was free");
}

TEST(LeaseLinearizability, ReportsTheFurthestThatAnyOrderCame) {
  RunBuilder
      run;  // that a/1 re-entered is tried first, and comes further than that its lease ended
  run.tell(
      "a/1 acquire 0 1 ok 10; a/1 acquire 2 11 ok 50; a/1 release 12 13 ok; a/1 release 14 15 ok; "
      "c/1 renew 16 17 ok 10");
  EXPECT_EQ(run.judge(property).evidence[0].who, run.id("c/1"));
}

TEST(LeaseLinearizability, ReportsTheFirstFailingOperationInOrderOfCompletion) {
  RunBuilder run;
  run.tell("a/1 acquire 0 1 ok 100; b/1 acquire 2 30 ok 10; c/1 acquire 5 20 ok 10");
  EXPECT_EQ(run.judge(property).evidence[0].who, run.id("c/1"));
}

TEST(LeaseLinearizability, OfSeveralLocksReportsTheOneThatFailedFirst) {
  RunBuilder run;
  run.tell("a/1 release 5 6 ok", "stock");
  run.tell("b/1 release 3 4 ok", "orders");
  run.tell("c/1 release 7 8 ok", "users");
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.summary.rfind("lock \"orders\"", 0), 0U) << verdict.summary;
  EXPECT_EQ(verdict.evidence.size(), 2U);
}

TEST(LeaseLinearizability, IsUnknownWhereTheSearchGaveUp) {
  RunBuilder run;
  run.tell("a/1 acquire 0 1 ok 100; b/1 acquire 2 3 ok 10");
  Limits limits;
  limits.steps_max = 1;
  const Verdict verdict = run.judge(property, limits);
  EXPECT_EQ(verdict.kind, VerdictKind::unknown);
  EXPECT_EQ(verdict.summary,
            "the search for a linearization of lock \"orders\" gave up after 1 steps; the furthest "
            "it came was to where b/1's acquire returned ok at 3 ms");
}

TEST(LeaseLinearizability, AViolationOfOneLockOutweighsAnUnknownOther) {
  for (const char* hard : {"orders", "zebras"}) {
    RunBuilder run;
    run.tell("a/1 release 5 6 ok", "stock");
    run.tell("a/1 acquire 0 1 ok 9; a/1 release 2 3 ok; a/1 acquire 4 5 ok 9; a/1 release 6 7 ok",
             hard);
    Limits limits;
    limits.steps_max = 3;
    EXPECT_EQ(run.judge(property, limits).kind, violated) << hard;
  }
}

/// Steps and verdict of one judgement.
std::pair<VerdictKind, std::uint64_t> effort(const RunBuilder& told) {
  LeaseLinearizability judge{Limits{}};
  Verdict verdict;
  verdict.property = property;
  judge.judge(told.run(), verdict);
  return {verdict.kind, judge.steps()};
}

/// Forty acquires of unknown outcome, then something impossible: whatever of them happened, in
/// which order, must all be refuted.
RunBuilder many_unknown(const char* impossible) {
  RunBuilder run;
  for (int index = 0; index < 40; ++index) {
    run.tell(fmt::format("{} acquire {} - info 5", index % 2 == 0 ? "a/1" : "b/1", index));
  }
  run.tell(impossible);
  return run;
}

TEST(LeaseLinearizability, InterchangeableUnknownOutcomesAreNotTriedInEveryOrder) {
  const auto [kind, steps] = effort(many_unknown("c/1 release 100 101 ok"));
  EXPECT_EQ(kind, violated);
  EXPECT_LT(steps, 1000U);
}

TEST(LeaseLinearizability, WhatWasRefutedOnceIsNotTriedAgain) {
  RunBuilder run;  // nine grants that may come in each of 9! orders
  for (int index = 0; index < 9; ++index) run.tell(fmt::format("x{} acquire 0 50 ok 10", index));
  run.tell("c/1 release 100 101 ok");
  const auto [kind, steps] = effort(run);
  EXPECT_EQ(kind, violated);
  EXPECT_LT(steps, 30'000U);
}

/// Three clients take turns for `rounds`, and each is refused twice before it gets the lock.
RunBuilder contended(int rounds) {
  RunBuilder run;
  const char* owners[] = {"a/1", "b/1", "c/1"};
  std::string text;
  std::int64_t ms = 0;
  for (int round = 0; round < rounds; ++round, ms += 10) {
    const auto line = [&](int owner, const char* kind, std::int64_t from, std::int64_t until,
                          const char* rest) {
      text += fmt::format("{} {} {} {} {}\n", owners[(round + owner) % 3], kind, ms + from,
                          ms + until, rest);
    };
    line(0, "acquire", 0, 3, "ok 1000");
    line(1, "acquire", 1, 4, "fail 1000");
    line(2, "acquire", 2, 5, "fail 1000");
    line(0, "release", 6, 8, "ok 0");
  }
  run.tell(text);
  return run;
}

TEST(LeaseLinearizability, TwoThousandContendedOperationsTakeAStepOrTwoEach) {
  const RunBuilder told = contended(500);
  ASSERT_EQ(told.history.operations.size(), 2000U);
  const auto [kind, steps] = effort(told);
  EXPECT_EQ(kind, holds);
  EXPECT_LT(steps, 4000U);
}

TEST(LeaseLinearizability, ALateViolationInALongHistoryIsFoundInAFewStepsEach) {
  RunBuilder told = contended(500);
  told.tell("a/1 renew 6000 6001 ok 10");
  const auto [kind, steps] = effort(told);
  EXPECT_EQ(kind, violated);
  EXPECT_LT(steps, 4000U);
}

}  // namespace
}  // namespace lockstep::checker::testing::lease_linearizability
