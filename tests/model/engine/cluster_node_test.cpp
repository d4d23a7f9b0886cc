// The state machine of a cluster node: who suspects whom, who votes for whom, who has which slots.
#include "model/cluster/cluster_node.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "tests/model/engine/bare_cluster.h"

namespace lockstep::model::test {
namespace {

using Kind = ClusterStep::Kind;

constexpr std::int64_t timeout_ms = 1500;

ClusterSettings settings() {
  ClusterSettings settings;
  settings.node_timeout_ms = timeout_ms;
  return settings;
}

/// Three masters with a replica each: 0 and 1, 2 and 3, 4 and 5.
struct Failure {
  const char* name;
  std::vector<ClusterIndex> paused;
  std::vector<ClusterIndex> elected;  // in any order
};

TEST(ClusterNode, AReplicaIsElectedWhereMostMastersAreThere) {
  const Failure failures[] = {
      {"nothing", {}, {}},
      {"a master", {0}, {1}},
      {"another master", {4}, {5}},
      {"a replica", {1}, {}},
      {"a master and its replica", {0, 1}, {}},
      {"a master and another's replica", {0, 3}, {1}},
      {"most masters", {0, 2}, {}},
      {"all masters", {0, 2, 4}, {}},
      {"all replicas", {1, 3, 5}, {}},
  };
  for (const Failure& failure : failures) {
    SCOPED_TRACE(failure.name);
    BareCluster cluster(3, 1, settings());
    for (const ClusterIndex node : failure.paused) cluster.pause(node);
    cluster.run_ms(20'000);
    std::vector<ClusterIndex> elected;
    for (const auto& each : cluster.steps(Kind::elected)) elected.push_back(each.by);
    EXPECT_EQ(elected, failure.elected);
  }
}

TEST(ClusterNode, TheStepsOfAFailoverComeInOrderAndInTime) {
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    BareCluster cluster(3, 1, settings(), seed);
    cluster.run_ms(1000);
    cluster.pause(0);
    cluster.run_ms(8000);
    const auto at = [&](Kind kind) { return cluster.steps(kind).front().at_ms - 1000; };
    ASSERT_EQ(cluster.steps(Kind::elected).size(), 1U);
    EXPECT_GE(at(Kind::suspected), timeout_ms);
    EXPECT_LE(at(Kind::suspected), 2 * timeout_ms);
    EXPECT_GE(at(Kind::failed), at(Kind::suspected));
    EXPECT_LE(at(Kind::failed), 2 * timeout_ms + 500);
    const std::int64_t campaign_ms = at(Kind::vote_requested) - at(Kind::failed);
    EXPECT_GE(campaign_ms, 500);
    EXPECT_LE(campaign_ms, 1100);
    EXPECT_LE(at(Kind::elected) - at(Kind::vote_requested), 10);
    EXPECT_TRUE(cluster.node(2).is_up());
    EXPECT_EQ(cluster.node(2).owner_of(0), 1U);
  }
}

TEST(ClusterNode, AnOldMasterFollowsWhoTookOverFromIt) {
  BareCluster cluster(3, 2, settings());
  cluster.pause(0);
  cluster.run_ms(8000);
  ASSERT_EQ(cluster.steps(Kind::elected).size(), 1U);
  const ClusterIndex winner = cluster.steps(Kind::elected).front().by;
  cluster.resume(0);
  cluster.run_ms(2);
  EXPECT_EQ(cluster.node(0).known(0).master, winner);
  EXPECT_EQ(cluster.node(0).owner_of(0), winner);
  cluster.run_ms(5000);
  const ClusterIndex sibling = winner == 1 ? 2 : 1;
  EXPECT_EQ(cluster.node(sibling).known(sibling).master, winner);
  for (ClusterIndex i = 0; i < 9; ++i) {
    EXPECT_TRUE(cluster.node(i).is_up());
    EXPECT_FALSE(cluster.node(i).known(0).has_failed);
  }
}

TEST(ClusterNode, TheReplicaWithMoreOfTheDataStandsFirst) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    BareCluster cluster(3, 2, settings(), seed);
    cluster.set_offset(2, 100);
    cluster.run_ms(2000);
    cluster.pause(0);
    cluster.run_ms(8000);
    ASSERT_EQ(cluster.steps(Kind::elected).size(), 1U);
    EXPECT_EQ(cluster.steps(Kind::elected).front().by, 2U) << seed;
  }
}

TEST(ClusterNode, AReplicaThatHasNotHeardOfItsMasterForTooLongDoesNotStand) {
  // (silent for, validity factor) and whether it stands: node timeout + 10 s + factor · node
  // timeout.
  struct Silence {
    std::int64_t ms;
    std::int64_t factor;
    bool stands;
  };
  for (const auto& [silent_ms, factor, stands] :
       {Silence{26'000, 10, true}, Silence{27'000, 10, false}, Silence{27'000, 0, true}}) {
    ClusterSettings strict = settings();
    strict.replica_validity_factor = factor;
    BareCluster cluster(3, 1, strict);
    cluster.set_master_silent_ms(1, silent_ms);
    cluster.pause(0);
    cluster.run_ms(10'000);
    EXPECT_EQ(cluster.steps(Kind::elected).size(), stands ? 1U : 0U) << silent_ms;
    EXPECT_EQ(cluster.steps(Kind::ineligible).empty(), stands) << silent_ms;
  }
}

TEST(ClusterNode, AMasterInTheMinorityStopsAfterTheNodeTimeoutAndWaitsBeforeItServesAgain) {
  BareCluster cluster(3, 0, settings());
  cluster.run_ms(1000);
  for (const ClusterIndex other : {1U, 2U}) cluster.cut(0, other);
  cluster.run_ms(timeout_ms);
  EXPECT_TRUE(cluster.node(0).is_up());
  cluster.run_ms(timeout_ms);
  EXPECT_FALSE(cluster.node(0).is_up());
  for (const ClusterIndex other : {1U, 2U}) cluster.heal(0, other);
  const std::int64_t healed_ms = cluster.now_ms();
  cluster.run_ms(10'000);
  const auto states = cluster.steps(Kind::state_changed);
  const auto own = [](const auto& each) { return each.by == 0; };
  const auto last = std::find_if(states.rbegin(), states.rend(), own);
  ASSERT_NE(last, states.rend());
  EXPECT_EQ(last->step.number, 1);
  EXPECT_GE(last->at_ms - healed_ms, timeout_ms - ClusterNode::cron_period_ms);
}

TEST(ClusterNode, AMasterThatStartsAnewServesAfterTwoSeconds) {
  BareCluster cluster(3, 1, settings());
  cluster.run_ms(1000);
  cluster.restart(0);
  EXPECT_FALSE(cluster.node(0).is_up());
  cluster.run_ms(1900);
  EXPECT_FALSE(cluster.node(0).is_up());
  cluster.run_ms(300);
  EXPECT_TRUE(cluster.node(0).is_up());
  EXPECT_TRUE(cluster.steps(Kind::elected).empty());
}

TEST(ClusterNode, WithoutFullCoverageTheOthersGoOnServing) {
  for (const bool requires_full : {true, false}) {
    ClusterSettings lenient = settings();
    lenient.requires_full_coverage = requires_full;
    BareCluster cluster(3, 0, lenient);
    cluster.pause(0);
    cluster.run_ms(5000);
    EXPECT_EQ(cluster.node(1).is_up(), !requires_full);
  }
}

TEST(ClusterNode, AnOperatorsFailoverNeedsNoFailure) {
  for (const OperatorFailover how : {OperatorFailover::force, OperatorFailover::takeover}) {
    BareCluster cluster(3, 1, settings());
    cluster.run_ms(1000);
    cluster.node(1).fail_over(how, 1'700'000'000'000 + cluster.now_ms());
    cluster.run_ms(2000);
    EXPECT_EQ(cluster.steps(Kind::voted).empty(), how == OperatorFailover::takeover);
    for (ClusterIndex i = 0; i < 6; ++i) EXPECT_EQ(cluster.node(i).owner_of(0), 1U);
    EXPECT_EQ(cluster.node(0).known(0).master, 1U);
  }
}

/// What may happen to a cluster of six.
struct Trouble {
  int kind;
  ClusterIndex who;
  ClusterIndex other;
  std::int64_t after_ms;
};

std::ostream& operator<<(std::ostream& out, const Trouble& trouble) {
  constexpr const char* kinds[] = {"pause", "resume", "restart", "cut", "heal"};
  return out << kinds[trouble.kind] << ' ' << trouble.who << ' ' << trouble.other << " after "
             << trouble.after_ms << " ms";
}

rc::Gen<Trouble> any_trouble() {
  return rc::gen::construct<Trouble>(rc::gen::inRange(0, 5), rc::gen::inRange<ClusterIndex>(0, 6),
                                     rc::gen::inRange<ClusterIndex>(0, 6),
                                     rc::gen::inRange<std::int64_t>(0, 4000));
}

void strike(BareCluster& cluster, const Trouble& trouble) {
  cluster.run_ms(trouble.after_ms);
  if (trouble.kind == 0) cluster.pause(trouble.who);
  if (trouble.kind == 1) cluster.resume(trouble.who);
  if (trouble.kind == 2) cluster.restart(trouble.who);
  if (trouble.who == trouble.other) return;
  if (trouble.kind == 3) cluster.cut(trouble.who, trouble.other);
  if (trouble.kind == 4) cluster.heal(trouble.who, trouble.other);
}

void heal_all(BareCluster& cluster) {
  for (ClusterIndex i = 0; i < 6; ++i) {
    cluster.resume(i);
    for (ClusterIndex j = 0; j < i; ++j) cluster.heal(i, j);
  }
}

RC_GTEST_PROP(ClusterNodeProperty, OneWinnerInAnEpochAndOneOwnerOfASlotInTheEnd, ()) {
  const auto troubles = *rc::gen::container<std::vector<Trouble>>(any_trouble());
  BareCluster cluster(3, 1, settings(), *rc::gen::arbitrary<std::uint32_t>());
  for (const Trouble& trouble : troubles) strike(cluster, trouble);
  heal_all(cluster);
  cluster.run_ms(20'000);
  std::map<std::int64_t, ClusterIndex> winners;
  for (const auto& each : cluster.steps(Kind::elected)) {
    RC_ASSERT(winners.emplace(each.step.number, each.by).second);
  }
  std::set<std::pair<ClusterIndex, std::int64_t>> votes;
  for (const auto& each : cluster.steps(Kind::voted)) {
    RC_ASSERT(votes.emplace(each.by, each.step.number).second);
  }
  for (ClusterIndex i = 0; i < 6; ++i) {
    RC_ASSERT(cluster.node(i).is_up());
    for (std::size_t share = 0; share < 3; ++share) {
      const ClusterIndex owner = cluster.node(i).owner_of(share);
      RC_ASSERT(owner == cluster.node(0).owner_of(share));
      RC_ASSERT(!cluster.node(owner).is_replica());
    }
  }
}

}  // namespace
}  // namespace lockstep::model::test
