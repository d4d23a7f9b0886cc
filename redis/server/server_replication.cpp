// The replication stream from both ends, acknowledgements and WAIT, and changes of role.
#include <algorithm>
#include <cassert>

#include "redis/server/server.h"

namespace lockstep::redis {

void Server::apply_stream(std::string_view bytes) {
  assert(role_ == Role::replica);
  const std::string_view stream = master_link_.joined_with(bytes);
  std::size_t applied = 0;
  while (const auto unit = master_link_.read_unit(stream, applied)) {
    apply_unit(unit->requests);
    stream_.append_applied(stream.substr(applied, unit->end - applied),
                           config_.repl_backlog_size_bytes);
    applied = unit->end;
  }
  note_synced_offset();
  master_link_.keep_rest(stream, applied);
}

void Server::apply_unit(std::span<const std::vector<std::string_view>> requests) {
  DiscardingReplyWriter nowhere;
  for (const std::vector<std::string_view>& words : requests) {
    const CommandSpec* const spec = resolve(words).spec;
    if (spec == nullptr || spec->is(CommandFlag::never_queued))
      continue;  // REPLCONF; MULTI and EXEC
    if (!spec->accepts(words.size())) continue;
    run(*spec, Origin::master, master_link_.session(), words, nowhere);
  }
  if (persistence_.has_unwritten()) persistence_.write(config_.append_fsync, now_ms_);
}

std::uint32_t Server::attach_replica(std::string_view host, std::int64_t port) {
  stream_.keep_backlog();
  return replicas_.attach(host, port, now_ms_);
}

bool Server::has_enough_good_replicas() const {
  if (config_.min_replicas_to_write == 0 || config_.min_replicas_max_lag_s == 0) return true;
  if (role_ == Role::replica) return true;
  return replicas_.count_good(config_.min_replicas_max_lag_s, now_ms_) >=
         config_.min_replicas_to_write;
}

void Server::acknowledge(std::uint32_t replica, std::int64_t offset, std::int64_t synced) {
  replicas_.acknowledge(replica, offset, synced, now_ms_);
  process_clients_waiting_replicas();
}

void Server::block_for_replication(Session& session, const BlockedOnReplicas& wait,
                                   std::int64_t timeout_ms) {
  session.wait = BlockingState{wait, timeout_ms};
  has_waits_for_disk_ |= wait.wants_own_disk;
  listener_.on_getack_wanted();
}

void Server::process_clients_waiting_replicas() {
  for (Session& each : sessions_.all()) {
    if (!each.wait) continue;
    const auto* const wait = std::get_if<BlockedOnReplicas>(&each.wait->reason);
    if (wait == nullptr) continue;
    if (wait->wants_own_disk && !config_.append_only) {
      unblock_with_error(each, waits_for_no_file);
    } else if (has_acknowledgements(*wait)) {
      unblock(each);
    }
  }
}

bool Server::has_acknowledgements(const BlockedOnReplicas& wait) const {
  if (!wait.is_for_disks)
    return replicas_.count_acks_by_offset(wait.offset) >= wait.replicas_wanted;
  if (wait.wants_own_disk && synced_offset() < wait.offset) return false;
  return replicas_.count_syncs_by_offset(wait.offset) >= wait.replicas_wanted;
}

void Server::reply_to_wait(const BlockedOnReplicas& wait, ReplyWriter& reply) const {
  if (!wait.is_for_disks) return reply.integer(replicas_.count_acks_by_offset(wait.offset));
  reply.array(2);
  reply.integer(synced_offset() >= wait.offset ? 1 : 0);
  reply.integer(replicas_.count_syncs_by_offset(wait.offset));
}

void Server::promote() {
  if (role_ == Role::master) return;
  role_ = Role::master;
  mark_link_down();
  stream_.begin_own_history();
  master_link_.forget_address();
  replicas_.clear();
}

void Server::demote() {
  if (role_ == Role::replica) return;
  role_ = Role::replica;
  stream_.keep_backlog();
  replicas_.clear();
  for (Session& each : sessions_.all()) {
    if (!each.wait || each.is_postponed()) continue;
    unblock_with_error(each,
                       "UNBLOCKED force unblock from blocking operation, instance state changed "
                       "(master -> replica?)");
    end_session(each);
  }
}

StreamPosition Server::stream_position() const {
  const bool is_announced = stream_.database() != PropagationBuffer::no_database;
  const std::uint8_t database = role_ == Role::replica ? master_link_.session().database
                                : is_announced         ? stream_.database()
                                                       : std::uint8_t{0};
  return {stream_.ids().id, stream_.offset(), database};
}

void Server::copy_to(Snapshot& snapshot) const {
  snapshot.exists = true;
  for (std::size_t i = 0; i < database_count; ++i) {
    snapshot.databases[i].copy_from(databases_[i]);
  }
  snapshot.libraries = libraries_.codes();
  snapshot.position = stream_position();
}

void Server::take_snapshot(Snapshot& snapshot) {
  copy_to(snapshot);
  stream_.forget_database();
}

void Server::load(const Snapshot& snapshot) {
  assert(role_ == Role::replica && snapshot.position);
  for (std::size_t i = 0; i < database_count; ++i) {
    flush(static_cast<std::uint8_t>(i));  // of watched keys, those that were there have changed
    databases_[i].copy_from(snapshot.databases[i]);
  }
  libraries_.replace_by(scripts_, *version_, snapshot.libraries);
  memory_.forget_count();
  stream_.continue_from(*snapshot.position);
  master_link_.session().database = snapshot.position->database;
  ++dirty_;
  listener_.on_databases_replaced();
  master_link_.forget_partial_stream();
  mark_link_up();
  // The snapshot came as a file, which stays; what was appended to the old data means nothing now.
  persistence_.save(databases_, libraries_.codes(), snapshot.position, dirty_, now_ms_);
  if (persistence_.logs()) rewrite_append_only();
}

void Server::load_from(const Server& master) {
  Snapshot snapshot;
  master.copy_to(snapshot);
  demote();
  load(snapshot);
}

void Server::follow(std::string_view host, std::int64_t port) {
  const bool is_no_one = host.empty();
  if (is_no_one) {
    promote();
  } else {
    demote();
    mark_link_down();
    replicas_.clear();  // they have to ask again
    set_master_address(host, port);
  }
  listener_.on_replica_of(host, port);
}

}  // namespace lockstep::redis
