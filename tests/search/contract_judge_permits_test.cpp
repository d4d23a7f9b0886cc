// Which assumptions excuse what is no mutex: permits, which may have no leases; and requests that
// are executed twice to no effect.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "checker/history.h"
#include "checker/observations.h"
#include "checker/property.h"
#include "model/engine/run_result.h"
#include "model/lock/assumption.h"
#include "search/contract/held_leases.h"
#include "search/contract/violation.h"
#include "tests/model/client/lock_folder.h"
#include "tests/search/contract_stories.h"
#include "tests/support/source_folder.h"

namespace lockstep::search {
namespace {

using checker::Property;
using model::Assumption;
using model::AssumptionSet;

constexpr const char* lost_message = R"([[client]]
name = "a"
run  = ["try_set_permits permits=1", "acquire", "sleep 1s", "release"]
[[client]]
name  = "b"
start = "100ms"
run   = ["acquire", "release"]
[[fault]]
drop  = "message"
to    = "b"
times = 1
)";

TEST(ContractJudgeOfPermits, PermitsThatDoNotEndAreNoHoldsBeyondALease) {
  const std::optional<AssumptionSet> found =
      broken(story("semaphore", lost_message), Property::no_deadlock);
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(found->contains(Assumption::messages_arrive));
  EXPECT_FALSE(found->contains(Assumption::holds_within_lease));
}

TEST(ContractJudgeOfPermits, WaitingForThoseThatNobodySetIsNoDeadlockOfTheLock) {
  EXPECT_EQ(broken(story("semaphore", "[[client]]\nname = \"a\"\nrun = [\"acquire\"]\n"),
                   Property::no_deadlock),
            std::nullopt);
}

// Who tries to set them, and is told no, has waited for the lock's fault.
TEST(ContractJudgeOfPermits, WaitingForThoseThatNobodyCouldSetIsItsBug) {
  const test::LockFolder folder;
  folder.write("never.lua", "return 0\n");
  folder.write("lock.toml",
               "base = \"" + source_folder() +
                   "/scripts/semaphore\"\n[scripts]\ntry_set_permits = \"never.lua\"\n");
  EXPECT_EQ(
      broken(
          story(folder.folder().string(),
                "[[client]]\nname = \"a\"\nrun = [\"try_set_permits permits=1\", \"acquire\"]\n"),
          Property::no_deadlock),
      AssumptionSet{});
}

TEST(ContractJudgeOfPermits, GivingSomeBackBeginsTheOthersNotAnew) {
  EXPECT_EQ(broken(story(source_folder() + "/tests/search/locks/ending-permits", R"([[client]]
name = "a"
run  = ["acquire permits=3", "sleep 20s", "release permits=1", "sleep 25s", "release permits=2"]
[[client]]
name  = "b"
start = "25s"
run   = ["acquire permits=3", "sleep 5s", "release permits=3"]
)"),
                   Property::permits),
            (AssumptionSet{Assumption::holds_within_lease}));
}

// a's release of a lease that is over is executed twice, and nothing comes of it either time.
TEST(ContractJudge, WhatDidNothingTwiceIsNoReasonForAYes) {
  const std::string twice = R"([[client]]
name = "a"
run  = ["lock lease=1s", "sleep 2s", "unlock"]
[[fault]]
drop  = "reply to release"
times = 1
)";
  EXPECT_EQ(broken(story(source_folder() + "/tests/search/locks/lying-plain/latches-first", twice),
                   Property::truthful_answers),
            AssumptionSet{});
  EXPECT_EQ(broken(story("plain", twice), Property::truthful_answers), std::nullopt);
}

/// Who asked at that many seconds for a lease of that many.
checker::AskedLease asked_at(checker::TimeNs at_s, checker::TimeNs lease_s,
                             checker::HoldMode mode) {
  checker::AskedLease asked{};
  asked.mode = mode;
  asked.asked = {at_s * sim::second_ns, static_cast<std::uint64_t>(at_s)};
  asked.granted = asked.asked;
  asked.lease_ns = lease_s * sim::second_ns;
  return asked;
}

/// Until when it counted on the first of two leases, of which it asked for the second at 5 s; it
/// gave all back at 20 s.
checker::TimeNs first_lease_until_s(OwnLeases own, checker::HoldMode mode) {
  checker::Names names;
  names.intern("a/1");
  const checker::History history;
  checker::Observations observations;
  observations.asked_leases = {asked_at(0, 15, mode), asked_at(5, 60, mode)};
  checker::Belief belief{};
  belief.until = {20 * sim::second_ns, 20};
  belief.mode = mode;
  belief.end = checker::BeliefEnd::run_over;
  observations.beliefs = {belief};
  model::RunResult run;
  run.names = &names;
  run.history = &history;
  run.observations = &observations;
  return HeldLeases(run, own, LeaseBegins::with_the_call).of(checker::NameId{}).front().until_ns /
         sim::second_ns;
}

TEST(HeldLeases, CountUntilTheirOwnerAsksAgainButForThoseThatEndByThemselves) {
  using checker::HoldMode;
  EXPECT_EQ(first_lease_until_s(OwnLeases::renewed, HoldMode::exclusive), 5);
  EXPECT_EQ(first_lease_until_s(OwnLeases::end_too, HoldMode::exclusive), 5);
  EXPECT_EQ(first_lease_until_s(OwnLeases::apart, HoldMode::exclusive), 20);
  // Only the readers of a lock that lists them have leases of their own.
  EXPECT_EQ(first_lease_until_s(OwnLeases::shared_apart, HoldMode::exclusive), 5);
  EXPECT_EQ(first_lease_until_s(OwnLeases::shared_apart, HoldMode::shared), 20);
}

// Who sleeps on, as nobody wakes it, has an outer hold all the while; its attempts were answered.
TEST(Violation, OnlyWhoNeverHeardWaitsUnheardWithAHold) {
  checker::History history;
  checker::Operation attempt{};
  attempt.kind = checker::OperationKind::acquire;
  attempt.completed = checker::Moment{1, 1};
  attempt.outcome = checker::Outcome::fail;
  history.operations = {attempt};
  checker::Observations observations;
  checker::Belief outer{};
  outer.end = checker::BeliefEnd::run_over;
  observations.beliefs = {outer};
  EXPECT_FALSE(waits_unheard_with_a_hold(history, observations));
  history.operations.front().completed.reset();
  EXPECT_TRUE(waits_unheard_with_a_hold(history, observations));
  observations.beliefs.front().end = checker::BeliefEnd::released;
  EXPECT_FALSE(waits_unheard_with_a_hold(history, observations));
}

}  // namespace
}  // namespace lockstep::search
