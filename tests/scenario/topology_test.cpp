// [redis] topology: what is read, and what is refused.
#include <gtest/gtest.h>

#include <string>

#include "scenario/explain.h"
#include "scenario/participants.h"
#include "scenario/scenario.h"
#include "scenario/sentinel_names.h"
#include "tests/scenario/invalid_scenarios.h"

namespace lockstep::model::topology {
namespace {

constexpr std::string_view client = "[[client]]\nname = \"a\"\nrun = [\"lock lease=1s\"]\n";

TEST(Topology, RefusesWhatDoesNotGoTogether) {
  constexpr InvalidScenario cases[] = {
      {"topology = \"⟦sentinal\"\nreplicas = 1\n",
       "there is no topology 'sentinal'; did you mean 'sentinel'? (there are independent, "
       "sentinel and cluster)"},
      {"topology = \"cluster\"\nmasters = ⟦2\n",
       "2 masters can't agree on a failover; expected masters = 3 or more"},
      {"topology = ⟦\"cluster\"\nmasters = 40\nreplicas = 2\n",
       "this cluster has 120 nodes; expected 100 at most"},
      {"⟦cluster = { node_timeout = \"1s\" }\n",
       "there is no cluster to set; expected topology = \"cluster\" too"},
      {"topology = \"cluster\"\ncluster = { node_timeout = \"⟦100ms\" }\n",
       "'node_timeout' is 100ms; expected whole milliseconds, 200ms or more"},
      {"topology = ⟦1\n", "'topology' is a whole number; expected a string in quotes"},
      {"topology = ⟦\"sentinel\"\n",
       "sentinels have no replica to promote; expected 'replicas', as in replicas = 2"},
      {"topology = \"sentinel\"\nmasters = ⟦2\nreplicas = 1\n",
       "sentinels watch one master here, not 2; expected masters = 1"},
      {"⟦sentinel = { count = 3 }\n",
       "there are no sentinels to set; expected topology = \"sentinel\" too"},
      {"topology = \"sentinel\"\nreplicas = 1\nsentinel = { ⟦counts = 3 }\n",
       "unknown key 'counts'; did you mean 'count'? ([redis.sentinel] has count, quorum, "
       "down_after and failover_timeout)"},
      {"topology = \"sentinel\"\nreplicas = 1\nsentinel = { count = ⟦10 }\n",
       "'count' is 10; expected a whole number from 1 to 9"},
      {"topology = \"sentinel\"\nreplicas = 1\nsentinel = { quorum = ⟦4 }\n",
       "a quorum of 4 among 3 sentinels is never reached; expected 3 at most"},
      {"topology = \"sentinel\"\nreplicas = 1\nsentinel = { down_after = \"⟦1500us\" }\n",
       "'down_after' is 1.5ms; expected whole milliseconds, 10ms or more"},
      {"topology = \"sentinel\"\nreplicas = 1\n[[client]]\nname = \"⟦s2\"\nrun = [\"sleep 1s\"]\n",
       "'s2' is taken: sentinels are named s1, s2 …"},
      {"topology = \"sentinel\"\nreplicas = 1\n[[fault]]\ncrash = \"⟦s4\"\nat = \"1s\"\n",
       "there is no client or node 's4' (there are a, n1, n1-replica-1, s1, s2 and s3)"},
      {"topology = \"sentinel\"\nreplicas = 1\n[[fault]]\npower_loss = \"⟦s1\"\nat = \"1s\"\n",
       "'s1' is a sentinel; expected a node"},
      {"topology = \"sentinel\"\nreplicas = 1\n[[fault]]\ncut = [\"s1\", \"⟦resource\"]\n",
       "'s1' and 'resource' never talk to each other; expected a client and a node or the "
       "resource, or two nodes of one shard"},
      {"topology = \"sentinel\"\nreplicas = 1\n"
       "[[fault]]\ncrash = \"n1\"\nwhen = \"s1 switched ⟦a\"\n",
       "'a' is a client; expected a node"},
  };
  const std::string before = std::string(head) + "[redis]\n";
  for (const InvalidScenario& wrong : cases) expect_invalid(before, wrong, client);
}

TEST(Topology, OfSentinelsIsReadAndTold) {
  const scenario::Scenario scenario = scenario::parse_scenario(
      "t.toml", std::string(head) +
                    "[redis]\ntopology = \"sentinel\"\nreplicas = 2\n"
                    "sentinel = { count = 5, down_after = \"1s\", failover_timeout = \"10s\" }\n" +
                    std::string(client) +
                    "[[fault]]\ncut = [\"s1\", \"s5\"]\nwhen = \"s2 subjectively-down n1\"\n"
                    "[[fault]]\nrestart = \"s3\"\nwhen = \"s3 crashed\"\n"
                    "[[fault]]\ncrash = \"s3\"\nwhen = \"n1-replica-1 promoted\"\n");
  EXPECT_EQ(scenario.redis.topology, scenario::TopologyKind::sentinel);
  EXPECT_EQ(scenario::quorum_of(scenario.redis.sentinel), 3U);
  EXPECT_NE(scenario::explain(scenario).find(
                "sentinels: 5, quorum 3; down after 1s, failover timeout 10s\n"),
            std::string::npos);
  EXPECT_EQ(scenario.faults[0].trigger.when->detail, "n1");
  const scenario::Participants participants(scenario.redis, scenario.clients);
  ASSERT_NE(participants.find("s5"), nullptr);
  EXPECT_EQ(participants.find("s6"), nullptr);
  EXPECT_TRUE(scenario::can_communicate(*participants.find("a"), *participants.find("s5")));
}

}  // namespace
}  // namespace lockstep::model::topology
