#include "redis/replication/replication_stream.h"

namespace lockstep::redis {

void ReplicationStream::start(std::uint64_t replication_id, const VersionTraits& version) {
  effects_.set_framing(version);
  effects_.begin();
  effects_.forget_database();
  offset_ = 0;
  own_replication_id_ = replication_id;
  ids_ = {.id = replication_id};
  backlog_.stop();
}

std::optional<std::string_view> ReplicationStream::since(std::uint64_t replication_id,
                                                         std::int64_t offset) const {
  if (!ids_.includes(replication_id, offset)) return std::nullopt;
  return backlog_.since(offset);
}

std::string_view ReplicationStream::write_pending(std::uint64_t backlog_size_bytes) {
  const std::string_view bytes = effects_.finish();
  offset_ += static_cast<std::int64_t>(bytes.size());
  if (backlog_.is_active()) backlog_.append(bytes, backlog_size_bytes);
  return bytes;
}

void ReplicationStream::begin_own_history() {
  adopt(++own_replication_id_);
  effects_.forget_database();  // a replica may go on from here without knowing ours
}

void ReplicationStream::append_applied(std::string_view bytes, std::uint64_t backlog_size_bytes) {
  offset_ += static_cast<std::int64_t>(bytes.size());
  backlog_.append(bytes, backlog_size_bytes);
}

void ReplicationStream::continue_from(const StreamPosition& position) {
  ids_ = {.id = position.replication_id};
  offset_ = position.offset;
  backlog_.start(offset_);
  effects_.forget_database();
}

void ReplicationStream::resume_as_master(const StreamPosition& position) {
  offset_ = position.offset;
  backlog_.start(offset_);
  ids_.previous_id = position.replication_id;
  ids_.second_replid_offset = offset_;
}

void ReplicationStream::resume_as_replica(const StreamPosition& position) {
  offset_ = position.offset;
  backlog_.start(offset_);
  ids_.id = position.replication_id;
}

}  // namespace lockstep::redis
