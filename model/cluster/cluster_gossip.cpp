// Gossip, and how nodes come to agree that one of them has failed.
//
// Each node suspects (PFAIL) whoever has not answered a ping for the node timeout, and says so in
// the gossip of its pings and pongs. A node that suspects another and has heard, within twice the
// node timeout, that most masters do, calls it failed (FAIL) and tells everybody at once.
#include <algorithm>
#include <utility>

#include "model/cluster/cluster_node.h"

namespace lockstep::model {
namespace {

constexpr std::int64_t ms_in_a_second = 1000;

}  // namespace

// -- speaking --

void ClusterNode::ping(ClusterIndex to) {
  nodes_[to].ping_sent_ms = now_ms_;
  begin(ClusterMessage::Kind::ping);
  add_gossip();
  port_.send(to, outgoing_);
}

/// About a tenth of the nodes, three at least, and all that are suspected: bad news travels fast.
void ClusterNode::add_gossip() {
  const std::size_t others = nodes_.size() < 2 ? 0 : nodes_.size() - 2;
  std::size_t wanted = std::min(std::max<std::size_t>(nodes_.size() / 10, 3), others);
  for (std::size_t tries = wanted * 3; wanted > 0 && tries > 0; --tries) {
    const auto node = static_cast<ClusterIndex>(port_.random_below(nodes_.size()));
    if (node == self_ || nodes_[node].is_suspected) continue;
    if (nodes_[node].link == LinkState::none && !has_slots(node)) continue;
    const bool is_in = std::any_of(outgoing_.gossip.begin(), outgoing_.gossip.end(),
                                   [&](const auto& entry) { return entry.node == node; });
    if (is_in) continue;
    add_gossip_about(node);
    --wanted;
  }
  if (suspected_count_ == 0) return;
  for (ClusterIndex i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].is_suspected) add_gossip_about(i);
  }
}

void ClusterNode::add_gossip_about(ClusterIndex node) {
  const KnownNode& known = nodes_[node];
  outgoing_.gossip.push_back(
      {node, known.is_suspected, known.has_failed, known.pong_received_ms / ms_in_a_second});
}

/// Of five picked at random, the one that has been silent longest.
void ClusterNode::ping_somebody() {
  constexpr int picks = 5;
  std::optional<ClusterIndex> longest;
  for (int i = 0; i < picks; ++i) {
    const auto node = static_cast<ClusterIndex>(port_.random_below(nodes_.size()));
    const KnownNode& known = nodes_[node];
    if (node == self_ || known.link != LinkState::open || known.ping_sent_ms != 0) continue;
    if (!longest || known.pong_received_ms < nodes_[*longest].pong_received_ms) longest = node;
  }
  if (longest) ping(*longest);
}

void ClusterNode::broadcast_pong() {
  begin(ClusterMessage::Kind::pong);
  add_gossip();
  send_to_all();
}

// -- watching --

void ClusterNode::watch(ClusterIndex index) {
  KnownNode& node = nodes_[index];
  const std::int64_t half_timeout_ms = settings_.node_timeout_ms / 2;
  const bool is_awaited = node.ping_sent_ms != 0;
  const std::int64_t silent_ms =
      std::min(now_ms_ - node.ping_sent_ms, now_ms_ - node.data_received_ms);
  const bool is_old_link = now_ms_ - node.link_since_ms > settings_.node_timeout_ms;
  if (node.link != LinkState::none && is_old_link && is_awaited && silent_ms > half_timeout_ms) {
    node.link =
        LinkState::none;  // maybe it is the connection's fault: another one at the next cron
    port_.close_link(index);
  }
  const bool is_due = !is_awaited && now_ms_ - node.pong_received_ms > half_timeout_ms;
  if (is_due && node.link == LinkState::open) return ping(index);
  if (is_due && node.link == LinkState::opening) {
    node.ping_sent_ms = now_ms_;  // it goes out once the link is open
    return;
  }
  if (!is_awaited || silent_ms <= settings_.node_timeout_ms || is_timed_out(index)) return;
  node.is_suspected = true;
  tell(ClusterStep::Kind::suspected, index);
  should_update_state_ = true;
}

// -- hearing --

void ClusterNode::process_pong(ClusterIndex from) {
  KnownNode& node = nodes_[from];
  node.pong_received_ms = now_ms_;
  node.ping_sent_ms = 0;
  if (node.is_suspected) {
    node.is_suspected = false;
    tell(ClusterStep::Kind::trusted, from);
    should_update_state_ = true;
  } else if (node.has_failed) {
    clear_failure_if_over(from);
  }
}

void ClusterNode::process_gossip(const ClusterMessage& message) {
  for (const ClusterMessage::Gossip& entry : message.gossip) {
    KnownNode& node = nodes_[entry.node];
    if (is_master(message.sender) && entry.node != self_) {
      if (entry.is_suspected || entry.has_failed) {
        report_failure(entry.node, message.sender);
        mark_as_failed_if_agreed(entry.node);
      } else {
        std::erase_if(node.reports,
                      [&](const FailureReport& report) { return report.by == message.sender; });
      }
    }
    forget_old_reports(entry.node);
    const bool is_well = !entry.is_suspected && !entry.has_failed && !is_timed_out(entry.node);
    if (!is_well || node.ping_sent_ms != 0 || !node.reports.empty()) continue;
    // Somebody else has heard of it more lately: no need to ask.
    constexpr std::int64_t tolerance_ms = 500;
    const std::int64_t pong_ms = entry.pong_received_s * ms_in_a_second;
    if (pong_ms <= now_ms_ + tolerance_ms) {
      node.pong_received_ms = std::max(node.pong_received_ms, pong_ms);
    }
  }
}

void ClusterNode::report_failure(ClusterIndex node, ClusterIndex by) {
  for (FailureReport& report : nodes_[node].reports) {
    if (report.by != by) continue;
    report.at_ms = now_ms_;
    return;
  }
  nodes_[node].reports.push_back({by, now_ms_});
}

void ClusterNode::forget_old_reports(ClusterIndex node) {
  constexpr std::int64_t validity_in_timeouts = 2;
  const std::int64_t valid_ms = validity_in_timeouts * settings_.node_timeout_ms;
  std::erase_if(nodes_[node].reports,
                [&](const FailureReport& report) { return now_ms_ - report.at_ms > valid_ms; });
}

void ClusterNode::mark_as_failed_if_agreed(ClusterIndex node) {
  if (!nodes_[node].is_suspected) return;  // this node reaches it, or knows already
  forget_old_reports(node);
  const std::size_t own = is_replica() ? 0 : 1;
  if (nodes_[node].reports.size() + own < quorum()) return;
  mark_as_failed(node);
  begin(ClusterMessage::Kind::fail).about = node;
  send_to_all();
}

void ClusterNode::mark_as_failed(ClusterIndex node) {
  KnownNode& failed = nodes_[node];
  failed.is_suspected = false;
  failed.has_failed = true;
  failed.failed_at_ms = now_ms_;
  tell(ClusterStep::Kind::failed, node);
  should_update_state_ = true;
  if (me().master == node) should_start_election_ = true;
}

/// A master that nobody replaced counts as recovered after a while: it still has its slots.
void ClusterNode::clear_failure_if_over(ClusterIndex index) {
  constexpr std::int64_t undo_in_timeouts = 2;
  KnownNode& node = nodes_[index];
  const bool has_work = is_master(index) && has_slots(index);
  const bool is_over = now_ms_ - node.failed_at_ms > undo_in_timeouts * settings_.node_timeout_ms;
  if (has_work && !is_over) return;
  node.has_failed = false;
  tell(ClusterStep::Kind::recovered, index);
  should_update_state_ = true;
}

}  // namespace lockstep::model
