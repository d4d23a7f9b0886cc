// When a stop of a client's process mattered, or what makes its calls late: not where it only has
// somebody come later, or wait for the holder.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "model/engine/run_result.h"
#include "model/faults/strike_effects.h"
#include "tests/model/engine/simulated_run.h"

namespace lockstep::model::strike_effects_of_stops_test {
namespace {

/// b wants what a has for five seconds.
Mattered of_stop(std::string_view lock, std::string_view fault, std::string_view others = "") {
  std::string text = "title = \"t\"\nlock = \"";
  text += lock;
  text += "\"\nexpect = { holds = \"no-leak\" }\n[redis]\n";
  if (lock.find("redlock") != std::string_view::npos) text += "masters = 3\n";
  text +=
      "[[client]]\nname = \"a\"\nrun = [\"lock lease=10s\", \"write\", \"sleep 5s\", \"unlock\"]\n"
      "[[client]]\nname = \"b\"\nstart = \"1s\"\n"
      "run = [\"lock lease=10s\", \"write\", \"sleep 5s\", \"unlock\"]\n";
  text += others;
  text += "[[fault]]\n";
  text += fault;
  const test::SimulatedRun run(text);
  EXPECT_GT(run.result().fault_strikes[0], 0U) << fault;
  return run.result().fault_effects[0];
}

TEST(StrikeEffects, AStopOfAWaiterBetweenTwoTriesMattersToWaitersOnly) {
  for (const std::string_view lock : {"redlock", "redisson-redlock", "plain", "spin", "setnx"}) {
    EXPECT_LE(of_stop(lock, "pause = \"b\"\nat = \"3s\"\nfor = \"20s\"\n"), Mattered::to_waiters)
        << lock;
    EXPECT_LE(of_stop(lock, "pause = \"b\"\nat = \"100ms\"\nfor = \"3s\"\n"), Mattered::to_waiters)
        << lock << ", before it asks";
  }
}

TEST(StrikeEffects, AStopOfWhoHasTheLockBeyondItsLeaseMattersToHolders) {
  for (const std::string_view lock : {"redlock", "redisson-redlock", "plain", "spin", "setnx"}) {
    EXPECT_EQ(of_stop(lock, "pause = \"a\"\nwhen = \"a acquired\"\nfor = \"20s\"\n"),
              Mattered::to_holders)
        << lock;
    const bool is_set = lock == "redlock" || lock == "setnx";
    std::string unheard = "pause = \"a\"\nfor = \"20s\"\nwhen = \"a sent ";
    unheard += is_set ? "set\"\n" : "acquire\"\n";
    EXPECT_EQ(of_stop(lock, unheard), Mattered::to_holders) << lock << ", before it hears of it";
  }
}

TEST(StrikeEffects, AStopOfAReleaseMattersToHoldersWhereAnotherHasTheLockAsItGoesOn) {
  constexpr std::string_view c =
      "[[client]]\nname = \"c\"\nstart = \"21s\"\n"
      "run = [\"lock lease=10s\", \"sleep 5s\", \"unlock\"]\n";
  for (const std::string_view lock : {"redlock", "plain", "setnx"}) {
    constexpr std::string_view late = "pause = \"a\"\nwhen = \"a releasing\"\nfor = \"20s\"\n";
    EXPECT_LT(of_stop(lock, late), Mattered::to_holders) << lock << ", b is done by then";
    EXPECT_EQ(of_stop(lock, late, c), Mattered::to_holders) << lock;
    EXPECT_LT(of_stop(lock, "pause = \"a\"\nwhen = \"a releasing\"\nfor = \"50s\"\n", c),
              Mattered::to_holders)
        << lock << ", c is done by then";
  }
}

/// b wants what a has for eight seconds.
Mattered of_lateness(std::string_view lock, std::string_view fault) {
  std::string text = "title = \"t\"\nlock = \"";
  text += lock;
  text += "\"\nexpect = { holds = \"no-leak\" }\n[redis]\n";
  if (lock.find("redlock") != std::string_view::npos) text += "masters = 3\n";
  text +=
      "[[client]]\nname = \"a\"\nrun = [\"lock lease=10s\", \"write\", \"sleep 8s\", \"unlock\"]\n"
      "[[client]]\nname = \"b\"\nstart = \"1s\"\n"
      "run = [\"lock lease=10s\", \"write\", \"sleep 1s\", \"unlock\"]\n";
  text += "[[fault]]\n";
  text += fault;
  const test::SimulatedRun run(text);
  EXPECT_GT(run.result().fault_strikes[0], 0U) << fault;
  return run.result().fault_effects[0];
}

constexpr std::string_view locks[] = {
    "redlock", "redisson-redlock", "plain", "spin", "setnx", "fair", "fenced"};

TEST(StrikeEffects, WhatMakesAWaiterLateWhileAnotherHasTheLockMattersToWaitersOnly) {
  for (const std::string_view lock : locks) {
    for (const std::string_view fault :
         {"slow = \"b\"\nby = \"300ms\"\nat = \"2s\"\nfor = \"4s\"\n",
          "clog = [\"b\", \"n1\"]\nby = \"300ms\"\nat = \"2s\"\nfor = \"4s\"\n",
          "cut = [\"b\", \"n1\"]\nat = \"2s\"\nfor = \"1s\"\n"}) {
      EXPECT_LE(of_lateness(lock, fault), Mattered::to_waiters) << lock << ": " << fault;
    }
    // Of a validity the time has to be taken off that the answer itself takes.
    if (lock.find("redlock") != std::string_view::npos) continue;
    for (const std::string_view fault :
         {"slow = \"b\"\nby = \"300ms\"\nat = \"2s\"\nfor = \"20s\"\n",
          "clog = [\"b\", \"n1\"]\nby = \"300ms\"\nat = \"2s\"\nfor = \"20s\"\n"}) {
      EXPECT_LE(of_lateness(lock, fault), Mattered::to_waiters) << lock << ": " << fault;
    }
  }
}

TEST(StrikeEffects, AnAnswerThatIsLateBeyondTheHoldMattersToHolders) {
  for (const std::string_view lock : locks) {
    for (const std::string_view fault :
         {"slow = \"b\"\nby = \"5s\"\nat = \"2s\"\nfor = \"20s\"\n",
          "clog = [\"b\", \"n1\"]\nby = \"5s\"\nat = \"2s\"\nfor = \"20s\"\n"}) {
      EXPECT_EQ(of_lateness(lock, fault), Mattered::to_holders) << lock << ": " << fault;
    }
  }
}

}  // namespace
}  // namespace lockstep::model::strike_effects_of_stops_test
