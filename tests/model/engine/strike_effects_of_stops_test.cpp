// When a stop of a client's process mattered, or what makes its calls late or has them fail: not
// where it only has somebody come later, or wait for the holder, or where the call takes nothing
// and gives back nothing that another has by then. When a clock that was wrong did. And which of
// these put mutual exclusion to the test.
#include <gtest/gtest.h>

#include <algorithm>
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
    EXPECT_GE(of_stop(lock, "pause = \"a\"\nwhen = \"a acquired\"\nfor = \"20s\"\n"),
              Mattered::to_holders)
        << lock;
    const bool is_set = lock == "redlock" || lock == "setnx";
    std::string unheard = "pause = \"a\"\nfor = \"20s\"\nwhen = \"a sent ";
    unheard += is_set ? "set\"\n" : "acquire\"\n";
    EXPECT_GE(of_stop(lock, unheard), Mattered::to_rivals) << lock << ", before it hears of it";
  }
}

TEST(StrikeEffects, AStopOfAReleaseMattersToHoldersWhereAnotherHasTheLockAsItGoesOn) {
  constexpr std::string_view c =
      "[[client]]\nname = \"c\"\nstart = \"21s\"\n"
      "run = [\"lock lease=10s\", \"sleep 5s\", \"unlock\"]\n";
  for (const std::string_view lock : {"redlock", "plain", "setnx"}) {
    constexpr std::string_view late = "pause = \"a\"\nwhen = \"a releasing\"\nfor = \"20s\"\n";
    EXPECT_LT(of_stop(lock, late), Mattered::to_holders) << lock << ", b is done by then";
    EXPECT_GE(of_stop(lock, late, c), Mattered::to_holders) << lock;
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
    // Which gets no votes within its timeout.
    if (lock.find("redlock") != std::string_view::npos) continue;
    for (const std::string_view fault :
         {"slow = \"b\"\nby = \"5s\"\nat = \"2s\"\nfor = \"20s\"\n",
          "clog = [\"b\", \"n1\"]\nby = \"1400ms\"\nat = \"2s\"\nfor = \"20s\"\n"}) {
      EXPECT_GE(of_lateness(lock, fault), Mattered::to_holders) << lock << ": " << fault;
    }
  }
}

// -- calls --

/// Locks on one master. b wants what a has, each for so long.
constexpr std::string_view of_one_master[] = {"plain", "spin", "setnx", "fair", "fenced"};

std::string story(std::string_view lock, std::string_view hold) {
  std::string run = "run = [\"lock lease=10s\", \"write\", \"sleep ";
  run += hold;
  run += "\", \"unlock\"]\n";
  std::string text = "title = \"t\"\nlock = \"";
  text += lock;
  text += "\"\nexpect = { holds = \"no-leak\" }\n[[client]]\nname = \"a\"\n" + run;
  text += "[[client]]\nname = \"b\"\nstart = \"100ms\"\n" + run;
  return text;
}

Mattered of_fault(std::string_view lock, std::string_view hold, std::string_view fault) {
  const test::SimulatedRun run(story(lock, hold) + "[[fault]]\n" + std::string(fault));
  EXPECT_GT(run.result().fault_strikes[0], 0U) << fault;
  return run.result().fault_effects[0];
}

TEST(StrikeEffects, AWaiterThatIsCutOffAndGetsNothingMattersToNoHolder) {
  for (const std::string_view lock : of_one_master) {
    for (const std::string_view fault : {"cut = [\"b\", \"n1\"]\nat = \"1s\"\nfor = \"60s\"\n",
                                         "isolate = \"b\"\nat = \"1s\"\nfor = \"60s\"\n",
                                         "drop = \"any\"\nto = \"b\"\ntimes = \"always\"\n"}) {
      EXPECT_LT(of_fault(lock, "5s", fault), Mattered::to_holders) << lock << ": " << fault;
    }
  }
}

TEST(StrikeEffects, AReplyThatIsLostToWhoGetsTheLockMattersToHolders) {
  for (const std::string_view lock : of_one_master) {
    const bool is_set = lock == "setnx";
    std::string fault = "to = \"a\"\ndrop = \"reply to ";
    fault += is_set ? "set\"\n" : "acquire\"\n";
    EXPECT_GE(of_fault(lock, "5s", fault), Mattered::to_holders) << lock;
  }
}

TEST(StrikeEffects, AReleaseThatIsLateAndMeetsNobodyMattersToNoHolder) {
  for (const std::string_view lock : of_one_master) {
    for (const std::string_view fault :
         {"cut = [\"a\", \"n1\"]\nwhen = \"a acquired\"\nfor = \"20s\"\n",
          "cut = [\"a\", \"n1\"]\nwhen = \"a acquired\"\nfor = \"40s\"\n",
          "pause = \"n1\"\nat = \"2600ms\"\nfor = \"2s\"\n",
          "reset = \"any\"\nfrom = \"a\"\nat = \"2s\"\n"}) {
      EXPECT_LT(of_fault(lock, "3s", fault), Mattered::to_holders) << lock << ": " << fault;
    }
  }
}

TEST(StrikeEffects, ARenewalThatIsLostMattersToHoldersWhereTheLeaseEndsBeforeTheWork) {
  const auto of_cut = [](std::string_view hold) {
    std::string run = "run = [\"lock\", \"sleep ";
    run += hold;
    run += "\", \"unlock\"]\n";
    const test::SimulatedRun result(
        "title = \"t\"\nlock = \"plain\"\nexpect = { holds = \"no-leak\" }\n[[client]]\nname = "
        "\"a\"\n" +
        run +
        "[[client]]\nname = \"b\"\nstart = \"1s\"\nrun = [\"lock\", \"write\", \"unlock\"]\n" +
        "[[fault]]\ncut = [\"a\", \"n1\"]\nat = \"2s\"\nfor = \"40s\"\n");
    return result.result().fault_effects[0];
  };
  EXPECT_LT(of_cut("5s"), Mattered::to_holders);
  EXPECT_LT(of_cut("15s"), Mattered::to_holders);
  EXPECT_LT(of_cut("25s"), Mattered::to_holders);
  EXPECT_GE(of_cut("35s"), Mattered::to_holders);
}

TEST(StrikeEffects, AReleaseThatMayMeetAnothersHoldMattersToRivals) {
  for (const std::string_view lock : of_one_master) {
    for (const std::string_view fault : {"cut = [\"a\", \"n1\"]\nat = \"2s\"\nfor = \"10s\"\n",
                                         "pause = \"n1\"\nat = \"2s\"\nfor = \"7s\"\n",
                                         "drop = \"any\"\nto = \"a\"\nat = \"2s\"\n"}) {
      EXPECT_GE(of_fault(lock, "5s", fault), Mattered::to_rivals) << lock << ": " << fault;
    }
  }
}

TEST(StrikeEffects, ALinkThatIsSoSlowThatNobodyGetsTheLockOverItMattersToNoHolder) {
  for (const std::string_view lock : of_one_master) {
    const test::SimulatedRun run(story(lock, "2s") +
                                 "[[link]]\nfrom = \"a\"\nto = \"n1\"\nlatency = \"4s\"\n");
    ASSERT_EQ(run.result().network_effects.size(), 1U);
    EXPECT_LT(run.result().network_effects[0], Mattered::to_holders) << lock;
  }
}

TEST(StrikeEffects, AWayOnWhichNoAnswerComesInTimeIsNoTestOfHolders) {
  for (const std::string_view lock : {"plain", "fair", "spin"}) {
    for (const std::string_view who : {"a", "b"}) {
      const std::string clog = "clog = [\"" + std::string(who) + "\", \"n1\"]\nby = ";
      EXPECT_LT(of_stop(lock, clog + "\"1400ms\"\n"), Mattered::to_holders) << lock << who;
    }
    EXPECT_LT(of_stop(lock, "slow = \"a\"\nby = \"6s\"\n"), Mattered::to_holders) << lock;
    EXPECT_LT(of_stop(lock,
                      "delay = \"any\"\nfrom = \"n1\"\nto = \"a\"\nby = \"4s\"\n"
                      "times = \"always\"\n"),
              Mattered::to_holders)
        << lock;
  }
  EXPECT_GE(
      of_stop("plain", "clog = [\"a\", \"n1\"]\nby = \"2700ms\"\nwhen = \"a sent acquire\"\n"),
      Mattered::to_holders)
      << "the answer comes";
}

// -- what the lock protects: two write after the strike --

/// How much the faults of a run mattered at most in which b wants what a has.
Mattered most_of(std::string_view lock, std::string_view steps_of_a, std::string_view rest) {
  std::string text = "title = \"t\"\nlock = \"";
  text += lock;
  text += "\"\nexpect = { holds = \"harm\" }\n[redis]\n";
  if (rest.find("replica") != std::string_view::npos) text += "replicas = 1\n";
  text += "[[client]]\nname = \"a\"\nrun = [\"lock lease=10s\", ";
  text += steps_of_a;
  text +=
      ", \"unlock\"]\n[[client]]\nname = \"b\"\nstart = \"100ms\"\n"
      "run = [\"lock lease=10s\", \"write\", \"unlock\"]\n";
  text += rest;
  const test::SimulatedRun run(text);
  EXPECT_GT(run.result().fault_strikes.back(), 0U) << rest;
  const auto effects = run.result().fault_effects;
  return *std::max_element(effects.begin(), effects.end());
}

/// b asks for what a has, over links that are slow from then on.
Mattered of_slow_links(std::string_view lock, std::string_view hold, std::string_view by) {
  std::string text = "title = \"t\"\nlock = \"";
  text += lock;
  text +=
      "\"\nexpect = { holds = \"no-leak\" }\n[[client]]\nname = \"a\"\nrun = [\"lock lease=3s\", ";
  text += "\"write\", \"sleep ";
  text += hold;
  text += "\", \"unlock\"]\n[[client]]\nname = \"b\"\nstart = \"100ms\"\n";
  text += "run = [\"lock lease=3s\", \"write\", \"unlock\"]\n";
  for (const std::string_view who : {"a", "b"}) {
    text += "[[fault]]\nwhen = \"a acquired\"\nfor = \"10s\"\nclog = [\"";
    text += who;
    text += "\", \"n1\"]\nby = \"";
    text += by;
    text += "\"\n";
  }
  const test::SimulatedRun run(text);
  return std::max(run.result().fault_effects[0], run.result().fault_effects[1]);
}

TEST(StrikeEffects, WhoIsHeardOnlyOnceTheOtherIsDoneIsNoRival) {
  for (const std::string_view lock : {"plain", "setnx", "spin"}) {
    EXPECT_LT(of_slow_links(lock, "500ms", "800ms"), Mattered::to_holders) << lock;
    EXPECT_GE(of_slow_links(lock, "2800ms", "400ms"), Mattered::to_holders)
        << lock << ": a is still at work, and its lease ends";
  }
  constexpr std::string_view pause =
      "[[fault]]\npause = \"n1\"\nwhen = \"a acquired\"\nfor = \"8s\"\n";
  EXPECT_LT(most_of("plain", R"("write", "sleep 1s")", pause), Mattered::to_holders);
}

constexpr std::string_view early = R"("write", "sleep 2s")";
constexpr std::string_view late = R"("sleep 2s", "write")";

TEST(StrikeEffects, AStopOfWhoHasWrittenMattersToHoldersAndNotToWhatTheyWrote) {
  constexpr std::string_view pause = "[[fault]]\npause = \"a\"\nat = \"1s\"\nfor = \"15s\"\n";
  for (const std::string_view lock : {"fenced", "plain", "setnx", "spin"}) {
    EXPECT_EQ(most_of(lock, early, pause), Mattered::to_holders) << lock;
    EXPECT_EQ(most_of(lock, late, pause), Mattered::to_writers) << lock;
  }
}

TEST(StrikeEffects, AFailoverWhereOneAloneWritesAfterItMattersToHoldersAndNotToWhatTheyWrote) {
  constexpr std::string_view failover =
      "[[client]]\nname = \"c\"\nstart = \"1500ms\"\nrun = [\"lock lease=10s\", \"unlock\"]\n"
      "[[fault]]\nlag = \"n1-replica-1\"\nby = \"60s\"\n"
      "[[fault]]\npromote = \"n1-replica-1\"\nwhen = \"a acquired\"\nafter = \"1s\"\n"
      "[[fault]]\ncrash = \"n1\"\nwhen = \"n1-replica-1 promoted\"\n";
  EXPECT_EQ(most_of("plain", early, failover), Mattered::to_holders);
  EXPECT_EQ(most_of("plain", late, failover), Mattered::to_writers);
}

TEST(StrikeEffects, AKeyThatIsDeletedWhenOneHasWrittenMattersNotToWhatTheyWrote) {
  constexpr std::string_view deleted =
      "[[client]]\nname = \"c\"\nstart = \"1500ms\"\nrun = [\"lock lease=10s\", \"unlock\"]\n"
      "[[fault]]\ndelete = \"lock\"\non = \"n1\"\nat = \"1s\"\n";
  EXPECT_EQ(most_of("setnx", early, deleted), Mattered::to_holders);
  EXPECT_EQ(most_of("setnx", late, deleted), Mattered::to_writers);
}

TEST(StrikeEffects, AWriteThatIsRefusedAfterTheStrikeIsATestOfIt) {
  constexpr std::string_view pause = "[[fault]]\npause = \"a\"\nat = \"1s\"\nfor = \"15s\"\n";
  EXPECT_EQ(most_of("fenced", R"("write", "sleep 2s", "write")", pause), Mattered::to_writers);
}

// -- clocks that are wrong --

/// Of a lock with a lease of 10 s that its owner has for so long, while another waits for it.
Mattered of_hold(std::string_view hold, std::string_view fault, std::string_view lock = "plain") {
  std::string text = "title = \"t\"\nexpect = { holds = \"no-leak\" }\nlock = \"";
  text += lock;
  text += "\"\n";
  if (lock == "redlock") text += "[redis]\nmasters = 3\n";
  for (const std::string_view client : {"name = \"a\"", "name = \"b\"\nstart = \"5ms\""}) {
    text += "[[client]]\n" + std::string(client) + "\nrun = [\"lock lease=10s\", \"sleep ";
    text += std::string(hold) + "\", \"unlock\"]\n";
  }
  text += "[[fault]]\nwhen = \"a acquired\"\n" + std::string(fault);
  const test::SimulatedRun run(text);
  EXPECT_GT(run.result().fault_strikes[0], 0U) << fault;
  return run.result().fault_effects[0];
}

TEST(StrikeEffects, AServersClockMattersWhereALeaseEndsByItBeforeItsOwnerIsDone) {
  for (const std::string_view lock : {"plain", "redlock", "fair", "setnx", "spin"}) {
    for (const std::string_view fault :
         {"clock_step = \"n1\"\nby = \"20ms\"\n", "clock_step = \"n1\"\nby = \"-3s\"\n",
          "clock_step = \"n1\"\nby = \"4s\"\n", "clock_drift = \"n1\"\nrate = \"9000ppm\"\n",
          "clock_drift = \"n1\"\nrate = \"-9000ppm\"\n", "clock_leap = \"n1\"\n",
          "clock_freeze = \"n1\"\nfor = \"60s\"\n",
          "clock_strobe = \"n1\"\nby = \"3s\"\nevery = \"1s\"\nfor = \"20s\"\n"}) {
      EXPECT_LT(of_hold("500ms", fault, lock), Mattered::to_owners) << lock << '\n' << fault;
    }
    EXPECT_EQ(of_hold("9980ms", "clock_step = \"n1\"\nby = \"3s\"\n", lock), Mattered::to_holders)
        << lock;
    EXPECT_EQ(of_hold("11s", "clock_step = \"n1\"\nby = \"-3s\"\n", lock), Mattered::to_holders)
        << lock;
    EXPECT_EQ(of_hold("11s", "clock_freeze = \"n1\"\nfor = \"60s\"\n", lock), Mattered::to_holders)
        << lock;
  }
  // Who sleeps for as long as the lease was to last asks for nothing before.
  constexpr std::string_view fast = "clock_drift = \"n1\"\nrate = \"200000ppm\"\n";
  EXPECT_EQ(of_hold("9950ms", fast), Mattered::to_owners);
  EXPECT_EQ(of_hold("9950ms", fast, "spin"), Mattered::to_holders);
  EXPECT_EQ(of_hold("11s", "clock_drift = \"n1\"\nrate = \"-9000ppm\"\n"), Mattered::to_holders);
}

TEST(StrikeEffects, AClientsClockMattersWhereItsBeliefEndsByIt) {
  const std::string_view jumps = "clock_step = \"a\"\nby = \"9700ms\"\nclock = \"both\"\n";
  const std::string_view stands_still = "clock_freeze = \"a\"\nfor = \"20s\"\n";
  for (const std::string_view lock : {"plain", "redlock"}) {
    EXPECT_LT(of_hold("200ms", "clock_step = \"a\"\nby = \"20ms\"\nclock = \"both\"\n", lock),
              Mattered::to_owners)
        << lock;
    EXPECT_EQ(of_hold("1s", stands_still, lock), Mattered::to_holders) << lock;
  }
  EXPECT_EQ(of_hold("1s", jumps, "fair"), Mattered::to_holders) << "it tells others the time";
}

// -- two who might have had the lock at once, without whom it is no test of exclusion --

Mattered most_of(std::string_view lock, std::string_view rest) {
  const test::SimulatedRun run("title = \"t\"\nlock = \"" + std::string(lock) +
                               "\"\nexpect = { holds = \"no-leak\" }\n" + std::string(rest));
  Mattered most = Mattered::no;
  for (std::size_t i = 0; i < run.result().fault_effects.size(); ++i) {
    EXPECT_GT(run.result().fault_strikes[i], 0U);
    most = std::max(most, run.result().fault_effects[i]);
  }
  return most;
}

/// b comes at 50 ms; the answer to a's first request comes when a has given up waiting for it.
std::string with_late_answer(std::string_view section_of_b) {
  return "[[client]]\nname = \"a\"\nrun = [\"lock lease=3s\", \"write\", \"unlock\"]\n"
         "[[client]]\nname = \"b\"\nstart = \"50ms\"\nrun = [\"lock lease=3s\", \"write\", " +
         std::string(section_of_b) +
         "\"unlock\"]\n[[fault]]\ndelay = \"reply to acquire\"\nby = \"4s\"\n";
}

TEST(StrikeEffects, WhoIsToldWhenAllOthersAreDoneIsNoTestOfExclusion) {
  for (const std::string_view lock : {"plain", "spin", "fenced", "fair"}) {
    EXPECT_EQ(most_of(lock, with_late_answer("")), Mattered::to_rivals) << lock;
    EXPECT_GE(most_of(lock, with_late_answer("\"sleep 2500ms\", ")), Mattered::to_holders)
        << lock << ": b has it as a asks again";
  }
}

std::string with_slow_node(std::string_view from) {
  return "[[client]]\nname = \"w\"\ncount = 2\nrounds = 2\nrun = [\"lock lease=10s\", \"write\", "
         "\"sleep 500ms\", \"unlock\"]\n[[fault]]\nslow = \"n1\"\nby = \"21s\"\nfor = \"30s\"\n"
         "at = \"" +
         std::string(from) + "\"\n";
}

TEST(StrikeEffects, WhatMakesSomebodyLateAsTheLastIsDoneIsNoTestOfExclusion) {
  EXPECT_LT(most_of("plain", with_slow_node("1s")), Mattered::to_holders);
  EXPECT_GE(most_of("plain", with_slow_node("100ms")), Mattered::to_holders);
}

std::string with_failover(std::string_view held_for) {
  return "[redis]\ntopology = \"sentinel\"\nreplicas = 2\nsentinel = { down_after = \"5s\" }\n"
         "[[client]]\nname = \"a\"\nrun = [\"lock lease=30s\", \"sleep " +
         std::string(held_for) +
         "\", \"unlock\", \"lock lease=30s\", \"unlock\"]\n[[client]]\nname = \"b\"\n"
         "start = \"8s\"\nrun = [\"lock lease=30s\", \"write\", \"unlock\"]\n"
         "[[fault]]\ncrash = \"n1\"\nwhen = \"a acquired\"\n"
         "[[fault]]\ndelay = \"replication\"\nby = \"61s\"\ntimes = 30\n";
}

TEST(StrikeEffects, AFailoverThatOnlyTheOldOwnerSeesIsNoTestOfExclusion) {
  EXPECT_LT(most_of("setnx", with_failover("2s")), Mattered::to_holders);
  EXPECT_GE(most_of("setnx", with_failover("20s")), Mattered::to_holders);
}

TEST(StrikeEffects, AMessageThatALatchIsOpenLetsNobodyThroughTooSoon) {
  const auto with_late_message = [](std::string_view rest) {
    return "[[client]]\nname = \"main\"\nrun = [\"try_set_count count=1\", \"await\"]\n"
           "[[client]]\nname = \"w\"\nstart = \"50ms\"\nrun = [\"count_down\"" +
           std::string(rest) + "]\n[[fault]]\ndelay = \"message\"\nby = \"5s\"\n";
  };
  EXPECT_EQ(most_of("latch", with_late_message("")), Mattered::to_waiters);
  EXPECT_GE(most_of("latch", with_late_message(", \"try_set_count count=1\", \"sleep 20s\", "
                                               "\"count_down\"")),
            Mattered::to_holders)
      << "it is shut again";
  const auto with_late_reply = [](std::string_view last) {
    return "[redis]\nlatency = \"200ms\"\n[[client]]\nname = \"main\"\n"
           "run = [\"try_set_count count=2\", \"await\"]\n[[client]]\nname = \"w\"\n"
           "start = \"1s\"\n[[client.thread]]\nrun = [\"count_down\"]\n"
           "[[client.thread]]\nrun = [\"sleep " +
           std::string(last) +
           "\", \"count_down\"]\n[[fault]]\ndelay = \"reply to count_down\"\nby = \"4s\"\n";
  };
  EXPECT_LT(most_of("latch", with_late_reply("250ms")), Mattered::to_holders)
      << "nobody waits as it is sent again";
  EXPECT_GE(most_of("latch", with_late_reply("2s")), Mattered::to_holders);
}

TEST(StrikeEffects, AStopOfAReaderIsNoTestOfWhatWritersWrote) {
  const std::string others =
      "[[client]]\nname = \"w\"\ncount = 2\nstart = \"1s\"\nrun = [\"write_lock lease=10s\", "
      "\"write\", \"write_unlock\"]\n[[fault]]\npause = \"r\"\nfor = \"30s\"\n"
      "when = \"r acquired\"\n";
  const std::string begun = "[[client]]\nname = \"r\"\nrun = [\"read_lock lease=10s\", ";
  EXPECT_EQ(most_of("readwrite", begun + "\"read_unlock\"]\n" + others), Mattered::to_holders);
  EXPECT_EQ(most_of("readwrite", begun + "\"write\", \"read_unlock\"]\n" + others),
            Mattered::to_writers);
}

}  // namespace
}  // namespace lockstep::model::strike_effects_of_stops_test
