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
}  // namespace lockstep::test
