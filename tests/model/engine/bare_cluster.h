// Cluster nodes that talk to each other with nothing below them: no hosts, no Redis, no network but
// a list of what is under way. For tests of the state machine alone, thousands of seconds at a
// time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "model/cluster/cluster_node.h"

namespace lockstep::model::test {

class BareCluster {
 public:
  struct ReportedStep {
    std::int64_t at_ms;
    ClusterIndex by;
    ClusterStep step;
  };

  /// Each master is followed by its replicas. Times begin at 0.
  BareCluster(std::uint32_t masters, std::uint32_t replicas, const ClusterSettings& settings,
              std::uint32_t seed = 1);

  void pause(ClusterIndex node) { paused_.insert(node); }
  void resume(ClusterIndex node) {
    paused_.erase(node);
    wake();
  }
  void restart(ClusterIndex node);
  void cut(ClusterIndex one, ClusterIndex other) { cuts_.insert(std::minmax(one, other)); }
  void heal(ClusterIndex one, ClusterIndex other) {
    cuts_.erase(std::minmax(one, other));
    wake();
  }
  void run_ms(std::int64_t ms);

  [[nodiscard]] ClusterNode& node(ClusterIndex index) { return nodes_[index]->node; }
  [[nodiscard]] std::int64_t now_ms() const { return now_ms_ - epoch_ms; }
  [[nodiscard]] const std::vector<ReportedStep>& steps() const { return steps_; }
  [[nodiscard]] std::vector<ReportedStep> steps(ClusterStep::Kind kind) const;
  void set_offset(ClusterIndex node, std::int64_t offset) { nodes_[node]->offset = offset; }
  void set_master_silent_ms(ClusterIndex node, std::int64_t ms) { nodes_[node]->silent_ms = ms; }

 private:
  static constexpr std::int64_t epoch_ms = 1'700'000'000'000;

  struct Node final : ClusterPort {
    Node(BareCluster& its_cluster, ClusterIndex its_index)
        : cluster(its_cluster), index(its_index), node(*this) {}
    void open_link(ClusterIndex to) override { cluster.opening_.push_back({index, to}); }
    void close_link(ClusterIndex to) override {
      std::erase(cluster.opening_, std::pair(index, to));
    }
    void send(ClusterIndex to, const ClusterMessage& message) override {
      cluster.under_way_.push_back({index, to, ClusterNode::Via::other, message});
    }
    void answer(const ClusterMessage& message) override {
      cluster.under_way_.push_back({index, asker, ClusterNode::Via::own_link, message});
    }
    std::uint64_t random_below(std::uint64_t bound) override { return cluster.random_() % bound; }
    [[nodiscard]] std::int64_t replication_offset() const override { return offset; }
    [[nodiscard]] std::int64_t master_silent_ms() const override { return silent_ms; }
    void become_master() override {}
    void follow(ClusterIndex) override {}
    void on_published(std::string_view, std::string_view) override {}
    void on_published_to_shard(std::string_view, std::string_view) override {}
    void on_step(const ClusterStep& step) override {
      cluster.steps_.push_back({cluster.now_ms(), index, step});
    }

    BareCluster& cluster;
    ClusterIndex index;
    ClusterIndex asker = 0;
    std::int64_t offset = 0;
    std::int64_t silent_ms = 0;
    ClusterNode node;
  };
  struct Flight {
    ClusterIndex from;
    ClusterIndex to;
    ClusterNode::Via via;
    ClusterMessage message;
  };

  [[nodiscard]] bool reaches(ClusterIndex from, ClusterIndex to) const {
    return !paused_.contains(to) && !cuts_.contains(std::minmax(from, to));
  }
  void deliver();
  /// What waits may reach somebody now.
  void wake();
  void open();

  std::mt19937_64 random_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::int64_t now_ms_ = epoch_ms;
  std::set<ClusterIndex> paused_;
  std::set<std::pair<ClusterIndex, ClusterIndex>> cuts_;
  std::vector<Flight> under_way_;
  std::vector<Flight> waiting_;  // delivered later, in order, as TCP does
  std::vector<std::pair<ClusterIndex, ClusterIndex>> opening_;
  std::vector<ReportedStep> steps_;
};

}  // namespace lockstep::model::test
