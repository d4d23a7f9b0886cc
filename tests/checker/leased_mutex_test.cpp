// The specification of a mutex with leases, on histories told by hand: every clause and each
// boundary.
#include "checker/linearizability/leased_mutex.h"

#include <gtest/gtest.h>

#include "checker/property.h"
#include "checker/verdict.h"
#include "run_builder.h"

namespace lockstep::checker::testing {
namespace {

struct Case {
  const char* name;
  const char* history;
  VerdictKind kind;
};

constexpr VerdictKind holds = VerdictKind::holds;
constexpr VerdictKind violated = VerdictKind::violated;

void judge_all(std::span<const Case> cases, Reentry reentry = Reentry::counted,
               std::int64_t drift_ppm = 0) {
  for (const auto& [name, history, kind] : cases) {
    RunBuilder run;
    run.reentry = reentry;
    run.declared_drift_ppm = drift_ppm;
    run.tell(history);
    const Verdict verdict = run.judge(Property::lease_linearizability);
    EXPECT_EQ(verdict.kind, kind) << name << "\n" << history << "\n" << verdict.summary;
  }
}

TEST(LeasedMutexAcquire, IsGrantedAndRefusedAsTheSpecificationSays) {
  judge_all(std::array<Case, 10>{{
      {"nothing happened", "", holds},
      {"a free lock is granted", "a acquire 0 1 ok 10", holds},
      {"a free lock is not refused", "a acquire 0 1 fail 10", violated},
      {"a held lock is refused", "a acquire 0 1 ok 10; b acquire 2 3 fail 10", holds},
      {"a held lock is not granted", "a acquire 0 1 ok 10; b acquire 2 3 ok 10", violated},
      {"the holder may re-enter", "a acquire 0 1 ok 10; a acquire 2 3 ok 10", holds},
      {"the holder is not refused", "a acquire 0 1 ok 10; a acquire 2 3 fail 10", violated},
      {"a released lock is granted", "a acquire 0 1 ok 10; a release 2 3 ok; b acquire 4 5 ok 10",
       holds},
      {"a refusal may precede a concurrent release",
       "a acquire 0 1 ok 10; a release 2 5 ok; b acquire 3 4 fail 10", holds},
      {"a grant may precede a concurrent grant that was invoked earlier",
       "a acquire 0 9 fail 10; b acquire 1 2 ok 10", holds},
  }});
}

TEST(LeasedMutexAcquire, ConcurrencyEndsWithTheReturn) {
  judge_all(std::array<Case, 4>{{
      {"the refusal came after the release returned",
       "a acquire 0 1 ok 10; a release 2 3 ok; b acquire 4 5 fail 10", violated},
      {"in the same instant, but later in the order",
       "a acquire 0 1 ok 10; a release 2 3.1 ok; b acquire 3.2 5 fail 10", violated},
      {"in the same instant, and earlier in the order",
       "a acquire 0 1 ok 10; a release 2 3.2 ok; b acquire 3.1 5 fail 10", holds},
      {"at the same place of the order: concurrent",
       "a acquire 0 1 ok 10; a release 2 3 ok; b acquire 3 5 fail 10", holds},
  }});
}

TEST(LeasedMutexAcquire, WithoutReentryItsOwnHolderIsRefused) {
  judge_all(std::array<Case, 9>{{
                {"refused", "a acquire 0 1 ok 10; a acquire 2 3 fail 10", holds},
                {"not granted", "a acquire 0 1 ok 10; a acquire 2 3 ok 10", violated},
                {"granted after the lease", "a acquire 0 1 ok 10; a acquire 2 10 ok 10", holds},
                {"refused by its own attempt that timed out",
                 "a acquire 0 - info 10; a acquire 2 3 fail 10", holds},
                // What an attempt wrote that came late is no hold of the thread's next acquisition.
                {"its own late attempt is not what it releases",
                 "a acquire 0 - info 10; a acquire 1 2 ok 10; b acquire 12 13 fail 10; "
                 "a release 14 15 fail; b acquire 16 17 fail 10",
                 holds},
                {"nor what it renews",
                 "a acquire 0 - info 10; a acquire 1 2 ok 10; b acquire 12 13 fail 10; "
                 "a renew 14 15 fail 10; b acquire 16 17 fail 10",
                 holds},
                {"it may give back what it doesn't know that it has",
                 "a acquire 0 - info 100; b acquire 1 2 fail 10; a release 3 4 ok; "
                 "b acquire 5 6 ok 10",
                 holds},
                {"a hold is given back once",
                 "a acquire 0 1 ok 100; a release 2 3 ok; a release 4 5 ok", violated},
                {"its own hold is not refused to it",
                 "a acquire 0 - info 10; a acquire 1 2 ok 10; a release 3 4 fail", violated},
            }},
            Reentry::refused);
}

// A process may own as one: its threads ask at once, and each speaks of what it was told of.
TEST(LeasedMutexAcquire, WithoutReentryTwoMayAskAtOnceForOneOwner) {
  judge_all(
      std::array<Case, 6>{{
          {"the first gives its hold back before the second is told of its own",
           "a acquire 0 1 ok 100; a acquire 0.1 5 ok 100; a release 2 3 ok; a release 6 7 ok",
           holds},
          {"whichever asked first",
           "a acquire 0 9 ok 100; a acquire 1 2 ok 100; a release 3 4 ok; a release 10 11 ok",
           holds},
          {"nor is a hold renewed that nobody was told of",
           "a acquire 0 1 ok 10; a acquire 2 25 ok 10; a renew 3 4 ok 18; b acquire 19 20 fail 5",
           holds},
          {"nor need it be known that the other has it",
           "a acquire 0 9 info 100; a acquire 1 2 ok 100; a release 3 4 ok; a release 10 11 ok",
           holds},
          {"both at once", "a acquire 0 1 ok 100; a acquire 0.1 1.5 ok 100; a release 2 3 ok",
           violated},
          {"one hold is not given back twice",
           "a acquire 0 1 ok 100; a acquire 0.1 5 ok 100; a release 2 3 ok; a release 3.1 4 ok",
           violated},
      }},
      Reentry::refused);
}

TEST(LeasedMutexExpiry, FreesTheLockAtTheDeadlineOrLaterOrNever) {
  judge_all(std::array<Case, 10>{{
      {"granted exactly at the deadline", "a acquire 0 1 ok 10; b acquire 2 10 ok 10", holds},
      {"granted before the deadline", "a acquire 0 1 ok 10; b acquire 2 9 ok 10", violated},
      {"counted from the invocation", "a acquire 0 5 ok 10; b acquire 6 10 ok 10", holds},
      {"a late expiry is no matter of this", "a acquire 0 1 ok 10; b acquire 500 501 fail 10",
       holds},
      {"without a lease it never expires", "a acquire 0 1 ok 0; b acquire 500 501 ok 10", violated},
      {"a renewal that returned before the deadline came before the expiry, and moved it",
       "a acquire 0 1 ok 10; b acquire 2 12 ok 100; a renew 3 9 ok 10", violated},
      {"by no more than its own lease",
       "a acquire 0 1 ok 10; b acquire 2 12 ok 100; a renew 3 9 ok 9", holds},
      {"a refusal that needs the new holder returns before the deadline",
       "a acquire 0 1 ok 10; b acquire 2 12 ok 100; a release 3 9 fail", violated},
      {"the same, returning after the deadline",
       "a acquire 0 1 ok 10; b acquire 2 12 ok 100; a release 3 11 fail", holds},
      {"two expiries, each at its own time",
       "a acquire 0 1 ok 10; b acquire 9 10 ok 10; c acquire 12 18 ok 10", violated},
  }});
}

TEST(LeasedMutexExpiry, ComesEarlierByTheDeclaredDrift) {
  // 10 ms less 10% is 9 ms.
  judge_all(std::array<Case, 2>{{
                {"at the shortened deadline", "a acquire 0 1 ok 10; b acquire 2 9 ok 10", holds},
                {"before it", "a acquire 0 1 ok 10; b acquire 2 8 ok 10", violated},
            }},
            Reentry::counted, 100'000);
}

TEST(LeasedMutexExpiry, MayOrMayNotHaveComeBeforeTheHolderAcquiresAgain) {
  judge_all(std::array<Case, 4>{{
      {"it re-entered: two releases",
       "a acquire 0 1 ok 10; a acquire 2 11 ok 50; a release 12 13 ok; a release 14 15 ok", holds},
      {"it had expired: one release, then free",
       "a acquire 0 1 ok 10; a acquire 2 11 ok 50; a release 12 13 ok; b acquire 14 15 ok 10",
       holds},
      {"too early to have expired: one release doesn't free it",
       "a acquire 0 1 ok 10; a acquire 2 9 ok 50; a release 10 11 ok 50; b acquire 14 15 ok 10",
       violated},
      {"not both",
       "a acquire 0 1 ok 10; a acquire 2 11 ok 50; a release 12 13 ok; b acquire 14 15 ok 10; "
       "a release 16 17 ok",
       violated},
  }});
}

TEST(LeasedMutexRenew, ReplacesTheDeadlineOfItsOwnersHold) {
  judge_all(std::array<Case, 9>{{
      {"the lease goes on", "a acquire 0 1 ok 10; a renew 5 6 ok 10; b acquire 12 14 ok 10",
       violated},
      {"until the new deadline", "a acquire 0 1 ok 10; a renew 5 6 ok 10; b acquire 12 15 ok 10",
       holds},
      {"a shorter lease replaces a longer one",
       "a acquire 0 1 ok 50; a renew 5 6 ok 10; b acquire 12 15 ok 10", holds},
      {"without a lease it replaces nothing",
       "a acquire 0 1 ok 10; a renew 5 6 ok 0; b acquire 7 10 ok 10", holds},
      {"a free lock is not renewed", "a renew 5 6 ok 10", violated},
      {"another's lock is not renewed", "a acquire 0 1 ok 10; b renew 5 6 ok 10", violated},
      {"the holder's renewal is not refused", "a acquire 0 1 ok 10; a renew 5 6 fail 10", violated},
      {"unless the lease may have ended", "a acquire 0 1 ok 10; a renew 5 10 fail 10", holds},
      {"and then it has", "a acquire 0 1 ok 10; a renew 5 10 fail 10; b acquire 11 12 fail 10",
       violated},
  }});
}

TEST(LeasedMutexRelease, GivesBackOneHold) {
  judge_all(std::array<Case, 9>{{
      {"a free lock is not released", "a release 0 1 ok", violated},
      {"another's lock is not released", "a acquire 0 1 ok 10; b release 2 3 ok", violated},
      {"a refused release", "a acquire 0 1 ok 10; b release 2 3 fail", holds},
      {"the holder's release is not refused", "a acquire 0 1 ok 10; a release 2 3 fail", violated},
      {"unless the lease may have ended", "a acquire 0 1 ok 10; a release 2 10 fail", holds},
      {"one hold of two stays",
       "a acquire 0 1 ok 10; a acquire 2 3 ok 10; a release 4 5 ok 10; b acquire 6 7 ok 10",
       violated},
      {"with the deadline that the release set",
       "a acquire 0 1 ok 10; a acquire 2 3 ok 10; a release 4 5 ok 10; b acquire 6 13 ok 10",
       violated},
      {"or without a lease, the one before",
       "a acquire 0 1 ok 10; a acquire 2 3 ok 10; a release 4 5 ok 0; b acquire 6 12 ok 10", holds},
      {"three releases for two acquires",
       "a acquire 0 1 ok 100; a acquire 2 3 ok 100; a release 4 5 ok; a release 6 7 ok; "
       "a release 8 9 ok",
       violated},
  }});
}

TEST(LeasedMutexForcedRelease, FreesWhoeverHolds) {
  judge_all(std::array<Case, 6>{{
      {"at any count",
       "a acquire 0 1 ok 10; a acquire 2 3 ok 10; b force 4 5 ok; c acquire 6 7 ok 10", holds},
      {"a free lock: not ok", "b force 4 5 ok", violated},
      {"a free lock: refused", "b force 4 5 fail", holds},
      {"a held lock: not refused", "a acquire 0 1 ok 10; b force 4 5 fail", violated},
      {"a lease that may have ended: refused", "a acquire 0 1 ok 10; b force 4 10 fail", holds},
      {"the former holder is refused", "a acquire 0 1 ok 90; b force 4 5 ok; a release 6 7 ok",
       violated},
  }});
}

TEST(LeasedMutexUnknownOutcomes, TakeEffectAtAnyTimeOrNever) {
  judge_all(std::array<Case, 12>{{
      {"an acquire that took effect", "a acquire 0 - info 10; b acquire 2 3 fail 10", holds},
      {"an acquire that did not", "a acquire 0 - info 10; b acquire 2 3 ok 10", holds},
      {"an acquire that took effect late",
       "a acquire 0 - info 10; b acquire 2 3 ok 10; b release 4 5 ok; c acquire 6 7 fail 10",
       holds},
      {"but not before its invocation", "b acquire 2 3 fail 10; a acquire 4 - info 10", violated},
      {"and only once", "a acquire 0 - info 10; a release 2 3 ok; b acquire 4 5 fail 10", violated},
      {"a release that took effect", "a acquire 0 1 ok 90; a release 2 - info; b acquire 4 5 ok 10",
       holds},
      {"a release that took effect later",
       "a acquire 0 1 ok 90; a release 2 - info; b acquire 4 5 fail 10; c acquire 6 7 ok 10",
       holds},
      {"a release that frees another's hold can't be",
       "a acquire 0 1 ok 90; b release 2 - info; b acquire 4 5 ok 10", violated},
      {"a renewal that took effect, with a shorter lease",
       "a acquire 0 1 ok 90; a renew 2 - info 10; b acquire 12 13 ok 10", holds},
      {"a renewal's lease is over 10 ms after its invocation at the earliest",
       "a acquire 0 1 ok 90; a renew 5 - info 10; b acquire 12 13 ok 10", violated},
      {"an operation that never completed counts as unknown whatever its outcome says",
       "a acquire 0 - ok 10; b acquire 2 3 ok 10", holds},
      {"a completion with unknown outcome bounds nothing",
       "a acquire 0 1 info 10; b acquire 2 3 ok 10; b release 4 5 ok; c acquire 6 7 fail 10",
       holds},
  }});
}

TEST(LeasedMutexUnknownOutcomes, StandForEachOtherOnlyWhereTheirEffectIsTheSame) {
  judge_all(std::array<Case, 4>{{
      {"the longer lease must be used first, while the shorter one is over already",
       "a acquire 0 - info 1; a acquire 0 - info 100; b acquire 2 5 fail 9; c force 6 7 ok; "
       "b acquire 8 9 fail 9; b acquire 10 11 ok 9",
       holds},
      {"the first is a renewal, the second an acquire",
       "a renew 0 - info 1; a acquire 0 - info 1; b acquire 2 5 fail 9", holds},
      {"the first is another owner's",
       "c acquire 0 - info 1; a acquire 0 - info 1; a release 4 5 ok; b acquire 6 7 fail 9", holds},
      {"forced releases are all alike, but each is used once",
       "a acquire 0 1 ok 0; b force 2 - info; c force 2 - info; a acquire 4 5 ok 0; "
       "b acquire 6 7 ok 0; c acquire 8 9 ok 0; a acquire 10 11 ok 0",
       violated},
  }});
}

TEST(LeasedMutex, SuccessorsAreCompleteAlsoWhereTheSearchObserves) {
  const LeasedMutex mutex(Reentry::counted);
  const LeasedMutex::State held{NameId{0}, 2, 10};
  LeasedMutex::Input refusal;
  refusal.owner = NameId{1};
  refusal.refused = true;
  refusal.returns_ns = 5;
  EXPECT_TRUE(mutex.observes(held, refusal));
  LeasedMutex::Successors successors;
  ASSERT_EQ(mutex.successors(held, refusal, refusal, successors), 1U);
  EXPECT_EQ(successors[0], held);
}

TEST(LeasedMutex, AcquiresWithoutAnAnswerAreInterchangeableWhenTheirLeasesAreOver) {
  const LeasedMutex mutex(Reentry::refused);
  LeasedMutex::Input one;
  one.owner = NameId{0};
  one.has_lease = true;
  one.deadline_ns = 10;
  LeasedMutex::Input two = one;
  two.deadline_ns = 20;
  LeasedMutex::Input next;
  for (const TimeNs returns_ns : {TimeNs{5}, TimeNs{15}, TimeNs{25}}) {
    next.returns_ns = returns_ns;
    const bool are_over = returns_ns == 25;
    EXPECT_EQ(mutex.interchangeable(one, two, next), are_over);
    EXPECT_EQ(mutex.hash_of_effect(one, next) == mutex.hash_of_effect(two, next), are_over);
  }
  two.owner = NameId{1};
  EXPECT_FALSE(mutex.interchangeable(one, two, next));
  EXPECT_NE(mutex.hash_of_effect(one, next), mutex.hash_of_effect(two, next));
}

TEST(LeasedMutex, ForcedReleasesAreInterchangeableWhoeverAskedForThem) {
  const LeasedMutex mutex(Reentry::counted);
  LeasedMutex::Input one;
  one.kind = OperationKind::force_release;
  one.owner = NameId{0};
  LeasedMutex::Input two = one;
  two.owner = NameId{1};
  EXPECT_TRUE(mutex.interchangeable(one, two, one));
  EXPECT_EQ(mutex.hash_of_effect(one, one), mutex.hash_of_effect(two, one));
  two.kind = OperationKind::release;
  EXPECT_FALSE(mutex.interchangeable(one, two, one));
  one.kind = OperationKind::release;
  EXPECT_FALSE(mutex.interchangeable(one, two, one));
}

TEST(LeasedMutex, AnEarlierOrALapsedDeadlineCoversAnyOther) {
  const LeasedMutex mutex(Reentry::counted);
  LeasedMutex::Input next;
  next.returns_ns = 5;
  const auto held = [](std::uint32_t count, TimeNs deadline_ns) {
    return LeasedMutex::State{NameId{0}, count, deadline_ns};
  };
  EXPECT_TRUE(mutex.covers(held(1, 8), held(1, 8), next));
  EXPECT_TRUE(mutex.covers(held(1, 8), held(1, 9), next));
  EXPECT_FALSE(mutex.covers(held(1, 9), held(1, 8), next));
  EXPECT_TRUE(mutex.covers(held(1, 5), held(1, 3), next));
  EXPECT_FALSE(mutex.covers(held(1, 6), held(1, 3), next));
  EXPECT_FALSE(mutex.covers(held(1, 8), held(2, 8), next));
  EXPECT_FALSE(mutex.covers({}, held(1, 8), next));
}

}  // namespace
}  // namespace lockstep::checker::testing
