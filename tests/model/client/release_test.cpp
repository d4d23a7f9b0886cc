// Releases of the plain lock: re-entry, refusal, the latch, and what older releases did.
#include <gtest/gtest.h>

#include "checker/property.h"
#include "checker/verdict_kind.h"
#include "lock_run.h"

namespace lockstep::test {
namespace {

using Steps = std::vector<std::string>;

std::vector<std::string> holders(const LockRun& run) {
  std::vector<std::string> result;
  for (const TraceLine& line : run.find("lock-changed")) {
    const std::size_t from = line.fields.find("holders=") + 8;
    result.push_back(line.fields.substr(from, line.fields.find(' ', from) - from));
  }
  return result;
}

TEST(Release, EachTakesOneHoldOff) {
  LockRun run("plain");
  run.client("a", {"lock lease=10s; lock lease=10s; unlock; unlock"});
  run.run();
  EXPECT_EQ(holders(run), (Steps{"a/1:1", "a/1:2", "a/1:1", ""})) << run.text();
  EXPECT_EQ(run.count("belief-began"), 1U);
  EXPECT_EQ(run.verdict(checker::Property::hold_count), checker::VerdictKind::holds);
}

TEST(Release, OfALockThatLapsedIsRefusedAndEndsTheBelief) {
  LockRun run("plain");
  run.client("a", {"lock lease=1s; lock lease=1s; sleep 2s; unlock; unlock"});
  run.run();
  EXPECT_EQ(run.steps_of("a/1"), (Steps{"lock lease=1s: ok", "lock lease=1s: ok", "sleep 2s: ok",
                                        "unlock: fail", "unlock: fail"}));
  EXPECT_EQ(run.count("belief-ended", "a/1", "why=told"), 1U) << run.text();
  EXPECT_EQ(run.count("step-completed", "a/1", "not locked by current thread"), 2U);
}

TEST(Release, OfTheOldestKindSaysYesWhereNoLockIsLeft) {
  LockRun run("plain/oldest");
  run.client("a", {"lock lease=1s; sleep 2s; unlock"});
  run.run();
  EXPECT_EQ(run.steps_of("a/1"), (Steps{"lock lease=1s: ok", "sleep 2s: ok", "unlock: ok"}));
}

TEST(Release, OfAnotherThreadsLockIsRefused) {
  LockRun run("plain");
  run.client("a", {"lock lease=10s; sleep 1s; unlock", "sleep 500ms; lock lease=1s; unlock"});
  run.scenario.clients[0].threads[1].steps.erase(run.scenario.clients[0].threads[1].steps.begin() +
                                                 1);  // only the unlock
  run.run();
  EXPECT_EQ(run.steps_of("a/2"), (Steps{"sleep 500ms: ok", "unlock: fail"}));
  EXPECT_EQ(run.steps_of("a/1"), (Steps{"lock lease=10s: ok", "sleep 1s: ok", "unlock: ok"}));
}

TEST(Release, PassesTheLastLeaseForAHoldThatStays) {
  LockRun run("plain");
  run.client("a", {"lock lease=10s; lock lease=20s; unlock; unlock",
                   "lock name=other; lock name=other; unlock name=other"});
  run.run();
  EXPECT_EQ(run.count("service-invoked", "a/1", "kind=release lock=lock lease_ms=20000"), 2U);
  EXPECT_EQ(run.count("service-invoked", "a/2", "kind=release lock=other lease_ms=30000"), 1U);
}

TEST(Release, ThatIsLatchedDoesNothingWhenItIsSentAgain) {
  LockRun run("plain");
  run.client("a", {"lock lease=50s; lock lease=50s; unlock; sleep 20s; unlock"});
  run.message_fault(scenario::FaultKind::drop, "reply to release");
  run.run();
  EXPECT_EQ(run.count("command-executed", "n1", "label=release"), 3U);
  EXPECT_EQ(holders(run), (Steps{"a/1:1", "a/1:2", "a/1:1", ""})) << run.text();
  EXPECT_EQ(run.verdict(checker::Property::hold_count), checker::VerdictKind::holds);
}

TEST(Release, ThatIsNotLatchedTakesTwoHoldsOffWhenItIsSentAgain) {
  LockRun run("plain/unlatched");
  run.client("a", {"lock lease=50s; lock lease=50s; unlock; sleep 20s; unlock"});
  run.message_fault(scenario::FaultKind::drop, "reply to release");
  run.run();
  EXPECT_EQ(holders(run), (Steps{"a/1:1", "a/1:2", "a/1:1", ""})) << run.text();
  EXPECT_EQ(run.steps_of("a/1").back(), "unlock: fail") << "the lock was free already";
  EXPECT_EQ(run.verdict(checker::Property::hold_count), checker::VerdictKind::violated);
}

TEST(Release, ByForceFreesAnothersLockAndWakesItsWaiters) {
  LockRun run("plain");
  run.client("a", {"lock; sleep 35s; unlock"});
  run.client("b", {"sleep 1s; lock lease=1s; unlock"});
  run.client("c", {"sleep 2s; force_unlock"});
  run.run();
  EXPECT_EQ(run.count("lock-changed", "n1", "cause=force-release"), 1U) << run.text();
  const auto granted = run.find("belief-began", "b/1");
  ASSERT_EQ(granted.size(), 1U);
  EXPECT_LT(granted[0].at_ns, 2'100 * sim::millisecond_ns);
  EXPECT_EQ(run.steps_of("a/1").back(), "unlock: fail");
}

TEST(Acquire, ThatNoReplicaAcknowledgesIsGivenBack) {
  LockRun run("plain");
  run.scenario.redis.replicas = 1;
  run.scenario.options["wait_replicas"] = std::int64_t{1};
  run.client("a", {"lock lease=50s; write; unlock; sleep 1ms"});
  run.fault(scenario::FaultKind::cut, "n1").other = "n1-replica-1";
  run.run();
  EXPECT_EQ(run.steps_of("a/1"), (Steps{"lock lease=50s: fail", "sleep 1ms: ok"})) << run.text();
  EXPECT_EQ(holders(run), (Steps{"a/1:1", ""}));
}

TEST(Acquire, ThatNoReplicaAcknowledgesIsTriedAgainWhereTheLockSaysSo) {
  LockRun run("plain");
  run.scenario.redis.replicas = 1;
  run.scenario.options["wait_replicas"] = std::int64_t{1};
  run.scenario.options["unacknowledged"] = std::string("retry");
  run.client("a", {"lock lease=50s; unlock"});
  scenario::FaultSpec& cut = run.fault(scenario::FaultKind::cut, "n1");
  cut.other = "n1-replica-1";
  cut.for_ns = 2'500 * sim::millisecond_ns;
  run.run();
  EXPECT_EQ(run.steps_of("a/1"), (Steps{"lock lease=50s: ok", "unlock: ok"})) << run.text();
  EXPECT_GE(run.count("service-invoked", "a/1", "kind=release"), 3U);
}

TEST(Acquire, ThatNoReplicaAcknowledgesStaysWhereNobodyCompensates) {
  LockRun run("plain/wait-uncompensated");
  run.scenario.redis.replicas = 1;
  run.client("a", {"lock lease=50s; write; unlock"});
  run.fault(scenario::FaultKind::cut, "n1").other = "n1-replica-1";
  run.run();
  EXPECT_EQ(run.steps_of("a/1"), (Steps{"lock lease=50s: fail"})) << run.text();
  EXPECT_EQ(run.count("lock-changed", "n1", "cause=expiry"), 1U);
}

TEST(Acquire, WithFencingCarriesGrowingTokensToTheResource) {
  LockRun run("fenced");
  run.scenario.resource.fencing = true;
  run.client("a", {"lock lease=10s; write; lock lease=10s; write; unlock; unlock"});
  run.client("b", {"lock lease=10s; write; unlock"});
  run.run();
  std::string tokens;
  for (const TraceLine& line : run.find("resource-written")) {
    tokens += line.fields.substr(line.fields.find("token="));
  }
  EXPECT_EQ(tokens, "token=1token=2token=3") << run.text();
}

}  // namespace

// The watchdog of the plain lock, in both its generations.

namespace {

std::vector<sim::TimeNs> times_of(const std::vector<TraceLine>& lines) {
  std::vector<sim::TimeNs> times;
  for (const TraceLine& line : lines) times.push_back(line.at_ns / sim::second_ns);
  return times;
}

class Watchdog : public ::testing::TestWithParam<const char*> {
 protected:
  Watchdog() : run_(GetParam()) {}
  [[nodiscard]] bool is_shared() const { return std::string(GetParam()) == "plain"; }
  [[nodiscard]] std::string label() const { return is_shared() ? "renew_batch" : "renew"; }
  LockRun run_;
};

INSTANTIATE_TEST_SUITE_P(Generations, Watchdog,
                         ::testing::Values("plain", "plain/timer-per-lock", "plain/oldest"),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           for (char& letter : name) {
                             if (letter == '/' || letter == '-') letter = '_';
                           }
                           return name;
                         });

TEST_P(Watchdog, RenewsAThirdOfTheLeaseApart) {
  run_.client("a", {"lock; sleep 35s; unlock"});
  run_.run();
  const auto renewals = run_.find("command-executed", "n1", "label=" + label());
  EXPECT_EQ(times_of(renewals), (std::vector<sim::TimeNs>{10, 20, 30})) << run_.text();
  EXPECT_EQ(run_.count("service-invoked", "a/1", "kind=renew lock=lock lease_ms=30000"), 3U);
  EXPECT_EQ(run_.verdict(checker::Property::no_leak), checker::VerdictKind::holds) << run_.text();
}

TEST_P(Watchdog, LeavesALockWithALeaseAlone) {
  run_.client("a", {"lock lease=5s; sleep 20s"});
  run_.run();
  EXPECT_EQ(run_.count("task-started"), 0U);
  EXPECT_EQ(run_.count("command-executed", "n1", "label=" + label()), 0U);
}

TEST_P(Watchdog, GoesOnUntilTheLastHoldIsReleased) {
  run_.client("a", {"lock; lock; unlock; sleep 25s; unlock; sleep 30s"});
  run_.run();
  EXPECT_EQ(run_.count("command-executed", "n1", "label=" + label()), 2U) << run_.text();
  EXPECT_EQ(run_.count("lock-changed", "n1", "cause=expiry"), 0U);
}

TEST_P(Watchdog, EndsSilentlyWhereTheLockIsGone) {
  run_.client("a", {"lock; sleep 35s; unlock"});
  scenario::FaultSpec& del = run_.fault(scenario::FaultKind::delete_key, "n1");
  del.lock_name = "lock";
  del.trigger.after_ns = 5 * sim::second_ns;
  run_.run();
  EXPECT_EQ(run_.count("command-executed", "n1", "label=" + label()), 1U) << run_.text();
  const auto ended = run_.find("belief-ended", "a/1");
  ASSERT_EQ(ended.size(), 1U);
  EXPECT_EQ(ended[0].at_ns / sim::second_ns, 35) << "nobody told the thread";
}

TEST_P(Watchdog, DiesWithItsProcess) {
  run_.client("a", {"lock; crash"});
  run_.run();
  EXPECT_EQ(run_.count("task-ended", "a/1", "why=crashed"), 1U) << run_.text();
  EXPECT_EQ(run_.count("message-sent", "a", "label=" + label()), 0U);
  EXPECT_EQ(run_.count("lock-changed", "n1", "cause=expiry"), 1U);
}

TEST_P(Watchdog, ARenewalThatIsLostIsSentAgainInTime) {
  run_.client("a", {"lock; sleep 40s; unlock"});
  run_.message_fault(scenario::FaultKind::drop, label());
  run_.run();
  EXPECT_EQ(run_.count("call-retried", "a/1", "label=" + label() + " attempt=2"), 1U);
  EXPECT_EQ(run_.count("lock-changed", "n1", "cause=expiry"), 0U) << run_.text();
}

// A cut during which every attempt of the renewal of second 10 gets no reply, so that it raises at
// second 26. The first attempt is executed when the cut heals: the lease lasts until second 57.
void cut_off_the_first_renewal(LockRun& run) {
  scenario::FaultSpec& cut = run.fault(scenario::FaultKind::cut, "a");
  cut.other = "n1";
  cut.for_ns = 18'400 * sim::millisecond_ns;
  cut.trigger.after_ns = 9 * sim::second_ns;
}

TEST(WatchdogError, IsTriedAgainAtTheNextTick) {
  LockRun run("plain/unlatched");
  run.client("a", {"lock; sleep 50s; unlock"});
  cut_off_the_first_renewal(run);
  run.run();
  EXPECT_EQ(times_of(run.find("service-invoked", "a/1", "kind=renew")),
            (std::vector<sim::TimeNs>{10, 36, 46}))
      << run.text();
  EXPECT_EQ(run.count("service-completed", "a/1", "outcome=info"), 1U);
  EXPECT_EQ(run.count("lock-changed", "n1", "cause=expiry"), 0U);
}

TEST(WatchdogError, EndsTheRenewals) {
  LockRun run("plain/timer-per-lock");
  run.client("a", {"lock; sleep 60s; lock; sleep 50s; unlock"});
  cut_off_the_first_renewal(run);
  run.run();
  EXPECT_EQ(run.count("lock-changed", "n1", "cause=expiry"), 1U) << run.text();
  EXPECT_EQ(run.count("task-started"), 2U) << "the second lock starts another";
}

TEST(WatchdogError, LeavesADeadEntryThatKeepsLaterLocksFromBeingRenewed) {
  LockRun run("plain/oldest");
  run.client("a", {"lock; sleep 60s; lock; sleep 50s; unlock"});
  cut_off_the_first_renewal(run);
  run.run();
  EXPECT_EQ(run.count("task-started"), 1U) << run.text();
  EXPECT_EQ(run.count("lock-changed", "n1", "cause=expiry"), 2U) << "the second lock lapsed too";
}

TEST(WatchdogShared, RenewsAllLocksOfAClientInOneBatch) {
  LockRun run("plain");
  run.client("a", {"lock name=one; sleep 15s; unlock name=one",
                   "lock name=two; sleep 15s; unlock name=two"});
  run.run();
  const auto renewals = run.find("command-executed", "n1", "label=renew_batch");
  ASSERT_EQ(renewals.size(), 1U) << run.text();
  EXPECT_TRUE(renewals[0].has("reply=[1 1]")) << renewals[0].fields;
  EXPECT_EQ(run.count("service-completed", "", "outcome=ok"), 6U);
  EXPECT_EQ(run.count("task-started"), 1U);
}

TEST(WatchdogPerLock, ATimerIsTakenBackByTheRelease) {
  LockRun run("plain/timer-per-lock");
  run.client("a", {"lock; unlock; lock; unlock"});
  run.run();
  EXPECT_EQ(run.count("task-ended", "a/1", "why=cancelled"), 2U) << run.text();
  EXPECT_LT(run.find("run-ended")[0].at_ns, sim::second_ns);
}

TEST(WatchdogPerLock, RenewsForTheThreadThatHasBeenInTheEntryLongest) {
  LockRun run("plain/timer-per-lock");
  run.client("a", {"lock; sleep 15s; unlock", "sleep 1s; lock; sleep 15s; unlock"});
  run.run();
  EXPECT_EQ(run.count("service-invoked", "a/1", "kind=renew"), 1U) << run.text();
  EXPECT_EQ(run.count("service-invoked", "a/2", "kind=renew"), 1U);
  EXPECT_EQ(run.count("lock-changed", "n1", "cause=expiry"), 0U);
}

}  // namespace

}  // namespace lockstep::test
