// A scenario may run other scripts than the lock's own. Where they keep the contract, nobody can
// tell: the same replies, the same effects on the data and the replicas, the same messages, and the
// clients' same history, at the same times.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>

#include "lock_run.h"
#include "scripts_by_another_hand.h"

namespace lockstep::test {
namespace {

using Scripts = std::map<std::string, std::string_view>;

/// A folder of scripts that goes when the test ends.
class ScriptFiles {
 public:
  explicit ScriptFiles(const Scripts& scripts)
      : folder_(std::filesystem::path(testing::TempDir()) /
                (std::string("lockstep-swapped-") +
                 testing::UnitTest::GetInstance()->current_test_info()->name())) {
    std::filesystem::create_directories(folder_);
    for (const auto& [name, body] : scripts) std::ofstream(path(name), std::ios::binary) << body;
  }
  ScriptFiles(const ScriptFiles&) = delete;
  ScriptFiles& operator=(const ScriptFiles&) = delete;
  ~ScriptFiles() { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string path(const std::string& script) const {
    return (folder_ / (script + ".lua")).string();
  }

 private:
  std::filesystem::path folder_;
};

/// Contention, re-entry, waiters that give up and one that dies, a lost reply, a watchdog; the
/// replica gets every effect.
void tell(LockRun& run) {
  run.scenario.redis.replicas = 1;
  run.client("a", {"lock; lock lease=4s; sleep 1s; unlock; sleep 3s; write; unlock"}, 2);
  run.client("b",
             {"lock lease=2s; write; unlock", "try_lock wait=1s lease=2s; write; unlock",
              "try_lock lease=2s; write; unlock"},
             3)
      .start_ns = 100 * sim::millisecond_ns;
  run.client("c", {"lock lease=1s; sleep 2s; unlock", "lock lease=2s; write; unlock"}).start_ns =
      200 * sim::millisecond_ns;
  run.client("d", {"lock lease=2s; write; unlock"}).start_ns = 300 * sim::millisecond_ns;
  model::FaultSpec& death = run.fault(model::FaultKind::crash, "d");
  death.trigger.after_ns = sim::second_ns;
  model::FaultSpec& lost = run.message_fault(model::FaultKind::drop, "reply to release");
  lost.message_to = "a";
}

/// The same of RedLock, whose holders extend, on nodes that do not always answer.
void tell_of_redlock(LockRun& run) {
  run.scenario.redis.masters = 5;
  run.client("a", {"lock lease=4s; sleep 1s; extend lease=6s; sleep 3s; write; unlock"}, 2);
  run.client("b",
             {"lock lease=2s; write; extend lease=1s; unlock",
              "try_lock wait=1s lease=2s; extend lease=4s; unlock"},
             3)
      .start_ns = 100 * sim::millisecond_ns;
  run.client("c", {"lock lease=1s; sleep 2s; extend lease=1s; unlock"}).start_ns =
      200 * sim::millisecond_ns;
  run.message_fault(model::FaultKind::drop, "release", 7);
  run.message_fault(model::FaultKind::drop, "reply to extend", 2);
}

void expect_same_history(const std::string& lock, const model::Options& options,
                         const Scripts& theirs, void (*tell_story)(LockRun&) = &tell) {
  const ScriptFiles files(theirs);
  LockRun own(lock);
  LockRun swapped(lock);
  for (const auto& [name, body] : theirs) swapped.scenario.scripts[name] = files.path(name);
  for (LockRun* run : {&own, &swapped}) {
    run->scenario.options = options;
    tell_story(*run);
  }
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    own.run(seed);
    swapped.run(seed);
    EXPECT_EQ(swapped.text(), own.text());
    for (const auto& [name, body] : theirs) {
      EXPECT_GT(own.count("command-executed", "n1", "label=" + name + " "), 0U) << name;
    }
    EXPECT_GT(own.count("belief-began"), 5U);
  }
}

TEST(SwappedScripts, OfThePlainLockMakeNoDifference) {
  expect_same_history(
      "plain", {},
      {{"acquire", by_another_hand::plain_acquire}, {"release", by_another_hand::plain_release}});
}

TEST(SwappedScripts, OfTheFairLockMakeNoDifference) {
  expect_same_history("fair", {{"wait_ms", std::int64_t{5000}}},
                      {{"acquire", by_another_hand::fair_acquire},
                       {"acquire_failed", by_another_hand::fair_acquire_failed},
                       {"release", by_another_hand::fair_release}});
}

TEST(SwappedScripts, OfRedLockMakeNoDifference) {
  expect_same_history(
      "redlock", {},
      {{"extend", by_another_hand::redlock_extend}, {"release", by_another_hand::redlock_release}},
      &tell_of_redlock);
}

// The oracle: one that keeps no contract is noticed.
TEST(SwappedScripts, ThatDoSomethingElseShow) {
  const ScriptFiles files(Scripts{{"acquire", "return redis.call('pttl', KEYS[1])"}});
  LockRun own("plain");
  LockRun swapped("plain");
  swapped.scenario.scripts["acquire"] = files.path("acquire");
  for (LockRun* run : {&own, &swapped}) {
    run->client("a", {"try_lock lease=1s; unlock"});
    run->run();
  }
  EXPECT_NE(swapped.text(), own.text());
}

}  // namespace
}  // namespace lockstep::test
