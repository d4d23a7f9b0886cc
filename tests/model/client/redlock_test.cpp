// The client model of the published RedLock algorithm: quorum, validity, retries, extension.
#include <gtest/gtest.h>

#include <optional>

#include "checker/property.h"
#include "checker/verdict_kind.h"
#include "lock_run.h"

namespace lockstep::test {
namespace {

using Steps = std::vector<std::string>;

/// A run of redlock, or of one of its variants, on so many masters.
class RedLockRun : public LockRun {
 public:
  explicit RedLockRun(std::uint32_t masters, const std::string& lock = "redlock") : LockRun(lock) {
    scenario.redis.masters = masters;
  }

  void cut_off(const std::string& client, std::uint32_t node, sim::TimeNs at_ns = 0) {
    scenario::FaultSpec& cut = fault(scenario::FaultKind::cut, client);
    cut.other = "n" + std::to_string(node);
    cut.trigger.after_ns = at_ns;
  }
  /// Delays the nth message with this label from now on.
  void delay(const std::string& label, sim::DurationNs by_ns, std::uint32_t nth = 1) {
    message_fault(scenario::FaultKind::delay, label, nth).by_ns = by_ns;
  }

  /// When a/1's validity ended its belief, in ms; none where it did not.
  [[nodiscard]] std::optional<sim::TimeNs> validity_ended_ms() const {
    const auto ended = find("belief-ended", "a/1", "why=validity");
    if (ended.empty()) return std::nullopt;
    return ended[0].at_ns / sim::millisecond_ns;
  }
  /// The nodes that were sent such a message, in order: "n1 n2 n3".
  [[nodiscard]] std::string asked(const std::string& label) const {
    std::string nodes;
    for (const TraceLine& line : find("command-executed", "", "label=" + label)) {
      nodes += (nodes.empty() ? "" : " ") + line.actor;
    }
    return nodes;
  }
};

// -- the quorum

TEST(RedLockQuorum, IsMoreThanHalfOfTheNodes) {
  for (std::uint32_t nodes = 1; nodes <= 5; ++nodes) {
    for (std::uint32_t down = 0; down <= nodes; ++down) {
      RedLockRun run(nodes);
      for (std::uint32_t node = 1; node <= down; ++node) run.cut_off("a", node);
      run.client("a", {"try_lock lease=10s; sleep 1ms; unlock"});
      run.run();
      const bool expected = 2 * (nodes - down) > nodes;
      EXPECT_EQ(run.count("belief-began", "a/1"), expected ? 1U : 0U)
          << down << " of " << nodes << " nodes are down\n"
          << run.text();
    }
  }
}

TEST(RedLockQuorum, WhoIsRefusedReleasesOnAllNodesAlsoOnThoseThatRefused) {
  RedLockRun run(3, "redlock/in-turn");
  run.client("a", {"lock lease=10s; sleep 5s; unlock"});
  run.client("b", {"try_lock lease=10s; sleep 1ms; unlock"}).start_ns = sim::second_ns;
  run.run();
  EXPECT_EQ(run.steps_of("b/1"), (Steps{"try_lock lease=10s: fail"})) << run.text();
  EXPECT_EQ(run.asked("set"), "n1 n2 n3 n1 n2 n3");
  EXPECT_EQ(run.asked("release"), "n1 n2 n3 n1 n2 n3");
}

TEST(RedLockQuorum, AVoteThatComesTooLateIsMissing) {
  RedLockRun run(3);
  run.client("a", {"try_lock lease=10s; sleep 1ms; unlock"});
  run.delay("reply to set", 50 * sim::millisecond_ns, 1);
  run.delay("reply to set", 50 * sim::millisecond_ns, 2);
  run.run();
  EXPECT_EQ(run.steps_of("a/1"), (Steps{"try_lock lease=10s: fail"})) << run.text();
  EXPECT_EQ(run.count("call-retried"), 0U) << "no call is sent again";
  EXPECT_EQ(run.count("lock-changed", "", "cause=expiry"), 0U) << "it is released all the same";
}

// -- the validity

TEST(RedLockValidity, IsTheLeaseWithoutTheTimeSinceTheStartAndTheDrift) {
  struct Case {
    std::string lease;
    sim::TimeNs valid_until_ms;
  };
  // A hundredth, rounded up, and 2 ms; at least 4 ms pass until the grant.
  for (const Case& each : {Case{"10s", 9'898}, Case{"1s", 988}, Case{"101ms", 97},
                           Case{"100ms", 97}, Case{"99ms", 96}, Case{"30s", 29'698}}) {
    RedLockRun run(5);
    run.client("a", {"lock lease=" + each.lease + "; sleep 60s"});
    run.run();
    EXPECT_EQ(run.validity_ended_ms(), each.valid_until_ms) << each.lease << '\n' << run.text();
  }
}

TEST(RedLockValidity, DoesNotDependOnHowLongTheNodesTake) {
  RedLockRun run(5, "redlock/in-turn");
  run.client("a", {"lock lease=10s; sleep 60s"});
  run.delay("set", 40 * sim::millisecond_ns, 2);
  run.run();
  EXPECT_EQ(run.validity_ended_ms(), 9'898) << run.text();
}

TEST(RedLockValidity, MustBeAboveZero) {
  // All answers are there after 4 sim::millisecond_ns: connecting takes a round trip, and asking
  // another.
  for (const auto& [lease, expected] : {std::pair("7ms", 0U), std::pair("8ms", 1U)}) {
    RedLockRun run(5);
    run.client("a", {std::string("try_lock lease=") + lease + "; sleep 1ms"});
    run.run();
    EXPECT_EQ(run.count("belief-began", "a/1"), expected) << lease << '\n' << run.text();
    EXPECT_EQ(run.count("command-executed", "", "label=release"), expected == 0 ? 5U : 0U);
  }
}

TEST(RedLockValidity, ReadsTheWallClockOrTheMonotonicOne) {
  for (const std::string lock : {"redlock", "redlock/monotonic"}) {
    RedLockRun run(5, lock);
    run.client("a", {"try_lock lease=10s; sleep 1ms"});
    scenario::FaultSpec& step = run.fault(scenario::FaultKind::clock_step, "a");
    step.by_ns = 20 * sim::second_ns;
    step.trigger.after_ns = 3 * sim::millisecond_ns;
    run.run();
    EXPECT_EQ(run.count("belief-began", "a/1"), lock == "redlock" ? 0U : 1U) << run.text();
  }
}

// What is granted then is no hold inside the one that is over: its release ends all.
TEST(RedLockValidity, WhatIsGrantedAfterItIsANewHold) {
  RedLockRun run(3);
  run.client("a",
             {"lock lease=200ms; sleep 300ms; try_lock lease=10s; sleep 1ms; unlock; sleep 1s"});
  run.run();
  const auto ended = run.find("belief-ended", "a/1");
  ASSERT_EQ(ended.size(), 2U) << run.text();
  EXPECT_EQ(run.find("belief-ended", "a/1", "why=released").at(0).at_ns / sim::second_ns, 0)
      << run.text();
}

// -- what is true of a quorum

TEST(RedLockTruth, ANodeThatCrashedGivesItsVoteToNobodyElse) {
  RedLockRun run(3);
  run.client("a", {"try_lock lease=10s; sleep 1s; unlock"});
  run.cut_off("a", 3);
  run.fault(scenario::FaultKind::crash, "n1").trigger.after_ns =
      3 * sim::millisecond_ns + sim::millisecond_ns / 2;
  run.run();
  EXPECT_EQ(run.count("belief-began", "a/1"), 1U) << run.text();
  EXPECT_EQ(run.verdict(checker::Property::valid_grant), checker::VerdictKind::holds);
}

TEST(RedLockTruth, ANodeThatComesBackEmptyHasForgottenItsVote) {
  RedLockRun run(3);
  run.client("a", {"try_lock lease=10s; sleep 5s; unlock"});
  run.cut_off("a", 3);
  run.fault(scenario::FaultKind::crash, "n1").trigger.after_ns = sim::second_ns;
  run.fault(scenario::FaultKind::restart, "n1").trigger.after_ns = 2 * sim::second_ns;
  run.run();
  const auto changes = run.find("lock-changed");
  ASSERT_EQ(changes.size(), 2U) << run.text();
  EXPECT_EQ(changes[1].at_ns, 2 * sim::second_ns);
}

TEST(RedLockTruth, WhatAMinorityKeepsForALeaseIsNoLeak) {
  RedLockRun run(3);
  run.client("a", {"try_lock lease=10s; unlock"});
  run.delay("set", sim::second_ns);
  run.run();
  EXPECT_EQ(run.steps_of("a/1").back(), "unlock: ok") << run.text();
  EXPECT_EQ(run.verdict(checker::Property::no_leak), checker::VerdictKind::holds);
}

// -- asking

TEST(RedLockAsking, AtOnceTakesOneRoundTripInTurnOneForEach) {
  for (const std::string lock : {"redlock", "redlock/in-turn"}) {
    RedLockRun run(5, lock);
    run.client("a", {"lock lease=10s; unlock"});
    run.run();
    const auto granted = run.find("belief-began", "a/1");
    ASSERT_EQ(granted.size(), 1U) << run.text();
    EXPECT_EQ(granted[0].at_ns / sim::millisecond_ns, lock == "redlock" ? 4 : 20)
        << "connecting is as much again";
  }
}

TEST(RedLockAsking, EachClientMayBeginWithANodeOfItsOwn) {
  RedLockRun run(5, "redlock/fixed-delay");
  run.client("a", {"lock lease=10s; unlock"});
  run.client("b", {"lock lease=10s; unlock"}).start_ns = sim::second_ns;
  run.client("c", {"lock lease=10s; unlock"}).start_ns = 2 * sim::second_ns;
  run.run();
  EXPECT_EQ(run.asked("set"), "n1 n2 n3 n4 n5 n3 n4 n5 n1 n2 n5 n1 n2 n3 n4") << run.text();
}

// -- retries

std::vector<sim::TimeNs> pauses_of_b(RedLockRun& run) {
  run.client("a", {"lock lease=10s; sleep 5s; unlock"});
  run.client("b", {"lock lease=10s; unlock"}).start_ns = sim::second_ns;
  run.run();
  std::vector<sim::TimeNs> pauses;
  std::optional<sim::TimeNs> given_up;
  for (const TraceLine& line : run.lines()) {
    if (line.kind == "service-invoked" && line.actor == "b/1" && given_up) {
      pauses.push_back((line.at_ns - *given_up) / sim::millisecond_ns);
    }
    if (line.kind == "service-completed" && line.actor == "b/1") given_up = line.at_ns;
  }
  return pauses;
}

TEST(RedLockRetry, WaitsAsLongAsChanceSays) {
  RedLockRun run(3);
  const auto pauses = pauses_of_b(run);
  ASSERT_GE(pauses.size(), 15U) << run.text();
  const auto [least, most] = std::minmax_element(pauses.begin(), std::prev(pauses.end()));
  EXPECT_GE(*least, 3) << "1 ms, and the release before it";
  EXPECT_LE(*most, 206);
  EXPECT_GT(*most - *least, 50);
}

TEST(RedLockRetry, WithoutChanceWaitsEquallyLong) {
  RedLockRun run(3, "redlock/fixed-delay");
  const auto pauses = pauses_of_b(run);
  ASSERT_GE(pauses.size(), 10U) << run.text();
  // The first time the scripts are sent whole, and connections are there.
  for (std::size_t i = 0; i + 1 < pauses.size(); ++i) EXPECT_EQ(pauses[i], 206) << i;
}

TEST(RedLockRetry, EndsWhenTheWaitIsOver) {
  RedLockRun run(3);
  run.client("a", {"lock lease=10s; sleep 5s; unlock"});
  run.client("b", {"try_lock wait=1s lease=10s; unlock"}).start_ns = sim::second_ns;
  run.run();
  const auto done = run.find("step-completed", "b/1");
  ASSERT_EQ(done.size(), 1U) << run.text();
  EXPECT_TRUE(done[0].has("outcome=fail"));
  EXPECT_GE(done[0].at_ns / sim::millisecond_ns, 2'000);
  EXPECT_LE(done[0].at_ns / sim::millisecond_ns, 2'010);
}

// -- extension

TEST(RedLockExtension, MovesTheValidity) {
  RedLockRun run(5);
  run.client("a", {"lock lease=10s; sleep 5s; extend lease=20s; sleep 60s"});
  run.run();
  // It begins at 5004 ms: 20 s, without 202 ms of drift.
  EXPECT_EQ(run.validity_ended_ms(), 5'004 + 20'000 - 202) << run.text();
}

TEST(RedLockExtension, NeedsAQuorum) {
  for (std::uint32_t down = 0; down <= 5; ++down) {
    RedLockRun run(5);
    run.client("a", {"lock lease=10s; sleep 5s; extend lease=20s; sleep 60s"});
    for (std::uint32_t node = 1; node <= down; ++node) run.cut_off("a", node, sim::second_ns);
    run.run();
    EXPECT_EQ(run.validity_ended_ms(), down <= 2 ? 5'004 + 20'000 - 202 : 9'898) << down << '\n'
                                                                                 << run.text();
  }
}

TEST(RedLockExtension, NeverShortensTheValidity) {
  RedLockRun run(5);
  run.client("a", {"lock lease=10s; extend lease=1s; sleep 60s"});
  run.run();
  EXPECT_EQ(run.validity_ended_ms(), 9'898) << run.text();
}

TEST(RedLockExtension, IsNotTriedWhenTheValidityIsOver) {
  RedLockRun run(5);
  run.client("a", {"lock lease=10s; sleep 9895ms; extend lease=10s; sleep 60s"});
  run.run();
  EXPECT_EQ(run.count("command-executed", "", "label=extend"), 0U) << run.text();
}

TEST(RedLockExtension, DoesNotCountWhenTheValidityEndsMeanwhile) {
  RedLockRun run(5);
  run.client("a", {"lock lease=10s; sleep 9890ms; extend lease=10s; sleep 60s"});
  run.delay("extend", 20 * sim::millisecond_ns);
  run.run();
  EXPECT_EQ(run.count("command-executed", "", "label=extend"), 5U) << run.text();
  EXPECT_EQ(run.validity_ended_ms(), 9'898);
}

TEST(RedLockExtension, OfTheVariantsCountsByAnyNodeOrNeedsAll) {
  RedLockRun any(5, "redlock/extension-by-any");
  any.client("a", {"lock lease=10s; sleep 5s; extend lease=20s; sleep 60s"});
  for (std::uint32_t node = 1; node <= 4; ++node) any.cut_off("a", node, sim::second_ns);
  any.run();
  EXPECT_EQ(any.validity_ended_ms(), 5'004 + 20'000 - 202) << any.text();

  RedLockRun all(5, "redlock/extension-by-all");
  all.client("a", {"lock lease=10s; sleep 5s; extend lease=20s; sleep 60s"});
  all.cut_off("a", 5, sim::second_ns);
  all.run();
  EXPECT_EQ(all.validity_ended_ms(), 9'898) << all.text();
  EXPECT_EQ(all.count("command-executed", "", "label=release"), 4U) << "it is given up";
}

// -- release

TEST(RedLockRelease, IsRefusedWithoutAQuorumThatKnowsTheLock) {
  RedLockRun run(3);
  run.client("a", {"lock lease=10s; sleep 5s; unlock"});
  for (const char* node : {"n1", "n2"}) {
    scenario::FaultSpec& del = run.fault(scenario::FaultKind::delete_key, node);
    del.lock_name = "lock";
    del.trigger.after_ns = sim::second_ns;
  }
  run.run();
  EXPECT_EQ(run.steps_of("a/1").back(), "unlock: fail") << run.text();
}

TEST(RedLockRelease, OfWhatIsNotHeldIsRefusedWithoutAsking) {
  RedLockRun run(3);
  run.client("a", {"lock lease=10s; unlock; lock lease=10s"});
  run.client("b", {"sleep 1s; try_lock lease=10s; unlock"});
  run.run();
  EXPECT_EQ(run.count("command-executed", "", "label=release"), 3U + 3U) << run.text();
}

TEST(RedLockRelease, ByForceFreesWhoeverHasIt) {
  RedLockRun run(3);
  run.client("a", {"lock lease=10s; sleep 5s; unlock"});
  run.client("b", {"force_unlock; lock lease=10s"}).start_ns = sim::second_ns;
  run.run();
  EXPECT_EQ(run.steps_of("b/1"), (Steps{"force_unlock: ok", "lock lease=10s: ok"})) << run.text();
  EXPECT_EQ(run.steps_of("a/1").back(), "unlock: fail");
  EXPECT_EQ(run.count("service-completed", "b/1", "outcome=ok"), 2U);
}

}  // namespace
}  // namespace lockstep::test
