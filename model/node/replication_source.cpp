#include "model/node/replication_source.h"

#include <algorithm>
#include <optional>
#include <string>

#include "model/node/redis_node.h"
#include "sim/network.h"

namespace lockstep::model {

void ReplicationSource::attach_before_run(sim::ConnectionId connection, const sim::Host& replica) {
  ClientSessions::Peer& peer = sessions_.add(connection);
  const redis::SessionId session = peer.session;
  context_.server.mark_replica(session);
  peer.replica = context_.server.attach_replica(replica.name(), RedisNode::redis_port);
  context_.tell([&] {
    return redis::node_event::PsyncRequested{
        session, replica.actor(), redis::node_event::PsyncRequested::Answer::snapshot, {}, 0};
  });
}

void ReplicationSource::serve(ClientSessions::Peer& peer, const Message& request) {
  const sim::ActorId replica = sessions_.actor_at(peer.connection);
  redis::Server& server = context_.server;
  server.mark_replica(peer.session);
  peer.replica =
      server.attach_replica(context_.environment.trace.actor(replica).name, RedisNode::redis_port);
  const std::optional<std::string_view> missing = server.stream_since(
      static_cast<std::uint64_t>(request.token), static_cast<std::int64_t>(request.number));
  context_.tell([&] {
    return redis::node_event::PsyncRequested{
        peer.session, replica,
        missing ? redis::node_event::PsyncRequested::Answer::continued
                : redis::node_event::PsyncRequested::Answer::snapshot,
        std::string(missing.value_or(std::string_view())), server.replication_offset()};
  });
  if (missing) {
    send_stream(peer, *missing, server.replication_offset());
  } else {
    send_snapshot(peer);
  }
  if (sessions_.has_blocked()) request_acknowledgement(peer);  // so that WAIT need not time out
}

void ReplicationSource::on_acknowledged(const ClientSessions::Peer& peer,
                                        const Message& acknowledgement) {
  const auto offset = static_cast<std::int64_t>(acknowledgement.number);
  context_.tell([&] {
    return redis::node_event::Acknowledged{peer.session, sessions_.actor_at(peer.connection),
                                           offset, acknowledgement.token};
  });
  context_.server.acknowledge(*peer.replica, offset, acknowledgement.token);
}

void ReplicationSource::send_snapshot(const ClientSessions::Peer& peer) {
  snapshots_.push_back(std::make_unique<redis::Snapshot>());
  context_.server.take_snapshot(*snapshots_.back());
  const sim::Payload payload = context_.environment.messages.make();
  Message& message = context_.environment.messages[payload];
  message.kind = Message::Kind::full_resync;
  message.label = "full synchronisation";
  message.number = snapshots_.size() - 1;
  context_.send(peer.connection, payload);
}

void ReplicationSource::send_stream(const ClientSessions::Peer& peer, std::string_view bytes,
                                    std::int64_t offset_after) {
  const sim::Payload payload = context_.environment.messages.make();
  Message& message = context_.environment.messages[payload];
  message.kind = Message::Kind::replication;
  message.label = "replication";
  message.number = static_cast<std::uint64_t>(offset_after);
  message.token = static_cast<std::int64_t>(context_.server.replication_id());
  message.bytes = bytes;
  context_.send(peer.connection, payload);
}

void ReplicationSource::send_stream(std::string_view bytes, std::int64_t offset_after) {
  for (const ClientSessions::Peer& peer : sessions_.all()) {
    if (peer.replica) send_stream(peer, bytes, offset_after);
  }
}

void ReplicationSource::request_acknowledgements() {
  for (const ClientSessions::Peer& peer : sessions_.all()) {
    if (peer.replica) request_acknowledgement(peer);
  }
}

void ReplicationSource::request_acknowledgement(const ClientSessions::Peer& peer) {
  const sim::Payload payload = context_.environment.messages.make();
  Message& message = context_.environment.messages[payload];
  message.kind = Message::Kind::acknowledge_now;
  message.label = "acknowledge now";
  context_.send(peer.connection, payload);
}

bool ReplicationSource::are_replicas_caught_up() const {
  const redis::Server& server = context_.server;
  if (server.role() == redis::Role::replica) return true;
  const auto replicas = server.replicas();
  return std::all_of(replicas.begin(), replicas.end(), [&](const redis::Replica& replica) {
    return !replica.is_attached || replica.acknowledged >= server.replication_offset();
  });
}

void ReplicationSource::disconnect_replicas() {
  std::vector<ClientSessions::Peer>& peers = sessions_.all();
  for (std::size_t i = peers.size(); i-- > 0;) {
    if (!peers[i].replica) continue;
    context_.environment.network.close(peers[i].connection, context_.id);
    sessions_.forget(peers[i]);
  }
}

const redis::Snapshot* ReplicationSource::snapshot(std::uint64_t number) const {
  return number < snapshots_.size() ? snapshots_[number].get() : nullptr;
}

}  // namespace lockstep::model
