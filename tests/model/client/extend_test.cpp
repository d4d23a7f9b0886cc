// A lease that its holder begins anew by itself, and what the lock knows of itself.
#include <gtest/gtest.h>

#include "lock_run.h"

namespace lockstep::test {
namespace {

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
