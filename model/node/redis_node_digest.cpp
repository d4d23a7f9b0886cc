// A Redis node as a part of a state: its server, its disk, its connections and links.
//
// Not state: observer_, choices_, draws_run_ids_, index_, members_, ids_, ranges_ (the same in all
// runs), arguments_, text_, reply_labels_ (memory), starts_ (ids to come are new ones), answering_
// (over between two events), has_ordered_texts_ (who had it set has told, and the search begins
// anew).
#include <algorithm>

#include "model/node/cluster_bus.h"
#include "model/node/redis_node.h"

namespace lockstep::model {

void RedisNode::digest_into(sim::Digest& digest) const {
  const std::int64_t wall_ms_now = sim::floor_to_ms(wall_clock().reading_at(digest.now()));
  const auto owner = static_cast<std::uint64_t>(id_);
  const auto add_session = [&](redis::SessionId session) {
    digest.name(sim::NamedKind::session, owner, static_cast<std::uint64_t>(session));
  };
  const auto add_node = [&](const RedisNode* node) {
    digest.add(node != nullptr);
    if (node != nullptr) digest.add(node->id_);
  };
  server_.digest_into(digest, owner, config_, wall_ms_now);
  digest.add(changed_keys_.all);
  changed_keys_.keys.digest_into(digest);
  digest.add(peers_.size());
  for (const Peer& peer : peers_) {
    digest.add_connection(peer.connection);
    add_session(peer.session);
    digest.add(peer.replica);
  }
  digest.add(blocked_.size());
  for (const Blocked& blocked : blocked_) {
    digest.add_connection(blocked.connection);
    add_session(blocked.session);
    digest.add_request(blocked.connection, blocked.request);
    digest.add(blocked.label);
    digest.add(blocked.on_behalf_of);
    digest_timer(digest, blocked.timer);
  }
  digest.add(closed_sessions_.size());
  for (const redis::SessionId session : closed_sessions_) add_session(session);
  digest.add(operator_commands_.size());
  for (const OperatorCommand& order : operator_commands_) {
    digest.add(std::string_view(order.label));
    digest.add(order.words.size());
    for (const std::string& word : order.words) digest.add(std::string_view(word));
    digest.add(order.is_eviction);
  }
  digest.add(clients_limit_);
  digest.add_instant(busy_until_ns_);
  digest_timer(digest, busy_end_);
  if (busy_until_ns_ > digest.now()) {
    digest.name(sim::NamedKind::pause, static_cast<std::uint64_t>(actor()),
                static_cast<std::uint64_t>(busy_pause_));
    digest.add_instant(busy_pause_until_ns_);
  }
  digest.add(sleep_us_);

  add_node(master_);
  digest.add_connection(master_link_);
  digest.add(is_synchronised_);
  digest_timer(digest, next_acknowledgement_);
  digest.add(replica_of_.has_value());
  if (replica_of_) digest.add(std::string_view(*replica_of_));
  add_node(next_master_);
  digest.add(stalls_);
  digest.add(forbidden_links_);
  digest.add(unread_.size());
  for (const auto& [connection, payload] : unread_) {
    digest.add_connection(connection);
    digest_payload(digest, connection, payload);
  }
  digest.add_connection(silent_link_);
  digest_timer(digest, silence_);

  digest_timer(digest, tick_);
  const bool has_tick = tick_ms_ != redis::Persistence::never_ms;
  digest.add(has_tick ? tick_ms_ - wall_ms_now : -1);
  digest.add(is_shutting_down_);
  digest.add(end_);
  if (cluster_ != nullptr) cluster_->digest_into(digest);
  Host::digest_into(digest);
}

// The snapshot of a full synchronisation is the sender's: of the master of who gets it.
void RedisNode::digest_payload(sim::Digest& digest, sim::ConnectionId connection,
                               sim::Payload payload) const {
  const Message& message = std::as_const(environment_.messages)[payload];
  message.digest_into(digest, connection);
  if (message.kind != Message::Kind::full_resync) return;
  const RedisNode* sender = this;
  if (master_link_ == connection) sender = master_;
  const bool is_there = sender != nullptr && message.number < sender->snapshots_.size();
  digest.add(is_there);
  if (!is_there) return;
  redis::digest_into(*sender->snapshots_[message.number], digest,
                     sim::floor_to_ms(sender->wall_clock().reading_at(digest.now())));
}

// Far from the cookies of sessions: the cluster's.
void RedisNode::digest_cookie(sim::Digest& digest, std::uint64_t cookie) const {
  const bool is_of_session = cookie >= first_session_cookie && cookie <= UINT32_MAX;
  digest.add(is_of_session ? first_session_cookie : cookie);
  if (!is_of_session) return;
  digest.name(sim::NamedKind::session, static_cast<std::uint64_t>(id_),
              cookie - first_session_cookie);
}

std::int64_t RedisNode::oldest_offset_wanted() const {
  std::int64_t oldest = server_.received_offset();
  for (const redis::Snapshot* const snapshot : {&files_.snapshot, &files_.append_only_base}) {
    if (snapshot->exists && snapshot->position) {
      oldest = std::min(oldest, snapshot->position->offset);
    }
  }
  return oldest;
}

// -- a cluster --

void ClusterBus::digest_into(sim::Digest& digest) const {
  const std::int64_t wall_ms_now = sim::floor_to_ms(node_.wall_clock().reading_at(digest.now()));
  cluster_.digest_into(digest, wall_ms_now);
  for (const auto& link : links_) digest.add_connection(link);
  digest.add(master_heard_ms_ == 0 ? -1 : wall_ms_now - master_heard_ms_);
  digest.add(failover_);
  digest.add(has_changed_);
}

void ClusterLayout::digest_into(sim::Digest& digest) const {
  for (std::size_t number = 0; number < is_bus_.size(); ++number) {
    if (!is_bus_[number]) continue;
    if (const auto name = digest.find_name(sim::NamedKind::connection, number)) digest.add(*name);
  }
  digest.add(~std::uint64_t{0});
}

}  // namespace lockstep::model
