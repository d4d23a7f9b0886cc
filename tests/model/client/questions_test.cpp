// What the reentrant locks and the textbook lock answer when they are asked, and leases that their
// holder begins anew.
#include <gtest/gtest.h>

#include "lock_run.h"

namespace lockstep::test {
namespace {

/// The answers of one thread, in order: "is_locked true".
std::vector<std::string> answers_of(const LockRun& run, std::string_view thread) {
  std::vector<std::string> answers;
  for (const TraceLine& line : run.find("step-completed", thread, "outcome=ok detail=")) {
    const std::size_t step = line.fields.find("step=") + 5;
    answers.push_back(line.fields.substr(step, line.fields.find(' ', step) - step) + ' ' +
                      line.fields.substr(line.fields.find("detail=") + 7));
  }
  return answers;
}

using Answers = std::vector<std::string>;

class Questions : public ::testing::TestWithParam<const char*> {
 protected:
  LockRun run_{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Locks, Questions, ::testing::Values("plain", "fenced", "spin", "setnx"),
                         [](const auto& parameter) { return std::string(parameter.param); });

TEST_P(Questions, AreAnsweredForWhoHasTheLockAndForOthers) {
  run_.client("a", {"is_locked; lock lease=10s; is_locked; is_held_by_me; sleep 1s; unlock; "
                    "is_locked; is_held_by_me"});
  run_.client("b", {"is_locked; is_held_by_me"}).start_ns = 500 * sim::millisecond_ns;
  run_.run();
  EXPECT_EQ(answers_of(run_, "a/1"),
            (Answers{"is_locked false", "is_locked true", "is_held_by_me true", "is_locked false",
                     "is_held_by_me false"}))
      << run_.text();
  EXPECT_EQ(answers_of(run_, "b/1"), (Answers{"is_locked true", "is_held_by_me false"}));
}

TEST_P(Questions, TellWhenTheLeaseIsOver) {
  run_.client("a", {"remaining_lease; lock lease=10s; remaining_lease; sleep 11s; is_locked; "
                    "is_held_by_me; remaining_lease"});
  run_.run();
  EXPECT_EQ(answers_of(run_, "a/1"),
            (Answers{"remaining_lease -2", "remaining_lease 9998", "is_locked false",
                     "is_held_by_me false", "remaining_lease -2"}))
      << run_.text();
}

TEST(QuestionsToAReentrantLock, CountTheHoldsOfWhoAsks) {
  LockRun run("plain");
  run.client("a", {"hold_count; lock lease=10s; lock lease=10s; hold_count; sleep 1s; unlock; "
                   "hold_count; unlock; hold_count"});
  run.client("b", {"hold_count"}).start_ns = 500 * sim::millisecond_ns;
  run.run();
  EXPECT_EQ(answers_of(run, "a/1"),
            (Answers{"hold_count 0", "hold_count 2", "hold_count 1", "hold_count 0"}))
      << run.text();
  EXPECT_EQ(answers_of(run, "b/1"), (Answers{"hold_count 0"}));
}

// -- extend --

using Steps = std::vector<std::string>;

class Extend : public ::testing::TestWithParam<const char*> {
 protected:
  LockRun run_{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Locks, Extend, ::testing::Values("plain", "fenced", "spin", "setnx"),
                         [](const auto& parameter) { return std::string(parameter.param); });

TEST_P(Extend, BeginsTheLeaseAnew) {
  run_.client("a", {"lock lease=10s; sleep 8s; extend lease=20s; sleep 15s; unlock"});
  run_.run();
  EXPECT_EQ(run_.steps_of("a/1"), (Steps{"lock lease=10s: ok", "sleep 8s: ok",
                                         "extend lease=20s: ok", "sleep 15s: ok", "unlock: ok"}))
      << run_.text();
  EXPECT_EQ(run_.count("lock-changed", "n1", "cause=expiry"), 0U);
  EXPECT_EQ(run_.count("service-invoked", "a/1", "kind=renew lock=lock lease_ms=20000"), 1U);
}

TEST_P(Extend, OfALockThatIsLostIsRefusedAndChangesNothing) {
  run_.client("a", {"lock lease=1s; sleep 2s; extend lease=20s"});
  run_.run();
  EXPECT_EQ(run_.steps_of("a/1").back(), "extend lease=20s: fail") << run_.text();
  EXPECT_EQ(run_.count("lock-changed"), 2U) << "taken, and gone with its lease";
}

TEST_P(Extend, ChangesWhatIsLeftOfTheLease) {
  run_.client("a", {"lock lease=10s; extend lease=30s; remaining_lease; unlock; is_locked"});
  run_.run();
  // The reply is 1 ms on the way, and 1 ms has gone by since the lease began.
  EXPECT_EQ(run_.count("step-completed", "a/1", "step=remaining_lease outcome=ok detail=29998"), 1U)
      << run_.text();
  EXPECT_EQ(run_.count("step-completed", "a/1", "step=is_locked outcome=ok detail=false"), 1U)
      << run_.text();
}

TEST(ExtendOfAPlainLock, IsTheLeaseOfTheHoldsThatStay) {
  LockRun run("plain");
  run.client("a", {"lock lease=10s; lock lease=10s; extend lease=60s; unlock; remaining_lease"});
  run.run();
  EXPECT_EQ(run.count("command-executed", "n1", "label=release"), 1U);
  const auto asked = run.find("step-completed", "a/1", "step=remaining_lease");
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_TRUE(asked[0].has("detail=5999")) << run.text();
}

TEST(ExtendOfATextbookLock, NeedsALock) {
  LockRun run("setnx");
  run.client("a", {"lock lease=10s; unlock; extend lease=60s"});
  run.run();
  EXPECT_EQ(run.steps_of("a/1").back(), "extend lease=1m: fail") << run.text();
}

}  // namespace
}  // namespace lockstep::test
