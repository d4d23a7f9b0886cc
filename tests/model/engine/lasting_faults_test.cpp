// Faults that last: what they do, that they end, and how those that overlap compose.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "checker/observations.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "model/engine/run_result.h"
#include "tests/model/engine/simulated_run.h"

namespace lockstep::model::test {
namespace {

constexpr sim::TimeNs ms = sim::millisecond_ns;

/// Two clients, a master with two replicas, and the faults.
std::string scenario(std::string_view faults) {
  return std::string(R"(
title  = "lasting"
lock   = "plain"
expect = { holds = "harm" }
[redis]
replicas = 2
[[client]]
name = "a"
run  = ["lock lease=30s", "write", "sleep 5s", "unlock"]
[[client]]
name  = "b"
start = "1s"
run   = ["lock lease=30s", "write", "unlock"]
)")
      .append(faults);
}

using Times = std::vector<sim::TimeNs>;

TEST(LastingFaults, OfTwoCutsTheLaterEndHeals) {
  const SimulatedRun run(
      scenario("[[fault]]\ncut = [\"a\", \"n1\"]\nat = \"100ms\"\nfor = \"300ms\"\n"
               "[[fault]]\nisolate = \"n1\"\nat = \"200ms\"\nfor = \"500ms\"\n"
               "[[fault]]\ncut_one_way = [\"n1\", \"a\"]\nat = \"200ms\"\nfor = \"600ms\"\n"));
  Times healed;
  for (const RecordedEvent* event : run.events("direction-healed")) {
    if (event->text("from") == "n1" || event->text("to") == "n1") healed.push_back(event->at);
  }
  EXPECT_EQ(healed, (Times{700 * ms, 800 * ms}));  // from a to n1, and back
  EXPECT_EQ(run.times_of("fault-ended"), (Times{400 * ms, 700 * ms, 800 * ms}));
}

TEST(LastingFaults, OfTwoPausesTheLaterEndCounts) {
  const SimulatedRun run(
      scenario("[[fault]]\npause = \"n1\"\nat = \"100ms\"\nfor = \"500ms\"\n"
               "[[fault]]\npause = \"n1\"\nat = \"200ms\"\nfor = \"100ms\"\n"));
  EXPECT_EQ(run.times_of("process-resumed"), (Times{600 * ms}));
  EXPECT_EQ(run.times_of("fault-ended"), (Times{300 * ms, 600 * ms}));
}

// Nothing happens any more while b sleeps through a's lease, and yet ten minutes pass.
TEST(LastingFaults, WhoWaitsAtTheHorizonHasWaitedUntilThen) {
  const SimulatedRun run(R"(title = "t"
lock = "plain"
expect = { holds = "harm" }
[[client]]
name = "a"
run = ["lock lease=20m", "sleep 1s", "unlock"]
[[client]]
name = "b"
start = "5ms"
run = ["lock", "unlock"]
[[fault]]
crash = "a"
when = "a acquired"
after = "10ms"
)");
  EXPECT_EQ(run.result().end, RunEnd::horizon);
  EXPECT_EQ(run.result().ended_at_ns, 600 * sim::second_ns);
  EXPECT_EQ(run.events("run-ended").at(0)->at, 600 * sim::second_ns);
  EXPECT_EQ(run.result().observations->waits.back().until.at_ns, 600 * sim::second_ns);
  EXPECT_FALSE(run.violates(checker::Property::no_deadlock)) << "the lease isn't over";
}

TEST(LastingFaults, SlownessAddsUp) {
  const SimulatedRun run(
      scenario("[[fault]]\nslow = \"n1\"\nby = \"20ms\"\nat = \"100ms\"\nfor = \"500ms\"\n"
               "[[fault]]\nslow = \"n1\"\nby = \"30ms\"\nat = \"200ms\"\nfor = \"100ms\"\n"));
  std::vector<std::int64_t> by_ns;
  for (const RecordedEvent* event : run.events("process-slowed", "n1")) {
    by_ns.push_back(event->number("by_ns"));
  }
  EXPECT_EQ(by_ns, (std::vector<std::int64_t>{20 * ms, 50 * ms, 20 * ms, 0}));
}

TEST(LastingFaults, ASlowNodeAnswersLate) {
  const SimulatedRun run(scenario("[[fault]]\nslow = \"n1\"\nby = \"70ms\"\nfor = \"1s\"\n"));
  const auto executed = run.events("command-executed", "n1");
  ASSERT_FALSE(executed.empty());
  EXPECT_GE(executed.front()->at, 140 * ms);  // the connection, and the request
}

TEST(LastingFaults, ConnectionsAreRefusedWhileItLastsAndThoseThatStandGoOn) {
  const SimulatedRun run(scenario("[[fault]]\nrefuse = \"n1\"\nat = \"500ms\"\nfor = \"2s\"\n"));
  const Times refused = run.times_of("connection-refused", "b");
  ASSERT_FALSE(refused.empty());
  EXPECT_LT(refused.back(), 2510 * ms);
  EXPECT_TRUE(run.events("connection-refused", "a").empty());
  EXPECT_FALSE(run.violates(checker::Property::mutual_exclusion));
}

TEST(LastingFaults, APausedReplicaIsPromotedWhenItGoesOn) {
  const SimulatedRun run(
      scenario("[[fault]]\npause = \"n1-replica-1\"\nat = \"100ms\"\nfor = \"2s\"\n"
               "[[fault]]\npromote = \"n1-replica-1\"\nat = \"500ms\"\n"));
  EXPECT_EQ(run.times_of("node-promoted"), (Times{2100 * ms}));
}

TEST(LastingFaults, AReplicaThatHasCrashedIsNotPromoted) {
  const SimulatedRun run(
      scenario("[[fault]]\ncrash = \"n1-replica-1\"\nat = \"100ms\"\n"
               "[[fault]]\npromote = \"n1-replica-1\"\nat = \"500ms\"\n"));
  EXPECT_TRUE(run.events("node-promoted").empty());
  EXPECT_TRUE(run.events("connection-refused", "b").empty());
}

struct Behind {
  std::string_view fault;
  sim::TimeNs from;  ///< the replica applies something at the earliest then…
  sim::TimeNs until;
};

TEST(LastingFaults, AReplicaFallsBehindAndCatchesUp) {
  constexpr Behind cases[] = {
      {"lag = \"n1-replica-1\"\nby = \"1500ms\"\nfor = \"3s\"", 1500 * ms, 1600 * ms},
      {"stall = \"n1-replica-1\"\nfor = \"2s\"", 2000 * ms, 2000 * ms},
      {"disconnect = \"n1-replica-1\"\nfor = \"2s\"", 2000 * ms, 2100 * ms},
  };
  const SimulatedRun whole(scenario(""));
  for (const Behind& behind : cases) {
    SCOPED_TRACE(behind.fault);
    const SimulatedRun run(scenario(std::string("[[fault]]\n").append(behind.fault).append("\n")));
    const auto applied = run.events("stream-applied", "n1-replica-1");
    ASSERT_FALSE(applied.empty());
    EXPECT_GE(applied.front()->at, behind.from);
    EXPECT_LE(applied.front()->at, behind.until);
    EXPECT_EQ(applied.back()->number("offset"),
              whole.events("stream-applied", "n1-replica-1").back()->number("offset"));
    EXPECT_LT(run.events("stream-applied", "n1-replica-2").front()->at, 100 * ms);
  }
}

TEST(LastingFaults, AStalledReplicaThatCrashesForgetsWhatItHadNotRead) {
  const SimulatedRun run(
      scenario("[[fault]]\nstall = \"n1-replica-1\"\nfor = \"2s\"\n"
               "[[fault]]\ncrash = \"n1-replica-1\"\nat = \"500ms\"\n"
               "[[fault]]\nrestart = \"n1-replica-1\"\nat = \"600ms\"\n"));
  const auto applied = run.events("stream-applied", "n1-replica-1");
  ASSERT_FALSE(applied.empty());
  EXPECT_EQ(applied.front()->at, 2000 * ms);  // what the new link has brought by then
}

TEST(LastingFaults, AReplicaGivesUpAMasterThatHasForgottenIt) {
  const SimulatedRun run(scenario(
      "[[fault]]\nhalf_open = [\"n1-replica-1\", \"n1\"]\nat = \"0s\"\n"
      "[[client]]\nname = \"c\"\nstart = \"70s\"\nrun = [\"lock lease=5s\", \"unlock\"]\n"));
  const auto applied = run.events("stream-applied", "n1-replica-1");
  ASSERT_FALSE(applied.empty());
  EXPECT_GE(applied.front()->at, 60'000 * ms);
  EXPECT_LT(applied.front()->at, 60'100 * ms);
}

/// Who reaches whom while it lasts, as "from>to".
std::set<std::string> cut_directions(const SimulatedRun& run) {
  std::set<std::string> cut;
  for (const RecordedEvent& event : run.trace().events) {
    const auto add = [&](std::string_view from, std::string_view to) {
      cut.insert(std::string(from) + ">" + std::string(to));
    };
    if (event.kind == "direction-cut") add(event.text("from"), event.text("to"));
    if (event.kind != "network-cut") continue;
    add(event.text("one"), event.text("other"));
    add(event.text("other"), event.text("one"));
  }
  return cut;
}

TEST(LastingFaults, InARingEachHearsAMajorityAndNoTwoTheSame) {
  const SimulatedRun run(
      scenario("[[fault]]\nring = [\"n1\", \"n1-replica-1\", \"n1-replica-2\"]\nfor = \"1s\"\n"));
  EXPECT_EQ(cut_directions(run), (std::set<std::string>{"n1-replica-2>n1-replica-1",
                                                        "n1>n1-replica-2", "n1-replica-1>n1"}));
}

TEST(LastingFaults, APartitionPartsGroupsAndLeavesOthersAlone) {
  const SimulatedRun run(scenario(
      "[[fault]]\npartition = [[\"a\", \"n1\"], [\"b\", \"n1-replica-1\"]]\nfor = \"1s\"\n"));
  EXPECT_EQ(cut_directions(run),
            (std::set<std::string>{"a>n1-replica-1", "n1-replica-1>a", "n1>b", "b>n1",
                                   "n1>n1-replica-1", "n1-replica-1>n1"}));
  EXPECT_EQ(run.events("network-healed").size(), 3U);
}

TEST(LastingFaults, ASwizzlesOrdersAreDrawnAndAllHealsByItsEnd) {
  std::set<std::string> orders;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const SimulatedRun run(
        scenario("[[fault]]\nswizzle = [\"n1\", \"n1-replica-1\", \"n1-replica-2\"]\n"
                 "for = \"6s\"\nat = \"1s\"\n"),
        seed);
    EXPECT_EQ(run.events("network-cut").size(), run.events("network-healed").size());
    EXPECT_EQ(run.events("network-cut").front()->at, 1000 * ms);
    EXPECT_EQ(run.events("network-healed").back()->at, 7000 * ms);
    std::string order;
    for (const RecordedEvent* event : run.events("network-cut")) order += event->text("one");
    orders.insert(order);
  }
  EXPECT_GE(orders.size(), 4U);
}

// -- messages --

TEST(MessageFaults, StrikeAsOftenAsTheyAreToldTo) {
  struct Case {
    std::string_view text;
    std::uint32_t strikes;
  };
  constexpr Case cases[] = {
      {"drop = \"acquire\"\nfrom = \"a\"\ntimes = 2", 2},
      {"delay = \"replication\"\nby = \"1ms\"\nnth = 2\ntimes = 2", 2},
      {"delay = \"any\"\nby = \"1ms\"\nfrom = \"a\"\nto = \"n1\"\nnth = 2", 1},
  };
  for (const Case& each : cases) {
    SCOPED_TRACE(each.text);
    const SimulatedRun run(scenario(std::string("[[fault]]\n").append(each.text).append("\n")));
    EXPECT_EQ(run.result().fault_strikes[0], each.strikes);
  }
  const SimulatedRun run(
      scenario("[[fault]]\ndelay = \"replication\"\nby = \"1ms\"\ntimes = \"always\"\n"));
  EXPECT_EQ(run.events("message-delayed").size(), run.events("stream-applied").size());
}

TEST(MessageFaults, AMessageThatNothingOvertakesGoesOnByItself) {
  const SimulatedRun run(
      scenario("[[fault]]\nreorder = \"acquire\"\nbehind = \"read\"\nfrom = "
               "\"a\"\nat_most = \"2s\"\n"));
  // a reads nothing before it has the lock.
  ASSERT_EQ(run.events("message-held").size(), 1U);
  EXPECT_EQ(run.result().fault_strikes[0], 1U);
  EXPECT_TRUE(run.events("message-let-go").empty());
  const std::int64_t held = run.events("message-held").front()->number("message");
  for (const RecordedEvent* event : run.events("message-delivered")) {
    if (event->number("message") != held) continue;
    EXPECT_GE(event->at, 2000 * ms);
  }
}

}  // namespace
}  // namespace lockstep::model::test
