// When a strike mattered to a lock that is a number, or a latch: such have no leases that could
// end.
#include <gtest/gtest.h>

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
  EXPECT_EQ(of_semaphore("pause = \"a\"\nat = \"2s\"\nfor = \"10s\"\n"), Mattered::to_holders);
  EXPECT_EQ(of_semaphore("clog = [\"a\", \"n1\"]\nby = \"300ms\"\n"), Mattered::no);
  EXPECT_EQ(of_semaphore("clog = [\"a\", \"n1\"]\nby = \"400ms\"\n"), Mattered::to_holders);
  EXPECT_EQ(of_semaphore("cut = [\"a\", \"n1\"]\nat = \"2s\"\nfor = \"1s\"\n"), Mattered::no)
      << "a asks for nothing meanwhile";
  EXPECT_EQ(of_semaphore("pause = \"n1\"\nat = \"900ms\"\nfor = \"20s\"\n"), Mattered::to_holders);
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
  EXPECT_EQ(pause_of("at = \"2s\"\nfor = \"20s\"\n"), Mattered::to_holders);
  EXPECT_EQ(pause_of("at = \"2s\"\nfor = \"10ms\"\n"), Mattered::no);
  EXPECT_EQ(pause_of("at = \"100ms\"\nfor = \"500ms\"\n"), Mattered::no) << "b comes later";
}

}  // namespace
}  // namespace lockstep::model::strike_effects_of_numbers_test
