#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "checker/evidence.h"
#include "checker/property.h"
#include "run_builder.h"

namespace lockstep::checker::testing::truthful_answers {
namespace {

constexpr Property property = Property::truthful_answers;

Answer& add(RunBuilder& run, CallKind call, std::int64_t invoked_ms, std::int64_t returned_ms,
            bool yes, std::optional<std::int64_t> number = std::nullopt) {
  return run.answer(call, "a/1", invoked_ms, returned_ms, yes, number);
}

/// a/1 holds the lock from 10 ms to 20 ms, with a lease until 20 ms; then b/1 does until 30 ms.
RunBuilder held_and_lost() {
  RunBuilder run;
  run.available(0, 1, 1);
  run.change("a/1", "a/1", 10, 0, 1, ChangeCause::acquire);
  run.lease(10, 20);
  run.available(10, 0, 0);
  run.change("a/1", "", 20, 1, 0, ChangeCause::expiry);
  run.lease(20, 0);
  run.available(20, 1, 1);
  run.change("b/1", "b/1", 22, 0, 1, ChangeCause::acquire);
  run.lease(22, 32);
  run.available(22, 0, 0);
  run.change("b/1", "b/1", 30, 1, 0, ChangeCause::release);
  run.lease(30, 0);
  run.available(30, 1, 1);
  return run;
}

VerdictKind kind_of(CallKind call, std::int64_t invoked_ms, std::int64_t returned_ms, bool yes,
                    std::optional<std::int64_t> number = std::nullopt) {
  RunBuilder run = held_and_lost();
  add(run, call, invoked_ms, returned_ms, yes, number);
  return run.judge(property).kind;
}

std::string summary_of(CallKind call, std::int64_t invoked_ms, std::int64_t returned_ms, bool yes,
                       std::optional<std::int64_t> number = std::nullopt) {
  RunBuilder run = held_and_lost();
  add(run, call, invoked_ms, returned_ms, yes, number);
  return run.judge(property).summary;
}

constexpr VerdictKind holds = VerdictKind::holds;
constexpr VerdictKind violated = VerdictKind::violated;

TEST(TruthfulAnswers, AReleaseSaysYesOnlyOfAHoldThatThereWas) {
  EXPECT_EQ(kind_of(CallKind::release, 19, 25, true), holds) << "it lapsed on the way";
  EXPECT_EQ(kind_of(CallKind::release, 20, 25, true), holds) << "it lapsed at that very moment";
  RunBuilder run = held_and_lost();
  add(run, CallKind::release, 21, 25, true);
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, violated);
  EXPECT_EQ(verdict.summary,
            "a/1's release of \"orders\", invoked at 21 ms, answered yes at 25 ms, but it held the "
            "lock at no instant meanwhile");
  ASSERT_EQ(verdict.evidence.size(), 1U);
  EXPECT_EQ(verdict.evidence[0].who, run.id("a/1"));
  EXPECT_EQ(verdict.evidence[0].from, at_ms(21));
  EXPECT_EQ(verdict.evidence[0].until, at_ms(25));
}

// Whoever takes an error for done says so of a hold that stays.
TEST(TruthfulAnswers, AReleaseSaysYesOnlyWhereAHoldIsGivenBack) {
  EXPECT_EQ(
      summary_of(CallKind::release, 12, 14, true),
      "a/1's release of \"orders\", invoked at 12 ms, answered yes at 14 ms, but it gave none "
      "back: its count was 1 all the while");
  RunBuilder run = held_and_lost();
  run.answer(CallKind::release, "b/1", 29, 31, true);
  EXPECT_EQ(run.judge(property).kind, holds);
}

TEST(TruthfulAnswers, AReleaseSaysNoOnlyWhereThereWasAnInstantWithoutAHold) {
  EXPECT_EQ(kind_of(CallKind::release, 12, 25, false), holds);
  EXPECT_EQ(kind_of(CallKind::release, 12, 18, false), violated);
}

TEST(TruthfulAnswers, WhoIsRefusedHoldsNoMoreThanBefore) {
  const std::string left =
      "a/1's acquire of \"orders\", invoked at 8 ms, answered no at 12 ms, but it has left a hold: "
      "its count went from 0 to 1";
  EXPECT_EQ(summary_of(CallKind::acquire, 8, 12, false, 1), left);
  EXPECT_EQ(kind_of(CallKind::acquire, 8, 21, false, 1), holds) << "it is gone again";
  EXPECT_EQ(kind_of(CallKind::acquire, 12, 14, false, 1), holds) << "it was there before";
  RunBuilder unanswered = held_and_lost();
  add(unanswered, CallKind::acquire, 8, 12, false, 1).is_certain = false;
  EXPECT_EQ(unanswered.judge(property).kind, holds);
}

TEST(TruthfulAnswers, WhatIsRefusedWasNotAvailableAtSomeInstant) {
  EXPECT_EQ(kind_of(CallKind::acquire, 23, 25, false, 1), holds);
  EXPECT_EQ(kind_of(CallKind::acquire, 28, 40, false, 1), holds) << "it was another's at first";
  EXPECT_EQ(
      summary_of(CallKind::acquire, 31, 40, false, 1),
      "a/1's acquire of \"orders\", invoked at 31 ms, answered no at 40 ms, but as much as it "
      "asked for was available all the while");
  EXPECT_EQ(kind_of(CallKind::acquire, 31, 40, false), holds) << "it asked for others too";
  RunBuilder spurious = held_and_lost();
  spurious.refusal = Refusal::spurious;
  add(spurious, CallKind::acquire, 31, 40, false, 1);
  EXPECT_EQ(spurious.judge(property).kind, holds);
}

// A vote may be split, and a queue may have somebody ahead; but not where nobody else asks.
TEST(TruthfulAnswers, NobodyRefusesAFreeLockToWhoIsAlone) {
  RunBuilder run = held_and_lost();
  run.refusal = Refusal::spurious;
  add(run, CallKind::acquire, 5'000, 5'002, false, 1).limit_ns = 0;
  EXPECT_EQ(run.judge(property).summary,
            "a/1's acquire of \"orders\", invoked at 5,000 ms, answered no at 5,002 ms, but the "
            "lock was free all the while, and nobody else asked for it");
  const auto kind_with = [&run](const auto& disturb) {
    RunBuilder disturbed = run;
    disturb(disturbed);
    return disturbed.judge(property).kind;
  };
  EXPECT_EQ(kind_with([](RunBuilder& it) { it.wait("b/1", 4'000, 5'001); }), holds);
  EXPECT_EQ(kind_with([](RunBuilder& it) { it.wait("b/1", 4'000, 4'500); }), holds)
      << "what it tried may have left something";
  EXPECT_EQ(kind_with([](RunBuilder& it) { it.wait("b/1", 100, 3'999); }), violated);
  EXPECT_EQ(kind_with([](RunBuilder& it) { it.tell("b/1 release 4000 - info"); }), holds);
  EXPECT_EQ(kind_with([](RunBuilder& it) { it.observations.has_fault_struck = true; }), holds);
  EXPECT_EQ(kind_with([](RunBuilder& it) { it.available(5'001, 0, 0); }), holds);
  EXPECT_EQ(kind_with([](RunBuilder& it) { it.observations.answers.back().limit_ns.reset(); }),
            holds)
      << "it raised an error";
  run.slowest_hop_ns = ns_per_ms;
  EXPECT_EQ(kind_with([](RunBuilder&) {}), violated);
  EXPECT_EQ(kind_with([](RunBuilder& it) { it.observations.answers.back().limit_ns = ns_per_ms; }),
            holds)
      << "its time was over before the answers could come";
}

// A lock that its owner may take again refuses it for nobody: neither vote nor queue is before its
// own hold.
TEST(TruthfulAnswers, NobodyIsRefusedWhatItHasAndMayTakeAgain) {
  RunBuilder run;
  run.refusal = Refusal::spurious;
  run.available(0, 1, 1);
  run.change("a/1", "a/1", 10, 0, 1, ChangeCause::acquire);
  run.lease(10, 5'000);
  run.available(10, 0, 0);
  run.wait("b/1", 20, 200);
  add(run, CallKind::acquire, 100, 102, false, 1).limit_ns = 0;
  EXPECT_EQ(run.judge(property).summary,
            "a/1's acquire of \"orders\", invoked at 100 ms, answered no at 102 ms, but its owner "
            "held the lock all the while, and may take it once more");
  const auto kind_with = [&run](const auto& change) {
    RunBuilder changed = run;
    change(changed);
    return changed.judge(property).kind;
  };
  EXPECT_EQ(kind_with([](RunBuilder& it) { it.reentry = Reentry::refused; }), holds);
  EXPECT_EQ(kind_with([](RunBuilder& it) { it.reentry = Reentry::counted_by_client; }), holds);
  EXPECT_EQ(kind_with([](RunBuilder& it) { it.change("a/1", "", 101, 1, 0, ChangeCause::expiry); }),
            holds)
      << "its lease ended meanwhile";
  EXPECT_EQ(kind_with([](RunBuilder& it) { it.observations.has_fault_struck = true; }), holds);
  const auto kind_of_answer = [&](const auto& change) {
    return kind_with([&](RunBuilder& it) { change(it.observations.answers.back()); });
  };
  EXPECT_EQ(kind_of_answer([](Answer& it) { it.number.reset(); }), holds) << "it asked for others";
  EXPECT_EQ(kind_of_answer([](Answer& it) { it.limit_ns.reset(); }), holds) << "it raised an error";
  EXPECT_EQ(kind_of_answer([](Answer& it) { it.mode = HoldMode::shared; }), holds);
  EXPECT_EQ(kind_of_answer([](Answer& it) { it.is_certain = false; }), holds);
  EXPECT_EQ(kind_of_answer([](Answer& it) { it.limit_ns = ns_per_ms; }), holds) << "had no time";
  EXPECT_EQ(kind_with([](RunBuilder& it) {
              it.wait("a/1", 11, 90);
              it.observations.waits.back().thread = it.id("a/2");
            }),
            holds)
      << "another thread of its owner may have it";
  EXPECT_EQ(kind_with([](RunBuilder& it) {
              it.change("a/1", "a/1", 101, 1, 2, ChangeCause::acquire);
              it.change("a/1", "a/1", 102, 2, 1, ChangeCause::release);
            }),
            holds)
      << "it was granted, and given back for lack of acknowledgements";
}

TEST(TruthfulAnswers, WhoSetsPermitsDoesNotSayNo) {
  RunBuilder run;
  run.available(0, 0, 1);
  run.available(11, 3, 1);
  run.number(11, 3);
  add(run, CallKind::set_permits, 10, 12, false, 3);
  run.observations.number_changes.back().by = run.id("a/1");
  EXPECT_EQ(run.judge(property).summary,
            "a/1's try_set_permits of \"orders\", invoked at 10 ms, answered no at 12 ms, but it "
            "set them: the number of permits left went from 0 to 3");
  run.observations.answers.back().is_certain = false;
  EXPECT_EQ(run.judge(property).kind, holds) << "an earlier request of its may have come late";
  run.observations.answers.back().is_certain = true;
  run.observations.number_changes.back().by = run.id("b/1");
  EXPECT_EQ(run.judge(property).kind, holds) << "it was another who did, and was not told";
}

TEST(TruthfulAnswers, WhoSaysNoOfAHoldThatRunsOutMayHaveGivenItBackElsewhere) {
  RunBuilder run = held_and_lost();
  run.change("c/1", "c/1", 40, 0, 1, ChangeCause::acquire);
  run.lease(40, 60);
  run.change("c/1", "c/1", 50, 1, 0, ChangeCause::release);
  run.answer(CallKind::release, "c/1", 49, 52, false);
  EXPECT_EQ(run.judge(property).kind, violated);
  run.observations.answers.back().returned = at_ms(60);
  EXPECT_EQ(run.judge(property).kind, holds);
}

TEST(TruthfulAnswers, WhoIsRefusedHasWaited) {
  RunBuilder run = held_and_lost();
  run.wait("b/1", 50, 10'000);
  run.refusal = Refusal::spurious;
  Answer& answer = add(run, CallKind::acquire, 100, 110, false, 1);
  EXPECT_EQ(run.judge(property).kind, holds) << "it raised an error, or was to wait for nothing";
  answer.limit_ns = 3'000 * ns_per_ms;
  EXPECT_EQ(run.judge(property).summary,
            "a/1's acquire of \"orders\", invoked at 100 ms, answered no at 110 ms, but it was to "
            "wait for 3,000 ms");
  answer.returned = at_ms(1595);
  EXPECT_EQ(run.judge(property).kind, holds)
      << "it gave up after half of it, but for a tenth of the bound";
  answer.returned = at_ms(4399);
  EXPECT_EQ(run.judge(property).kind, holds) << "a tenth later, and a tenth of the bound";
  answer.returned = at_ms(4500);
  EXPECT_EQ(
      run.judge(property).summary,
      "a/1's acquire of \"orders\", invoked at 100 ms, answered no at 4,500 ms, but it was to "
      "wait for no more than 3,000 ms");
  answer.returned = at_ms(1595);
  answer.limit_ns = never_ns;
  EXPECT_EQ(
      run.judge(property).summary,
      "a/1's acquire of \"orders\", invoked at 100 ms, answered no at 1,595 ms, but it was to "
      "wait for as long as it takes");
  run.observations.has_fault_struck = true;
  EXPECT_EQ(run.judge(property).kind, holds) << "of a fault it may give up for";
}

TEST(TruthfulAnswers, ReadersAndWritersAskForDifferentThings) {
  RunBuilder run;
  run.available(0, 0, 1);
  add(run, CallKind::acquire, 1, 5, false, 1);
  EXPECT_EQ(run.judge(property).kind, holds);
  run.observations.answers.back().mode = HoldMode::shared;
  EXPECT_EQ(run.judge(property).summary,
            "reader a/1's acquire of \"orders\", invoked at 1 ms, answered no at 5 ms, but as much "
            "as it asked for was available all the while");
}

TEST(TruthfulAnswers, PermitsAreGivenThatThereWere) {
  RunBuilder run;
  run.available(0, 3, 1);
  run.available(10, 1, 1);
  add(run, CallKind::acquire, 5, 12, true, 2);
  EXPECT_EQ(run.judge(property).kind, holds);
  add(run, CallKind::acquire, 11, 12, true, 2);
  EXPECT_EQ(run.judge(property).summary,
            "a/1's acquire of \"orders\", invoked at 11 ms, answered yes at 12 ms, but the number "
            "of permits left was 1 at the most");
}

TEST(TruthfulAnswers, PermitsAreGivenBackWhereThereAreMoreThanBefore) {
  RunBuilder run;
  run.number(0, 3);
  run.number(10, 1);
  run.number(20, 2);
  add(run, CallKind::release_permits, 15, 25, true);
  add(run, CallKind::release_permits, 20, 25, true);
  EXPECT_EQ(run.judge(property).kind, holds) << "then, or at that very moment";
  add(run, CallKind::release_permits, 5, 12, true);
  EXPECT_EQ(run.judge(property).summary,
            "a/1's release of \"orders\", invoked at 5 ms, answered yes at 12 ms, but the "
            "number of permits left did not rise meanwhile: it was 3");
}

// The next one's turn may come without a permit that is ever left.
TEST(TruthfulAnswers, APermitMayBeHandedOnToWhoWaits) {
  RunBuilder run;
  run.number(0, 1);
  run.number(1, 0);
  run.wait("b/1", 2, 12);
  add(run, CallKind::release_permits, 10, 13, true);
  EXPECT_EQ(run.judge(property).kind, holds);
  add(run, CallKind::release_permits, 14, 16, true);
  EXPECT_EQ(run.judge(property).kind, violated);
}

// A minute is asked for; after the half of it no margin explains 29 ms.
TEST(TruthfulAnswers, NoMarginIsHalfOfALongLease) {
  RunBuilder run;
  run.change("a/1", "a/1", 10, 0, 1, ChangeCause::acquire);
  run.lease(10, 60'010);
  add(run, CallKind::remaining_lease, 31'000, 31'001, true, 29);
  EXPECT_EQ(run.judge(property).kind, violated);
  run.observations.answers.back().is_certain = false;
  EXPECT_EQ(run.judge(property).kind, holds) << "it may not know of an extension";
}

TEST(TruthfulAnswers, ACountDownCountsDownWhatIsClosed) {
  RunBuilder run;
  run.number(10, 2);
  run.number(20, 1);
  run.number(30, 0);
  add(run, CallKind::count_down, 5, 8, true);
  add(run, CallKind::count_down, 15, 25, true);
  add(run, CallKind::count_down, 25, 35, true);
  add(run, CallKind::count_down, 32, 40, true);
  EXPECT_EQ(run.judge(property).kind, holds);
  add(run, CallKind::count_down, 12, 18, true);
  EXPECT_EQ(run.judge(property).summary,
            "a/1's count_down of \"orders\", invoked at 12 ms, answered yes at 18 ms, but the "
            "count was 2 all the while");
}

TEST(TruthfulAnswers, AnExtensionExtendsAHoldByItsLease) {
  EXPECT_EQ(kind_of(CallKind::extend, 12, 14, true), holds);
  EXPECT_EQ(kind_of(CallKind::extend, 21, 25, true), violated);
  EXPECT_EQ(kind_of(CallKind::extend, 12, 14, false), violated);
  EXPECT_EQ(kind_of(CallKind::extend, 12, 25, false), holds);
  RunBuilder run = held_and_lost();
  add(run, CallKind::extend, 12, 14, true).lease_ns = 9 * ns_per_ms;
  EXPECT_EQ(run.judge(property).kind, holds) << "Redis rounds to a millisecond";
  run.observations.answers.back().lease_ns = 12 * ns_per_ms;
  EXPECT_EQ(run.judge(property).summary,
            "a/1's extend of \"orders\", invoked at 12 ms, answered yes at 14 ms, but of the new "
            "lease of 12 ms at least 3 ms are missing: it ended at 20 ms at the latest");
  run.declared_drift_ppm = 300'000;
  EXPECT_EQ(run.judge(property).kind, holds);
}

TEST(TruthfulAnswers, AnExtensionTellsNoLongerValidityThanItsLease) {
  RunBuilder run = held_and_lost();
  add(run, CallKind::extend, 12, 14, true).valid_until_ns = 20 * ns_per_ms;
  EXPECT_EQ(run.judge(property).kind, holds);
  run.observations.answers.back().valid_until_ns = 24 * ns_per_ms;
  EXPECT_EQ(
      run.judge(property).summary,
      "a/1's extend of \"orders\", invoked at 12 ms, answered yes at 14 ms, but the lease "
      "ends at 20 ms at the latest, and a validity until 24 ms was told: 4 ms too long, beyond "
      "the declared drift");
  run.declared_drift_ppm = 400'000;
  EXPECT_EQ(run.judge(property).kind, holds);
}

TEST(TruthfulAnswers, QuestionsAreAnsweredByWhatWasSoMeanwhile) {
  EXPECT_EQ(kind_of(CallKind::is_held, 12, 14, true), holds);
  EXPECT_EQ(kind_of(CallKind::is_held, 23, 25, true), violated);
  EXPECT_EQ(kind_of(CallKind::is_held, 12, 14, false), violated);
  EXPECT_EQ(kind_of(CallKind::is_locked, 23, 25, true), holds);
  EXPECT_EQ(kind_of(CallKind::is_locked, 23, 25, false), violated);
  EXPECT_EQ(kind_of(CallKind::is_locked, 19, 25, false), holds);
  EXPECT_EQ(kind_of(CallKind::is_locked, 31, 32, true), violated);
  EXPECT_EQ(kind_of(CallKind::force_release, 31, 32, true), violated);
  EXPECT_EQ(kind_of(CallKind::force_release, 23, 25, false), violated);
  EXPECT_EQ(kind_of(CallKind::force_release, 31, 32, false), holds);
}

TEST(TruthfulAnswers, NobodySaysNoWhoTookAHoldAway) {
  for (const CallKind call : {CallKind::release, CallKind::force_release}) {
    RunBuilder run;
    run.change("a/1", "a/1", 10, 0, 1, ChangeCause::acquire);
    run.change("a/1", "a/1", 20, 1, 0, ChangeCause::release);
    Answer& answer = add(run, call, 15, 25, false);
    EXPECT_EQ(run.judge(property).kind, violated);
    answer.is_certain = false;
    EXPECT_EQ(run.judge(property).kind, holds) << "a request of its may have done it";
    RunBuilder lapsed = held_and_lost();
    add(lapsed, call, 15, 21, false);
    EXPECT_EQ(lapsed.judge(property).kind, holds) << "it went by itself";
  }
  EXPECT_EQ(kind_of(CallKind::hold_count, 12, 14, true, 1), holds);
  EXPECT_EQ(kind_of(CallKind::hold_count, 8, 14, false, 0), holds);
  EXPECT_EQ(
      summary_of(CallKind::hold_count, 12, 14, true, 2),
      "a/1's hold_count of \"orders\", invoked at 12 ms, answered 2 at 14 ms, but it was 1 all "
      "the while");
}

TEST(TruthfulAnswers, WhatIsLeftOfALeaseIsNotToldInAnotherUnit) {
  RunBuilder run;
  run.lease(0, 30'000);
  add(run, CallKind::remaining_lease, 10, 12, true, 2'000);
  EXPECT_EQ(run.judge(property).kind, holds) << "a margin is no lie";
  add(run, CallKind::remaining_lease, 10, 12, true, 29);
  EXPECT_EQ(
      run.judge(property).summary,
      "a/1's remaining_lease of \"orders\", invoked at 10 ms, answered 29 ms at 12 ms, but no "
      "less than 29,988 ms were left of it");
}

TEST(TruthfulAnswers, OfAShortLeaseALowAnswerIsALieUnlessAMarginOrTheCallForItExplainsIt) {
  RunBuilder run;
  run.lease(0, 1'000, {}, "orders", "a/1");
  add(run, CallKind::remaining_lease, 600, 602, true, 0);
  EXPECT_EQ(run.judge(property).kind, holds) << "it may take off half a second";
  add(run, CallKind::remaining_lease, 10, 12, true, 60);
  EXPECT_EQ(run.judge(property).kind, holds);
  RunBuilder in_seconds = run;
  add(in_seconds, CallKind::remaining_lease, 10, 12, true, 1);
  EXPECT_EQ(in_seconds.judge(property).summary,
            "a/1's remaining_lease of \"orders\", invoked at 10 ms, answered 1 ms at 12 ms, but no "
            "less than 988 ms were left of it");
  // Who has waited for an answer counts from when it asked.
  RunBuilder late;
  late.wait("a/1", 0, 900);
  late.lease(899, 1'899, {}, "orders", "a/1");
  add(late, CallKind::remaining_lease, 901, 903, true, 1);
  EXPECT_EQ(late.judge(property).kind, holds);
}

TEST(TruthfulAnswers, NoMoreLeaseIsToldThanThereIsLeft) {
  EXPECT_EQ(kind_of(CallKind::remaining_lease, 12, 14, true, 8), holds);
  EXPECT_EQ(kind_of(CallKind::remaining_lease, 12, 14, true, 3), holds) << "a margin is no lie";
  EXPECT_EQ(kind_of(CallKind::remaining_lease, 12, 14, true, 9), holds) << "of a millisecond";
  EXPECT_EQ(kind_of(CallKind::remaining_lease, 12, 24, true, 10), holds) << "of b/1's";
  EXPECT_EQ(
      summary_of(CallKind::remaining_lease, 12, 14, true, 10),
      "a/1's remaining_lease of \"orders\", invoked at 12 ms, answered 10 ms at 14 ms, but no "
      "more than 8 ms were left of it");
  EXPECT_EQ(
      summary_of(CallKind::remaining_lease, 12, 14, true, -1),
      "a/1's remaining_lease of \"orders\", invoked at 12 ms, answered for ever at 14 ms, but "
      "no more than 8 ms were left of it");
  EXPECT_EQ(kind_of(CallKind::remaining_lease, 12, 14, false, -2), violated);
  EXPECT_EQ(kind_of(CallKind::remaining_lease, 31, 34, false, -2), holds);
  EXPECT_EQ(kind_of(CallKind::remaining_lease, 31, 34, true, 2), violated);
  RunBuilder without_ttl;
  without_ttl.lease(1, -1);
  add(without_ttl, CallKind::remaining_lease, 12, 14, true, -1);
  EXPECT_EQ(without_ttl.judge(property).kind, holds);
}

TEST(TruthfulAnswers, AnOwnersOwnLeaseCountsWhereEachHasOne) {
  RunBuilder run;
  run.lease(1, 30, "a/1");
  run.lease(1, 90, "b/1");
  add(run, CallKind::remaining_lease, 10, 11, true, 20);
  EXPECT_EQ(run.judge(property).kind, holds);
  add(run, CallKind::remaining_lease, 10, 11, true, 50);
  EXPECT_EQ(run.judge(property).kind, violated);
}

TEST(TruthfulAnswers, SettingSaysWhetherItWasDone) {
  RunBuilder run;
  run.available(0, 1, 1);   // an open latch
  run.available(10, 0, 1);  // it is set
  run.available(20, 1, 1);
  add(run, CallKind::set_count, 5, 12, true, 3);
  add(run, CallKind::set_count, 15, 22, false, 3);
  EXPECT_EQ(run.judge(property).kind, holds);
  add(run, CallKind::set_count, 21, 22, false, 3);
  EXPECT_EQ(run.judge(property).summary,
            "a/1's try_set_count of \"orders\", invoked at 21 ms, answered no at 22 ms, but the "
            "latch was open all the while");
  // A latch that is set while it is closed is another's.
  RunBuilder closed;
  closed.available(0, 1, 1);
  closed.available(10, 0, 1);
  add(closed, CallKind::set_count, 15, 22, true, 3);
  EXPECT_EQ(closed.judge(property).summary,
            "a/1's try_set_count of \"orders\", invoked at 15 ms, answered yes at 22 ms, but the "
            "latch was closed all the while: it was another's");
  RunBuilder set;
  set.available(0, 1, 1);
  set.available(10, 0, 1);
  set.number(10, 3);
  set.observations.number_changes.back().by = set.id("a/1");
  add(set, CallKind::set_count, 5, 12, false, 3);
  EXPECT_EQ(
      set.judge(property).summary,
      "a/1's try_set_count of \"orders\", invoked at 5 ms, answered no at 12 ms, but it closed "
      "the latch, with a count of 3");
  set.observations.answers.back().is_certain = false;
  EXPECT_EQ(set.judge(property).kind, holds) << "an earlier request of its may have come late";
  RunBuilder permits;
  permits.available(0, 0, 1);
  permits.available(10, 3, 1);
  add(permits, CallKind::set_permits, 5, 12, true, 3);
  EXPECT_EQ(permits.judge(property).kind, holds);
  add(permits, CallKind::set_permits, 5, 12, true, 4);
  EXPECT_EQ(permits.judge(property).summary,
            "a/1's try_set_permits of \"orders\", invoked at 5 ms, answered yes at 12 ms, but the "
            "number of permits left was between 0 and 3 all the while");
}

TEST(TruthfulAnswers, OfOneMomentsChangesOnlyTheLastIsAnInstant) {
  RunBuilder run;
  run.change("a/1", "a/1", 10, 0, 1, ChangeCause::acquire);
  run.change("a/1", "b/1", 20, 1, 0, ChangeCause::acquire);  // b/1 takes it over
  run.change("b/1", "b/1", 20, 0, 1, ChangeCause::acquire);
  add(run, CallKind::is_locked, 12, 25, false);
  EXPECT_EQ(
      run.judge(property).summary,
      "a/1's is_locked of \"orders\", invoked at 12 ms, answered no at 25 ms, but somebody held "
      "the lock all the while");
}

TEST(TruthfulAnswers, LocksAndOwnersAreToldApart) {
  RunBuilder run;
  run.change("a/1", "a/1", 10, 0, 1, ChangeCause::acquire, "stock");
  run.change("b/1", "b/1", 10, 0, 1, ChangeCause::acquire);
  add(run, CallKind::is_held, 12, 14, true);
  EXPECT_EQ(run.judge(property).kind, violated);
}

TEST(TruthfulAnswers, CountsEveryOneAndShowsTheFirst) {
  RunBuilder run = held_and_lost();
  for (std::int64_t ms = 31; ms <= 50; ++ms) add(run, CallKind::is_locked, ms, ms + 1, true);
  const Verdict verdict = run.judge(property);
  EXPECT_NE(verdict.summary.find("; 20 such answers in all"), std::string::npos);
  EXPECT_EQ(verdict.evidence.size(), evidence_max);
}

/// The counts that an owner had from the one moment to the other, by telling the story anew.
std::vector<std::int64_t> counts_in_order(const RunBuilder& run, const Answer& answer) {
  std::vector<std::int64_t> counts;
  std::int64_t now = 0;
  for (std::uint64_t order = 0; order <= answer.returned.order; ++order) {
    if (order == answer.invoked.order) counts.push_back(now);
    for (const HoldChange& change : run.observations.hold_changes) {
      const bool is_its_own = change.owner == answer.owner && change.lock == answer.lock;
      if (is_its_own && change.at.order == order) now = change.count_after;
    }
    if (order >= answer.invoked.order) counts.push_back(now);
  }
  return counts;
}

std::set<std::int64_t> counts_between(const RunBuilder& run, const Answer& answer) {
  const std::vector<std::int64_t> counts = counts_in_order(run, answer);
  return {counts.begin(), counts.end()};
}

RC_GTEST_PROP(TruthfulAnswers, AgreesWithTellingTheStoryAnew, ()) {
  RunBuilder run;
  std::int64_t counts[2][2] = {};
  const char* const owners[] = {"a/1", "b/1"};
  const char* const locks[] = {"orders", "stock"};
  for (std::int64_t ms = 1; ms < 12; ++ms) {
    const int owner = *rc::gen::inRange(0, 2);
    const int lock = *rc::gen::inRange(0, 2);
    std::int64_t& count = counts[owner][lock];
    const std::int64_t before = count;
    count = *rc::gen::inRange(0, 3);
    run.change(owners[owner], owners[owner], ms - *rc::gen::inRange(0, 2), before, count,
               ChangeCause::other, locks[lock]);
  }
  std::stable_sort(run.observations.hold_changes.begin(), run.observations.hold_changes.end(),
                   [](const HoldChange& a, const HoldChange& b) { return a.at < b.at; });
  const std::int64_t invoked = *rc::gen::inRange(0, 12);
  const std::int64_t returned = invoked + *rc::gen::inRange(0, 4);
  const std::int64_t number = *rc::gen::inRange(0, 3);
  const auto call =
      *rc::gen::element(CallKind::release, CallKind::is_held, CallKind::extend, CallKind::acquire);
  const bool yes = call != CallKind::acquire && *rc::gen::arbitrary<bool>();
  const Answer answer = add(run, call, invoked, returned, yes, number);
  run.refusal = Refusal::spurious;
  const std::set<std::int64_t> found = counts_between(run, answer);
  bool is_true = yes ? *found.rbegin() > 0 : *found.begin() == 0;
  if (call == CallKind::release && yes) {
    const std::vector<std::int64_t> in_order = counts_in_order(run, answer);
    is_true &= !std::is_sorted(in_order.begin(), in_order.end());
  }
  if (call == CallKind::release && !yes) {
    for (const HoldChange& change : run.observations.hold_changes) {
      const bool is_meanwhile =
          change.at.order >= answer.invoked.order && change.at.order <= answer.returned.order;
      const bool is_its_own = change.owner == answer.owner && change.lock == answer.lock;
      if (is_its_own && is_meanwhile) is_true &= change.count_after >= change.count_before;
    }
  }
  if (call == CallKind::acquire) {
    Answer before = answer;
    before.returned = before.invoked;
    Answer after = answer;
    after.invoked = after.returned;
    const auto last = counts_between(run, after);
    RC_PRE(last.size() == 1);
    const auto first = counts_between(run, before);
    RC_PRE(first.size() == 1);
    is_true = *last.begin() <= *first.begin();
  }
  RC_TAG(is_true ? "true" : "false");
  RC_ASSERT((run.judge(property).kind == holds) == is_true);
}

}  // namespace
}  // namespace lockstep::checker::testing::truthful_answers
