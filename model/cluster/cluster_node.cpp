#include "model/cluster/cluster_node.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace lockstep::model {

void ClusterNode::start(ClusterIndex self, std::span<const ClusterMemberSpec> members,
                        const ClusterSettings& settings, std::int64_t now_ms) {
  settings_ = settings;
  self_ = self;
  now_ms_ = now_ms;
  nodes_.assign(members.size(), {});
  owners_.clear();
  for (ClusterIndex i = 0; i < members.size(); ++i) {
    KnownNode& node = nodes_[i];
    node.master = members[i].master;
    node.pong_received_ms = now_ms;
    if (i != self_) {
      // Links were opened, and pings sent, at some time or other.
      const auto half = static_cast<std::uint64_t>(settings_.node_timeout_ms / 2 + 1);
      node.pong_received_ms -= static_cast<std::int64_t>(port_.random_below(half));
      node.link = LinkState::open;
      node.link_since_ms = now_ms - 2 * settings_.node_timeout_ms;
    }
    node.data_received_ms = node.pong_received_ms;
    if (node.master) continue;
    owners_.push_back(i);
    node.config_epoch = owners_.size();  // as redis-cli --cluster create gives them
  }
  assert(owners_.size() <= cluster_masters_max);
  current_epoch_ = owners_.size();
  last_vote_epoch_ = 0;
  is_up_ = true;
  started_ms_ = 0;
  in_minority_ms_ = 0;
  should_update_state_ = false;
  should_start_election_ = false;
  crons_ = port_.random_below(10);
  suspected_count_ = 0;
  election_ms_ = 0;
  election_epoch_ = 0;
  votes_ = 0;
  has_asked_ = false;
  reported_ineligible_ = false;
  forced_until_ms_ = 0;
}

void ClusterNode::restart(std::int64_t now_ms) {
  now_ms_ = now_ms;
  for (KnownNode& node : nodes_) {
    node.ping_sent_ms = 0;
    node.pong_received_ms = now_ms;
    node.data_received_ms = 0;
    if (node.has_failed) node.failed_at_ms = now_ms;
    node.voted_ms = 0;
    node.offset = 0;
    node.link = LinkState::none;
    node.reports.clear();
  }
  is_up_ = false;
  started_ms_ = now_ms;
  in_minority_ms_ = 0;
  should_update_state_ = true;
  should_start_election_ = false;
  suspected_count_ = 0;
  election_ms_ = 0;
  has_asked_ = false;
  forced_until_ms_ = 0;
  before_sleep();
}

void ClusterNode::cron(std::int64_t now_ms) {
  now_ms_ = now_ms;
  suspected_count_ = 0;
  for (ClusterIndex i = 0; i < nodes_.size(); ++i) {
    if (i == self_) continue;
    if (nodes_[i].is_suspected) ++suspected_count_;
    if (nodes_[i].link != LinkState::none) continue;
    nodes_[i].link = LinkState::opening;
    nodes_[i].link_since_ms = now_ms_;
    port_.open_link(i);
  }
  constexpr std::uint64_t crons_in_a_second = 10;
  if (crons_++ % crons_in_a_second == 0) ping_somebody();
  for (ClusterIndex i = 0; i < nodes_.size(); ++i) {
    if (i != self_) watch(i);
  }
  if (is_replica()) should_start_election_ = true;
  if (!is_up_) should_update_state_ = true;
  before_sleep();
}

void ClusterNode::before_sleep() {
  if (std::exchange(should_start_election_, false)) stand_for_election();
  if (std::exchange(should_update_state_, false)) update_state();
}

// -- links --

void ClusterNode::on_link_opened(ClusterIndex to, std::int64_t now_ms) {
  now_ms_ = now_ms;
  KnownNode& node = nodes_[to];
  node.link = LinkState::open;
  // An answer that is awaited since before is awaited still: the failure is older than the link.
  const std::int64_t ping_sent_ms = node.ping_sent_ms;
  ping(to);
  if (ping_sent_ms != 0) node.ping_sent_ms = ping_sent_ms;
}

void ClusterNode::on_link_closed(ClusterIndex to, std::int64_t now_ms) {
  now_ms_ = now_ms;
  KnownNode& node = nodes_[to];
  // Who can't even be connected to is as one who does not answer.
  if (node.link == LinkState::opening && node.ping_sent_ms == 0) node.ping_sent_ms = now_ms;
  node.link = LinkState::none;
}

// -- messages --

ClusterMessage& ClusterNode::begin(ClusterMessage::Kind kind) {
  const ClusterIndex master = me().master.value_or(self_);
  outgoing_.kind = kind;
  outgoing_.sender = self_;
  outgoing_.current_epoch = current_epoch_;
  outgoing_.config_epoch = nodes_[master].config_epoch;
  outgoing_.slot_ranges = slot_ranges_of(master);
  outgoing_.master = me().master;
  outgoing_.offset = port_.replication_offset();
  outgoing_.is_forced = false;
  outgoing_.gossip.clear();
  return outgoing_;
}

void ClusterNode::send_to_all() {
  for (ClusterIndex i = 0; i < nodes_.size(); ++i) {
    if (i != self_ && nodes_[i].link == LinkState::open) port_.send(i, outgoing_);
  }
}

void ClusterNode::publish(std::string_view channel, std::string_view text) {
  ClusterMessage& message = begin(ClusterMessage::Kind::publish);
  message.channel = channel;
  message.text = text;
  message.is_of_shard = false;
  send_to_all();
}

void ClusterNode::publish_to_shard(std::string_view channel, std::string_view text) {
  ClusterMessage& message = begin(ClusterMessage::Kind::publish);
  message.channel = channel;
  message.text = text;
  message.is_of_shard = true;
  const ClusterIndex master = me().master.value_or(self_);
  for (ClusterIndex i = 0; i < nodes_.size(); ++i) {
    const bool is_of_shard = i == master || nodes_[i].master == master;
    if (i != self_ && is_of_shard && nodes_[i].link == LinkState::open) port_.send(i, outgoing_);
  }
}

void ClusterNode::receive(const ClusterMessage& message, Via via, std::int64_t now_ms) {
  now_ms_ = now_ms;
  const ClusterIndex from = message.sender;
  KnownNode& sender = nodes_[from];
  sender.data_received_ms = now_ms;
  current_epoch_ = std::max(current_epoch_, message.current_epoch);
  sender.config_epoch = std::max(sender.config_epoch, message.config_epoch);
  sender.offset = message.offset;
  switch (message.kind) {
    case ClusterMessage::Kind::ping:
    case ClusterMessage::Kind::pong:
      if (message.kind == ClusterMessage::Kind::ping) {
        begin(ClusterMessage::Kind::pong);
        add_gossip();
        port_.answer(outgoing_);
      } else if (via == Via::own_link) {
        process_pong(from);
      }
      learn_role(message);
      if (is_master(from)) learn_slot_ranges(from, message.config_epoch, message.slot_ranges);
      correct_claims(message);
      resolve_epoch_collision(message);
      process_gossip(message);
      break;
    case ClusterMessage::Kind::fail:
      if (message.about != self_ && !nodes_[message.about].has_failed) {
        mark_as_failed(message.about);
      }
      break;
    case ClusterMessage::Kind::vote_request:
      vote_if_eligible(message);
      break;
    case ClusterMessage::Kind::vote:
      if (is_master(from) && has_slots(from) && message.current_epoch >= election_epoch_) {
        ++votes_;
        should_start_election_ = true;
      }
      break;
    case ClusterMessage::Kind::update:
      if (nodes_[message.about].config_epoch >= message.about_epoch) break;
      if (!is_master(message.about)) set_as_master(message.about);
      nodes_[message.about].config_epoch = message.about_epoch;
      learn_slot_ranges(message.about, message.about_epoch, message.about_slot_ranges);
      break;
    case ClusterMessage::Kind::publish:
      if (message.is_of_shard) {
        port_.on_published_to_shard(message.channel, message.text);
      } else {
        port_.on_published(message.channel, message.text);
      }
      break;
  }
  before_sleep();
}

}  // namespace lockstep::model
