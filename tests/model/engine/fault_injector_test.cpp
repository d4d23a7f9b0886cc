// Every kind of fault strikes, shows in the trace, and changes the run.

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <string_view>

#include "checker/property.h"
#include "checker/verdict.h"
#include "model/engine/run_result.h"
#include "tests/model/engine/simulated_run.h"

namespace lockstep::model::test {
namespace {

constexpr std::string_view cluster = R"(
title  = "faults"
lock   = "plain"
expect = { holds = "harm" }

[redis]
replicas = 1

[[client]]
name = "a"
run  = ["lock lease=10s", "write", "sleep 1s", "unlock"]

[[client]]
name  = "b"
start = "5ms"
run   = ["lock lease=10s", "write", "unlock"]
)";

struct FaultCase {
  std::string_view name;
  std::string_view text;        ///< the fault as it stands in a file
  std::string_view event_kind;  ///< what the trace must show of it…
  std::string_view actor;       ///< …of whom; empty: of nobody
  bool changes_nothing_without = false;
};

std::ostream& operator<<(std::ostream& out, const FaultCase& fault) { return out << fault.name; }

const FaultCase fault_cases[] = {
    {"pause", "pause = \"a\"\nwhen = \"a acquired\"\nfor = \"3s\"", "process-resumed", "a"},
    {"crash_of_a_client", "crash = \"a\"\nwhen = \"a acquired\"", "process-crashed", "a"},
    {"crash_of_a_node", "crash = \"n1\"\nwhen = \"a acquired\"", "process-crashed", "n1"},
    {"promote", "promote = \"n1-replica-1\"\nat = \"500ms\"", "node-promoted", "n1-replica-1"},
    {"cut", "cut = [\"b\", \"n1\"]\nat = \"2ms\"\nfor = \"2s\"", "network-healed", ""},
    {"drop", "drop = \"reply to acquire\"\nto = \"b\"", "message-lost", "n1"},
    {"delay", "delay = \"acquire\"\nfrom = \"a\"\nby = \"1s\"", "message-delayed", "a"},
    {"reset", "reset = \"reply to acquire\"\nto = \"a\"", "connection-closed", "a"},
    {"clock_step", "clock_step = \"n1\"\nby = \"20s\"\nwhen = \"a acquired\"", "clock-changed",
     "n1"},
    {"clock_drift", "clock_drift = \"a\"\nrate = \"500ppm\"\nwhen = \"a acquired\"",
     "clock-changed", "a"},
    {"delete", "delete = \"lock\"\non = \"n1\"\nwhen = \"a acquired\"", "lock-changed", "n1"},
};

class EachFault : public testing::TestWithParam<FaultCase> {};

TEST_P(EachFault, StrikesOnceShowsInTheTraceAndChangesTheRun) {
  const FaultCase& fault = GetParam();
  const std::string text = std::string(cluster) + "\n[[fault]]\n" + std::string(fault.text) + "\n";
  const SimulatedRun with(text);
  const SimulatedRun without(cluster);
  ASSERT_EQ(with.result().fault_strikes.size(), 1U);
  EXPECT_EQ(with.result().fault_strikes[0], 1U);
  EXPECT_EQ(with.events("fault-struck", "faults").size(), 1U);
  EXPECT_FALSE(with.events(fault.event_kind, fault.actor).empty());
  EXPECT_NE(with.result().hash, without.result().hash);
}

INSTANTIATE_TEST_SUITE_P(Kinds, EachFault, testing::ValuesIn(fault_cases),
                         [](const testing::TestParamInfo<FaultCase>& parameter) {
                           return std::string(parameter.param.name);
                         });

TEST(FaultInjector, StrikesAtTheNthMilestone) {
  const SimulatedRun run(std::string(R"(
title  = "nth"
lock   = "plain"
expect = { holds = "harm" }
[[client]]
name   = "a"
rounds = 3
run    = ["lock lease=10s", "write", "unlock"]
[[fault]]
pause = "a"
when  = "a acquired for the 2nd time"
for   = "1s"
)"));
  const auto paused = run.events("process-paused", "a");
  ASSERT_EQ(paused.size(), 1U);
  std::size_t grants_before = 0;
  for (const RecordedEvent* event : run.events("belief-began")) {
    grants_before += static_cast<std::size_t>(event->at <= paused[0]->at);
  }
  EXPECT_EQ(grants_before, 2U);
}

TEST(FaultInjector, AnOperatorsDeletionWaitsUntilAPausedNodeGoesOn) {
  const SimulatedRun run(std::string(cluster) +
                         "[[fault]]\npause = \"n1\"\nwhen = \"a acquired\"\nfor = \"3s\"\n"
                         "[[fault]]\ndelete = \"lock\"\non = \"n1\"\nwhen = \"a acquired\"\n"
                         "after = \"1s\"\n");
  const auto resumed = run.events("process-resumed", "n1");
  ASSERT_EQ(resumed.size(), 1U);
  bool was_deleted = false;
  for (const RecordedEvent* event : run.events("lock-changed", "n1")) {
    if (event->text("cause") != "other") continue;
    was_deleted = true;
    EXPECT_EQ(event->at, resumed[0]->at);
  }
  EXPECT_TRUE(was_deleted);
}

TEST(FaultInjector, AnOperatorMayDeleteAnotherKeyThanTheLocks) {
  for (const std::string_view key : {"{name}", "{name}:other"}) {
    SCOPED_TRACE(key);
    const SimulatedRun run(std::string(cluster) +
                           "[[fault]]\ndelete = \"lock\"\non = \"n1\"\nwhen = \"a acquired\"\n"
                           "key = \"" +
                           std::string(key) + "\"\n");
    EXPECT_EQ(run.events("fault-struck").size(), 1U);
    bool was_freed = false;
    for (const RecordedEvent* event : run.events("lock-changed", "n1")) {
      was_freed = was_freed || event->text("cause") == "other";
    }
    EXPECT_EQ(was_freed, key == "{name}");
  }
}

TEST(FaultInjector, AnOperatorsDeletionIsLostWithThePausedNode) {
  const SimulatedRun run(std::string(cluster) +
                         "[[fault]]\npause = \"n1\"\nwhen = \"a acquired\"\nfor = \"3s\"\n"
                         "[[fault]]\ndelete = \"lock\"\non = \"n1\"\nwhen = \"a acquired\"\n"
                         "after = \"1s\"\n"
                         "[[fault]]\ncrash = \"n1\"\nwhen = \"a acquired\"\nafter = \"2s\"\n"
                         "[[fault]]\nrestart = \"n1\"\nwhen = \"n1 crashed\"\nafter = \"2s\"\n");
  for (const RecordedEvent* event : run.events("lock-changed", "n1")) {
    EXPECT_NE(event->text("cause"), "other");
  }
}

TEST(FaultInjector, StrikesWhenAPausedProcessGoesOn) {
  const SimulatedRun run(std::string(cluster) +
                         "[[fault]]\npause = \"a\"\nwhen = \"a acquired\"\nfor = \"3s\"\n"
                         "[[fault]]\npause = \"b\"\nwhen = \"a resumed\"\nfor = \"1s\"\n");
  const auto resumed = run.events("process-resumed", "a");
  const auto paused = run.events("process-paused", "b");
  ASSERT_EQ(resumed.size(), 1U);
  ASSERT_EQ(paused.size(), 1U);
  EXPECT_EQ(paused[0]->at, resumed[0]->at);
}

TEST(FaultInjector, ARestartedMasterHasForgottenItsLocks) {
  const SimulatedRun run(std::string(R"(
title  = "restart"
lock   = "plain"
expect = { violates = "mutual-exclusion" }
[[client]]
name = "a"
run  = ["lock lease=30s", "sleep 10s", "unlock"]
[[client]]
name  = "b"
start = "5ms"
run   = ["lock lease=30s", "sleep 10s", "unlock"]
[[fault]]
crash = "n1"
when  = "a acquired"
[[fault]]
restart = "n1"
when    = "n1 crashed"
after   = "500ms"
)"));
  EXPECT_TRUE(run.violates(checker::Property::mutual_exclusion));
  EXPECT_EQ(run.events("process-restarted", "n1").size(), 1U);
}

}  // namespace
}  // namespace lockstep::model::test
