#include "tests/model/engine/bare_cluster.h"

#include <algorithm>

namespace lockstep::model::test {

BareCluster::BareCluster(std::uint32_t masters, std::uint32_t replicas,
                         const ClusterSettings& settings, std::uint32_t seed)
    : random_(seed) {
  std::vector<ClusterMemberSpec> members;
  for (std::uint32_t i = 0; i < masters; ++i) {
    const auto master = static_cast<ClusterIndex>(members.size());
    members.push_back({});
    for (std::uint32_t replica = 0; replica < replicas; ++replica) members.push_back({master});
  }
  for (ClusterIndex i = 0; i < members.size(); ++i) {
    nodes_.push_back(std::make_unique<Node>(*this, i));
    nodes_.back()->node.start(i, members, settings, now_ms_);
  }
}

std::vector<BareCluster::ReportedStep> BareCluster::steps(ClusterStep::Kind kind) const {
  std::vector<ReportedStep> found;
  std::copy_if(steps_.begin(), steps_.end(), std::back_inserter(found),
               [&](const ReportedStep& each) { return each.step.kind == kind; });
  return found;
}

/// Kill and start anew at once: its links break at both ends.
void BareCluster::restart(ClusterIndex index) {
  wake();
  std::erase_if(under_way_,
                [&](const Flight& each) { return each.from == index || each.to == index; });
  std::erase_if(opening_, [&](const auto& each) { return each.first == index; });
  nodes_[index]->node.restart(now_ms_);
  for (ClusterIndex other = 0; other < nodes_.size(); ++other) {
    if (other != index) nodes_[other]->node.on_link_closed(index, now_ms_);
  }
}

void BareCluster::deliver() {
  std::vector<Flight> flights = std::move(under_way_);
  under_way_.clear();
  for (Flight& flight : flights) {
    if (!reaches(flight.from, flight.to)) {
      waiting_.push_back(std::move(flight));
      continue;
    }
    nodes_[flight.to]->asker = flight.from;
    nodes_[flight.to]->node.receive(flight.message, flight.via, now_ms_);
  }
}

void BareCluster::wake() {
  waiting_.insert(waiting_.end(), under_way_.begin(), under_way_.end());
  under_way_ = std::exchange(waiting_, {});
}

/// The kernel of a paused process accepts connections for it.
void BareCluster::open() {
  auto attempts = std::move(opening_);
  opening_.clear();
  for (const auto& [from, to] : attempts) {
    if (cuts_.contains(std::minmax(from, to)) || paused_.contains(from)) {
      opening_.push_back({from, to});
    } else {
      nodes_[from]->node.on_link_opened(to, now_ms_);
    }
  }
}

void BareCluster::run_ms(std::int64_t ms) {
  for (const std::int64_t end_ms = now_ms_ + ms; now_ms_ < end_ms; ++now_ms_) {
    if (!under_way_.empty()) deliver();
    if (!opening_.empty()) open();
    for (ClusterIndex i = 0; i < nodes_.size(); ++i) {
      const bool is_due = (now_ms_ + 13 * i) % ClusterNode::cron_period_ms == 0;
      if (is_due && !paused_.contains(i)) nodes_[i]->node.cron(now_ms_);
    }
  }
}

}  // namespace lockstep::model::test
