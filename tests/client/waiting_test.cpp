// Waiting for a plain lock: by pub/sub, and no longer than it must.
#include <gtest/gtest.h>

#include "lock_run.h"

namespace lockstep::test {
namespace {

TEST(Waiting, AContendedLockWaitsOnTheChannelAndIsWokenByTheRelease) {
  LockRun run("plain");
  run.client("a", {"lock lease=10s; sleep 1s; unlock"});
  run.client("b", {"lock lease=10s; unlock"}).start_ns = 100 * sim::millisecond_ns;
  run.run();
  EXPECT_EQ(run.steps_of("b/1"), (std::vector<std::string>{"lock lease=10s: ok", "unlock: ok"}))
      << run.text();
}

}  // namespace
}  // namespace lockstep::test
