// A Redis Cluster on the simulated network: the measured sequence of a failover (Redis 7.0.15, six
// nodes, node timeout 1500 ms, a master stopped), who serves when, and clients that follow.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "checker/property.h"
#include "tests/model/engine/simulated_run.h"

namespace lockstep::model::test {
namespace {

/// The lock "orders" is in a slot of n1.
std::string scenario(std::string_view clients, std::string_view faults) {
  std::string text =
      "title = \"cluster\"\nlock = \"plain\"\nlock_name = \"orders\"\n"
      "expect = { holds = \"harm\" }\n"
      "[redis]\ntopology = \"cluster\"\nreplicas = 1\ncluster = { node_timeout = \"1500ms\" }\n";
  text += clients;
  text += faults;
  return text;
}

constexpr std::string_view one_client =
    "[[client]]\nname = \"a\"\nrun = [\"lock lease=30s\", \"sleep 12s\", \"unlock\"]\n";
constexpr std::string_view master_paused = "[[fault]]\npause = \"n1\"\nat = \"2s\"\nfor = \"8s\"\n";

sim::TimeNs first_at(const SimulatedRun& run, std::string_view kind, std::string_view actor = {}) {
  const auto events = run.events(kind, actor);
  return events.empty() ? sim::never_ns : events.front()->at;
}

bool has_text(const RecordedEvent& event, std::string_view field, std::string_view text) {
  return event.text(field) == text;
}

TEST(Cluster, AFailoverGoesAsMeasuredInOrderAndInTime) {
  constexpr sim::TimeNs paused_at = 2 * sim::second_ns;
  sim::DurationNs fastest_ns = sim::never_ns;
  sim::DurationNs slowest_ns = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    const SimulatedRun run(scenario(one_client, master_paused), seed);
    const sim::TimeNs suspected = first_at(run, "cluster-suspected") - paused_at;
    const sim::TimeNs failed = first_at(run, "cluster-failed") - paused_at;
    const sim::TimeNs asked = first_at(run, "cluster-vote-requested", "n1-replica-1") - paused_at;
    const sim::TimeNs voted = first_at(run, "cluster-voted") - paused_at;
    const sim::TimeNs promoted = first_at(run, "node-promoted", "n1-replica-1") - paused_at;
    EXPECT_GE(suspected, 1500 * sim::millisecond_ns);
    EXPECT_LT(suspected, failed);
    EXPECT_LE(failed, 3 * sim::second_ns);
    EXPECT_GE(asked - failed, 500 * sim::millisecond_ns);
    EXPECT_LE(asked - failed, 1200 * sim::millisecond_ns);
    EXPECT_LT(asked, voted);
    EXPECT_LT(voted, promoted);
    EXPECT_LE(promoted - asked, 3 * sim::millisecond_ns);
    fastest_ns = std::min(fastest_ns, promoted);
    slowest_ns = std::max(slowest_ns, promoted);
    EXPECT_EQ(run.events("cluster-elected").size(), 1U);
    EXPECT_EQ(run.events("cluster-voted").size(), 2U);
  }
  // 2.99 s was measured.
  EXPECT_LE(fastest_ns, 3 * sim::second_ns);
  EXPECT_GE(slowest_ns, 3 * sim::second_ns);
}

TEST(Cluster, AnOldMasterThatGoesOnGrantsNothing) {
  const std::string clients = std::string(one_client) +
                              "[[client]]\nname = \"b\"\nstart = \"10s\"\n"
                              "run = [\"lock lease=30s\", \"unlock\"]\n";
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    const SimulatedRun run(scenario(clients, master_paused), seed);
    const auto moved = run.events("cluster-slots-moved", "n1");
    ASSERT_EQ(moved.size(), 1U);
    EXPECT_LT(moved.front()->at, 10'010 * sim::millisecond_ns);
    for (const RecordedEvent* event : run.events("command-executed", "n1")) {
      const bool is_stale = event->at >= 10 * sim::second_ns && event->number("writes") > 0;
      EXPECT_FALSE(is_stale);
    }
    // It is the new master's replica: it has missed nothing of the stream, and goes on with it.
    EXPECT_TRUE(run.events("dataset-loaded", "n1").empty());
    EXPECT_FALSE(run.events("stream-applied", "n1").empty());
    EXPECT_FALSE(run.violates(checker::Property::mutual_exclusion));
  }
}

TEST(Cluster, AClientIsSentOnAndAsksNoLongerAtTheOldMaster) {
  const std::string clients =
      "[[client]]\nname = \"a\"\nstart = \"11s\"\n"
      "run = [\"lock lease=30s\", \"unlock\", \"lock lease=30s\", \"unlock\"]\n";
  // a looks for n1 before its scan has told it otherwise: a scan every 5 s, at most.
  const std::string_view faults = "[[fault]]\npromote = \"n1-replica-1\"\nat = \"10900ms\"\n";
  std::size_t redirected = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const SimulatedRun run(scenario(clients, faults), seed);
    const auto executed = run.events("command-executed", "n1");
    for (const RecordedEvent* event : executed) {
      if (std::string(event->text("reply")).find("MOVED 105 n1-replica-1:6379") !=
          std::string::npos) {
        ++redirected;
      }
    }
    EXPECT_LE(std::count_if(executed.begin(), executed.end(),
                            [](const auto* each) { return has_text(*each, "label", "acquire"); }),
              1);
    EXPECT_TRUE(run.events("call-retried").empty());
    EXPECT_FALSE(run.violates(checker::Property::no_leak));
  }
  EXPECT_EQ(redirected, 5U);
}

TEST(Cluster, AMasterInTheMinorityStopsServingAfterTheNodeTimeout) {
  std::string faults;
  for (const std::string_view other :
       {"n1-replica-1", "n2", "n2-replica-1", "n3", "n3-replica-1"}) {
    faults += "[[fault]]\ncut = [\"n1\", \"";
    faults += other;
    faults += "\"]\nat = \"2s\"\nfor = \"10s\"\n";
  }
  const std::string clients =
      "[[client]]\nname = \"a\"\nrounds = 40\n"
      "run = [\"try_lock lease=1s\", \"unlock\", \"sleep 250ms\"]\n";
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    const SimulatedRun run(scenario(clients, faults), seed);
    sim::TimeNs last_write = 0;
    for (const RecordedEvent* event : run.events("command-executed", "n1")) {
      if (event->number("writes") > 0) last_write = event->at;
    }
    EXPECT_GE(last_write, 3 * sim::second_ns);  // it went on for a while
    const auto states = run.events("cluster-state", "n1");
    ASSERT_FALSE(states.empty());
    EXPECT_TRUE(has_text(*states.front(), "state", "fail"));
    EXPECT_LE(states.front()->at, 5 * sim::second_ns);
    EXPECT_LE(last_write, states.front()->at);
    EXPECT_FALSE(run.events("cluster-elected", "n1-replica-1").empty());
  }
}

TEST(Cluster, AMasterThatDiesIsReplacedAndComesBackAsAReplica) {
  const SimulatedRun run(scenario(one_client,
                                  "[[fault]]\ncrash = \"n1\"\nat = \"2s\"\n"
                                  "[[fault]]\nrestart = \"n1\"\nat = \"9s\"\n"));
  EXPECT_EQ(run.events("node-promoted", "n1-replica-1").size(), 1U);
  EXPECT_FALSE(run.events("dataset-loaded", "n1").empty());
  EXPECT_FALSE(run.violates(checker::Property::mutual_exclusion));
  EXPECT_FALSE(run.violates(checker::Property::no_leak));
}

TEST(Cluster, AMessageReachesASubscriberAtAnyNode) {
  // c waits for a message on the node that a failover has made a replica meanwhile.
  const std::string clients =
      "[[client]]\nname = \"a\"\nrun = [\"lock lease=60s\", \"sleep 4s\", \"unlock\"]\n"
      "[[client]]\nname = \"c\"\nstart = \"1s\"\nrun = [\"lock lease=60s\", \"unlock\"]\n";
  const SimulatedRun run(scenario(clients, "[[fault]]\npromote = \"n1-replica-1\"\nat = \"2s\"\n"));
  EXPECT_FALSE(run.violates(checker::Property::no_lost_wakeup));
  EXPECT_FALSE(run.violates(checker::Property::mutual_exclusion));
  for (const RecordedEvent* event : run.events("step-completed", "c/1")) {
    EXPECT_EQ(event->text("outcome"), "ok");
    EXPECT_LT(event->at, 6 * sim::second_ns);
  }
}

TEST(Cluster, WhereMostMastersAreGoneNobodyTakesOver) {
  const SimulatedRun run(scenario(one_client,
                                  "[[fault]]\ncrash = \"n1\"\nat = \"1s\"\n"
                                  "[[fault]]\ncrash = \"n2\"\nat = \"1s\"\n"));
  EXPECT_TRUE(run.events("cluster-elected").empty());
  EXPECT_TRUE(run.events("node-promoted").empty());
  EXPECT_FALSE(run.events("cluster-state", "n3").empty());
}

}  // namespace
}  // namespace lockstep::model::test
