// The replication links of a Redis node: PSYNC, the stream, acknowledgements, promotion.
#include <cassert>
#include <utility>

#include "model/node/redis_node.h"
#include "model/trace_vocabulary.h"
#include "redis/server/node_event.h"

namespace lockstep::model {
sim::ActorId RedisNode::peer_actor(sim::ConnectionId connection) {
  return environment_.network.host(environment_.network.peer(connection, id_)).actor();
}

void RedisNode::set_master_address() { server_.set_master_address(master_->name(), redis_port); }

void RedisNode::connect_to_master() {
  assert(master_ != nullptr);
  set_master_address();
  if (forbidden_links_ > 0) return;
  master_link_ = environment_.network.connect(id_, master_->id_);
}

void RedisNode::attach_before_run() {
  master_link_ = environment_.network.connect_before_run(id_, master_->id_);
  set_master_address();
  Peer& peer = master_->add_peer(*master_link_);
  const redis::SessionId session = peer.session;
  master_->server_.mark_replica(session);
  peer.replica = master_->server_.attach_replica(name(), redis_port);
  master_->tell([&] {
    return redis::node_event::PsyncRequested{
        session, actor(), redis::node_event::PsyncRequested::Answer::snapshot, {}, 0};
  });
  tell([] { return redis::node_event::SnapshotLoaded{}; });
  master_->server_.take_snapshot(files_.snapshot);
  server_.load(files_.snapshot);
  is_synchronised_ = true;
  if (config_.min_replicas_to_write > 0) send_periodic_ack();
}

void RedisNode::follow(RedisNode& master) {
  if (state() == sim::HostState::crashed) {
    master_ = &master;
    return;
  }
  next_master_ = &master;
  run_or_defer(follow_work);
}

void RedisNode::carry_out_following() {
  if (next_master_ == nullptr) return;  // ordered twice while it stood still: done
  RedisNode& master = *std::exchange(next_master_, nullptr);
  tell([&] { return redis::node_event::Following{master.actor()}; });
  set_time();
  if (server_.role() == redis::Role::master) server_.demote();
  server_.mark_link_down();
  close_ended_sessions();
  follow_by_link(master);
}

void RedisNode::follow_by_link(RedisNode& master) {
  if (master_link_) environment_.network.close(*master_link_, id_);
  disconnect_replicas();
  is_synchronised_ = false;
  master_ = &master;
  connect_to_master();
}

void RedisNode::promote() {
  if (state() != sim::HostState::crashed) run_or_defer(promote_work);
}

void RedisNode::carry_out_promotion(Promoter by) {
  if (master_ == nullptr) return;
  if (master_link_) environment_.network.close(*master_link_, id_);
  master_link_.reset();
  set_time();
  trace().emit(now(), trace_kind::node_promoted, actor(), {{"in_place_of", master_->name()}});
  master_ = nullptr;
  tell([] { return redis::node_event::Promoted{}; });
  server_.promote();
  disconnect_replicas();
  environment_.roles.on_promoted(*this, by);
}

/// They come back and go on from where they were, if they may.
void RedisNode::disconnect_replicas() {
  for (std::size_t i = peers_.size(); i-- > 0;) {
    if (!peers_[i].replica) continue;
    environment_.network.close(peers_[i].connection, id_);
    forget(peers_[i]);
  }
}

// A client's REPLICAOF comes while the server executes it; what it means for the links waits until
// the reply is out.

void RedisNode::on_replica_of(std::string_view host, std::int64_t /*port*/) { replica_of_ = host; }

void RedisNode::apply_replica_of() {
  const std::string host = *std::exchange(replica_of_, std::nullopt);
  if (host.empty()) {
    if (master_ == nullptr) return;
    if (master_link_) environment_.network.close(*master_link_, id_);
    master_link_.reset();
    trace().emit(now(), trace_kind::node_promoted, actor(), {{"in_place_of", master_->name()}});
    master_ = nullptr;
    disconnect_replicas();
    return environment_.roles.on_promoted(*this, Promoter::other);
  }
  for (RedisNode* const node : environment_.nodes) {
    if (node->name() != host || node == this) continue;
    follow_by_link(*node);
    return environment_.roles.on_following(*this, *node);
  }
  // Nobody is there: it waits for a master that never answers.
  if (master_link_) environment_.network.close(*master_link_, id_);
  master_link_.reset();
  master_ = nullptr;
  disconnect_replicas();
}

void RedisNode::ask_for_stream() {
  const sim::Payload payload = environment_.messages.make();
  Message& message = environment_.messages[payload];
  message.kind = Message::Kind::psync_request;
  message.label = "psync";
  message.number = static_cast<std::uint64_t>(server_.replication_offset());
  message.token = static_cast<std::int64_t>(server_.replication_id());
  send(*master_link_, payload);
}

void RedisNode::serve_stream(Peer& peer, const Message& request) {
  if (server_.role() == redis::Role::replica && !is_synchronised_) {  // NOMASTERLINK
    environment_.network.close(peer.connection, id_);
    return forget(peer);
  }
  const sim::ActorId replica = peer_actor(peer.connection);
  server_.mark_replica(peer.session);
  peer.replica = server_.attach_replica(trace().actor(replica).name, redis_port);
  const std::optional<std::string_view> missing = server_.stream_since(
      static_cast<std::uint64_t>(request.token), static_cast<std::int64_t>(request.number));
  tell([&] {
    return redis::node_event::PsyncRequested{
        peer.session, replica,
        missing ? redis::node_event::PsyncRequested::Answer::continued
                : redis::node_event::PsyncRequested::Answer::snapshot,
        std::string(missing.value_or(std::string_view())), server_.replication_offset()};
  });
  if (missing) {
    send_stream(peer, *missing, server_.replication_offset());
  } else {
    send_snapshot(peer);
  }
  if (!blocked_.empty()) request_ack(peer);  // who waits need not wait for ever
}

void RedisNode::send_snapshot(const Peer& peer) {
  snapshots_.push_back(std::make_unique<redis::Snapshot>());
  server_.take_snapshot(*snapshots_.back());
  const sim::Payload payload = environment_.messages.make();
  Message& message = environment_.messages[payload];
  message.kind = Message::Kind::full_resync;
  message.label = "full synchronisation";
  message.number = snapshots_.size() - 1;
  send(peer.connection, payload);
}

void RedisNode::send_stream(const Peer& peer, std::string_view bytes, std::int64_t offset_after) {
  const sim::Payload payload = environment_.messages.make();
  Message& message = environment_.messages[payload];
  message.kind = Message::Kind::replication;
  message.label = "replication";
  message.number = static_cast<std::uint64_t>(offset_after);
  message.token = static_cast<std::int64_t>(server_.replication_id());
  message.bytes = bytes;
  send(peer.connection, payload);
}

void RedisNode::on_propagated(std::string_view bytes, std::int64_t offset_after) {
  tell([&] { return redis::node_event::StreamWritten{std::string(bytes), offset_after}; });
  for (const Peer& peer : peers_) {
    if (peer.replica) send_stream(peer, bytes, offset_after);
  }
}

void RedisNode::apply(const Message& message) {
  // TCP hands on nothing that follows a loss: the link is as good as broken.
  if (has_stream_gap(message)) return reopen_link();
  const auto history = static_cast<std::uint64_t>(message.token);
  if (server_.replication_id() != history) {
    server_.adopt_replication_id(history);
    disconnect_replicas();
  }
  const bool is_new_link = !std::exchange(is_synchronised_, true);
  if (is_new_link) server_.mark_link_up();
  if (is_new_link && config_.min_replicas_to_write > 0) send_periodic_ack();
  tell([&] { return redis::node_event::StreamApplied{message.bytes}; });
  if (message.bytes.empty()) return;
  server_.apply_stream(message.bytes);
  trace().emit(now(), trace_kind::stream_applied, actor(),
               {{"offset", server_.replication_offset()}});
  tell_data_changed(message.label, sim::no_actor);
  for (const Peer& peer : peers_) {
    if (peer.replica) {
      send_stream(peer, message.bytes, static_cast<std::int64_t>(message.number));
    }
  }
  plan_tick();
}

void RedisNode::apply_full(const Message& message) {
  tell([] { return redis::node_event::SnapshotLoaded{}; });
  server_.load(*master_->snapshots_[message.number]);
  disconnect_replicas();
  const bool is_new_link = !std::exchange(is_synchronised_, true);
  if (is_new_link && config_.min_replicas_to_write > 0) send_periodic_ack();
  trace().emit(now(), trace_kind::dataset_loaded, actor(),
               {{"offset", server_.replication_offset()}});
  tell_data_changed(message.label, sim::no_actor);
  plan_tick();
}

void RedisNode::on_getack_wanted() {
  for (const Peer& peer : peers_) {
    if (peer.replica) request_ack(peer);
  }
}

void RedisNode::request_ack(const Peer& peer) {
  const sim::Payload payload = environment_.messages.make();
  Message& message = environment_.messages[payload];
  message.kind = Message::Kind::acknowledge_now;
  message.label = "acknowledge now";
  send(peer.connection, payload);
}

void RedisNode::acknowledge() {
  const sim::Payload payload = environment_.messages.make();
  Message& message = environment_.messages[payload];
  message.kind = Message::Kind::acknowledge;
  message.label = "acknowledge";
  message.number = static_cast<std::uint64_t>(server_.replication_offset());
  send(*master_link_, payload);
}

/// REPLCONF ACK, every second for as long as the link stands.
void RedisNode::send_periodic_ack() {
  cancel_timer(next_acknowledgement_);
  if (!master_link_ || !is_synchronised_) return;
  if (stalls_ == 0) acknowledge();
  next_acknowledgement_ = start_timer(sim::second_ns, acknowledge_cookie, sim::EventKind::daemon);
}

}  // namespace lockstep::model
