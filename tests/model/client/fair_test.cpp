// The fair lock's client model: each thread on its own channel, its place in the queue, and how it
// leaves. scenarios/fair tells the stories, tests/scripts has the server scripts.
#include <gtest/gtest.h>

#include "checker/property.h"
#include "checker/verdict_kind.h"
#include "lock_run.h"

namespace lockstep::test {
namespace {

using Steps = std::vector<std::string>;

/// What a client asked the server's scripts for, from the lock's name on: one text for each call.
std::vector<std::string> calls(const LockRun& run, std::string_view label) {
  std::vector<std::string> result;
  for (const TraceLine& line : run.find("command-executed", "n1")) {
    const std::string wanted = std::string("label=").append(label).append(" ");
    if (line.has(wanted)) result.push_back(line.fields.substr(line.fields.find("arguments=") + 10));
  }
  return result;
}

/// The places in the queue, as they changed.
std::vector<std::string> queues(const LockRun& run) {
  std::vector<std::string> result;
  for (const TraceLine& line : run.find("queue-changed")) {
    const std::size_t from = line.fields.find("owners=") + 7;
    result.push_back(line.fields.substr(from, line.fields.find(" by=") - from));
  }
  return result;
}

TEST(Fair, WaitersAreServedInTheOrderOfTheirArrival) {
  LockRun run("fair");
  run.client("a", {"lock lease=10s; sleep 1s; unlock"});
  run.client("b", {"lock lease=10s; unlock"}).start_ns = 100 * sim::millisecond_ns;
  run.client("c", {"lock lease=10s; unlock"}).start_ns = 200 * sim::millisecond_ns;
  run.run();
  EXPECT_EQ(queues(run), (Steps{"b/1", "b/1 c/1", "c/1", ""})) << run.text();
  EXPECT_EQ(run.verdict(checker::Property::fifo), checker::VerdictKind::holds);
}

TEST(Fair, AMessageWakesOnlyTheThreadWhoseTurnItIs) {
  LockRun run("fair");
  run.client("a", {"lock lease=10s; sleep 1s; unlock"});
  run.client("b", {"lock lease=10s; sleep 1s; unlock", "lock lease=10s; sleep 1s; unlock"})
      .start_ns = 100 * sim::millisecond_ns;
  run.run();
  EXPECT_EQ(run.count("message-sent", "b", "label=subscribe"), 2U) << run.text();
  EXPECT_EQ(run.count("message-sent", "b", "label=unsubscribe"), 2U);
  EXPECT_EQ(run.count("message-sent", "n1", "label=message"), 2U);
  EXPECT_EQ(run.count("message-sent", "b", "label=acquire"), 6U)
      << "each thread: one before subscribing, one after, one when it is woken";
}

TEST(Fair, ATryLockWithoutAWaitNeverJoinsTheQueue) {
  LockRun run("fair");
  run.client("a", {"lock lease=10s; sleep 1s; unlock"});
  run.client("b", {"try_lock lease=10s; write; unlock; sleep 2s; try_lock lease=10s; unlock"})
      .start_ns = 100 * sim::millisecond_ns;
  run.run();
  EXPECT_EQ(run.steps_of("b/1"), (Steps{"try_lock lease=10s: fail", "sleep 2s: ok",
                                        "try_lock lease=10s: ok", "unlock: ok"}));
  EXPECT_EQ(calls(run, "try").size(), 2U);
  EXPECT_TRUE(queues(run).empty()) << run.text();
}

TEST(Fair, ATryLockThatGivesUpLeavesTheQueue) {
  LockRun run("fair");
  run.client("a", {"lock lease=10s; sleep 3s; unlock"});
  run.client("b", {"try_lock wait=1s lease=10s; write; unlock; sleep 1ms"}).start_ns =
      100 * sim::millisecond_ns;
  run.run();
  EXPECT_EQ(run.steps_of("b/1"), (Steps{"try_lock wait=1s lease=10s: fail", "sleep 1ms: ok"}));
  EXPECT_EQ(queues(run), (Steps{"b/1", ""})) << run.text();
  const auto done = run.find("step-completed", "b/1");
  EXPECT_GE(done[0].at_ns, 1'100 * sim::millisecond_ns);
  EXPECT_LE(done[0].at_ns, 1'105 * sim::millisecond_ns);
  EXPECT_EQ(run.count("message-sent", "b", "label=unsubscribe"), 1U);
}

struct Waits {
  std::string lock;
  std::string joins_with;
  std::string leaves_with;
};

TEST(Fair, ATryLockAddsItsOwnWaitToTheDeadlinesAndTakesItOffAgain) {
  const Waits cases[] = {{"fair", "1000", "1000"},
                         {"fair/gives-back-too-much", "1000", "300000"},
                         {"fair/short-wait", "5000", "5000"}};
  for (const Waits& waits : cases) {
    SCOPED_TRACE(waits.lock);
    LockRun run(waits.lock);
    run.client("a", {"lock lease=10s; sleep 3s; unlock"});
    run.client("b", {"try_lock wait=1s lease=10s; unlock"}).start_ns = 100 * sim::millisecond_ns;
    run.run();
    const auto joins = calls(run, "acquire");
    ASSERT_EQ(joins.size(), 3U) << run.text();
    EXPECT_NE(joins[1].find(" " + waits.joins_with + " "), std::string::npos) << joins[1];
    const auto leaves = calls(run, "acquire_failed");
    ASSERT_EQ(leaves.size(), 1U);
    EXPECT_NE(leaves[0].find(" " + waits.leaves_with), std::string::npos) << leaves[0];
  }
}

TEST(Fair, AHolderThatDiesIsOutwaitedByItsLease) {
  LockRun run("fair");
  run.client("a", {"lock lease=2s; crash"});
  run.client("b", {"lock lease=10s; unlock"}).start_ns = 100 * sim::millisecond_ns;
  run.run();
  const auto granted = run.find("belief-began", "b/1");
  ASSERT_EQ(granted.size(), 1U) << run.text();
  EXPECT_GE(granted[0].at_ns, 2'003 * sim::millisecond_ns);
  EXPECT_LT(granted[0].at_ns, 2'020 * sim::millisecond_ns);
}

TEST(Fair, AReleaseOfALockThatLapsedSaysYes) {
  LockRun run("fair");
  run.client("a", {"lock lease=1s; sleep 2s; unlock"});
  run.run();
  EXPECT_EQ(run.steps_of("a/1"), (Steps{"lock lease=1s: ok", "sleep 2s: ok", "unlock: ok"}));
}

TEST(Fair, AReleaseOfAnothersLockIsRefused) {
  LockRun run("fair");
  run.client("a", {"lock lease=1s; sleep 2s; unlock"});
  run.client("b", {"lock lease=10s; sleep 5s; unlock"}).start_ns = 100 * sim::millisecond_ns;
  run.run();
  EXPECT_EQ(run.steps_of("a/1"), (Steps{"lock lease=1s: ok", "sleep 2s: ok", "unlock: fail"}));
  EXPECT_EQ(run.count("step-completed", "a/1", "not locked by current thread"), 1U) << run.text();
}

TEST(Fair, AForcedUnlockWakesTheHead) {
  LockRun run("fair");
  run.client("a", {"lock lease=60s; sleep 30s"});
  run.client("b", {"lock lease=10s; unlock"}).start_ns = 100 * sim::millisecond_ns;
  run.client("c", {"force_unlock"}).start_ns = sim::second_ns;
  run.run();
  const auto granted = run.find("belief-began", "b/1");
  ASSERT_EQ(granted.size(), 1U) << run.text();
  EXPECT_LT(granted[0].at_ns, 1'010 * sim::millisecond_ns);
}

TEST(Fair, TheWatchdogRenewsUntilTheLastHoldIsReleased) {
  LockRun run("fair");
  run.client("a", {"lock; lock; sleep 14s; unlock; sleep 14s; unlock"});
  run.run();
  EXPECT_EQ(calls(run, "renew_batch").size(), 2U) << run.text();
  EXPECT_EQ(run.verdict(checker::Property::no_leak), checker::VerdictKind::holds);
}

TEST(Fair, AnExtensionBeginsTheLeaseAnew) {
  LockRun run("fair");
  run.client("a", {"lock lease=2s; sleep 1s; extend lease=9s; sleep 5s; unlock; extend lease=1s"});
  run.run();
  EXPECT_EQ(run.steps_of("a/1"), (Steps{"lock lease=2s: ok", "sleep 1s: ok", "extend lease=9s: ok",
                                        "sleep 5s: ok", "unlock: ok", "extend lease=1s: fail"}))
      << run.text();
}

TEST(Fair, AThreadThatHasReleasedAllItsHoldsIsNotRenewedForAnyMore) {
  LockRun run("fair");
  run.client("a", {"lock; lock; unlock; unlock", "sleep 1s; lock; sleep 50s; unlock"});
  run.run();
  EXPECT_EQ(run.steps_of("a/2").back(), "unlock: ok") << run.text();
  for (const std::string& renewal : calls(run, "renew_batch")) {
    EXPECT_NE(renewal.find("reply=[1]"), std::string::npos) << renewal;
  }
}

TEST(Fair, AnAcquisitionWithoutAnAcknowledgementIsGivenBack) {
  LockRun run("fair");
  run.scenario.redis.replicas = 1;
  run.scenario.options["wait_replicas"] = std::int64_t{1};
  run.client("a", {"lock lease=10s; unlock"});
  scenario::FaultSpec& cut = run.fault(scenario::FaultKind::cut, "n1");
  cut.other = "n1-replica-1";
  cut.trigger.when.reset();
  run.run();
  EXPECT_EQ(run.steps_of("a/1").front(), "lock lease=10s: fail") << run.text();
  EXPECT_EQ(calls(run, "release").size(), 1U);
}

TEST(Fair, TheOldScriptsFailAtAHeadWithoutDeadline) {
  LockRun run("fair/old");
  run.client("a", {"lock; sleep 3s; unlock"});
  run.client("b", {"lock lease=10s; unlock"}).start_ns = 100 * sim::millisecond_ns;
  run.client("c", {"lock lease=10s; unlock"}).start_ns = 2 * sim::second_ns;
  scenario::FaultSpec& lost = run.fault(scenario::FaultKind::delete_key, "n1");
  lost.lock_name = "lock";
  lost.key_pattern = "redisson_lock_timeout:{{name}}";
  lost.trigger.when.reset();
  lost.trigger.after_ns = sim::second_ns;
  run.run();
  EXPECT_EQ(run.count("step-completed", "c/1", "attempt to compare"), 1U) << run.text();
  EXPECT_EQ(run.count("step-completed", "a/1", "attempt to compare"), 1U);
}

}  // namespace
}  // namespace lockstep::test
