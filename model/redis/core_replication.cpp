// The replication stream from both ends, acknowledgements and WAIT, and changes of role.
#include <algorithm>
#include <cassert>

#include "model/redis/core.h"
#include "model/redis/letter_case.h"
#include "model/redis/resp.h"

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
    if (spec == nullptr || spec->is(CommandFlag::unqueued)) continue;  // REPLCONF; MULTI and EXEC
    if (!spec->accepts(words.size())) continue;
    run(*spec, Origin::master, stream_session_, words, nowhere);
  }
}

void Core::acknowledge(std::uint32_t replica, std::int64_t offset) {
  if (replica >= acknowledged_.size()) acknowledged_.resize(replica + 1, -1);
  acknowledged_[replica] = std::max(acknowledged_[replica], offset);
  answer_waits();
}

void Core::drop_replica(std::uint32_t replica) {
  if (replica < acknowledged_.size()) acknowledged_[replica] = -1;
}

std::int64_t Core::acknowledged_by(std::int64_t offset) const {
  return std::count_if(acknowledged_.begin(), acknowledged_.end(),
                       [offset](std::int64_t acknowledged) { return acknowledged >= offset; });
}

void Core::wait_for_replicas(Session& session, const ReplicaWait& wait, std::int64_t timeout_ms) {
  session.wait = PendingWait{wait, timeout_ms};
  listener_.on_acknowledgements_wanted();
}

void Core::answer_waits() {
  for (Session& each : sessions_) {
    if (!each.wait) continue;
    const auto* const wait = std::get_if<ReplicaWait>(&each.wait->reason);
    if (wait != nullptr && acknowledged_by(wait->offset) >= wait->replicas_wanted) unblock(each);
  }
}

void Core::promote() {
  if (role_ == Role::master) return;
  role_ = Role::master;
  master_address_ = {};
  partial_stream_.clear();
  acknowledged_.clear();
  effects_.forget_database();  // a replica may go on from here without knowing ours
}

void Core::demote() {
  if (role_ == Role::replica) return;
  role_ = Role::replica;
  acknowledged_.clear();
  for (Session& each : sessions_) {
    if (!each.wait) continue;
    unblock_with_error(each,
                       "UNBLOCKED force unblock from blocking operation, instance state changed "
                       "(master -> replica?)");
  }
}

void Core::load_from(const Core& master) {
  for (std::size_t i = 0; i < database_count; ++i) {
    databases_[i].copy_from(master.databases_[i]);
  }
  is_memory_counted_ = false;
  for (Session& each : sessions_) each.watched_key_changed |= !each.watched.empty();
  role_ = master.role_;
  offset_ = master.offset_;
  ++dirty_;
  partial_stream_.clear();
  const bool is_announced = master.effects_.database() != EffectStream::no_database;
  stream_session_.database = master.role_ == Role::replica ? master.stream_session_.database
                             : is_announced                ? master.effects_.database()
                                                           : std::uint8_t{0};
  effects_.forget_database();
}

void Core::follow(std::string_view host, std::int64_t port) {
  const bool is_no_one = host.empty();
  if (is_no_one) {
    promote();
  } else {
    demote();
    master_address_ = {std::string(host), port};
  }
  listener_.on_replica_of(host, port);
}

}  // namespace lockstep::redis
