// The client models that are built of several reentrant locks: the multi lock, and RedissonRedLock.
#include <gtest/gtest.h>

#include "checker/property.h"
#include "checker/verdict_kind.h"
#include "lock_run.h"

namespace lockstep::test {
namespace {

using Steps = std::vector<std::string>;

constexpr sim::TimeNs ms = sim::millisecond_ns;
constexpr const char* all_of_them = "orders,bills,users";  // on n1, n2 and n3

class SeveralRun : public LockRun {
 public:
  explicit SeveralRun(const std::string& lock, std::uint32_t masters = 3) : LockRun(lock) {
    scenario.redis.masters = masters;
  }
  void cut_off(const std::string& client, std::uint32_t node, sim::TimeNs at_ns = 0) {
    scenario::FaultSpec& cut = fault(scenario::FaultKind::cut, client);
    cut.other = "n" + std::to_string(node);
    cut.trigger.after_ns = at_ns;
  }
  void remove(const std::string& lock, std::uint32_t node, sim::TimeNs at_ns) {
    scenario::FaultSpec& del = fault(scenario::FaultKind::delete_key, "n" + std::to_string(node));
    del.lock_name = lock;
    del.trigger.after_ns = at_ns;
  }
  /// What a client had executed: "n1 acquire 2000, n2 acquire 2000", the number being the lease.
  [[nodiscard]] std::string leases_asked_for(const std::string& client) const {
    std::string text;
    for (const TraceLine& line : find("command-executed", "", "on_behalf_of=" + client)) {
      const std::string label = field(line, "label=");
      if (label != "acquire" && label != "pexpire") continue;
      text += (text.empty() ? "" : ", ") + line.actor + " " + label + " " +
              word(field(line, "arguments="), 1);
    }
    return text;
  }

 private:
  static std::string field(const TraceLine& line, const std::string& name) {
    const std::size_t at = line.fields.find(name);
    if (at == std::string::npos) return {};
    const std::string rest = line.fields.substr(at + name.size());
    return name == "arguments=" ? rest : word(rest, 0);
  }
  static std::string word(const std::string& text, std::size_t number) {
    std::size_t from = 0;
    for (; number > 0; --number) from = text.find(' ', from) + 1;
    return text.substr(from, text.find(' ', from) - from);
  }
};

std::string names(const std::string& step, const std::string& rest = "") {
  return step + " names=" + all_of_them + rest;
}

// -- multi: acquisition

TEST(Multi, TakesEachLockOnTheMasterOfItsSlotWithTwiceTheWaitAndThenTheLease) {
  SeveralRun run("multi");
  run.client("a", {names("try_lock_all", " wait=3s lease=20s") + "; " + names("unlock_all")});
  run.run();
  EXPECT_EQ(run.leases_asked_for("a/1"),
            "n1 acquire 6000, n2 acquire 6000, n3 acquire 6000, "
            "n1 pexpire 20000, n2 pexpire 20000, n3 pexpire 20000")
      << run.text();
}

TEST(Multi, LocksMayEndWithTheLeaseThoughTheyWereTakenWithALongerOne) {
  SeveralRun run("multi");
  run.client("a", {names("try_lock_all", " wait=10s lease=5s") + "; crash"});
  run.client("b", {"sleep 6s; " + names("try_lock_all", " lease=5s") + "; " + names("unlock_all")});
  run.run();
  EXPECT_EQ(run.steps_of("b/1")[1], "try_lock_all lease=5s names=orders,bills,users: ok");
  EXPECT_EQ(run.verdict(checker::Property::lease_linearizability), checker::VerdictKind::holds);
}

TEST(Multi, LocksMayNotEndBeforeTheLeaseThoughTheyWereTakenWithAShorterOne) {
  SeveralRun run("multi");
  run.client("a", {names("try_lock_all", " wait=2s lease=30s") + "; sleep 20s"});
  run.client("b", {"sleep 12s; try_lock name=bills lease=5s"});
  run.remove("bills", 2, 10'000 * ms);
  run.run();
  EXPECT_EQ(run.verdict(checker::Property::lease_linearizability), checker::VerdictKind::violated)
      << run.text();
}

TEST(Multi, WithoutAWaitTakesEachLockWithTheLease) {
  SeveralRun run("multi");
  run.client("a", {names("try_lock_all", " lease=20s") + "; " + names("unlock_all")});
  run.run();
  EXPECT_EQ(run.leases_asked_for("a/1"),
            "n1 acquire 20000, n2 acquire 20000, n3 acquire 20000, "
            "n1 pexpire 20000, n2 pexpire 20000, n3 pexpire 20000")
      << run.text();
}

TEST(Multi, WithoutALeaseTheWatchdogHasThem) {
  SeveralRun run("multi");
  run.client("a", {names("try_lock_all", " wait=3s") + "; sleep 15s; " + names("unlock_all")});
  run.run();
  EXPECT_EQ(run.leases_asked_for("a/1"), "n1 acquire 30000, n2 acquire 30000, n3 acquire 30000");
  for (const char* node : {"n1", "n2", "n3"}) {
    EXPECT_EQ(run.count("command-executed", node, "label=renew_batch"), 1U) << run.text();
  }
  EXPECT_EQ(run.verdict(checker::Property::no_leak), checker::VerdictKind::holds);
}

TEST(Multi, GivesBackWhatItHasWhereOneIsAnothers) {
  SeveralRun run("multi");
  run.client("a", {"lock name=users lease=60s; sleep 20s; unlock name=users"});
  run.client("b", {names("try_lock_all", " lease=20s") + "; " + names("unlock_all")}).start_ns =
      sim::second_ns;
  run.client("c", {"try_lock_all names=orders,bills lease=20s; unlock_all names=orders,bills"})
      .start_ns = 2 * sim::second_ns;
  run.run();
  EXPECT_EQ(run.steps_of("b/1"), (Steps{names("try_lock_all lease=20s") + ": fail"}));
  EXPECT_EQ(run.steps_of("c/1").front(), "try_lock_all lease=20s names=orders,bills: ok");
  EXPECT_LT(run.find("step-completed", "c/1")[0].at_ns, 2'050 * ms) << run.text();
}

TEST(Multi, BeginsAnewUntilTheWaitIsOver) {
  SeveralRun run("multi");
  run.client("a", {"lock name=users lease=60s; sleep 20s; unlock name=users"});
  run.client("b", {names("try_lock_all", " wait=3s lease=20s") + "; " + names("unlock_all")})
      .start_ns = sim::second_ns;
  run.run();
  const auto done = run.find("step-completed", "b/1");
  ASSERT_EQ(done.size(), 1U) << run.text();
  EXPECT_GE(done[0].at_ns, 4'000 * ms);
  EXPECT_LE(done[0].at_ns, 4'010 * ms);
}

TEST(Multi, ALockWaitsForSomeTimeAndGivesTheOthersBackMeanwhile) {
  SeveralRun run("multi");
  run.client("a", {"lock name=users lease=60s; sleep 20s; unlock name=users"});
  run.client("b", {names("lock_all") + "; " + names("unlock_all")}).start_ns = sim::second_ns;
  run.run();
  // 1.5 s for each of three locks: at 5.5, 10, 14.5 and 19 s it gives back the two that it has.
  EXPECT_EQ(run.count("command-executed", "n1", "label=release"), 4U + 1U) << run.text();
  EXPECT_EQ(run.steps_of("b/1"), (Steps{names("lock_all") + ": ok", names("unlock_all") + ": ok"}));
}

TEST(Multi, ALockThatDoesNotAnswerIsReleased) {
  SeveralRun run("multi");
  run.scenario.options["retry_attempts"] = std::int64_t{0};
  run.client("a", {names("try_lock_all", " lease=60s") + "; " + names("unlock_all")});
  run.message_fault(scenario::FaultKind::drop, "reply to acquire", 3);
  run.run();
  EXPECT_EQ(run.steps_of("a/1"), (Steps{names("try_lock_all lease=1m") + ": fail"}));
  EXPECT_EQ(run.count("command-executed", "n3", "label=release"), 1U) << run.text();
  EXPECT_EQ(run.count("lock-changed", "", "cause=expiry"), 0U);
}

// -- multi: release

TEST(Multi, ReleasesAllThoughOneIsLostAndSaysSo) {
  SeveralRun run("multi");
  run.client("a", {names("lock_all", " lease=60s") + "; sleep 2s; " + names("unlock_all")});
  run.remove("orders", 1, sim::second_ns);
  run.run();
  EXPECT_EQ(run.steps_of("a/1").back(), names("unlock_all") + ": fail") << run.text();
  EXPECT_EQ(run.count("lock-changed", "", "cause=release"), 2U);
  EXPECT_EQ(run.count("lock-changed", "", "cause=expiry"), 0U);
}

TEST(Multi, InOrderStopsAtTheFirstThatIsLost) {
  SeveralRun run("multi/unlock-in-order");
  run.client("a", {names("lock_all", " lease=60s") + "; sleep 2s; " + names("unlock_all")});
  run.remove("bills", 2, sim::second_ns);
  run.run();
  EXPECT_EQ(run.steps_of("a/1").back(), names("unlock_all") + ": fail") << run.text();
  EXPECT_EQ(run.count("lock-changed", "", "cause=release"), 1U);
  EXPECT_EQ(run.count("lock-changed", "", "cause=expiry"), 1U);
}

TEST(Multi, EachLockCanBeHadAlone) {
  SeveralRun run("multi");
  run.client("a", {"lock name=bills lease=10s; hold_count name=bills; unlock name=bills"});
  run.run();
  EXPECT_EQ(run.steps_of("a/1"), (Steps{"lock lease=10s: ok", "hold_count: ok", "unlock: ok"}));
  EXPECT_EQ(run.count("command-executed", "n2", "label=acquire"), 1U);
}

// -- RedissonRedLock

TEST(RedissonRedLock, NeedsMoreThanHalfOfTheNodes) {
  for (std::uint32_t nodes = 1; nodes <= 5; ++nodes) {
    for (std::uint32_t down = 0; down <= nodes; ++down) {
      SeveralRun run("redisson-redlock", nodes);
      run.scenario.options["retry_attempts"] = std::int64_t{0};
      for (std::uint32_t node = 1; node <= down; ++node) run.cut_off("a", node);
      run.client("a", {"try_lock lease=60s; unlock"});
      run.run();
      const bool expected = 2 * (nodes - down) > nodes;
      EXPECT_EQ(run.count("belief-began", "a/1"), expected ? 1U : 0U)
          << down << " of " << nodes << " nodes are down\n"
          << run.text();
    }
  }
}

TEST(RedissonRedLock, StopsAskingOnceEnoughHaveItAndOneIsRefused) {
  SeveralRun run("redisson-redlock");
  run.scenario.options["retry_attempts"] = std::int64_t{0};
  run.cut_off("a", 2);
  run.client("a", {"try_lock wait=30s lease=60s; unlock"});
  run.run();
  EXPECT_EQ(run.leases_asked_for("a/1"),
            "n1 acquire 60000, n3 acquire 60000, n1 pexpire 60000, n3 pexpire 60000")
      << run.text();
}

TEST(RedissonRedLock, WaitsForEachPartNoLongerThanItsShare) {
  SeveralRun run("redisson-redlock");
  run.client("a", {"lock lease=60s; sleep 30s; unlock"});
  run.client("b", {"try_lock wait=6s lease=60s; unlock"}).start_ns = sim::second_ns;
  run.run();
  // 2 s for n1, 2 s for n2, and then two of three have failed; 2 s more for n1 again, and it is
  // over.
  const auto done = run.find("step-completed", "b/1");
  ASSERT_EQ(done.size(), 1U) << run.text();
  EXPECT_TRUE(done[0].has("outcome=fail"));
  EXPECT_GE(done[0].at_ns, 7'000 * ms);
  EXPECT_LE(done[0].at_ns, 7'050 * ms);
  EXPECT_EQ(run.count("command-executed", "n3", "label=acquire on_behalf_of=b"), 0U);
}

TEST(RedissonRedLock, DeclaresOneOperationHoweverManyPartsItHas) {
  SeveralRun run("redisson-redlock");
  run.client("a", {"lock lease=60s; unlock"});
  run.run();
  EXPECT_EQ(run.count("service-invoked"), 2U) << run.text();
  EXPECT_EQ(run.count("service-completed", "a/1", "outcome=ok"), 2U);
  EXPECT_EQ(run.count("command-executed", "", "label=release"), 3U);
}

TEST(RedissonRedLock, IsRenewedOnEachNode) {
  SeveralRun run("redisson-redlock");
  run.client("a", {"lock; sleep 25s; unlock"});
  run.run();
  for (const char* node : {"n1", "n2", "n3"}) {
    EXPECT_EQ(run.count("command-executed", node, "label=renew_batch"), 2U) << run.text();
  }
  EXPECT_EQ(run.verdict(checker::Property::no_leak), checker::VerdictKind::holds);
}

TEST(RedissonRedLock, ANodeThatDoesNotAnswerKeepsNoOtherFromBeingRenewed) {
  SeveralRun run("redisson-redlock");
  run.cut_off("a", 1, 5 * sim::second_ns);
  run.client("a", {"lock; sleep 65s; unlock"});
  run.run();
  EXPECT_EQ(run.count("command-executed", "n2", "label=renew_batch"), 6U) << run.text();
  EXPECT_EQ(run.count("command-executed", "n3", "label=renew_batch"), 6U);
  EXPECT_EQ(run.verdict(checker::Property::mutual_exclusion), checker::VerdictKind::holds);
}

TEST(RedissonRedLock, NobodyIsToldThatItsLockIsLost) {
  SeveralRun run("redisson-redlock");
  run.client("a", {"lock lease=60s; sleep 2s; unlock"});
  run.remove("lock", 1, sim::second_ns);
  run.remove("lock", 2, sim::second_ns);
  run.run();
  EXPECT_EQ(run.steps_of("a/1").back(), "unlock: ok") << run.text();
  EXPECT_EQ(run.count("service-completed", "a/1", "outcome=fail"), 1U);
}

TEST(RedissonRedLock, ByForceFreesEveryPart) {
  SeveralRun run("redisson-redlock");
  run.client("a", {"lock lease=60s; sleep 5s; is_locked"});
  run.client("b", {"force_unlock; is_locked"}).start_ns = sim::second_ns;
  run.run();
  EXPECT_EQ(run.count("lock-changed", "", "cause=force-release"), 1U) << run.text();
  EXPECT_EQ(run.count("command-executed", "", "label=force_release"), 3U);
}

}  // namespace
}  // namespace lockstep::test
