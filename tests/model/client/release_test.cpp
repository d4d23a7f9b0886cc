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
}  // namespace lockstep::test
