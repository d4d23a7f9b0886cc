// When a strike mattered to a lock that is a number, or a latch: such have no leases that could
// end.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "model/engine/run_result.h"
#include "model/faults/strike_effects.h"
#include "tests/model/engine/simulated_run.h"

namespace lockstep::model::strike_effects_of_numbers_test {
namespace {

Mattered of_semaphore(std::string_view fault) {
  const test::SimulatedRun run(
      "title = \"t\"\nlock = \"semaphore\"\nexpect = { holds = \"permits\" }\n[[client]]\n"
      "name = \"a\"\nrun = [\"try_set_permits permits=1\", \"acquire\", \"sleep 5s\", "
      "\"release\"]\n[[client]]\nname = \"b\"\nstart = \"1s\"\n"
      "run = [\"acquire\", \"sleep 2s\", \"release\"]\n[[fault]]\n" +
      std::string(fault));
  EXPECT_GT(run.result().fault_strikes[0], 0U) << fault;
  return run.result().fault_effects[0];
}

TEST(StrikeEffects, WhatTakesTimeMattersToPermitsWhereItIsLongAndAnotherWantsSomeMeanwhile) {
  EXPECT_EQ(of_semaphore("pause = \"a\"\nat = \"2s\"\nfor = \"10ms\"\n"), Mattered::no);
  EXPECT_EQ(of_semaphore("pause = \"a\"\nwhen = \"a acquired\"\nfor = \"500ms\"\n"), Mattered::no)
      << "b comes later";
  EXPECT_GE(of_semaphore("pause = \"a\"\nat = \"2s\"\nfor = \"10s\"\n"), Mattered::to_holders);
  EXPECT_EQ(of_semaphore("clog = [\"a\", \"n1\"]\nby = \"300ms\"\n"), Mattered::no);
  EXPECT_GE(of_semaphore("clog = [\"a\", \"n1\"]\nby = \"400ms\"\n"), Mattered::to_holders);
  EXPECT_EQ(of_semaphore("cut = [\"a\", \"n1\"]\nat = \"2s\"\nfor = \"1s\"\n"), Mattered::no)
      << "a asks for nothing meanwhile";
  EXPECT_GE(of_semaphore("pause = \"n1\"\nat = \"900ms\"\nfor = \"3s\"\n"), Mattered::to_holders);
  EXPECT_LT(of_semaphore("pause = \"n1\"\nat = \"900ms\"\nfor = \"20s\"\n"), Mattered::to_holders)
      << "b is heard when a is done";
}

TEST(StrikeEffects, APauseOfWhoOpensALatchMattersWhereSomebodyWaitsForIt) {
  const auto pause_of = [](std::string_view fault) {
    const test::SimulatedRun run(
        "title = \"t\"\nlock = \"latch\"\nexpect = { holds = \"latch\" }\n[[client]]\n"
        "name = \"a\"\nrun = [\"try_set_count count=1\", \"sleep 5s\", \"count_down\"]\n"
        "[[client]]\nname = \"b\"\nstart = \"1s\"\nrun = [\"await\"]\n[[fault]]\n"
        "pause = \"a\"\n" +
        std::string(fault));
    return run.result().fault_effects[0];
  };
  EXPECT_GE(pause_of("at = \"2s\"\nfor = \"20s\"\n"), Mattered::to_holders);
  EXPECT_EQ(pause_of("at = \"2s\"\nfor = \"10ms\"\n"), Mattered::no);
  EXPECT_EQ(pause_of("at = \"100ms\"\nfor = \"500ms\"\n"), Mattered::no) << "b comes later";
}

constexpr std::string_view opened_in_the_end =
    "[[client]]\nname = \"a\"\nrun = [\"try_set_count count=2\", \"sleep 5s\", \"count_down\", "
    "\"sleep 1s\", \"count_down\"]\n[[client]]\nname = \"b\"\nstart = \"500ms\"\n"
    "run = [\"await\"]\n";

Mattered most_of_latch(std::string_view redis, std::string_view faults, std::string_view others) {
  std::string text = "title = \"t\"\nlock = \"latch\"\nexpect = { holds = \"latch\" }\n";
  text += redis;
  text += opened_in_the_end;
  text += others;
  text += faults;
  const test::SimulatedRun run(text);
  const RunResult& result = run.result();
  Mattered most = Mattered::no;
  for (const Mattered each : result.fault_effects) most = std::max(most, each);
  for (const Mattered each : result.network_effects) most = std::max(most, each);
  return most;
}

TEST(StrikeEffects, ALatchThatIsLostMattersWhereSomebodyComesToItAfterwards) {
  constexpr std::string_view comes =
      "[[client]]\nname = \"c\"\nstart = \"4s\"\nrun = [\"await\"]\n";
  constexpr std::string_view back =
      "[[fault]]\ncrash = \"n1\"\nat = \"2s\"\n[[fault]]\nrestart = \"n1\"\n"
      "when = \"n1 crashed\"\nafter = \"1s\"\n";
  EXPECT_LT(most_of_latch("", back, ""), Mattered::to_holders) << "b sleeps";
  EXPECT_GE(most_of_latch("", back, comes), Mattered::to_holders);
  constexpr std::string_view lag =
      "[[fault]]\nlag = \"n1-replica-1\"\nby = \"3s\"\n[[fault]]\ncrash = \"n1\"\nat = \"1s\"\n"
      "[[fault]]\npromote = \"n1-replica-1\"\nwhen = \"n1 crashed\"\nafter = \"200ms\"\n";
  constexpr std::string_view replica = "[redis]\nreplicas = 1\n";
  EXPECT_LT(most_of_latch(replica, lag, ""), Mattered::to_holders) << "b sleeps";
  EXPECT_GE(most_of_latch(replica, lag, comes), Mattered::to_holders);
}

TEST(StrikeEffects, ANetworkInWhichNobodyGetsToTheLatchMattersToNobodyThere) {
  EXPECT_LT(most_of_latch("[redis]\nlatency = \"200ms..1500ms\"\n", "", ""), Mattered::to_holders);
}

TEST(StrikeEffects, ALinkOrANodeThatIsSlowByItselfMattersToPermitsAsAFaultThatMakesItSlow) {
  const auto of = [](std::string_view latency) {
    const test::SimulatedRun run(
        "title = \"t\"\nlock = \"semaphore\"\nexpect = { holds = \"permits\" }\n[[client]]\n"
        "name = \"a\"\nrun = [\"try_set_permits permits=1\", \"acquire\", \"sleep 5s\", "
        "\"release\"]\n[[client]]\nname = \"b\"\nstart = \"2s\"\n"
        "run = [\"acquire\", \"sleep 2s\", \"release\"]\n" +
        std::string(latency));
    return run.result().network_effects[0];
  };
  EXPECT_GE(of("[[link]]\nfrom = \"b\"\nto = \"n1\"\nlatency = \"500ms\"\n"), Mattered::to_holders);
  EXPECT_GE(of("[[link]]\nfrom = \"n1\"\nto = \"b\"\nlatency = \"500ms\"\n"), Mattered::to_holders);
  EXPECT_GE(of("[redis.nodes.n1]\nlatency = \"500ms\"\n"), Mattered::to_holders);
  EXPECT_EQ(of("[[link]]\nfrom = \"b\"\nto = \"n1\"\nlatency = \"20ms\"\n"), Mattered::no);
}

/// Of those in which all permits are out as they are lost.
Mattered most_of_semaphore(std::string_view redis, std::string_view faults,
                           std::string_view others = "") {
  std::string text = "title = \"t\"\nlock = \"semaphore\"\nexpect = { holds = \"permits\" }\n";
  text += redis;
  text +=
      "[[client]]\nname = \"a\"\nrun = [\"try_set_permits permits=2\", "
      "\"acquire permits=2\", \"sleep 5s\", \"release permits=2\"]\n"
      "[[client]]\nname = \"b\"\nstart = \"500ms\"\n"
      "run = [\"acquire\", \"sleep 2s\", \"release\"]\n";
  text += others;
  text += faults;
  const test::SimulatedRun run(text);
  Mattered most = Mattered::no;
  for (const Mattered each : run.result().fault_effects) most = std::max(most, each);
  return most;
}

TEST(StrikeEffects, PermitsThatAreAllOutAreLostToWhoSetsThemAnewOnly) {
  constexpr std::string_view sets =
      "[[client]]\nname = \"c\"\nstart = \"4s\"\nrun = [\"try_set_permits permits=2\", "
      "\"acquire permits=2\", \"sleep 3s\", \"release permits=2\"]\n";
  constexpr std::string_view asks =
      "[[client]]\nname = \"c\"\nstart = \"4s\"\nrun = [\"acquire\", \"release\"]\n";
  constexpr std::string_view replica = "[redis]\nreplicas = 1\n";
  constexpr std::string_view failover =
      "[[fault]]\nlag = \"n1-replica-1\"\nby = \"3s\"\n[[fault]]\ncrash = \"n1\"\n"
      "at = \"1s\"\n[[fault]]\npromote = \"n1-replica-1\"\nwhen = \"n1 crashed\"\n"
      "after = \"200ms\"\n";
  constexpr std::string_view back =
      "[[fault]]\ncrash = \"n1\"\nat = \"2s\"\n[[fault]]\nrestart = \"n1\"\n"
      "when = \"n1 crashed\"\nafter = \"1s\"\n";
  constexpr std::string_view flush = "[[fault]]\nflush_all = \"n1\"\nat = \"2s\"\n";
  constexpr std::string_view deleted = "[[fault]]\ndelete = \"lock\"\non = \"n1\"\nat = \"2s\"\n";
  for (const std::string_view faults : {failover, back, flush, deleted}) {
    const std::string_view redis = faults == failover ? replica : "";
    EXPECT_LT(most_of_semaphore(redis, faults), Mattered::to_holders) << faults;
    EXPECT_LT(most_of_semaphore(redis, faults, asks), Mattered::to_holders) << faults;
    EXPECT_GE(most_of_semaphore(redis, faults, sets), Mattered::to_holders) << faults;
  }
}

TEST(StrikeEffects, PermitsThatAreLeftAreLostToWhoeverWantsSome) {
  constexpr std::string_view third =
      "[[client]]\nname = \"c\"\nstart = \"2500ms\"\nrun = [\"acquire\", \"release\"]\n";
  const std::string_view flush = "[[fault]]\nflush_all = \"n1\"\nat = \"2s\"\n";
  const test::SimulatedRun run(
      "title = \"t\"\nlock = \"semaphore\"\nexpect = { holds = \"permits\" }\n[[client]]\n"
      "name = \"a\"\nrun = [\"try_set_permits permits=2\", \"acquire\", \"sleep 5s\", "
      "\"release\"]\n" +
      std::string(third) + std::string(flush));
  EXPECT_GE(run.result().fault_effects[0], Mattered::to_holders);
}

TEST(StrikeEffects, ALatchThatIsDeletedMattersWhereSomebodyComesToItAfterwards) {
  constexpr std::string_view comes =
      "[[client]]\nname = \"c\"\nstart = \"4s\"\nrun = [\"await\"]\n";
  for (const std::string_view fault : {"[[fault]]\nflush_all = \"n1\"\nat = \"2s\"\n",
                                       "[[fault]]\nevict = \"lock\"\non = \"n1\"\nat = \"2s\"\n"}) {
    EXPECT_LT(most_of_latch("", fault, ""), Mattered::to_holders) << fault << ", b sleeps";
    EXPECT_GE(most_of_latch("", fault, comes), Mattered::to_holders) << fault;
  }
}

}  // namespace
}  // namespace lockstep::model::strike_effects_of_numbers_test
