// Waiting for a plain lock: by pub/sub, and no longer than it must.
#include <gtest/gtest.h>

#include "checker/property.h"
#include "checker/verdict_kind.h"
#include "lock_folder.h"
#include "lock_run.h"
#include "scenario/milestones.h"

namespace lockstep::test {
namespace {

using Steps = std::vector<std::string>;

TEST(Waiting, AContendedLockWaitsOnTheChannelAndIsWokenByTheRelease) {
  LockRun run("plain");
  run.client("a", {"lock lease=10s; sleep 1s; unlock"});
  run.client("b", {"lock lease=10s; unlock"}).start_ns = 100 * sim::millisecond_ns;
  run.run();
  EXPECT_EQ(run.steps_of("b/1"), (Steps{"lock lease=10s: ok", "unlock: ok"})) << run.text();
  // a's release is executed at 1005 ms, the message is there at 1006, b's acquire back at 1008.
  const auto granted = run.find("belief-began", "b/1");
  ASSERT_EQ(granted.size(), 1U);
  EXPECT_EQ(granted[0].at_ns, 1'008 * sim::millisecond_ns);
  EXPECT_EQ(run.count("message-sent", "b", "label=acquire"), 3U)
      << "one before subscribing, one after, one when it is woken";
}

TEST(Waiting, AHolderThatDiesIsOutwaitedByItsLease) {
  LockRun run("plain");
  run.client("a", {"lock lease=2s; crash"});
  run.client("b", {"lock lease=10s; unlock"}).start_ns = 100 * sim::millisecond_ns;
  run.run();
  const auto granted = run.find("belief-began", "b/1");
  ASSERT_EQ(granted.size(), 1U) << run.text();
  EXPECT_GE(granted[0].at_ns, 2'003 * sim::millisecond_ns);
  EXPECT_LT(granted[0].at_ns, 2'020 * sim::millisecond_ns);
}

TEST(Waiting, ForALeaseOfTheDeadIsNoDeadlock) {
  using scenario::Milestone;
  for (const auto milestone : {Milestone::acquired, Milestone::sent, Milestone::releasing}) {
    LockRun run("plain");
    run.client("a", {"lock lease=60s; write; unlock"});
    run.client("b", {"lock lease=10s; unlock"}).start_ns = 100 * sim::millisecond_ns;
    scenario::FaultSpec& crash = run.fault(scenario::FaultKind::crash, "a");
    crash.trigger.when = {"a", milestone, "", 1};
    // Before its release asked for anything.
    crash.trigger.after_ns = milestone == Milestone::releasing ? 0 : sim::microsecond_ns;
    run.scenario.liveness.progress_ns = 5 * sim::second_ns;
    run.run();
    EXPECT_GE(run.find("belief-began", "b/1").at(0).at_ns, 60 * sim::second_ns) << run.text();
    EXPECT_EQ(run.verdict(checker::Property::no_deadlock), checker::VerdictKind::holds);
  }
}

/// Whoever asks for the lock begins its lease anew, and so the dead keep it.
TEST(Waiting, ForALeaseThatEveryWaiterRenewsIsADeadlock) {
  LockFolder folder;
  folder.write("lock.toml",
               "title = \"Renews for anybody\"\nclient = \"client.lua\"\n"
               "[state]\nkey = \"{name}\"\nshape = \"owner-token\"\n"
               "[scripts]\ntake = \"take.lua\"\n");
  folder.write("take.lua", R"(
local got = redis.call('setnx', KEYS[1], ARGV[1])
redis.call('pexpire', KEYS[1], ARGV[2])
return got
)");
  folder.write("client.lua", R"(
local mutex = {}
function mutex.lock(lock, lease_ms)
  while client.eval(1, "take", {lock.name}, {client.owner(), lease_ms}) == 0 do
    client.sleep(1000)
  end
  return true
end
function mutex.unlock(lock) client.command(1, "DEL", lock.name) end
return mutex
)");
  LockRun run(folder.folder().string());
  run.client("a", {"lock lease=10s; crash"});
  run.client("b", {"lock lease=10s; unlock"}).start_ns = 100 * sim::millisecond_ns;
  run.run();
  EXPECT_EQ(run.verdict(checker::Property::no_deadlock), checker::VerdictKind::violated);
}

TEST(Waiting, ATryLockWithoutAWaitAsksOnce) {
  LockRun run("plain");
  run.client("a", {"lock lease=10s; sleep 1s; unlock"});
  run.client("b", {"try_lock lease=10s; write; unlock; sleep 1ms"}).start_ns =
      100 * sim::millisecond_ns;
  run.run();
  EXPECT_EQ(run.steps_of("b/1"), (Steps{"try_lock lease=10s: fail", "sleep 1ms: ok"}));
  EXPECT_EQ(run.count("message-sent", "b"), 1U);
}

TEST(Waiting, ATryLockGivesUpWhenItsWaitIsOver) {
  LockRun run("plain");
  run.client("a", {"lock lease=10s; sleep 5s; unlock"});
  run.client("b", {"try_lock wait=1s lease=10s; write; unlock"}).start_ns =
      100 * sim::millisecond_ns;
  run.run();
  const auto done = run.find("step-completed", "b/1");
  ASSERT_EQ(done.size(), 1U) << run.text();
  EXPECT_TRUE(done[0].has("outcome=fail"));
  EXPECT_GE(done[0].at_ns, 1'100 * sim::millisecond_ns);
  EXPECT_LE(done[0].at_ns, 1'103 * sim::millisecond_ns);
  EXPECT_EQ(run.count("message-sent", "b", "label=unsubscribe"), 1U);
}

TEST(Waiting, ATryLockReadsItsRemainingWaitOffTheWallClock) {
  LockRun run("plain");
  run.client("a", {"lock lease=60s; sleep 30s; unlock"});
  run.client("b", {"try_lock wait=10s lease=10s"}).start_ns = 100 * sim::millisecond_ns;
  scenario::FaultSpec& step = run.fault(scenario::FaultKind::clock_step, "b");
  step.by_ns = 8 * sim::second_ns;
  step.trigger.when = scenario::Trigger::When{"n1", scenario::Milestone::executed, "subscribe", 1};
  run.run();
  const auto done = run.find("step-completed", "b/1");
  ASSERT_EQ(done.size(), 1U) << run.text();
  EXPECT_LT(done[0].at_ns, 3 * sim::second_ns) << "its clock jumped 8 s of the 10 ahead";
}

TEST(Waiting, ATryLockThatIsWokenInTimeHasTheLock) {
  LockRun run("plain");
  run.client("a", {"lock lease=10s; sleep 1s; unlock"});
  run.client("b", {"try_lock wait=2s lease=10s; unlock"}).start_ns = 100 * sim::millisecond_ns;
  run.run();
  EXPECT_EQ(run.steps_of("b/1"), (Steps{"try_lock wait=2s lease=10s: ok", "unlock: ok"}));
}

TEST(Waiting, ASubscriptionThatIsNotConfirmedInTimeEndsATryLock) {
  LockRun run("plain");
  run.client("a", {"lock lease=10s; sleep 5s; unlock"});
  run.client("b", {"try_lock wait=1s lease=10s"}).start_ns = 100 * sim::millisecond_ns;
  run.message_fault(scenario::FaultKind::drop, "subscribe");
  run.run();
  const auto done = run.find("step-completed", "b/1");
  ASSERT_EQ(done.size(), 1U) << run.text();
  EXPECT_TRUE(done[0].has("outcome=fail"));
  EXPECT_LE(done[0].at_ns, 1'105 * sim::millisecond_ns);
  EXPECT_EQ(run.verdict(checker::Property::no_leak), checker::VerdictKind::holds) << run.text();
}

TEST(Waiting, ASubscriptionThatIsNotConfirmedIsTriedAgain) {
  LockRun run("plain");
  run.client("a", {"lock lease=10s; sleep 5s; unlock"});
  run.client("b", {"lock lease=10s; unlock"}).start_ns = 100 * sim::millisecond_ns;
  run.message_fault(scenario::FaultKind::drop, "reply to subscribe");
  run.run();
  EXPECT_EQ(run.count("call-timed-out", "b/1", "label=subscribe attempt=1"), 1U);
  EXPECT_EQ(run.count("command-executed", "n1", "label=subscribe"), 2U);
  EXPECT_EQ(run.steps_of("b/1"), (Steps{"lock lease=10s: ok", "unlock: ok"})) << run.text();
  EXPECT_EQ(run.verdict(checker::Property::no_leak), checker::VerdictKind::holds) << run.text();
}

TEST(Waiting, ThreadsOfAClientShareTheSubscriptionAndTheLastOneEndsIt) {
  LockRun run("plain");
  run.client("a", {"lock lease=10s; sleep 1s; unlock"});
  const std::string steps = "lock lease=10s; sleep 100ms; unlock";
  run.client("b", {steps, steps, steps}).start_ns = 100 * sim::millisecond_ns;
  run.run();
  EXPECT_EQ(run.count("message-sent", "b", "label=subscribe"), 1U) << run.text();
  EXPECT_EQ(run.count("message-sent", "b", "label=unsubscribe"), 1U);
  EXPECT_EQ(run.count("belief-began"), 4U);
  const auto last = run.find("belief-began", "b/3");
  ASSERT_EQ(last.size(), 1U);
  EXPECT_LT(last[0].at_ns, 1'500 * sim::millisecond_ns) << "nobody waited for a lease to pass";
}

TEST(Waiting, OneMessageWakesOneThreadOfAClient) {
  LockRun run("plain");
  run.client("a", {"lock lease=10s; sleep 1s; unlock"});
  run.client("b", {"lock lease=10s; sleep 1s; unlock", "lock lease=10s; unlock"}).start_ns =
      100 * sim::millisecond_ns;
  run.run();
  const auto asked_again = [&](std::string_view thread) {
    std::size_t count = 0;
    for (const TraceLine& line : run.find("service-invoked", thread, "kind=acquire")) {
      if (line.at_ns > sim::second_ns && line.at_ns < 1'100 * sim::millisecond_ns) ++count;
    }
    return count;
  };
  EXPECT_EQ(asked_again("b/1") + asked_again("b/2"), 1U) << run.text();
}

TEST(Waiting, ASubscriptionSurvivesItsConnection) {
  LockRun run("plain");
  run.client("a", {"lock lease=10s; sleep 2s; unlock"});
  run.client("b", {"lock lease=10s; unlock"}).start_ns = 100 * sim::millisecond_ns;
  run.client("c", {"sleep 500ms; try_lock wait=100ms"});
  scenario::FaultSpec& reset =
      run.message_fault(scenario::FaultKind::reset, "reply to subscribe", 1);
  reset.message_to = "b";
  run.run();
  EXPECT_EQ(run.scenario.faults.size(), 1U);
  const auto granted = run.find("belief-began", "b/1");
  ASSERT_EQ(granted.size(), 1U) << run.text();
  EXPECT_LT(granted[0].at_ns, 2'100 * sim::millisecond_ns) << "it was woken, not timed out";
}

TEST(Waiting, WaitersFollowAPromotionWhenTheyNextConnect) {
  LockRun run("plain");
  run.scenario.redis.replicas = 1;
  run.client("a", {"lock lease=3s; sleep 10s"});
  run.client("b", {"lock lease=10s; unlock"}).start_ns = 100 * sim::millisecond_ns;
  scenario::FaultSpec& crash = run.fault(scenario::FaultKind::crash, "n1");
  crash.trigger.after_ns = 500 * sim::millisecond_ns;
  scenario::FaultSpec& promote = run.fault(scenario::FaultKind::promote, "n1-replica-1");
  promote.trigger.after_ns = 600 * sim::millisecond_ns;
  run.run();
  EXPECT_EQ(run.steps_of("b/1"), (Steps{"lock lease=10s: ok", "unlock: ok"})) << run.text();
  EXPECT_EQ(run.count("command-executed", "n1-replica-1", "label=subscribe"), 1U) << run.text();
}

}  // namespace

// Waiting for a spin lock: sleeping, twice as long each time.

namespace {

using Steps = std::vector<std::string>;

/// The pauses between b's attempts; each attempt itself takes 2 ms.
std::vector<sim::TimeNs> pauses_ms(const LockRun& run) {
  std::vector<sim::TimeNs> pauses;
  const auto sent = run.find("message-sent", "b", "label=acquire");
  for (std::size_t i = 1; i < sent.size(); ++i) {
    pauses.push_back((sent[i].at_ns - sent[i - 1].at_ns) / sim::millisecond_ns - 2);
  }
  return pauses;
}

TEST(Spinning, PausesTwiceAsLongEachTimeUpToTheLongest) {
  LockRun run("spin");
  run.client("a", {"lock lease=10s; sleep 600ms; unlock"});
  run.client("b", {"lock lease=10s; unlock"}).start_ns = 100 * sim::millisecond_ns;
  run.run();
  EXPECT_EQ(pauses_ms(run), (std::vector<sim::TimeNs>{1, 2, 4, 8, 16, 32, 64, 128, 128, 128}))
      << run.text();
  EXPECT_EQ(run.steps_of("b/1"), (Steps{"lock lease=10s: ok", "unlock: ok"}));
  EXPECT_EQ(run.count("command-executed", "n1", "label=subscribe"), 0U);
}

TEST(Spinning, BeginsWithTheShortestPauseForEachLock) {
  LockRun run("spin");
  run.client(
      "a", {"lock lease=10s; sleep 20ms; unlock; sleep 20ms; lock lease=10s; sleep 20ms; unlock"});
  run.client("b", {"lock lease=10s; unlock; sleep 22ms; lock lease=10s; unlock"}).start_ns =
      10 * sim::millisecond_ns;
  run.run();
  EXPECT_EQ(run.steps_of("b/1").size(), 5U) << run.text();
  const auto pauses = pauses_ms(run);
  EXPECT_EQ(std::count(pauses.begin(), pauses.end(), 1), 2) << run.text();
}

TEST(Spinning, GivesUpWhenItsTimeIsOver) {
  LockRun run("spin");
  run.client("a", {"lock lease=10s; sleep 5s; unlock"});
  run.client("b", {"try_lock wait=1s lease=10s; write; unlock; sleep 1ms"}).start_ns =
      100 * sim::millisecond_ns;
  run.run();
  const auto refused = run.find("step-completed", "b/1", "step=try_lock");
  ASSERT_EQ(refused.size(), 1U) << run.text();
  EXPECT_TRUE(refused[0].has("outcome=fail"));
  EXPECT_EQ(refused[0].at_ns, 1'102 * sim::millisecond_ns) << "the last attempt, at its time's end";
}

TEST(Spinning, ATryLockWithoutAWaitAsksOnce) {
  LockRun run("spin");
  run.client("a", {"lock lease=10s; sleep 1s; unlock"});
  run.client("b", {"try_lock lease=10s; write; unlock; sleep 1ms"}).start_ns =
      100 * sim::millisecond_ns;
  run.run();
  EXPECT_EQ(run.steps_of("b/1"), (Steps{"try_lock lease=10s: fail", "sleep 1ms: ok"}));
  EXPECT_EQ(run.count("message-sent", "b", "label=acquire"), 1U);
}

TEST(Spinning, IsRenewedByTheWatchdogOfThePlainLock) {
  LockRun run("spin");
  run.client("a", {"lock; sleep 45s; unlock"});
  run.run();
  EXPECT_EQ(run.count("command-executed", "n1", "label=renew_batch"), 4U) << run.text();
  EXPECT_EQ(run.count("lock-changed", "n1", "cause=expiry"), 0U);
}

}  // namespace

// The fair lock's client model: each thread on its own channel, its place in the queue, and how it
// leaves. scenarios/fair tells the stories, tests/scripts has the server scripts.

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
