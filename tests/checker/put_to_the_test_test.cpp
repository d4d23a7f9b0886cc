// What puts each property to the test, and what comes close and doesn't.
#include "checker/put_to_the_test.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "checker/property.h"
#include "checker/verdict.h"
#include "run_builder.h"

namespace lockstep::checker::testing::put_to_the_test {
namespace {

using Tell = void (*)(RunBuilder&);

/// A run that doesn't put the property to the test, and what makes it one that does.
struct Case {
  Property property;
  Tell empty;
  Tell more;
};

void hold_alone(RunBuilder& run) {
  run.wait("a/1", 1, 2);
  run.available(0, 1, 1);
  run.available(2, 0, 0);
  run.believe("a/1", at_ms(2), at_ms(9));
  run.available(10, 1, 1);
  run.wait("b/1", 11, 12);
}

void take_turns(RunBuilder& run) {
  hold_alone(run);
  run.believe("b/1", at_ms(12), at_ms(19));
}

void ask_meanwhile(RunBuilder& run) { run.wait("b/1", 5, 12); }

Grant quick_grant(RunBuilder& run) {
  Grant grant{run.id("a/1"), run.id("orders"),   at_ms(3), true,
              run.id("a/1"), 10'000 * ns_per_ms, {}};
  grant.invoked = at_ms(1);
  return grant;
}

Grant grant_of(RunBuilder& run, std::string_view owner, std::int64_t asked_ms,
               std::int64_t granted_ms) {
  Grant grant{run.id(owner),
              run.id("orders"),
              at_ms(granted_ms),
              true,
              run.id(owner),
              10'000 * ns_per_ms,
              {}};
  grant.invoked = at_ms(asked_ms);
  return grant;
}

const std::vector<Case> cases = {
    {Property::mutual_exclusion, take_turns, ask_meanwhile},
    {Property::mutual_exclusion,
     [](RunBuilder& run) {
       run.believe_shared("a/1", at_ms(2), at_ms(9));
       run.wait("b/1", 5, 6, WaitEnd::granted, "orders", HoldMode::shared);
     },
     [](RunBuilder& run) { run.wait("b/1", 7, 8); }},
    // Whoever has it may ask for it once more; another lock is another matter.
    {Property::mutual_exclusion,
     [](RunBuilder& run) {
       run.believe("a/1", at_ms(2), at_ms(9));
       run.wait("a/1", 5, 6);
       run.wait("b/1", 5, 6, WaitEnd::granted, "shop");
     },
     [](RunBuilder& run) { run.wait("b/1", 1, 3, WaitEnd::refused); }},
    {Property::valid_grant,
     [](RunBuilder& run) { run.observations.grants.push_back(quick_grant(run)); },
     [](RunBuilder& run) { run.observations.grants[0].at = at_ms(1'001); }},
    {Property::valid_grant,
     [](RunBuilder& run) { run.observations.grants.push_back(quick_grant(run)); },
     [](RunBuilder& run) {
       run.observations.grants[0].reported_valid_until_ns = 9'000 * ns_per_ms;
     }},
    {Property::lease_linearizability,
     [](RunBuilder& run) { run.tell("a/1 acquire 0 1 ok 50; a/1 release 2 3 ok 0"); },
     [](RunBuilder& run) { run.tell("b/1 acquire 4 5 ok 50"); }},
    {Property::harm,
     [](RunBuilder& run) {
       run.access(AccessKind::write, "a/1", 1, 0, 1);
       run.access(AccessKind::read, "b/1", 2, 1, 1);
     },
     [](RunBuilder& run) { run.access(AccessKind::write, "b/1", 3, 1, 2); }},
    {Property::hold_count,
     [](RunBuilder& run) {
       run.change("a/1", "a/1", 1, 0, 1, ChangeCause::acquire);
       run.change("a/1", "", 2, 1, 0, ChangeCause::expiry);
     },
     [](RunBuilder& run) {
       run.change("a/1", "a/1", 3, 0, 1, ChangeCause::acquire);
       run.change("a/1", "a/1", 4, 1, 2, ChangeCause::acquire);
     }},
    {Property::no_leak, [](RunBuilder&) {}, take_turns},
    {Property::fencing,
     [](RunBuilder& run) {
       run.fenced("a/1", 1, 1, 2);
       run.fenced("a/1", 2, 3, 4);
     },
     [](RunBuilder& run) { run.fenced("b/1", 3, 5, 6); }},
    {Property::fifo,
     [](RunBuilder& run) {
       run.queue(QueueEventKind::entered, "a/1", 1, "a/1");
       run.queue(QueueEventKind::seen, "a/1", 2, "a/1");
       run.queue(QueueEventKind::left, "a/1", 3, "a/1");
       run.queue(QueueEventKind::entered, "b/1", 4, "b/1");
     },
     [](RunBuilder& run) { run.queue(QueueEventKind::entered, "a/1", 5, "a/1"); }},
    {Property::permits,
     [](RunBuilder& run) {
       run.set_permits(0, 3);
       run.available(0, 3, 3);
       run.wait("a/1", 1, 2);
       run.available(2, 1, 1);
       run.wait("b/1", 3, 9);
       run.believe("a/1", at_ms(2), at_ms(9));
     },
     [](RunBuilder& run) {
       run.wait("c/1", 4, 9, WaitEnd::granted, "orders", HoldMode::exclusive, 2);
     }},
    // Of what nobody has, none can be too many.
    {Property::permits,
     [](RunBuilder& run) {
       run.set_permits(0, 1);
       run.available(0, 0, 0);
       run.wait("b/1", 3, 9, WaitEnd::refused);
       run.believe("a/1", at_ms(9), at_ms(10));
     },
     [](RunBuilder& run) { run.observations.beliefs.front().from = at_ms(8); }},
    {Property::latch,
     [](RunBuilder& run) {
       run.available(0, 0, 0);
       run.available(5, 1, 1);
       run.wait("b/1", 6, 7);
     },
     [](RunBuilder& run) { run.wait("b/2", 4, 6); }},
    // Whose call failed was not kept.
    {Property::latch,
     [](RunBuilder& run) {
       run.available(0, 0, 0);
       run.available(5, 1, 1);
       run.wait("b/1", 4, 7, WaitEnd::failed);
     },
     [](RunBuilder& run) { run.wait("b/2", 4, 6); }},
    {Property::no_deadlock, take_turns, ask_meanwhile},
    {Property::no_lost_wakeup, take_turns, ask_meanwhile},
    // Who has the lock by the time at which the last fault is over was no case for liveness.
    {Property::no_lost_wakeup,
     [](RunBuilder& run) {
       take_turns(run);
       ask_meanwhile(run);
       run.observations.healed = at_ms(15);
     },
     [](RunBuilder& run) {
       run.available(16, 0, 0);
       run.wait("c/1", 17, 18);
     }},
    // What another has left may have stayed locked.
    {Property::no_deadlock,
     [](RunBuilder& run) {
       run.change("b/1", "b/1", 1, 0, 1, ChangeCause::acquire);
       run.change("b/1", "b/1", 3, 1, 0, ChangeCause::release);
       run.wait("b/1", 4, 5);
     },
     [](RunBuilder& run) { run.wait("a/1", 6, 7); }},
    // Who takes the lock itself has not slept for it.
    {Property::no_lost_wakeup,
     [](RunBuilder& run) {
       run.available(0, 1, 1);
       run.available(5, 0, 0);
       run.observations.availability.back().by = run.id("b/1");
       run.wait("b/1", 4, 6);
     },
     [](RunBuilder& run) { run.observations.availability.back().by = run.id("a/1"); }},
    // A latch that nobody counts down can wake nobody; nor can a lock that is never given back.
    {Property::no_lost_wakeup,
     [](RunBuilder& run) {
       run.available(0, 0, 0);
       run.wait("b/1", 1, 20'000, WaitEnd::run_over);
     },
     [](RunBuilder& run) {
       run.observations.waits.front().until = at_ms(9);
       run.observations.waits.front().end = WaitEnd::granted;
       run.available(8, 1, 1);
     }},
    {Property::no_deadlock,
     [](RunBuilder& run) {
       run.available(0, 0, 0);
       run.believe("a/1", at_ms(0), at_ms(20'000), BeliefEnd::run_over);
       run.wait("b/1", 1, 9, WaitEnd::refused);
     },
     // It had been there before b asked: nobody slept for that.
     [](RunBuilder& run) {
       run.wait("c/1", 10, 30, WaitEnd::granted);
       run.observations.beliefs.front().until = at_ms(25);
       run.available(25, 1, 1);
     }},
    // Who waits for the one that has it already is not passed over, nor by a re-entry.
    {Property::no_starvation,
     [](RunBuilder& run) {
       take_turns(run);
       ask_meanwhile(run);
       run.observations.grants.push_back(grant_of(run, "a/1", 1, 2));
       run.observations.grants.push_back(grant_of(run, "a/1", 6, 8));
       run.observations.grants.push_back(grant_of(run, "b/1", 5, 12));
     },
     [](RunBuilder& run) { run.wait("c/1", 6, 20); }},
    {Property::truthful_answers,
     [](RunBuilder& run) { run.change("a/1", "a/1", 1, 0, 1, ChangeCause::acquire); },
     [](RunBuilder& run) { run.answer(CallKind::is_held, "a/1", 2, 3, true); }},
};

class PutToTheTestOf : public ::testing::TestWithParam<Case> {};

TEST_P(PutToTheTestOf, CountsWhatCouldHaveBrokenIt) {
  RunBuilder run;
  GetParam().empty(run);
  run.end(20'000);
  const Verdict before = run.judge(GetParam().property);
  EXPECT_EQ(before.kind, VerdictKind::holds) << before.summary;
  EXPECT_FALSE(before.put_to_the_test);
  GetParam().more(run);
  const Verdict after = run.judge(GetParam().property);
  EXPECT_EQ(after.kind, VerdictKind::holds) << after.summary;
  EXPECT_TRUE(after.put_to_the_test);
}

INSTANTIATE_TEST_SUITE_P(Properties, PutToTheTestOf, ::testing::ValuesIn(cases),
                         [](const ::testing::TestParamInfo<Case>& tested) {
                           std::string name(to_string(tested.param.property));
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name + "_" + std::to_string(tested.index);
                         });

TEST(PutToTheTest, EveryPropertyHasACase) {
  for (const Property each : all_properties()) {
    EXPECT_TRUE(std::any_of(cases.begin(), cases.end(), [&](const Case& one) {
      return one.property == each;
    })) << to_string(each);
    EXPECT_FALSE(what_puts_to_the_test(each).empty());
  }
}

TEST(PutToTheTest, WhatIsViolatedWasPutToTheTest) {
  RunBuilder run;
  run.believe("a/1", at_ms(1), at_ms(9));
  run.believe("b/1", at_ms(3), at_ms(9));
  const Verdict verdict = run.judge(Property::mutual_exclusion);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_TRUE(verdict.put_to_the_test);
}

}  // namespace
}  // namespace lockstep::checker::testing::put_to_the_test
