// How a replica takes the place of its failed master.
//
// It waits for half a second plus a random part of another, so that the news of the failure
// spreads, and a second longer for each sibling that has more of the master's data. Then
// it starts an epoch and asks the masters for their votes.
#include <algorithm>
#include <utility>

#include "model/cluster/cluster_node.h"

namespace lockstep::model {
namespace {

constexpr std::int64_t election_delay_ms = 500;
constexpr std::uint64_t election_jitter_ms = 500;
constexpr std::int64_t delay_of_a_rank_ms = 1000;
constexpr std::int64_t election_timeout_ms_min = 2000;
constexpr std::int64_t forced_timeout_ms = 5000;

}  // namespace

void ClusterNode::stand_for_election() {
  if (!is_replica() || settings_.has_no_failover) return;
  const ClusterIndex master = *me().master;
  if ((!nodes_[master].has_failed && !is_forced()) || !has_slots(master)) return;
  if (!is_forced() && is_data_too_old()) {
    if (!std::exchange(reported_ineligible_, true)) tell(ClusterStep::Kind::ineligible, master);
    return;
  }
  const std::int64_t timeout_ms = std::max(2 * settings_.node_timeout_ms, election_timeout_ms_min);
  const std::int64_t age_ms = now_ms_ - election_ms_;
  if (age_ms > 2 * timeout_ms) {
    begin_campaign();
    if (!is_forced()) return;
  }
  if (!has_asked_ && !is_forced()) {
    const std::size_t new_rank = rank();
    if (new_rank > rank_) {
      election_ms_ += static_cast<std::int64_t>(new_rank - rank_) * delay_of_a_rank_ms;
      rank_ = new_rank;
    }
  }
  if (now_ms_ < election_ms_ || now_ms_ - election_ms_ > timeout_ms) return;
  if (!has_asked_) return request_votes();
  if (votes_ >= quorum()) take_over(election_epoch_);
}

void ClusterNode::begin_campaign() {
  votes_ = 0;
  has_asked_ = false;
  reported_ineligible_ = false;
  rank_ = is_forced() ? 0 : rank();
  election_ms_ = now_ms_;
  if (!is_forced()) {
    election_ms_ += election_delay_ms +
                    static_cast<std::int64_t>(port_.random_below(election_jitter_ms)) +
                    static_cast<std::int64_t>(rank_) * delay_of_a_rank_ms;
  }
  tell(ClusterStep::Kind::standing, *me().master, 0, election_ms_ - now_ms_);
  // The siblings are to know how much of the data this one has.
  begin(ClusterMessage::Kind::pong);
  add_gossip();
  for (ClusterIndex i = 0; i < nodes_.size(); ++i) {
    const bool is_sibling = i != self_ && nodes_[i].master == me().master;
    if (is_sibling && nodes_[i].link == LinkState::open) port_.send(i, outgoing_);
  }
}

bool ClusterNode::is_data_too_old() const {
  if (settings_.replica_validity_factor == 0) return false;
  constexpr std::int64_t ms_per_s = 1000;
  std::int64_t age_ms = port_.master_silent_ms();
  if (age_ms > settings_.node_timeout_ms) age_ms -= settings_.node_timeout_ms;
  return age_ms > settings_.repl_ping_replica_period_s * ms_per_s +
                      settings_.node_timeout_ms * settings_.replica_validity_factor;
}

std::size_t ClusterNode::rank() const {
  const std::int64_t own_offset = port_.replication_offset();
  std::size_t ahead = 0;
  for (ClusterIndex i = 0; i < nodes_.size(); ++i) {
    if (i != self_ && nodes_[i].master == me().master && nodes_[i].offset > own_offset) ++ahead;
  }
  return ahead;
}

void ClusterNode::request_votes() {
  election_epoch_ = ++current_epoch_;
  has_asked_ = true;
  tell(ClusterStep::Kind::vote_requested, *me().master, 0,
       static_cast<std::int64_t>(election_epoch_));
  begin(ClusterMessage::Kind::vote_request).is_forced = is_forced();
  send_to_all();
}

void ClusterNode::take_over(std::uint64_t epoch) {
  const ClusterIndex old_master = *me().master;
  me().config_epoch = std::max(me().config_epoch, epoch);
  me().master.reset();
  std::replace(owners_.begin(), owners_.end(), old_master, self_);
  forced_until_ms_ = 0;
  tell(ClusterStep::Kind::elected, old_master, 0, static_cast<std::int64_t>(me().config_epoch));
  port_.become_master();
  update_state();
  broadcast_pong();
}

void ClusterNode::fail_over(OperatorFailover how, std::int64_t now_ms) {
  now_ms_ = now_ms;
  if (how == OperatorFailover::takeover) return take_over(++current_epoch_);
  forced_until_ms_ = now_ms_ + forced_timeout_ms;
  stand_for_election();
}

// -- the voters' side --

void ClusterNode::vote_if_eligible(const ClusterMessage& request) {
  const ClusterIndex candidate = request.sender;
  const std::optional<ClusterIndex> master = nodes_[candidate].master;
  if (is_replica() || !has_slots(self_)) return;
  if (request.current_epoch < current_epoch_ || last_vote_epoch_ == current_epoch_) return;
  if (!master || (!nodes_[*master].has_failed && !request.is_forced)) return;
  if (now_ms_ - nodes_[*master].voted_ms < 2 * settings_.node_timeout_ms) return;
  for (std::size_t range = 0; range < owners_.size(); ++range) {
    const ClusterIndex owner = owners_[range];
    if (!request.slot_ranges[range] || owner == no_cluster_node) continue;
    if (nodes_[owner].config_epoch > request.config_epoch)
      return;  // the candidate is behind the times
  }
  last_vote_epoch_ = current_epoch_;
  nodes_[*master].voted_ms = now_ms_;
  tell(ClusterStep::Kind::voted, candidate, 0, static_cast<std::int64_t>(current_epoch_));
  begin(ClusterMessage::Kind::vote);
  if (nodes_[candidate].link == LinkState::open) port_.send(candidate, outgoing_);
}

}  // namespace lockstep::model
