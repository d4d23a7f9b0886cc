// The checker as a whole: what it is asked, in what order it answers, and what it keeps.
#include "checker/check.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "checker/evidence.h"
#include "checker/liveness_bounds.h"
#include "checker/observations.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "counted_allocations.h"
#include "run_builder.h"

namespace lockstep::checker::testing {
namespace {

/// A run in which everything holds, with something to judge for every property.
RunBuilder good_run() {
  RunBuilder run;
  run.set_permits(0, 3, "pool");
  run.set_permits(0, 1, "orders");
  run.permits_left(2000, 3, "pool");
  run.end(2000);
  std::string history;
  for (std::int64_t round = 0; round < 20; ++round) {
    const char* owner = round % 2 == 0 ? "a/1" : "b/1";
    const char* other = round % 2 == 0 ? "b/1" : "a/1";
    const std::int64_t ms = round * 100;
    history += fmt::format("{} acquire {} {} ok 50;", owner, ms, ms + 10);
    history += fmt::format("{} acquire {} {} fail 50;", other, ms + 5, ms + 20);
    history += fmt::format("{} release {} {} ok 0;", owner, ms + 40, ms + 45);
    run.believe(owner, at_ms(ms + 10), at_ms(ms + 40));
    run.observations.grants.push_back({run.id(owner),
                                       run.id("orders"),
                                       at_ms(ms + 10),
                                       true,
                                       run.id(owner),
                                       (ms + 50) * ns_per_ms,
                                       {}});
    run.change(owner, owner, ms + 8, 0, 1, ChangeCause::acquire);
    run.count(owner, ms + 10, 1, 1);
    run.change(owner, owner, ms + 43, 1, 0, ChangeCause::release);
    run.count(owner, ms + 45, 0, 0);
    run.observations.grants.back().invoked = at_ms(ms);
    run.observations.grants.back().token = round;
    run.lease(ms + 8, ms + 50);
    run.answer(CallKind::is_held, owner, ms + 15, ms + 17, true);
    run.answer(CallKind::release, owner, ms + 42, ms + 45, true);
    run.lease(ms + 43, 0);
    run.available(ms + 8, 0, 0);
    run.available(ms + 43, 1, 1);
    run.wait(owner, ms, ms + 10);
    run.wait(other, ms + 5, ms + 20, WaitEnd::refused);
    run.queue(QueueEventKind::entered, other, ms + 9, other, ms + 30);
    run.queue(QueueEventKind::left, other, ms + 19, other);
    run.stop(other, ms + 12, ms + 14);
    run.believe_permits(owner, 2, at_ms(ms + 10), at_ms(ms + 40), BeliefEnd::released, "pool");
    run.latch(LatchEventKind::set, owner, ms, ms + 1, 1);
    run.latch(LatchEventKind::counted_down, other, ms + 5, ms + 6);
    run.latch(LatchEventKind::passed, owner, ms + 2, ms + 7);
    run.access(AccessKind::read, owner, ms + 20, round, round);
    run.access(AccessKind::write, owner, ms + 30, round, round + 1);
  }
  run.tell(history);
  return run;
}

RunBuilder bad_run() {
  RunBuilder run;
  run.tell("a/1 acquire 0 1 ok 100; b/1 acquire 2 3 ok 100");
  run.believe("a/1", at_ms(1), at_ms(9));
  run.believe("b/1", at_ms(3), at_ms(9));
  run.observations.grants.push_back({run.id("b/1"), run.id("orders"), at_ms(3), false, {}, 0, {}});
  run.count("a/1", 4, 1, 2);
  run.access(AccessKind::write, "a/1", 5, 0, 1);
  run.access(AccessKind::write, "b/1", 6, 0, 1);
  run.observations.residues.push_back({ResidueKind::lock_key, "orders", at_ms(50)});
  run.fenced("a/1", 7, 1, 2);
  run.fenced("b/1", 6, 3, 4);
  run.wait("c/1", 1, 2'000'000, WaitEnd::run_over);
  run.queue(QueueEventKind::entered, "c/1", 2, "c/1");
  run.change("b/1", "b/1", 3, 0, 1, ChangeCause::acquire);
  run.available(20, 1, 1);
  run.latch(LatchEventKind::set, "a/1", 1, 2, 1);
  run.latch(LatchEventKind::passed, "b/1", 3, 4);
  run.answer(CallKind::is_held, "c/1", 20, 21, true);
  run.end(2'000'000, false);
  run.liveness.overtakings = 0;
  return run;
}

TEST(Checker, AnswersInTheOrderOfTheQuestion) {
  const RunBuilder run = good_run();
  Checker checker;
  const std::array asked{Property::no_leak, Property::mutual_exclusion, Property::no_leak};
  const std::vector<Verdict>& verdicts = checker.check(run.run(), asked);
  ASSERT_EQ(verdicts.size(), 3U);
  for (std::size_t index = 0; index < 3; ++index) {
    EXPECT_EQ(verdicts[index].property, asked[index]);
    EXPECT_EQ(verdicts[index].kind, VerdictKind::holds);
  }
  EXPECT_TRUE(checker.check(run.run(), {}).empty());
}

TEST(Checker, WhatHoldsSaysNothing) {
  const RunBuilder run = good_run();
  Checker checker;
  for (const Verdict& verdict : checker.check(run.run(), all_properties())) {
    EXPECT_EQ(verdict.kind, VerdictKind::holds) << to_string(verdict.property) << verdict.summary;
    EXPECT_EQ(verdict.summary, "");
    EXPECT_TRUE(verdict.evidence.empty());
  }
}

TEST(Checker, EveryPropertyCanBeViolatedAndSaysWhy) {
  const RunBuilder run = bad_run();
  Checker checker;
  for (const Verdict& verdict : checker.check(run.run(), all_properties())) {
    EXPECT_EQ(verdict.kind, VerdictKind::violated) << to_string(verdict.property);
    EXPECT_NE(verdict.summary, "") << to_string(verdict.property);
    EXPECT_FALSE(verdict.evidence.empty()) << to_string(verdict.property);
  }
}

TEST(Checker, KeepsNothingOfTheRunBefore) {
  const RunBuilder good = good_run();
  const RunBuilder bad = bad_run();
  Checker checker;
  const std::vector<Verdict> before = checker.check(good.run(), all_properties());
  const std::vector<Verdict> violated = checker.check(bad.run(), all_properties());
  const std::vector<Verdict> after = checker.check(good.run(), all_properties());
  for (std::size_t index = 0; index < before.size(); ++index) {
    EXPECT_EQ(after[index].kind, before[index].kind);
    EXPECT_EQ(after[index].summary, "");
    EXPECT_TRUE(after[index].evidence.empty());
    EXPECT_EQ(after[index].overlap_from_ns, std::nullopt);
    EXPECT_EQ(after[index].overlap_until_ns, std::nullopt);
    EXPECT_EQ(checker.check(bad.run(), all_properties())[index].summary, violated[index].summary);
    (void)checker.check(good.run(), all_properties());
  }
}

TEST(Checker, WhatExcusedOrAccusedInTheRunBeforeDoesNeitherInThis) {
  RunBuilder before;
  before.access(AccessKind::read, "a/1", 1, 0, 0);
  before.change("a/1", "", 2, 1, 0, ChangeCause::expiry);
  before.count("a/1", 3, 1, 0);
  RunBuilder after;
  after.names = before.names;  // or the same ids would mean somebody else
  after.access(AccessKind::write, "b/1", 1, 0, 1);
  after.access(AccessKind::write, "b/1", 2, 1, 2);
  after.access(AccessKind::write, "a/1", 2, 2, 3);
  after.change("a/1", "a/1", 1, 0, 1, ChangeCause::acquire);
  after.change("a/1", "a/1", 2, 1, 0, ChangeCause::release);
  after.count("a/1", 3, 1, 0);
  Checker checker;
  const std::array asked{Property::harm, Property::hold_count};
  for (const Verdict& verdict : checker.check(before.run(), asked)) {
    EXPECT_EQ(verdict.kind, VerdictKind::holds) << verdict.summary;
  }
  const std::vector<Verdict>& verdicts = checker.check(after.run(), asked);
  EXPECT_EQ(verdicts[0].kind, VerdictKind::holds) << verdicts[0].summary;
  EXPECT_EQ(verdicts[1].kind, VerdictKind::violated);
}

TEST(Checker, JudgingARunInWhichAllHoldsAllocatesNothingOnceWarm) {
  const RunBuilder told = good_run();
  const checker::Run run = told.run();
  Checker checker;
  (void)checker.check(run, all_properties());
  const std::uint64_t before = allocation_count();
  (void)checker.check(run, all_properties());
  EXPECT_EQ(allocation_count() - before, 0U);
}

TEST(Checker, TheCountOfAllocationsCounts) {
  const std::uint64_t before = allocation_count();
  const auto something = std::make_unique<std::vector<int>>(1000);
  EXPECT_EQ(something->size(), 1000U);
  EXPECT_GE(allocation_count() - before, 2U);
}

}  // namespace
}  // namespace lockstep::checker::testing
