// The replication stream from both ends, acknowledgements and WAIT, and changes of role.
#include <algorithm>
#include <cassert>

#include "redis/protocol/letter_case.h"
#include "redis/protocol/resp.h"
#include "redis/server/core.h"

namespace lockstep::redis {

// A unit is one request outside a transaction, or MULTI … EXEC as a whole: it is applied when its
// last byte is here, and only then do its bytes count as applied.

void Core::apply_stream(std::string_view bytes) {
  assert(role_ == Role::replica);
  const bool has_rest = !partial_stream_.empty();
  if (has_rest) partial_stream_.append(bytes);
  const std::string_view stream = has_rest ? std::string_view(partial_stream_) : bytes;
  std::size_t applied = 0;
  std::size_t position = 0;
  std::size_t requests = 0;  // of the unit so far
  std::string error;
  for (;;) {
    if (requests == unit_.size()) unit_.emplace_back();
    std::vector<std::string_view>& words = unit_[requests];
    const RespRead read = read_request(stream, position, {}, words, error);
    assert(read != RespRead::invalid && "a master sent what is no stream");
    if (read != RespRead::complete) break;
    if (!words.empty()) ++requests;
    const bool is_open = requests > 0 && equals_ignoring_case(unit_[0][0], "multi");
    if (is_open && !equals_ignoring_case(unit_[requests - 1][0], "exec")) continue;
    apply_unit({unit_.data(), requests});
    requests = 0;
    offset_ += static_cast<std::int64_t>(position - applied);
    backlog_.append(stream.substr(applied, position - applied), config_.repl_backlog_size_bytes);
    applied = position;
  }
  if (has_rest) {
    partial_stream_.erase(0, applied);
  } else {
    partial_stream_.assign(bytes.substr(applied));
  }
}

void Core::apply_unit(std::span<const std::vector<std::string_view>> requests) {
  DiscardingReplyWriter nowhere;
  for (const std::vector<std::string_view>& words : requests) {
    const CommandSpec* const spec = resolve(words).spec;
    if (spec == nullptr || spec->is(CommandFlag::never_queued))
      continue;  // REPLCONF; MULTI and EXEC
    if (!spec->accepts(words.size())) continue;
    run(*spec, Origin::master, master_session_, words, nowhere);
  }
  if (persistence_.has_unwritten()) persistence_.write(config_.append_fsync, now_ms_);
}

std::optional<std::string_view> Core::stream_since(std::uint64_t replication_id,
                                                   std::int64_t offset) const {
  if (!history_.includes(replication_id, offset)) return std::nullopt;
  return backlog_.since(offset);
}

std::uint32_t Core::attach_replica(std::string_view host, std::int64_t port) {
  if (!backlog_.is_active()) backlog_.start(offset_);
  Replica& replica = replicas_.emplace_back();
  replica.host = host;
  replica.port = port;
  replica.acknowledged = 0;
  replica.acknowledged_at_ms = now_ms_;
  return static_cast<std::uint32_t>(replicas_.size() - 1);
}

bool Core::has_enough_good_replicas() const {
  if (config_.min_replicas_to_write == 0 || config_.min_replicas_max_lag_s == 0) return true;
  if (role_ == Role::replica) return true;
  const auto seconds = [](std::int64_t unix_time_ms) { return unix_time_ms / 1000; };
  const auto good = std::count_if(replicas_.begin(), replicas_.end(), [&](const Replica& replica) {
    const std::int64_t lag_s = seconds(now_ms_) - seconds(replica.acknowledged_at_ms);
    return replica.is_attached && lag_s <= config_.min_replicas_max_lag_s;
  });
  return good >= config_.min_replicas_to_write;
}

void Core::acknowledge(std::uint32_t replica, std::int64_t offset) {
  if (replica >= replicas_.size()) replicas_.resize(replica + 1);
  Replica& known = replicas_[replica];
  known.acknowledged = std::max(known.acknowledged, offset);
  known.acknowledged_at_ms = now_ms_;
  process_clients_waiting_replicas();
}

void Core::drop_replica(std::uint32_t replica) {
  if (replica >= replicas_.size()) return;
  replicas_[replica].is_attached = false;
  replicas_[replica].acknowledged = -1;
}

std::int64_t Core::count_acks_by_offset(std::int64_t offset) const {
  return std::count_if(replicas_.begin(), replicas_.end(),
                       [offset](const Replica& replica) { return replica.acknowledged >= offset; });
}

void Core::block_for_replication(Session& session, const BlockedOnReplicas& wait,
                                 std::int64_t timeout_ms) {
  session.wait = BlockingState{wait, timeout_ms};
  listener_.on_getack_wanted();
}

void Core::process_clients_waiting_replicas() {
  for (Session& each : sessions_) {
    if (!each.wait) continue;
    const auto* const wait = std::get_if<BlockedOnReplicas>(&each.wait->reason);
    if (wait != nullptr && count_acks_by_offset(wait->offset) >= wait->replicas_wanted)
      unblock(each);
  }
}

void Core::set_master_address(std::string_view host, std::int64_t port) {
  master_address_.host.assign(host);
  master_address_.port = port;
}

void Core::mark_link_up() {
  is_master_link_up_ = true;
  master_link_down_since_ms_.reset();
}

void Core::mark_link_down() {
  partial_stream_.clear();
  if (is_master_link_up_) master_link_down_since_ms_ = now_ms_;
  is_master_link_up_ = false;
}

void Core::promote() {
  if (role_ == Role::master) return;
  role_ = Role::master;
  mark_link_down();
  history_.shift_replication_id(++own_replication_id_, offset_);
  master_address_ = {};
  replicas_.clear();
  effects_.forget_database();  // a replica may go on from here without knowing ours
}

void Core::demote() {
  if (role_ == Role::replica) return;
  role_ = Role::replica;
  if (!backlog_.is_active()) backlog_.start(offset_);
  replicas_.clear();
  for (Session& each : sessions_) {
    if (!each.wait) continue;
    unblock_with_error(each,
                       "UNBLOCKED force unblock from blocking operation, instance state changed "
                       "(master -> replica?)");
    end_session(each);
  }
}

StreamPosition Core::stream_position() const {
  const bool is_announced = effects_.database() != PropagationBuffer::no_database;
  const std::uint8_t database = role_ == Role::replica ? master_session_.database
                                : is_announced         ? effects_.database()
                                                       : std::uint8_t{0};
  return {history_.id, offset_, database};
}

void Core::copy_to(Snapshot& snapshot) const {
  snapshot.exists = true;
  for (std::size_t i = 0; i < database_count; ++i) {
    snapshot.databases[i].copy_from(databases_[i]);
  }
  snapshot.position = stream_position();
}

void Core::take_snapshot(Snapshot& snapshot) {
  copy_to(snapshot);
  effects_.forget_database();
}

void Core::load(const Snapshot& snapshot) {
  assert(role_ == Role::replica && snapshot.position);
  for (std::size_t i = 0; i < database_count; ++i) {
    flush(static_cast<std::uint8_t>(i));  // of watched keys, those that were there have changed
    databases_[i].copy_from(snapshot.databases[i]);
  }
  is_memory_counted_ = false;
  history_ = {.id = snapshot.position->replication_id};
  offset_ = snapshot.position->offset;
  master_session_.database = snapshot.position->database;
  backlog_.start(offset_);
  ++dirty_;
  listener_.on_databases_replaced();
  partial_stream_.clear();
  mark_link_up();
  effects_.forget_database();
  // The snapshot came as a file, which stays; what was appended to the old data means nothing now.
  persistence_.save(databases_, snapshot.position, dirty_, now_ms_);
  if (persistence_.logs()) rewrite_append_only();
}

void Core::load_from(const Core& master) {
  Snapshot snapshot;
  master.copy_to(snapshot);
  demote();
  load(snapshot);
}

void Core::follow(std::string_view host, std::int64_t port) {
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
