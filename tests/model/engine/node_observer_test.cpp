// Observers of nodes: told what goes in and out of each process, in order, and changing nothing.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "model/recorded_trace.h"
#include "redis/server/node_event.h"
#include "redis/server/server.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "sim/seeded_choices.h"
#include "tests/model/client/lock_folder.h"
#include "tests/model/engine/simulated_run.h"
#include "tests/support/script_folder.h"

namespace lockstep::model::test::node_observer {
namespace {

constexpr std::string_view scenario = R"(
title  = "Failover"
lock   = "plain"
expect = { holds = "hold-count" }
[redis]
replicas = 1
[[client]]
name = "a"
run  = ["lock lease=30s", "sleep 1s", "unlock"]
[[fault]]
crash = "n1"
when  = "a acquired"
[[fault]]
promote = "n1-replica-1"
when    = "n1 crashed"
[[fault]]
delete = "lock"
on     = "n1"
when   = "n1-replica-1 promoted"
)";

/// Writes down what each node was told, a word an event.
class Diary final : public redis::NodeObserver {
 public:
  void on_node_event(redis::NodeEvent event) override { events.push_back(std::move(event)); }

  template <typename What>
  [[nodiscard]] std::vector<What> all_at(sim::ActorId node) const {
    std::vector<What> found;
    for (const redis::NodeEvent& event : events) {
      const auto* what = std::get_if<What>(&event.what);
      if (what != nullptr && event.node == node) found.push_back(*what);
    }
    return found;
  }

  std::vector<redis::NodeEvent> events;
};

class NodeObserverTest : public ::testing::Test {
 protected:
  NodeObserverTest()
      : simulation_(engine_.prepare(scenario::parse_scenario("t.toml", std::string(scenario)))) {
    sim::SeededChoices choices(1);
    hash_ = simulation_->run(choices, nullptr, &diary_).hash;
    for (std::uint32_t i = 0; i < simulation_->actors().size(); ++i) {
      if (simulation_->actors()[i].name == "n1") master_ = sim::ActorId{i};
      if (simulation_->actors()[i].name == "n1-replica-1") replica_ = sim::ActorId{i};
    }
  }

  Engine engine_{{support::script_folder()}};
  std::unique_ptr<Simulation> simulation_;
  Diary diary_;
  std::uint64_t hash_ = 0;
  sim::ActorId master_{};
  sim::ActorId replica_{};
};

TEST_F(NodeObserverTest, ChangesNothing) {
  sim::SeededChoices choices(1);
  EXPECT_EQ(simulation_->run(choices).hash, hash_);
}

TEST_F(NodeObserverTest, IsToldOfEveryRequestAndItsReply) {
  const auto sent = diary_.all_at<redis::node_event::CommandSent>(master_);
  const auto replied = diary_.all_at<redis::node_event::CommandReplied>(master_);
  ASSERT_FALSE(sent.empty());
  EXPECT_EQ(sent.size(), replied.size());
  EXPECT_EQ(sent[0].words[0], "EVAL");
  EXPECT_EQ(sent[0].label, "acquire");
  EXPECT_EQ(simulation_->actors()[static_cast<std::uint32_t>(sent[0].by)].name, "a/1");
}

TEST_F(NodeObserverTest, IsToldOfTheStreamAtBothEnds) {
  std::string written;
  for (const auto& part : diary_.all_at<redis::node_event::StreamWritten>(master_))
    written += part.bytes;
  std::string applied;
  for (const auto& part : diary_.all_at<redis::node_event::StreamApplied>(replica_))
    applied += part.bytes;
  EXPECT_FALSE(written.empty());
  EXPECT_EQ(written, applied);
  EXPECT_EQ(diary_.all_at<redis::node_event::PsyncRequested>(master_).at(0).replica, replica_);
}

TEST_F(NodeObserverTest, IsToldOfStartsEndsAndPromotions) {
  EXPECT_EQ(diary_.all_at<redis::node_event::ProcessStarted>(replica_).at(0).role,
            redis::Role::replica);
  EXPECT_EQ(diary_.all_at<redis::node_event::ProcessKilled>(master_).size(), 1U);
  EXPECT_EQ(diary_.all_at<redis::node_event::Promoted>(replica_).size(), 1U);
  EXPECT_TRUE(diary_.all_at<redis::node_event::CommandSent>(replica_).size() > 0)
      << "a goes on there";
}

TEST_F(NodeObserverTest, IsToldOfNothingThatAProcessThatIsGoneWouldDo) {
  const auto gone =
      std::find_if(diary_.events.begin(), diary_.events.end(), [&](const auto& event) {
        return std::holds_alternative<redis::node_event::ProcessKilled>(event.what);
      });
  ASSERT_NE(gone, diary_.events.end());
  EXPECT_TRUE(std::none_of(gone + 1, diary_.events.end(), [&](const redis::NodeEvent& event) {
    return event.node == master_;
  })) << "an operator's DEL does not reach it";
}

TEST_F(NodeObserverTest, IsToldWhenItHappened) {
  sim::TimeNs last_ns = 0;
  for (const redis::NodeEvent& event : diary_.events) {
    EXPECT_GE(event.at_ns, last_ns);
    last_ns = event.at_ns;
    EXPECT_EQ(event.wall_us, 1'704'067'200'000'000 + event.at_ns / 1'000);
  }
}

}  // namespace

}  // namespace lockstep::model::test::node_observer

// REPLICAOF as a client sends it: masters become replicas, also of replicas, and masters again.

namespace lockstep::model::test {
namespace {

/// Runs a client that sends commands to three masters; "GET at n3: v" for each that was executed.
std::vector<std::string> commands_of(const std::string& steps) {
  const lockstep::test::LockFolder folder;
  folder.write("client.lua", lockstep::test::LockFolder::client_model(
                                 "function model.lock(lock)\n" + steps + "\nreturn true\nend"));
  Engine engine({folder.folders()});
  const auto simulation = engine.prepare(scenario::parse_scenario(
      "test.toml",
      "title = \"t\"\nlock = \"own\"\nexpect = { holds = \"harm\" }\n"
      "[redis]\nmasters = 3\n[[client]]\nname = \"a\"\nrun = [\"lock lease=1s\"]\n"));
  sim::SeededChoices choices(1);
  RecordedTrace trace;
  TraceRecorder sink(trace.events);
  simulation->run(choices, &sink);
  std::vector<std::string> lines;
  for (const RecordedEvent& event : trace.events) {
    if (event.kind != "command-executed") continue;
    std::string line(event.text("command"));
    line += " at ";
    line += simulation->actors()[static_cast<std::uint32_t>(event.actor)].name;
    line += ": ";
    line += event.text("reply");
    lines.push_back(line);
  }
  return lines;
}

TEST(ReplicaOf, MakesChainsThatHandTheStreamOn) {
  const std::vector<std::string> lines = commands_of(R"(
    client.command(1, "SET", "k", "before")
    client.command(2, "REPLICAOF", "n1", "6379")
    client.command(3, "REPLICAOF", "n2", "6379")
    client.sleep(3000)
    client.command(3, "GET", "k")
    client.command(1, "SET", "k", "after")
    client.sleep(100)
    client.command(2, "GET", "k")
    client.command(3, "GET", "k"))");
  EXPECT_EQ(lines,
            (std::vector<std::string>{"SET at n1: OK", "REPLICAOF at n2: OK", "REPLICAOF at n3: OK",
                                      "GET at n3: before", "SET at n1: OK", "GET at n2: after",
                                      "GET at n3: after"}));
}

TEST(ReplicaOf, NoOneMakesAMasterWhoseReplicasStay) {
  const std::vector<std::string> lines = commands_of(R"(
    client.command(2, "REPLICAOF", "n1", "6379")
    client.command(3, "REPLICAOF", "n2", "6379")
    client.sleep(3000)
    client.command(2, "REPLICAOF", "NO", "ONE")
    client.sleep(3000)
    client.command(2, "SET", "k", "own")
    client.sleep(100)
    client.command(1, "GET", "k")
    client.command(3, "GET", "k"))");
  EXPECT_EQ(lines, (std::vector<std::string>{"REPLICAOF at n2: OK", "REPLICAOF at n3: OK",
                                             "REPLICAOF at n2: OK", "SET at n2: OK",
                                             "GET at n1: (nil)", "GET at n3: own"}));
}

TEST(ReplicaOf, AHostThatIsNotThereIsWaitedFor) {
  const std::vector<std::string> lines = commands_of(R"(
    client.command(2, "SET", "k", "v")
    client.command(2, "REPLICAOF", "elsewhere", "6379")
    client.sleep(3000)
    client.command(2, "GET", "k"))");
  EXPECT_EQ(lines,
            (std::vector<std::string>{"SET at n2: OK", "REPLICAOF at n2: OK", "GET at n2: v"}));
}

}  // namespace
}  // namespace lockstep::model::test
