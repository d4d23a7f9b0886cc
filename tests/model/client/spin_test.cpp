// Waiting for a spin lock: sleeping, twice as long each time.
#include <gtest/gtest.h>

#include "lock_run.h"

namespace lockstep::test {
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
}  // namespace lockstep::test
