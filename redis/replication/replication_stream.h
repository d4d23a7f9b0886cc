// A server's replication stream: the effects that wait to be written, the offset, the history that
// the offset counts, and the backlog.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "redis/persistence/stored_files.h"
#include "redis/replication/propagation_buffer.h"
#include "redis/replication/replication_backlog.h"

namespace lockstep::redis {

class ReplicationStream {
 public:
  /// A new process, whose own history has this id.
  void start(std::uint64_t replication_id, const VersionTraits& version);

  [[nodiscard]] std::int64_t offset() const { return offset_; }
  [[nodiscard]] const ReplicationIds& ids() const { return ids_; }
  [[nodiscard]] const ReplicationBacklog& backlog() const { return backlog_; }
  /// Keeps a backlog from here on, unless there is one.
  void keep_backlog() {
    if (!backlog_.is_active()) backlog_.start(offset_);
  }
  /// PSYNC's CONTINUE: what follows `offset` of that history, if the backlog has it.
  [[nodiscard]] std::optional<std::string_view> since(std::uint64_t replication_id,
                                                      std::int64_t offset) const;

  // As a master.
  void append(std::uint8_t database, std::span<const std::string_view> words) {
    effects_.append(database, words);
  }
  void begin_frame(std::uint8_t database) { effects_.begin_frame(database); }
  void end_frame(std::uint8_t database) { effects_.end_frame(database); }
  [[nodiscard]] bool has_pending() const { return !effects_.empty(); }
  /// Writes the pending effects: the offset includes them. REQUIRES: has_pending(). The bytes are
  /// valid until begin_command.
  [[nodiscard]] std::string_view write_pending(std::uint64_t backlog_size_bytes);
  void begin_command() { effects_.begin(); }
  /// The database of the last SELECT in the stream, or PropagationBuffer::no_database.
  [[nodiscard]] std::uint8_t database() const { return effects_.database(); }
  void forget_database() { effects_.forget_database(); }
  /// A promoted replica goes on counting offsets under an id of its own.
  void begin_own_history();

  // As a replica.
  /// Bytes of the master's stream were applied.
  void append_applied(std::string_view bytes, std::uint64_t backlog_size_bytes);
  /// The master calls the same history by a new id.
  void adopt(std::uint64_t replication_id) { ids_.shift_replication_id(replication_id, offset_); }
  /// The data are now those of a master's snapshot.
  void continue_from(const StreamPosition& position);

  // After a restart, from the snapshot on the disk.
  void resume_as_master(const StreamPosition& position);
  void resume_as_replica(const StreamPosition& position);

  // server_digest.cpp
  void digest_position_into(sim::Digest& digest) const;
  void digest_backlog_into(sim::Digest& digest) const;

 private:
  PropagationBuffer effects_;
  std::int64_t offset_ = 0;
  ReplicationIds ids_;
  std::uint64_t own_replication_id_ = 0;  // the latest that this process gave itself
  ReplicationBacklog backlog_;
};

}  // namespace lockstep::redis
