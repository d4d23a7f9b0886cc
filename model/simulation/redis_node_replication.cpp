// The replication links of a Redis node: PSYNC, the stream, acknowledgements, promotion.
#include <cassert>

#include "model/simulation/redis_node.h"
#include "model/trace_vocabulary.h"

namespace lockstep::model {

sim::ActorId RedisNode::peer_actor(sim::ConnectionId connection) {
  return environment_.network.host(environment_.network.peer(connection, id_)).actor();
}

void RedisNode::connect_to_master() {
  assert(master_ != nullptr);
  master_link_ = environment_.network.connect(id_, master_->id_);
}

void RedisNode::attach_before_run() {
  master_link_ = environment_.network.connect_before_run(id_, master_->id_);
  master_->peers_.push_back(
      {*master_link_, master_->server_.open_session(), master_->replicas_seen_++});
  const redis::SessionId session = master_->peers_.back().session;
  master_->tell([&] { return node_event::SessionOpened{session}; });
  master_->tell([&] {
    return node_event::StreamWanted{
        session, actor(), node_event::StreamWanted::Answer::snapshot, {}, 0};
  });
  tell([] { return node_event::SnapshotLoaded{}; });
  master_->server_.acknowledge(*master_->peers_.back().replica, 0);
}

void RedisNode::follow(RedisNode& master) {
  if (state() == sim::HostState::crashed) {
    master_ = &master;
    return;
  }
  if (master_link_) environment_.network.close(*master_link_, id_);
  tell([&] { return node_event::Following{master.actor()}; });
  set_time();
  if (server_.role() == redis::Role::master) server_.demote();
  server_.drop_partial_stream();
  master_ = &master;
  connect_to_master();
}

void RedisNode::promote() {
  if (state() == sim::HostState::crashed || master_ == nullptr) return;
  if (master_link_) environment_.network.close(*master_link_, id_);
  master_link_.reset();
  set_time();
  previous_replication_id_ = replication_id_;
  previous_valid_until_ = server_.replication_offset() + 1;
  replication_id_ = ((static_cast<std::uint64_t>(id_) + 1) << 32U) + ++incarnation_;
  trace().emit(now(), trace_kind::node_promoted, actor(), {{"in_place_of", master_->name()}});
  master_ = nullptr;
  tell([] { return node_event::Promoted{}; });
  server_.promote();
}

void RedisNode::ask_for_stream() {
  const sim::Payload payload = environment_.messages.make();
  Message& message = environment_.messages[payload];
  message.kind = Message::Kind::stream_wanted;
  message.label = "psync";
  message.number = static_cast<std::uint64_t>(server_.replication_offset());
  message.token = static_cast<std::int64_t>(replication_id_);
  send(*master_link_, payload);
}

void RedisNode::serve_stream(Peer& peer, const Message& request) {
  const auto offset = static_cast<std::int64_t>(request.number);
  const auto id = static_cast<std::uint64_t>(request.token);
  peer.replica = replicas_seen_++;
  server_.acknowledge(*peer.replica, 0);
  const bool same_history = id == replication_id_ || (id == previous_replication_id_ && id != 0 &&
                                                      offset < previous_valid_until_);
  const bool goes_on =
      same_history && offset >= backlog_begins_ && offset <= server_.replication_offset();
  const std::string_view missing =
      goes_on
          ? std::string_view(backlog_).substr(static_cast<std::size_t>(offset - backlog_begins_))
          : std::string_view();
  tell([&] {
    return node_event::StreamWanted{peer.session, peer_actor(peer.connection),
                                    goes_on ? node_event::StreamWanted::Answer::continued
                                            : node_event::StreamWanted::Answer::snapshot,
                                    std::string(missing), server_.replication_offset()};
  });
  if (goes_on) {
    send_stream(peer, missing, server_.replication_offset());
    return;
  }
  redis::ServerListener& listener = *this;
  auto snapshot = std::make_unique<redis::Server>(environment_.scripts, listener);
  snapshot->load_from(server_);
  snapshots_.push_back(std::move(snapshot));
  const sim::Payload payload = environment_.messages.make();
  Message& message = environment_.messages[payload];
  message.kind = Message::Kind::full_synchronisation;
  message.label = "full synchronisation";
  message.number = snapshots_.size() - 1;
  message.token = static_cast<std::int64_t>(replication_id_);
  send(peer.connection, payload);
}

void RedisNode::send_stream(const Peer& peer, std::string_view bytes, std::int64_t offset_after) {
  const sim::Payload payload = environment_.messages.make();
  Message& message = environment_.messages[payload];
  message.kind = Message::Kind::replication;
  message.label = "replication";
  message.number = static_cast<std::uint64_t>(offset_after);
  message.token = static_cast<std::int64_t>(replication_id_);
  message.bytes = bytes;
  send(peer.connection, payload);
}

void RedisNode::on_propagated(std::string_view bytes, std::int64_t offset_after) {
  backlog_ += bytes;
  tell([&] { return node_event::StreamWritten{std::string(bytes), offset_after}; });
  for (const Peer& peer : peers_) {
    if (peer.replica) send_stream(peer, bytes, offset_after);
  }
}

void RedisNode::apply(const Message& message) {
  replication_id_ = static_cast<std::uint64_t>(message.token);
  tell([&] { return node_event::StreamApplied{message.bytes}; });
  if (message.bytes.empty()) return;
  backlog_ += message.bytes;
  server_.apply_stream(message.bytes);
  trace().emit(now(), trace_kind::stream_applied, actor(),
               {{"offset", server_.replication_offset()}});
  environment_.listener.on_data_changed(*this, message.label, sim::no_actor);
}

void RedisNode::apply_full(const Message& message) {
  tell([] { return node_event::SnapshotLoaded{}; });
  const redis::Server& snapshot = *master_->snapshots_[message.number];
  server_.load_from(snapshot);
  server_.demote();
  replication_id_ = static_cast<std::uint64_t>(message.token);
  backlog_.clear();
  backlog_begins_ = server_.replication_offset();
  trace().emit(now(), trace_kind::dataset_loaded, actor(),
               {{"offset", server_.replication_offset()}});
  environment_.listener.on_data_changed(*this, message.label, sim::no_actor);
}

void RedisNode::on_acknowledgements_wanted() {
  for (const Peer& peer : peers_) {
    if (!peer.replica) continue;
    const sim::Payload payload = environment_.messages.make();
    Message& message = environment_.messages[payload];
    message.kind = Message::Kind::acknowledge_now;
    message.label = "acknowledge now";
    send(peer.connection, payload);
  }
}

void RedisNode::acknowledge() {
  const sim::Payload payload = environment_.messages.make();
  Message& message = environment_.messages[payload];
  message.kind = Message::Kind::acknowledge;
  message.label = "acknowledge";
  message.number = static_cast<std::uint64_t>(server_.replication_offset());
  send(*master_link_, payload);
}

}  // namespace lockstep::model
