// What a server reads from its disk when it starts, and what it leaves there.
#include <cassert>
#include <string>
#include <vector>

#include "redis/protocol/resp.h"
#include "redis/server/server.h"

namespace lockstep::redis {
namespace {

std::uint64_t count_keys(const Databases& databases) {
  std::uint64_t count = 0;
  for (const Keyspace& keys : databases) count += keys.entries().size();
  return count;
}

}  // namespace

// With appendonly the snapshot file is not even looked at, as in Redis 7: who switches it on in the
// configuration of a stopped server starts empty.

LoadedData Server::restore() {
  LoadedData restored;
  StoredFiles* const files = persistence_.files();
  persistence_.start(files, now_ms_);
  if (config_.append_only) {
    persistence_.set_logging(true);
    if (files == nullptr || !files->has_append_only) {
      rewrite_append_only();
    } else {
      restored.from = LoadedData::From::append_only;
      load_append_only();
    }
  } else if (files != nullptr && files->snapshot.exists) {
    restored.from = LoadedData::From::snapshot;
    load_snapshot(restored);
  }
  restored.keys = count_keys(databases_);
  synced_offset_ = stream_.offset();
  return restored;
}

// Nothing expires while the file is read: what has expired since is found, and deleted, later.

void Server::load_append_only() {
  const StoredFiles& files = *persistence_.files();
  for (std::size_t i = 0; i < database_count; ++i) {
    databases_[i].copy_from(files.append_only_base.databases[i]);
  }
  libraries_.replace_by(scripts_, *version_, files.append_only_base.libraries);
  is_loading_ = true;
  replay(files.append_only.bytes());
  is_loading_ = false;
}

void Server::replay(std::string_view effects) {
  DiscardingReplyWriter nowhere;
  Session session;
  std::string error;
  std::vector<std::string_view> words;
  for (std::size_t position = 0; position < effects.size();) {
    [[maybe_unused]] const RespRead read = read_request(effects, position, {}, words, error);
    assert(read == RespRead::complete && "whole commands are written, and whole ones lost");
    const CommandSpec* const spec = resolve(words).spec;
    assert(spec != nullptr && "only what was executed is written");
    if (spec->is(CommandFlag::never_queued)) continue;  // MULTI and EXEC
    run(*spec, Origin::master, session, words, nowhere);
  }
}

void Server::load_snapshot(LoadedData& restored) {
  const Snapshot& snapshot = persistence_.files()->snapshot;
  for (std::size_t i = 0; i < database_count; ++i) {
    databases_[i].copy_from(snapshot.databases[i]);
  }
  libraries_.replace_by(scripts_, *version_, snapshot.libraries);
  if (role_ == Role::master) {
    if (snapshot.position) stream_.resume_as_master(*snapshot.position);
    return discard_expired_keys(restored);
  }
  if (!snapshot.position) return;
  stream_.resume_as_replica(*snapshot.position);
  master_link_.session().database = snapshot.position->database;
}

// A replica that goes on from the snapshot's offset hears of each key that is left out.

void Server::discard_expired_keys(LoadedData& restored) {
  std::vector<std::string> expired;
  for (std::size_t i = 0; i < database_count; ++i) {
    expired.clear();
    for (const auto& [key, entry] : databases_[i].entries()) {
      if (entry.expired_at(now_ms_)) expired.push_back(key);
    }
    for (const std::string& key : expired) {
      databases_[i].erase(key);
      ++restored.expired_keys;
      if (!stream_.backlog().is_active()) continue;
      stream_.append(static_cast<std::uint8_t>(i), std::vector<std::string_view>{"DEL", key});
      static_cast<void>(stream_.write_pending(config_.repl_backlog_size_bytes));
      stream_.begin_command();
    }
  }
}

void Server::rewrite_append_only() {
  persistence_.rewrite(databases_, libraries_.codes());
  note_synced_offset();
}

void Server::note_synced_offset() {
  const bool is_claimed =
      version_->claims_sync_early && config_.append_fsync == AppendFsync::everysec;
  if (persistence_.has_unsynced() && !is_claimed) return;
  synced_offset_ = stream_.offset();
  if (has_waits_for_disk_) process_clients_waiting_replicas();
}

void Server::save() {
  std::optional<StreamPosition> position;
  if (stream_.backlog().is_active()) position = stream_position();
  persistence_.save(databases_, libraries_.codes(), position, dirty_, now_ms_);
  ++statistics_.saves;
  if (persistence_.files() != nullptr) listener_.on_saved(count_keys(databases_));
}

void Server::tick() {
  if (persistence_.sync_is_due(config_, now_ms_)) {
    persistence_.sync_at(now_ms_);
    note_synced_offset();
  }
  if (persistence_.save_is_due(config_, dirty_, now_ms_)) save();
}

void Server::shut_down(SaveAtShutdown how) {
  persistence_.sync();
  const bool saves =
      how == SaveAtShutdown::yes || (how == SaveAtShutdown::as_configured && !config_.save.empty());
  if (saves) save();
}

}  // namespace lockstep::redis
