// What is on a server's disk, as a part of a state.
#include "redis/persistence/stored_files.h"
#include "sim/digest.h"

namespace lockstep::redis {

void digest_into(const Snapshot& snapshot, sim::Digest& digest, std::int64_t now_ms) {
  digest.add(snapshot.exists);
  if (!snapshot.exists) return;
  for (const Keyspace& keys : snapshot.databases) keys.digest_into(digest, now_ms);
  for (const std::string& code : snapshot.libraries) digest.add(std::string_view(code));
  digest.add(snapshot.position.has_value());
  if (!snapshot.position) return;
  digest.name(sim::NamedKind::history, snapshot.position->replication_id);
  digest.add_offset(snapshot.position->offset);
  digest.add(snapshot.position->database);
}

void StoredFiles::digest_into(sim::Digest& digest, std::int64_t now_ms) const {
  redis::digest_into(snapshot, digest, now_ms);
  digest.add(has_append_only);
  if (!has_append_only) return;
  redis::digest_into(append_only_base, digest, now_ms);
  digest.add(append_only.bytes());
  digest.add(append_only.unsynced_bytes());
}

}  // namespace lockstep::redis
