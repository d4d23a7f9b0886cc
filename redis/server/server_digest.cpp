// A server as a part of a state: all that its answers to come depend on.
//
// Times are relative to its clock. What only INFO and CLIENT LIST tell (numbers of clients, of
// commands, addresses) counts only if a client asks for it (sim::DigestGrain). Not here: what is
// set anew before each use.
//
// Not state: version_, silences_pushes_ (the same in all runs), caller_database (over between two
// events), cluster_ (its node's matter), now_us_, now_ms_ (set before each call), watched_keys_
// (counted from the sessions), memory_, unit_ (memory), own_replication_id_ (ids to come are new
// ones), has_waits_for_disk_, is_unsynced_ (the sessions and the file are written), serve (the
// command's name is written), dirty_when_saved_ (a difference is written); of a
// script or a start, over between two events: noted_errors, noted_repeated_errors, access,
// has_written, allows_oom, may_cross_slots, slot, is_replicated, drops_effects, held_session_,
// is_loading_, is_running, is_function, is_busy, busy_ms, is_killed, is_from_master; watchers_,
// by_id_ (indexes of what is written); event_channel_, absent_keys_ (memory).
#include <algorithm>
#include <map>
#include <string_view>

#include "redis/scripting/script_process_state.h"
#include "redis/server/server.h"

namespace lockstep::redis {
namespace {

constexpr std::int64_t ms_in_a_second = 1000;
constexpr std::int64_t ms_between_ticks = 100;

std::string_view name_of(const CommandSpec* spec) {
  return spec == nullptr ? std::string_view() : spec->name;
}

template <class Names>
void add_names(sim::Digest& digest, const Names& names) {
  digest.add(names.size());
  for (const std::string& name : names) digest.add(std::string_view(name));
}

/// By their names: the counts are in no order.
void add_calls(sim::Digest& digest, const CommandCounts& calls) {
  std::map<std::string_view, const CommandCount*> by_name;
  for (const CommandCount& each : calls.all()) by_name.emplace(each.spec->name, &each);
  for (const auto& [name, count] : by_name) {
    digest.add(name);
    digest.add(count->calls);
    digest.add(count->rejected);
    digest.add(count->failed);
  }
}

void add_wait(sim::Digest& digest, const BlockingState& wait) {
  digest.add(wait.timeout_ms);
  digest.add(wait.is_silent);
  digest.add(wait.reason.index());
  if (const auto* const replicas = std::get_if<BlockedOnReplicas>(&wait.reason)) {
    digest.add(replicas->replicas_wanted);
    digest.add_offset(replicas->offset);
    digest.add(replicas->is_for_disks);
    digest.add(replicas->wants_own_disk);
    return;
  }
  if (std::holds_alternative<Postponed>(wait.reason)) return;
  const auto& keys = std::get<BlockedOnKeys>(wait.reason);  // its ticket: the order in BlockingKeys
  digest.add(keys.type);
  digest.add(name_of(keys.spec));
  keys.words.digest_into(digest);
  add_names(digest, keys.keys);
}

void add_process(sim::Digest& digest, const ScriptProcessState& process) {
  digest.add(process.random.state());
  const JsonOptions& json = process.json;
  digest.add(json.converts_sparse_arrays);
  digest.add(json.sparse_ratio);
  digest.add(json.sparse_safe);
  digest.add(json.encode_depth_max);
  digest.add(json.decode_depth_max);
  digest.add(json.number_precision);
  digest.add(json.encode_invalid_numbers);
  digest.add(json.decodes_invalid_numbers);
  digest.add(json.keeps_buffer);
}

void add_session(sim::Digest& digest, std::uint64_t owner, SessionId id) {
  digest.name(sim::NamedKind::session, owner, static_cast<std::uint64_t>(id));
}

}  // namespace

void Server::digest_into(sim::Digest& digest, std::uint64_t owner, const Config& configured,
                         std::int64_t now_ms) const {
  digest.add(role_);
  digest.add(run_id_);
  digest.add(pauses_writes_);
  if (!(config_ == configured)) digest.mark_unmergeable();  // CONFIG SET
  for (const Keyspace& keys : databases_) keys.digest_into(digest, now_ms);
  expire_cycle_.digest_into(digest);
  if (has_memory_limit()) memory_.digest_into(digest);
  if (digest.grain().asks_servers) {
    digest.add(dirty_);
    digest.add(memory_.evicted_keys());
    sessions_.digest_counts_into(digest);
    digest.add(statistics_.started_at_us / 1000 - now_ms);
    digest.add(statistics_.connections);
    digest.add(statistics_.commands);
    digest.add(statistics_.expired_keys);
    digest.add(statistics_.saves);
    for (const auto& [code, count] : statistics_.errors.by_code()) {
      digest.add(std::string_view(code));
      digest.add(count);
    }
    add_calls(digest, statistics_.calls);
    digest.add(stream_.offset());
  }
  sessions_.digest_into(digest, owner, now_ms);
  pubsub_.digest_into(digest, owner);
  blocking_keys_.digest_into(digest, [&](SessionId id) { add_session(digest, owner, id); });
  script_cache_.digest_into(digest, scripts_);
  // Their functions' local variables are no part of the digest.
  if (!libraries_.all().empty() || !monitors_.empty()) digest.mark_unmergeable();
  digest.add(script_.session.database);
  add_process(digest, script_.process);
  digest_replication(digest, now_ms);
  persistence_.digest_into(digest, config_, dirty_, now_ms);
  if (synced_offset() >= 0) digest.add_offset(synced_offset_);
}

void Server::digest_replication(sim::Digest& digest, std::int64_t now_ms) const {
  digest.add(stream_.database());
  master_link_.digest_into(digest);
  if (!digest.grain().replicates) return;
  stream_.digest_position_into(digest);
  master_link_.digest_stream_into(digest, now_ms);
  stream_.digest_backlog_into(digest);
  replicas_.digest_into(digest, config_, now_ms);
}

void ExpireCycle::digest_into(sim::Digest& digest) const {
  digest.add(is_on_);
  if (!is_on_) return;
  for (const std::string& key : next_key_) digest.add(std::string_view(key));
}

// evicted_keys_ counts only if a client asks for it (Server::digest_into).
void MemoryUse::digest_into(sim::Digest& digest) const {
  digest.add(is_counted_);
  for (const MemoryLedger& ledger : ledgers_) ledger.digest_into(digest);
  digest.add(last_evicted_from_);
  digest.add(is_out_of_memory_);
}

void Sessions::digest_counts_into(sim::Digest& digest) const { digest.add(clients_seen_); }

void Sessions::digest_into(sim::Digest& digest, std::uint64_t owner, std::int64_t now_ms) const {
  for (const Session& each : sessions_) {
    if (!each.is_open) continue;
    add_session(digest, owner, each.id);
    digest.add(each.is_ending);
    digest.add(each.protocol);
    digest.add(each.replies);
    digest.add(each.is_replica);
    digest.add(each.is_read_only);
    digest.add(each.database);
    digest.add(std::string_view(each.name));
    digest.add(each.transaction);
    digest.add(each.queued_count);
    for (std::size_t i = 0; i < each.queued_count; ++i) {
      digest.add(name_of(each.queue[i].spec));
      each.queue[i].words.digest_into(digest);
    }
    digest.add(each.watched.size());
    for (const WatchedKey& watched : each.watched) {
      digest.add(watched.database);
      digest.add(std::string_view(watched.key));
      digest.add(watched.was_expired);
    }
    digest.add(each.watched_key_changed);
    add_names(digest, each.channels);
    add_names(digest, each.patterns);
    if (!each.shard_channels.empty()) add_names(digest, each.shard_channels);
    if (digest.grain().replicates) digest.add_offset(each.last_offset);
    digest.add(each.wait.has_value());
    if (each.wait) add_wait(digest, *each.wait);
    if (!digest.grain().asks_servers) continue;
    digest.add(each.client_number);
    digest.add(std::string_view(each.address));
    digest.add(std::string_view(each.local_address));
    digest.add(each.opened_at_ms - now_ms);
    digest.add(each.active_at_ms - now_ms);
    digest.add(name_of(each.last_command));
    digest.add(each.is_no_evict);
  }
  digest.add(~std::uint64_t{0});  // no session more
}

void PubSub::digest_into(sim::Digest& digest, std::uint64_t owner) const {
  for (const Subscriptions* const topics : {&channels_, &patterns_, &shard_channels_}) {
    if (topics == &shard_channels_ && topics->topics().empty()) continue;
    digest.add(topics->topics().size());
    for (const auto& [name, sessions] : topics->topics()) {
      digest.add(std::string_view(name));
      digest.add(sessions.size());
      for (const SessionId session : sessions) add_session(digest, owner, session);
    }
  }
}

void ScriptCache::digest_into(sim::Digest& digest, const ScriptEngine& engine) const {
  for (std::size_t script = 0; script < known_.size(); ++script) {
    if (known_[script] == generation_) digest.add(engine.sha1(static_cast<ScriptId>(script)));
  }
}

void MasterLink::digest_into(sim::Digest& digest) const {
  digest.add(is_up_);
  digest.add(session_.database);
  digest.add(std::string_view(address_.host));
  digest.add(address_.port);
}

void MasterLink::digest_stream_into(sim::Digest& digest, std::int64_t now_ms) const {
  digest.add(down_since_ms_.has_value());
  if (down_since_ms_) digest.add(now_ms - *down_since_ms_);
  digest.add(std::string_view(partial_stream_));
}

// effects_ are written between two events; their database is the stream's.
void ReplicationStream::digest_position_into(sim::Digest& digest) const {
  digest.add_offset(offset_);
  digest.name(sim::NamedKind::history, ids_.id);
  digest.add(ids_.previous_id == 0);
  if (ids_.previous_id != 0) {
    digest.name(sim::NamedKind::history, ids_.previous_id);
    digest.add_offset(ids_.second_replid_offset);
  }
}

void ReplicationStream::digest_backlog_into(sim::Digest& digest) const {
  digest.add(backlog_.is_active());
  if (!backlog_.is_active()) return;
  const std::int64_t from = std::max(digest.oldest_offset(), backlog_.first_offset());
  const auto kept = backlog_.since(from);
  digest.add_offset(from);
  digest.add(kept.value_or(std::string_view()));
}

void Replicas::digest_into(sim::Digest& digest, const Config& config, std::int64_t now_ms) const {
  digest.add(replicas_.size());
  for (const Replica& replica : replicas_) {
    digest.add(std::string_view(replica.host));
    digest.add(replica.port);
    digest.add(replica.is_attached);
    digest.add_offset(replica.acknowledged);
    digest.add(replica.synced >= 0);
    if (replica.synced >= 0) digest.add_offset(replica.synced);
    const bool ages = config.min_replicas_to_write > 0 || digest.grain().asks_servers;
    if (ages) digest.add(now_ms - replica.acknowledged_at_ms);
  }
}

// Whole seconds are the wall clock's: DigestGrain::wall_clock_ns must tell them apart where
// something is stored.
void Persistence::digest_into(sim::Digest& digest, const Config& config, std::uint64_t dirty,
                              std::int64_t now_ms) const {
  digest.add(files_ != nullptr);
  if (files_ != nullptr) files_->digest_into(digest, now_ms);
  if (digest.grain().asks_servers) digest.add(last_save_s_ - now_ms / ms_in_a_second);
  digest.add(logs_);
  digest.add(effects_.database());
  const bool saves = !config.save.empty();
  if (!logs_ && !saves) return;
  digest.add((now_ms - started_ms_) % ms_between_ticks);
  const std::int64_t unsynced_s = now_ms / ms_in_a_second - last_sync_s_;
  digest.add(digest.grain().clocks_go_back ? unsynced_s : std::min<std::int64_t>(unsynced_s, 1));
  if (!saves) return;
  digest.add(changes_since_save(dirty));
  digest.add(now_ms / ms_in_a_second - last_save_s_);
}

}  // namespace lockstep::redis
