// A fault that outlives the run: whom it keeps from the lock has no rights, everybody else has.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "checker/evidence.h"
#include "checker/observations.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "checker/verdict_kind.h"
#include "model/engine/run_result.h"
#include "sim/time.h"
#include "tests/model/client/lock_folder.h"
#include "tests/model/engine/simulated_run.h"

namespace lockstep::model::test::unhealed_faults {
namespace {

/// A lock whose waiters sleep for longer than any run, whatever becomes of the lock.
constexpr std::string_view sleepy_lock_toml =
    "title = \"Wakes nobody\"\nclient = \"client.lua\"\n"
    "[state]\nkey = \"{name}\"\nshape = \"owner-token\"\n";
constexpr std::string_view sleepy_client = R"(local model = {}
local function take(lock, lease_ms)
  return client.command(1, "SET", lock.name, client.owner(), "NX", "PX", lease_ms) ~= nil
end
function model.lock(lock, lease_ms)
  while not take(lock, lease_ms) do
    client.sleep(10000000)
  end
  return true
end
function model.try_lock(lock, wait_ms, lease_ms) return take(lock, lease_ms) end
function model.unlock(lock) client.command(1, "DEL", lock.name) end
return model
)";

/// a has the lock for 20 s from the start; b waits for it from 1 s, c from 2 s on. What strikes
/// does so at 5 s, and the run ends at 5 minutes.
std::string story(std::string_view lock, std::string_view fault) {
  return fmt::format(R"(title = "t"
lock = "{}"
expect = {{ holds = "harm" }}
[redis]
replicas = 1
[limits]
horizon = "5m"
[[client]]
name = "a"
run = ["lock lease=60s", "sleep 20s", "unlock"]
[[client]]
name = "b"
start = "1s"
run = ["lock lease=5s", "unlock"]
[[client]]
name = "c"
start = "2s"
run = ["lock lease=5s", "unlock"]
[[fault]]
{}
at = "5s"
)",
                     lock, fault);
}

bool accuses(const SimulatedRun& run) {
  return run.violates(checker::Property::no_deadlock) ||
         run.violates(checker::Property::no_lost_wakeup) ||
         run.violates(checker::Property::no_starvation);
}

/// Who may not hope: "b c".
std::string hopeless(const SimulatedRun& run) {
  std::string text;
  for (const checker::Wait& wait : run.result().observations->waits) {
    const std::string who = run.result().names->text(wait.owner).substr(0, 1);
    if (wait.is_hopeless && text.find(who) == std::string::npos) {
      text += (text.empty() ? "" : " ") + who;
    }
  }
  return text;
}

class OfOneClient : public testing::TestWithParam<std::string_view> {
 protected:
  lockstep::test::LockFolder folder_;
};

TEST_P(OfOneClient, IsNotTheLocks) {
  for (const std::string_view how_long : {"", "\nfor = \"10000s\""}) {
    const SimulatedRun run(story("plain", std::string(GetParam()) + std::string(how_long)));
    EXPECT_FALSE(accuses(run)) << how_long;
    EXPECT_EQ(hopeless(run), "b");
  }
}

TEST_P(OfOneClient, TakesNoRightsFromTheOthers) {
  folder_.write("lock.toml", sleepy_lock_toml);
  folder_.write("client.lua", sleepy_client);
  const SimulatedRun run(story(folder_.folder().string(), GetParam()));
  const checker::Verdict& verdict = run.verdict(checker::Property::no_lost_wakeup);
  ASSERT_EQ(verdict.kind, checker::VerdictKind::violated);
  ASSERT_EQ(verdict.evidence.size(), 1U);
  EXPECT_EQ(run.result().names->text(verdict.evidence[0].who), "c/1");
}

TEST_P(OfOneClient, ThatIsOverInTimeGivesItsRightsBack) {
  folder_.write("lock.toml", sleepy_lock_toml);
  folder_.write("client.lua", sleepy_client);
  const SimulatedRun run(
      story(folder_.folder().string(), std::string(GetParam()) + "\nfor = \"30s\""));
  EXPECT_EQ(hopeless(run), "");
}

TEST_P(OfOneClient, IsNotTheLocksWhereTheProcessOwnsAsOne) {
  folder_.write("lock.toml", std::string(sleepy_lock_toml) + "owner = \"process\"\n");
  folder_.write("client.lua", sleepy_client);
  const SimulatedRun run(story(folder_.folder().string(), GetParam()));
  EXPECT_EQ(hopeless(run), "b");
}

/// Nothing at all happens between the end of the pause and the horizon.
TEST(AHealedFault, GivesRightsAlsoWhereNothingHappensAfterIt) {
  const lockstep::test::LockFolder folder;
  folder.write("lock.toml", sleepy_lock_toml);
  folder.write("client.lua", sleepy_client);
  const SimulatedRun run(story(folder.folder().string(), "pause = \"c\"\nfor = \"100s\""));
  EXPECT_EQ(run.verdict(checker::Property::no_lost_wakeup).kind, checker::VerdictKind::violated);
  EXPECT_EQ(run.verdict(checker::Property::no_deadlock).kind, checker::VerdictKind::violated);
}

// b is cut off for 500 s while it sleeps, and its call fails; later it sleeps once more, until c
// gives the lock back at 800 s. Where it is cut off for 10,000 s, and so beyond the run's end, it
// has no rights.
constexpr std::string_view cut_off = R"([[client]]
name = "a"
run = ["lock lease=60s", "sleep 20s", "unlock"]
[[client]]
name = "b"
start = "1s"
run = ["lock lease=60s", "unlock", "sleep 600s", "lock lease=60s", "unlock"]
[[client]]
name = "c"
start = "600s"
run = ["lock lease=300s", "sleep 200s", "unlock"]
[[fault]]
cut = ["b", "n1"]
at  = "5s"
for = ")";

std::string cut_off_for(std::string_view how_long, std::string_view lock) {
  return fmt::format(
      "title = \"t\"\nlock = \"{}\"\nexpect = {{ holds = \"no-lost-wakeup\" }}\n"
      "[limits]\nhorizon = \"20m\"\n{}{}\"\n",
      lock, cut_off, how_long);
}

/// The plain lock, whose release tells nobody: who waits for it sleeps on until its lease ends.
constexpr std::string_view silent_lock_toml =
    "title = \"Wakes nobody\"\nbase = \"plain\"\n[scripts]\nrelease = \"release.lua\"\n";
constexpr std::string_view silent_release = R"(redis.call('del', KEYS[1])
return 1
)";

class OfFiveHundredSeconds : public testing::Test {
 protected:
  OfFiveHundredSeconds() {
    silent_.write("lock.toml", silent_lock_toml);
    silent_.write("release.lua", silent_release);
  }
  lockstep::test::LockFolder silent_;
};

TEST_F(OfFiveHundredSeconds, IsFollowedByATrueVerdictOnASoundLock) {
  const SimulatedRun run(cut_off_for("500s", "plain"));
  EXPECT_EQ(hopeless(run), "");
  const checker::Verdict& verdict = run.verdict(checker::Property::no_lost_wakeup);
  EXPECT_EQ(verdict.kind, checker::VerdictKind::holds) << verdict.summary;
  EXPECT_TRUE(verdict.put_to_the_test);
  EXPECT_EQ(run.verdict(checker::Property::no_deadlock).kind, checker::VerdictKind::holds);
}

TEST_F(OfFiveHundredSeconds, ExcusesNoWakeUpThatIsLostAfterwards) {
  const SimulatedRun run(cut_off_for("500s", silent_.folder().string()));
  const checker::Verdict& verdict = run.verdict(checker::Property::no_lost_wakeup);
  ASSERT_EQ(verdict.kind, checker::VerdictKind::violated);
  ASSERT_EQ(verdict.evidence.size(), 1U);
  EXPECT_EQ(run.result().names->text(verdict.evidence[0].who), "b/1");
  EXPECT_GE(verdict.evidence[0].from.at_ns, 800 * sim::second_ns);
}

TEST_F(OfFiveHundredSeconds, ThatWouldBeTenThousandAccusesNobody) {
  for (const std::string& lock : {std::string("plain"), silent_.folder().string()}) {
    const SimulatedRun run(cut_off_for("10000s", lock));
    EXPECT_FALSE(accuses(run)) << lock;
    EXPECT_EQ(hopeless(run), "b") << lock;
  }
}

INSTANTIATE_TEST_SUITE_P(UnhealedFault, OfOneClient,
                         testing::Values("cut = [\"b\", \"n1\"]", "cut_one_way = [\"b\", \"n1\"]",
                                         "cut_one_way = [\"n1\", \"b\"]", "isolate = \"b\"",
                                         "partition = [[\"a\", \"c\", \"n1\"], [\"b\"]]",
                                         "pause = \"b\"", "slow = \"b\"\nby = \"20s\"",
                                         "clog = [\"b\", \"n1\"]\nby = \"20s\"",
                                         "clock_freeze = \"b\""));

class OfTheNode : public testing::TestWithParam<std::string_view> {};

TEST_P(OfTheNode, IsNotTheLocks) {
  for (const std::string_view lock : {"plain", "spin", "fair"}) {
    const SimulatedRun run(story(lock, GetParam()));
    EXPECT_FALSE(accuses(run)) << lock;
    EXPECT_EQ(hopeless(run).substr(0, 3), "a b") << lock;
  }
}

INSTANTIATE_TEST_SUITE_P(UnhealedFault, OfTheNode,
                         testing::Values("isolate = \"n1\"", "pause = \"n1\"", "crash = \"n1\"",
                                         "shutdown = \"n1\"", "busy = \"n1\"\nfor = \"10000s\"",
                                         "refuse = \"n1\"", "max_clients = \"n1\"\nlimit = 1",
                                         "clock_freeze = \"n1\"", "slow = \"n1\"\nby = \"20s\"",
                                         "clock_drift = \"n1\"\nrate = \"-900000ppm\"",
                                         "drop = \"any\"\nto = \"n1\"\ntimes = \"always\""));

TEST(UnhealedFaults, ThatOnlySlowALittleDownTakeNoRights) {
  for (const std::string_view fault :
       {"slow = \"n1\"\nby = \"10ms\"", "clog = [\"b\", \"n1\"]\nby = \"10ms\"",
        "clock_drift = \"b\"\nrate = \"200ppm\"", "lag = \"n1-replica-1\"\nby = \"20s\"",
        "stall = \"n1-replica-1\"", "isolate = \"n1-replica-1\"", "crash = \"n1-replica-1\"",
        "cut = [\"b\", \"n1-replica-1\"]"}) {
    EXPECT_EQ(hopeless(SimulatedRun(story("plain", fault))), "") << fault;
  }
}

TEST(UnhealedFaults, OfAReplicaMatterWhereItHasToAcknowledge) {
  EXPECT_EQ(hopeless(SimulatedRun(story("plain", "stall = \"n1-replica-1\"") +
                                  "[options]\nwait_replicas = 1\nunacknowledged = \"retry\"\n")),
            "a b c");
}

TEST(UnhealedFaults, OfAMinorityTakeNoRights) {
  const auto run_with = [](std::string_view faults) {
    return hopeless(SimulatedRun(fmt::format(R"(title = "t"
lock = "redlock"
expect = {{ holds = "harm" }}
[redis]
masters = 3
[limits]
horizon = "2m"
[[client]]
name = "b"
run = ["lock lease=5s", "unlock"]
{})",
                                             faults)));
  };
  const std::string one = "[[fault]]\ncut = [\"b\", \"n3\"]\n";
  EXPECT_EQ(run_with(one), "");
  EXPECT_EQ(run_with(one + "[[fault]]\ncrash = \"n2\"\nat = \"0s\"\n"), "b");
  EXPECT_EQ(run_with(one + "[[fault]]\nisolate = \"n2\"\n"), "b");
}

TEST(UnhealedFaults, ThatLeaveASentinelInReachTakeNoRights) {
  const auto run_with = [](std::string_view faults) {
    return hopeless(SimulatedRun(fmt::format(R"(title = "t"
lock = "plain"
expect = {{ holds = "harm" }}
[redis]
topology = "sentinel"
replicas = 1
[limits]
horizon = "2m"
[[client]]
name = "b"
run = ["lock lease=5s", "unlock"]
{})",
                                             faults)));
  };
  const std::string two = "[[fault]]\ncut = [\"b\", \"s1\"]\n[[fault]]\ncut = [\"b\", \"s2\"]\n";
  EXPECT_EQ(run_with(two), "");
  EXPECT_EQ(run_with(two + "[[fault]]\ncut = [\"b\", \"s3\"]\n"), "b");
}

TEST(UnhealedFaults, ThatHoldBackAMessageBeyondTheRunKeepItsClientOff) {
  EXPECT_EQ(
      hopeless(SimulatedRun(story("plain", "delay = \"message\"\nto = \"b\"\nby = \"10000s\""))),
      "b");
}

}  // namespace
}  // namespace lockstep::model::test::unhealed_faults
