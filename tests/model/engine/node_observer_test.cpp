// Observers of nodes: told what goes in and out of each process, in order, and changing nothing.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "redis/server/node_event.h"
#include "redis/server/server.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "sim/seeded_choices.h"
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
