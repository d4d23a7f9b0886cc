// Restarts of simulated nodes: what their disk keeps through a crash, a power failure and a
// shutdown.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <string_view>

#include "checker/property.h"
#include "checker/verdict.h"
#include "tests/model/engine/simulated_run.h"

namespace lockstep::model::test::restart {
namespace {

struct Case {
  std::string_view name;
  std::string_view config;
  std::string_view end;  // the fault
  bool keeps;
};

std::ostream& operator<<(std::ostream& out, const Case& each) { return out << each.name; }

// a locks some ms after the start, in the middle of a second; the node ends soon after, and is back
// while a still believes. Only where the lock is back too, b has to wait.
constexpr Case cases[] = {
    {"nothing_crash", "", "crash", false},
    {"nothing_shutdown", "", "shutdown", false},
    {"snapshots_crash", "save = \"60 1\"", "crash", false},
    {"snapshots_shutdown", "save = \"60 1\"", "shutdown", true},
    {"always_crash", "appendonly = true, appendfsync = \"always\"", "crash", true},
    {"always_power_loss", "appendonly = true, appendfsync = \"always\"", "power_loss", true},
    {"always_shutdown", "appendonly = true, appendfsync = \"always\"", "shutdown", true},
    {"everysec_crash", "appendonly = true, appendfsync = \"everysec\"", "crash", true},
    {"everysec_power_loss", "appendonly = true, appendfsync = \"everysec\"", "power_loss", false},
    {"everysec_shutdown", "appendonly = true, appendfsync = \"everysec\"", "shutdown", true},
    {"no_crash", "appendonly = true, appendfsync = \"no\"", "crash", true},
    {"no_power_loss", "appendonly = true, appendfsync = \"no\"", "power_loss", false},
    {"no_shutdown", "appendonly = true, appendfsync = \"no\"", "shutdown", true},
};

std::string scenario(std::string_view config, std::string_view faults,
                     std::string_view replicas = "0") {
  return "title = \"restarts\"\nlock = \"plain\"\nexpect = { holds = \"harm\" }\n[redis]\nreplicas "
         "= " +
         std::string(replicas) + "\nconfig = { " + std::string(config) +
         " }\n[[client]]\nname = \"a\"\nstart = \"300ms\"\n"
         "run = [\"lock lease=30s\", \"sleep 5s\", \"unlock\"]\n"
         "[[client]]\nname = \"b\"\nstart = \"2s\"\nrun = [\"lock lease=30s\", \"unlock\"]\n" +
         std::string(faults);
}

std::string end_and_restart(std::string_view end) {
  const std::string_view ended = end == "shutdown" ? "stopped" : "crashed";
  return "[[fault]]\n" + std::string(end) + " = \"n1\"\nat = \"600ms\"\n[[fault]]\n" +
         "restart = \"n1\"\nwhen = \"n1 " + std::string(ended) + "\"\nafter = \"100ms\"\n";
}

class RestartTest : public testing::TestWithParam<Case> {};

TEST_P(RestartTest, KeepsWhatRedisKeeps) {
  const SimulatedRun run(scenario(GetParam().config, end_and_restart(GetParam().end)));
  ASSERT_EQ(run.events("dataset-restored", "n1").size(), 1U);
  EXPECT_EQ(run.events("dataset-restored", "n1").front()->number("keys"), GetParam().keeps ? 1 : 0);
  EXPECT_EQ(run.violates(checker::Property::mutual_exclusion), !GetParam().keeps);
  const bool loses_bytes = !run.events("disk-lost", "n1").empty();
  EXPECT_EQ(loses_bytes, !GetParam().keeps && GetParam().end == "power_loss");
}

INSTANTIATE_TEST_SUITE_P(Modes, RestartTest, testing::ValuesIn(cases),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(Restart, AfterATurnOfTheSecondEverythingIsSynced) {
  const SimulatedRun run(scenario("appendonly = true",
                                  "[[fault]]\npower_loss = \"n1\"\nat = \"1200ms\"\n"
                                  "[[fault]]\nrestart = \"n1\"\nat = \"1300ms\"\n"));
  EXPECT_FALSE(run.violates(checker::Property::mutual_exclusion));
  EXPECT_TRUE(run.events("disk-lost").empty());
}

TEST(Restart, ASavePointIsDueAfterItsSeconds) {
  constexpr std::string_view faults =
      "[[fault]]\ncrash = \"n1\"\nat = \"4500ms\"\n[[fault]]\nrestart = \"n1\"\nat = \"4600ms\"\n";
  const SimulatedRun run(scenario("save = \"2 1\"", faults));
  ASSERT_FALSE(run.events("dataset-saved", "n1").empty());
  EXPECT_EQ(run.events("dataset-saved", "n1").front()->at, 3 * sim::second_ns);
  EXPECT_EQ(run.events("dataset-restored", "n1").front()->number("keys"), 1);
}

TEST(Restart, AMasterThatShutsDownLetsItsReplicaCatchUp) {
  const std::string faults =
      "[[fault]]\ncut = [\"n1\", \"n1-replica-1\"]\nat = \"0s\"\nfor = \"2s\"\n"
      "[[fault]]\nshutdown = \"n1\"\nat = \"600ms\"\n"
      "[[fault]]\npromote = \"n1-replica-1\"\nwhen = \"n1 stopped\"\n";
  const SimulatedRun run(scenario("", faults, "1"));
  ASSERT_EQ(run.events("node-shut-down", "n1").size(), 1U);
  EXPECT_GE(run.events("node-shut-down", "n1").front()->at, 2 * sim::second_ns);
  EXPECT_FALSE(run.violates(checker::Property::mutual_exclusion));
}

TEST(Restart, AMasterThatShutsDownDoesNotWaitForEver) {
  const std::string faults =
      "[[fault]]\ncut = [\"n1\", \"n1-replica-1\"]\nat = \"0s\"\n"
      "[[fault]]\nshutdown = \"n1\"\nat = \"600ms\"\n";
  const SimulatedRun run(scenario("", faults, "1"));
  ASSERT_EQ(run.events("node-shut-down", "n1").size(), 1U);
  EXPECT_EQ(run.events("node-shut-down", "n1").front()->at, 10'600 * sim::millisecond_ns);
}

TEST(Restart, AMasterOf6_0ShutsDownAtOnce) {
  const std::string faults =
      "[[fault]]\ncut = [\"n1\", \"n1-replica-1\"]\nat = \"0s\"\n"
      "[[fault]]\nshutdown = \"n1\"\nat = \"600ms\"\n";
  std::string text = scenario("", faults, "1");
  text.insert(text.find("replicas ="), "version = \"redis-6.0\"\n");
  const SimulatedRun run(text);
  ASSERT_EQ(run.events("node-shut-down", "n1").size(), 1U);
  EXPECT_EQ(run.events("node-shut-down", "n1").front()->at, 600 * sim::millisecond_ns);
}

TEST(Restart, AMasterThatShutsDownWaitsForNoReplicaThatIsGone) {
  const std::string faults =
      "[[fault]]\npause = \"n1-replica-1\"\nat = \"0s\"\nfor = \"20s\"\n"
      "[[fault]]\nshutdown = \"n1\"\nat = \"600ms\"\n"
      "[[fault]]\ncrash = \"n1-replica-1\"\nat = \"900ms\"\n";
  const SimulatedRun run(scenario("", faults, "1"));
  ASSERT_EQ(run.events("node-shut-down", "n1").size(), 1U);
  EXPECT_GT(run.events("node-shut-down", "n1").front()->at, 899 * sim::millisecond_ns);
  EXPECT_LT(run.events("node-shut-down", "n1").front()->at, 950 * sim::millisecond_ns);
}

TEST(Restart, AReplicaGoesOnFromTheSnapshotOfItsLastSynchronisation) {
  const std::string faults =
      "[[fault]]\ncrash = \"n1-replica-1\"\nat = \"600ms\"\n"
      "[[fault]]\nrestart = \"n1-replica-1\"\nat = \"700ms\"\n"
      "[[fault]]\ncrash = \"n1\"\nat = \"1s\"\n"
      "[[fault]]\npromote = \"n1-replica-1\"\nwhen = \"n1 crashed\"\n";
  const SimulatedRun run(scenario("", faults, "1"));
  EXPECT_TRUE(run.events("dataset-loaded", "n1-replica-1").empty()) << "the stream is enough";
  EXPECT_FALSE(run.violates(checker::Property::mutual_exclusion));
}

TEST(Restart, AMasterBackFromItsSnapshotGoesOnWithItsReplica) {
  const std::string faults =
      "[[fault]]\nshutdown = \"n1\"\nat = \"600ms\"\n"
      "[[fault]]\nrestart = \"n1\"\nat = \"700ms\"\n";
  const SimulatedRun run(scenario("save = \"60 1\"", faults, "1"));
  EXPECT_TRUE(run.events("dataset-loaded", "n1-replica-1").empty());
  ASSERT_FALSE(run.events("stream-applied", "n1-replica-1").empty());
  EXPECT_GT(run.events("stream-applied", "n1-replica-1").back()->at, 700 * sim::millisecond_ns);
  EXPECT_FALSE(run.violates(checker::Property::mutual_exclusion));
}

TEST(Restart, ABacklogThatIsTooSmallMakesAReplicaLoadEverything) {
  const auto busy = [](std::string_view config) {
    return "title = \"busy\"\nlock = \"plain\"\nexpect = { holds = \"harm\" }\n[redis]\n"
           "replicas = 1\nconfig = { " +
           std::string(config) +
           " }\n[[client]]\nname = \"a\"\nrounds = 100\nrun = [\"lock lease=30s\", \"unlock\"]\n"
           "[[client]]\nname = \"b\"\nstart = \"3s\"\nrun = [\"lock lease=30s\", \"unlock\"]\n"
           "[[fault]]\nreset = \"replication\"\nto = \"n1-replica-1\"\n";
  };
  const SimulatedRun whole(busy(""));
  EXPECT_TRUE(whole.events("dataset-loaded", "n1-replica-1").empty());
  const SimulatedRun small(busy("repl-backlog-size = \"16kb\""));
  EXPECT_FALSE(small.events("dataset-loaded", "n1-replica-1").empty());
  EXPECT_EQ(small.events("stream-applied", "n1-replica-1").back()->number("offset"),
            whole.events("stream-applied", "n1-replica-1").back()->number("offset") + 23)
      << "after a snapshot the stream says SELECT 0 again";
}

TEST(Restart, TooFewGoodReplicasRefuseWrites) {
  constexpr std::string_view config = "min-replicas-to-write = 1, min-replicas-max-lag = 2";
  const std::string cut = "[[fault]]\ncut = [\"n1\", \"n1-replica-1\"]\nat = \"0s\"\n";
  const SimulatedRun run(scenario(config, cut, "1"));
  bool was_refused = false;
  for (const RecordedEvent* event : run.events("command-executed", "n1")) {
    was_refused |= event->text("reply").find("NOREPLICAS") != std::string_view::npos;
  }
  EXPECT_TRUE(was_refused);
  const SimulatedRun whole(scenario(config, "", "1"));
  for (const RecordedEvent* event : whole.events("command-executed", "n1")) {
    EXPECT_EQ(event->text("reply").find("NOREPLICAS"), std::string_view::npos);
  }
}

}  // namespace
}  // namespace lockstep::model::test::restart
