#include "redis/server/server.h"

#include <cassert>

#include "redis/server/core.h"

namespace lockstep::redis {

Server::Server(ScriptEngine& scripts, ServerListener& listener)
    : core_(std::make_unique<Core>(scripts, listener)) {}
Server::~Server() = default;

void Server::start(const ServerOptions& options) { core_->start(options); }
void Server::set_time_us(std::int64_t unix_time_us) { core_->set_time_us(unix_time_us); }

SessionId Server::open_session(const PeerAddresses& addresses) {
  return core_->open_session(addresses);
}
void Server::mark_replica(SessionId session) { core_->mark_replica(session); }
void Server::close_session(SessionId session) { core_->close_session(session); }

ExecuteResult Server::execute(SessionId session, std::span<const std::string_view> arguments,
                              ReplyWriter& reply) {
  return core_->execute(session, arguments, reply);
}

Protocol Server::protocol(SessionId session) const { return core_->session(session).protocol; }

std::int64_t Server::block_timeout_ms(SessionId session) const {
  const auto& wait = core_->session(session).wait;
  assert(wait);
  return wait->timeout_ms;
}

void Server::unblock(SessionId session) { core_->unblock(core_->session(session)); }

void Server::publish_from_cluster(std::string_view channel, std::string_view message) {
  core_->publish(channel, message);
}
void Server::on_cluster_changed() { core_->on_cluster_changed(); }

void Server::digest_into(sim::Digest& digest, std::uint64_t owner, const Config& configured,
                         std::int64_t now_ms) const {
  core_->digest_into(digest, owner, configured, now_ms);
}

const Config& Server::config() const { return core_->config(); }
void Server::expire_cycle() { core_->expire_cycle(); }
void Server::evict(std::string_view key) { core_->evict_key(key); }

Role Server::role() const { return core_->role(); }
std::int64_t Server::replication_offset() const { return core_->offset(); }
std::int64_t Server::received_offset() const { return core_->received_offset(); }
void Server::apply_stream(std::string_view bytes) { core_->apply_stream(bytes); }
void Server::set_master_address(std::string_view host, std::int64_t port) {
  core_->set_master_address(host, port);
}
void Server::mark_link_up() { core_->mark_link_up(); }
void Server::mark_link_down() { core_->mark_link_down(); }
void Server::acknowledge(std::uint32_t replica, std::int64_t offset) {
  core_->acknowledge(replica, offset);
}
void Server::drop_replica(std::uint32_t replica) { core_->drop_replica(replica); }
std::uint64_t Server::replication_id() const { return core_->history().id; }
std::optional<std::string_view> Server::stream_since(std::uint64_t replication_id,
                                                     std::int64_t offset) const {
  return core_->stream_since(replication_id, offset);
}
std::uint32_t Server::attach_replica(std::string_view host, std::int64_t port) {
  return core_->attach_replica(host, port);
}
std::span<const Replica> Server::replicas() const { return core_->replicas(); }
void Server::take_snapshot(Snapshot& snapshot) { core_->take_snapshot(snapshot); }
void Server::load(const Snapshot& snapshot) { core_->load(snapshot); }

LoadedData Server::restore() { return core_->restore(); }
std::int64_t Server::next_tick_ms() const { return core_->next_tick_ms(); }
void Server::tick() { core_->tick(); }
void Server::shut_down(SaveAtShutdown save) { core_->shut_down(save); }

void Server::adopt_replication_id(std::uint64_t id) { core_->adopt_replication_id(id); }
void Server::promote() { core_->promote(); }
void Server::demote() { core_->demote(); }
void Server::load_from(const Server& master) { core_->load_from(*master.core_); }

const Keyspace& Server::keyspace() const { return core_->database(0); }
const Keyspace& Server::keyspace(std::size_t database) const { return core_->database(database); }
std::uint64_t Server::dirty() const { return core_->dirty(); }
std::int64_t Server::now_ms() const { return core_->now_ms(); }

std::vector<std::pair<std::string, std::uint32_t>> Server::subscriptions() const {
  std::vector<std::pair<std::string, std::uint32_t>> channels;
  for (const auto& [name, sessions] : core_->channels().topics()) {
    channels.emplace_back(name, static_cast<std::uint32_t>(sessions.size()));
  }
  return channels;
}

}  // namespace lockstep::redis
