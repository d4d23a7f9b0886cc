// The scenarios that come with Lockstep are confirmed on real servers.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "model/engine/run_result.h"
#include "scenario/scenario.h"
#include "tests/confirm/recorded_run.h"

namespace lockstep::confirm::test {
namespace {

class ShippedScenario : public ::testing::TestWithParam<std::string> {};

TEST_P(ShippedScenario, IsConfirmed) {
  RecordedRun run(load_shipped(GetParam()));
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    run.run(seed);
    const Confirmation confirmation = run.confirmed();
    expect_confirmed(confirmation);
    EXPECT_EQ(confirmation.not_compared, 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Scenarios, ShippedScenario,
    ::testing::Values("fenced/contention", "known-bugs/gc-pause-fenced", "plain/contention",
                      "plain/crash-with-save-points", "plain/power-loss-always",
                      "plain/restart-with-append-only-file", "plain/restart-without-persistence",
                      "plain/shutdown-with-save-points", "known-bugs/failover-after-wait",
                      "known-bugs/failover-before-replication", "known-bugs/gc-pause",
                      "known-bugs/lost-acquire-reply", "known-bugs/lost-release-reply-latched",
                      "known-bugs/lost-release-reply", "plain/watchdog", "setnx/contention",
                      "known-bugs/delete-with-token", "known-bugs/delete-without-token",
                      "known-bugs/fixed-value", "known-bugs/get-then-del",
                      "known-bugs/setnx-then-expire", "known-bugs/timestamp"),
    [](const ::testing::TestParamInfo<std::string>& scenario) {
      std::string name = scenario.param;
      std::replace_if(
          name.begin(), name.end(), [](char each) { return each == '/' || each == '-'; }, '_');
      return name;
    });

}  // namespace
}  // namespace lockstep::confirm::test
