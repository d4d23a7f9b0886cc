// What outlives a server's process: its append-only file (AOF) and its snapshot (RDB).
//
// The host owns them and passes them to each server that starts there. Snapshots are kept as
// values, not as bytes of Redis's format: they are written whole, atomically and synced, so that
// neither a crash nor a power failure ever finds half of one. Not covered: the formats of the
// files, and failing disks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "redis/values/keyspace.h"
#include "sim/disk_file.h"

namespace lockstep::redis {

inline constexpr std::size_t database_count = 16;
using Databases = std::array<Keyspace, database_count>;

/// A position in a replication stream: what a server needs to continue from it.
struct StreamPosition {
  std::uint64_t replication_id = 0;
  std::int64_t offset = 0;
  std::uint8_t database = 0;  ///< the stream's selected one
};

struct Snapshot {
  bool exists = false;
  Databases databases;
  std::vector<std::string> libraries;      ///< code of functions
  std::optional<StreamPosition> position;  ///< none: the server took no part in replication

  void clear() {
    exists = false;
    for (Keyspace& keys : databases) keys.clear();
    libraries.clear();
    position.reset();
  }
};

/// Adds what a starting process, or a replica, will find in a snapshot (keyspace_digest.cpp).
void digest_into(const Snapshot& snapshot, sim::Digest& digest, std::int64_t now_ms);

struct StoredFiles {
  Snapshot snapshot;
  /// The append-only file is a snapshot and the effects since; an empty one begins with nothing.
  bool has_append_only = false;
  Snapshot append_only_base;
  sim::DiskFile append_only;

  void digest_into(sim::Digest& digest, std::int64_t now_ms) const;
  void lose_unsynced() { append_only.lose_unsynced(); }
  void clear() {
    snapshot.clear();
    has_append_only = false;
    append_only_base.clear();
    append_only.clear();
  }
};

}  // namespace lockstep::redis
