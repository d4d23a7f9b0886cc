// Which nodes are masters, which slots they have, and whether the cluster can serve.
//
// Of two claims to slots the one with the higher configuration epoch wins, never the later one.
#include <algorithm>

#include "model/cluster/cluster_node.h"

namespace lockstep::model {

bool ClusterNode::has_slots(ClusterIndex node) const {
  return std::find(owners_.begin(), owners_.end(), node) != owners_.end();
}

SlotRangeSet ClusterNode::slot_ranges_of(ClusterIndex node) const {
  SlotRangeSet slot_ranges;
  for (std::size_t range = 0; range < owners_.size(); ++range)
    slot_ranges[range] = owners_[range] == node;
  return slot_ranges;
}

std::size_t ClusterNode::voter_count() const {
  std::size_t count = 0;
  for (ClusterIndex i = 0; i < nodes_.size(); ++i) {
    if (is_master(i) && has_slots(i)) ++count;
  }
  return count;
}

void ClusterNode::learn_role(const ClusterMessage& message) {
  if (!message.master) return set_as_master(message.sender);
  if (is_master(message.sender)) {
    std::replace(owners_.begin(), owners_.end(), message.sender, no_cluster_node);
    should_update_state_ = true;
  }
  nodes_[message.sender].master = message.master;
}

void ClusterNode::set_as_master(ClusterIndex node) {
  if (is_master(node)) return;
  nodes_[node].master.reset();
  should_update_state_ = true;
}

void ClusterNode::learn_slot_ranges(ClusterIndex claimant, std::uint64_t epoch,
                                    const SlotRangeSet& claimed) {
  if (claimant == self_) return;
  const ClusterIndex own_master = me().master.value_or(self_);
  bool has_lost = false;
  for (std::size_t range = 0; range < owners_.size(); ++range) {
    const ClusterIndex owner = owners_[range];
    if (!claimed[range] || owner == claimant) continue;
    if (owner != no_cluster_node && nodes_[owner].config_epoch >= epoch) continue;
    has_lost |= owner == own_master;
    owners_[range] = claimant;
    tell(ClusterStep::Kind::slots_moved, claimant, owner, static_cast<std::int64_t>(epoch));
    should_update_state_ = true;
  }
  // A master that has lost all it had, and its replicas, follow whoever has it now.
  if (has_lost && !has_slots(own_master)) follow(claimant);
}

void ClusterNode::follow(ClusterIndex master) {
  me().master = master;
  forced_until_ms_ = 0;
  port_.follow(master);
}

/// Tells a node that the slots it claims belong to another node by now.
void ClusterNode::correct_claims(const ClusterMessage& message) {
  const ClusterIndex from = message.sender;
  for (std::size_t range = 0; range < owners_.size(); ++range) {
    const ClusterIndex owner = owners_[range];
    if (!message.slot_ranges[range] || owner == from || owner == no_cluster_node) continue;
    if (nodes_[owner].config_epoch <= message.config_epoch) continue;
    if (nodes_[from].link != LinkState::open) return;
    ClusterMessage& update = begin(ClusterMessage::Kind::update);
    update.about = owner;
    update.about_epoch = nodes_[owner].config_epoch;
    update.about_slot_ranges = slot_ranges_of(owner);
    return port_.send(from, update);
  }
}

/// Two masters share an epoch (after a takeover without votes): the lesser one takes a new one.
void ClusterNode::resolve_epoch_collision(const ClusterMessage& message) {
  if (is_replica() || message.master || message.config_epoch != me().config_epoch) return;
  if (message.sender <= self_) return;
  me().config_epoch = ++current_epoch_;
}

void ClusterNode::update_state() {
  constexpr std::int64_t writable_delay_ms = 2000;
  constexpr std::int64_t rejoin_delay_ms_min = 500;
  constexpr std::int64_t rejoin_delay_ms_max = 5000;
  // A master that has just been started gives the others time to tell it that it is none any more.
  const bool is_fresh = started_ms_ != 0 && now_ms_ - started_ms_ < writable_delay_ms;
  if (!is_replica() && !is_up_ && is_fresh) return;
  const bool is_covered = !settings_.requires_full_coverage ||
                          std::none_of(owners_.begin(), owners_.end(), [&](ClusterIndex owner) {
                            return owner == no_cluster_node || nodes_[owner].has_failed;
                          });
  std::size_t reachable = 0;
  for (ClusterIndex i = 0; i < nodes_.size(); ++i) {
    if (is_master(i) && has_slots(i) && !is_timed_out(i)) ++reachable;
  }
  const bool in_minority = reachable < quorum();
  if (in_minority) in_minority_ms_ = now_ms_;
  const bool is_up = is_covered && !in_minority;
  if (is_up == is_up_) return;
  const std::int64_t rejoin_delay_ms =
      std::clamp(settings_.node_timeout_ms, rejoin_delay_ms_min, rejoin_delay_ms_max);
  if (is_up && !is_replica() && now_ms_ - in_minority_ms_ < rejoin_delay_ms) return;
  is_up_ = is_up;
  tell(ClusterStep::Kind::state_changed, self_, 0, is_up ? 1 : 0);
}

}  // namespace lockstep::model
