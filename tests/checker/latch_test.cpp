#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "checker/evidence.h"
#include "checker/observations.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "run_builder.h"

namespace lockstep::checker::testing::latch {
namespace {

constexpr Property property = Property::latch;
constexpr LatchEventKind set = LatchEventKind::set;
constexpr LatchEventKind counted_down = LatchEventKind::counted_down;
constexpr LatchEventKind passed = LatchEventKind::passed;

TEST(Latch, MayBePassedOnceItIsCountedDown) {
  RunBuilder run;
  run.latch(set, "a/1", 1, 2, 2);
  run.latch(counted_down, "b/1", 5, 6);
  run.latch(counted_down, "b/2", 7, 20);  // under way is enough
  run.latch(passed, "c/1", 3, 9);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(Latch, MustNotBePassedBefore) {
  RunBuilder run;
  run.latch(set, "a/1", 1, 2, 2);
  run.latch(counted_down, "b/1", 5, 6);
  run.latch(passed, "c/1", 3, 9);
  run.latch(counted_down, "b/2", 9, 20);
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(verdict.summary,
            "c/1 passed latch \"start\" at 9 ms, when of the count of 2 that a/1 had set at 2 ms "
            "only 1 could have been counted down");
  EXPECT_EQ(texts(verdict.evidence),
            (std::vector<std::string>{"a/1 set latch \"start\" to 2", verdict.summary}));
  EXPECT_EQ(verdict.evidence[0].from, at_ms(1));
  EXPECT_EQ(verdict.evidence[0].until, at_ms(2));
  EXPECT_EQ(verdict.evidence[1].who, run.id("c/1"));
  EXPECT_EQ(verdict.evidence[1].from, at_ms(3));
  EXPECT_EQ(verdict.evidence[1].until, at_ms(9));
}

TEST(Latch, MayBePassedByWhoIsLeftOnceItIsCountedDown) {
  RunBuilder run;
  run.latch(set, "a/1", 1, 2, 2);
  run.available(2, 0, 1, "start");
  run.latch(counted_down, "b/1", 5, 6);
  run.wait("c/1", 3, 50, WaitEnd::run_over, "start");
  run.end(50);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.latch(counted_down, "b/2", 7, 60);  // it did not return
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.latch(counted_down, "b/2", 7, 8);
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(verdict.summary,
            "c/1 still waited for latch \"start\" when the run came to rest at 50 ms, and it was "
            "closed, though all of the 2 that a/1 had set at 2 ms had been counted down");

  RunBuilder open = run;
  open.available(9, 1, 1, "start");
  EXPECT_EQ(open.judge(property).kind, VerdictKind::holds) << "a lost wakeup";
  RunBuilder unsure = run;
  unsure.latch(LatchEventKind::may_be_set, "a/1", 9, 10, 2);
  EXPECT_EQ(unsure.judge(property).kind, VerdictKind::holds);
  RunBuilder set_again = run;
  set_again.latch(set, "a/1", 9, 10, 2);
  EXPECT_EQ(set_again.judge(property).kind, VerdictKind::holds);
  RunBuilder overlapping = run;
  overlapping.latch(set, "a/2", 0, 0, 2);
  EXPECT_EQ(overlapping.judge(property).kind, VerdictKind::violated);
  overlapping.observations.latch_events.back().at = at_ms(1, 500);
  overlapping.observations.latch_events.front().invoked = at_ms(1, 100);
  EXPECT_EQ(overlapping.judge(property).kind, VerdictKind::holds) << "either may be the last";
  RunBuilder stopped = run;
  stopped.stop("c/1", 20, 50);
  EXPECT_EQ(stopped.judge(property).kind, VerdictKind::holds);
  run.end(50, false);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(Latch, KeepsNobodyForLongerThanAWaiterMaySleepOnceItIsCountedDown) {
  RunBuilder run;
  run.liveness.wakeup_ns = 100 * ns_per_ms;
  run.latch(set, "a/1", 1, 2, 1);
  run.available(2, 0, 1, "start");
  run.latch(counted_down, "b/1", 5, 6);
  run.wait("c/1", 3, 106, WaitEnd::run_over, "start");
  run.end(106, false);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
  run.observations.waits.back().until = at_ms(107);
  run.end(107, false);
  EXPECT_EQ(run.judge(property).summary,
            "c/1 still waited for latch \"start\" when the run was cut off at 107 ms, and it was "
            "closed, though all of the 1 that a/1 had set at 2 ms had been counted down");
  run.observations.waits.back().end = WaitEnd::refused;
  EXPECT_EQ(run.judge(property).summary,
            "c/1 still waited for latch \"start\" when its time was over at 107 ms, and it was "
            "closed, though all of the 1 that a/1 had set at 2 ms had been counted down");
  run.observations.waits.back().is_hopeless = true;
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(Latch, IsOpenUntilACountIsSet) {
  RunBuilder run;
  run.latch(passed, "c/1", 0, 1);
  run.latch(set, "a/1", 1, 3, 2);
  run.latch(passed, "d/1", 3, 9);  // asked for in the moment of the return, not after it
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(Latch, ACountDownThatWasOverBeforeTheSetDoesNotCount) {
  RunBuilder run;
  run.latch(counted_down, "b/1", 1, 2);
  run.latch(set, "a/1", 3, 4, 1);
  run.latch(passed, "c/1", 5, 6);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::violated);
}

TEST(Latch, ACountDownThatOverlapsTheSetMayCount) {
  RunBuilder run;
  run.latch(counted_down, "b/1", 1, 5);
  run.latch(set, "a/1", 3, 4, 1);
  run.latch(passed, "c/1", 5, 6);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(Latch, TheSetThatWasLastCounts) {
  RunBuilder run;
  run.latch(set, "a/1", 1, 2, 1);
  run.latch(counted_down, "b/1", 3, 4);
  run.latch(set, "a/1", 5, 6, 2);
  run.latch(counted_down, "b/1", 7, 8);
  run.latch(passed, "c/1", 9, 10);
  EXPECT_NE(run.judge(property).summary.find("the count of 2 that a/1 had set at 6 ms only 1"),
            std::string::npos);
}

TEST(Latch, LatchesDoNotMindEachOther) {
  RunBuilder run;
  run.latch(set, "a/1", 1, 2, 1, "start");
  run.latch(set, "a/1", 1, 2, 2, "stop");
  run.latch(counted_down, "b/1", 3, 4, 0, "start");
  run.latch(passed, "c/1", 5, 6, 0, "start");
  run.latch(passed, "c/1", 5, 6, 0, "another");
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(Latch, CountsEveryPassageAndReportsTheFirstToReturn) {
  RunBuilder run;
  run.latch(set, "a/1", 1, 2, 1);
  for (std::int64_t ms = 30; ms > 10; --ms) run.latch(passed, "c/1", 5, ms);
  const Verdict verdict = run.judge(property);
  EXPECT_NE(verdict.summary.find("c/1 passed latch \"start\" at 11 ms"), std::string::npos);
  EXPECT_NE(verdict.summary.find("; 20 passages too early in all"), std::string::npos);
  EXPECT_EQ(verdict.evidence.size(), evidence_max);
}

/// Passages with too few count_downs, by looking at every event for each.
std::size_t early_passages(const std::vector<LatchEvent>& events) {
  std::size_t early = 0;
  for (const LatchEvent& passage : events) {
    if (passage.kind != passed) continue;
    const LatchEvent* last = nullptr;
    for (const LatchEvent& event : events) {
      if (event.kind != set || event.lock != passage.lock) continue;
      if (!(event.at < passage.invoked)) continue;
      if (last == nullptr || last->at < event.at) last = &event;
    }
    if (last == nullptr) continue;
    std::int64_t count = 0;
    for (const LatchEvent& event : events) {
      if (event.kind != counted_down || event.lock != passage.lock) continue;
      if (event.invoked < passage.at && !(event.at < last->invoked)) ++count;
    }
    if (count < last->count) ++early;
  }
  return early;
}

RC_GTEST_PROP(Latch, AgreesWithLookingAtEveryEventForEachPassage, ()) {
  RunBuilder run;
  const int count = *rc::gen::inRange(0, 15);
  for (int index = 0; index < count; ++index) {
    const int kind = *rc::gen::inRange(0, 5);
    const int from = *rc::gen::inRange(0, 40);
    run.latch(kind == 0   ? set
              : kind == 1 ? passed
                          : counted_down,
              "a/1", from, from + *rc::gen::inRange(1, 15), 1 + from % 3,
              *rc::gen::inRange(0, 4) == 0 ? "stop" : "start");
    LatchEvent& event = run.observations.latch_events.back();
    event.invoked.order += static_cast<std::uint64_t>(index);  // no two moments are the same
    event.at.order += 100 + static_cast<std::uint64_t>(index);
  }
  const Verdict verdict = run.judge(property);
  const std::size_t expected = early_passages(run.observations.latch_events);
  RC_TAG(expected > 0 ? "violated" : "holds");
  RC_ASSERT((verdict.kind == VerdictKind::violated) == (expected > 0));
  const std::string in_all = "; " + std::to_string(expected) + " passages too early in all";
  RC_ASSERT((verdict.summary.find(in_all) != std::string::npos) == (expected > 1));
}

}  // namespace
}  // namespace lockstep::checker::testing::latch
