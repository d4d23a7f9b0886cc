// One Redis server without its sockets: sessions, commands, pub/sub, scripts, replication.
//
// Passive and deterministic: it acts only when called, knows no time but the one it is given, and
// speaks through a listener. model/node puts it on a simulated host, serve/ on real sockets.
// Reference: Redis 7.0.15 (measured), docs/fidelity.md lists the differences.
//
// Replication is as Redis does it: the master writes the *effects* of commands, with absolute
// expiries, into a stream of RESP bytes with offsets; a replica applies the bytes.
//
// Its state lies in parts of one responsibility each (Sessions, PubSub, ReplicationStream, …); the
// server holds them and does what concerns several. Commands reach it through their Call. A request
// goes
//   execute → resolve → refuse? → queue (MULTI) or run → propagate
// and redis.call of a script joins at run, so that all writes leave their effects in one place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "redis/persistence/persistence.h"
#include "redis/persistence/stored_files.h"
#include "redis/protocol/command_counts.h"
#include "redis/protocol/error_counts.h"
#include "redis/pubsub/pubsub.h"
#include "redis/replication/master_link.h"
#include "redis/replication/replicas.h"
#include "redis/replication/replication_stream.h"
#include "redis/scripting/script_cache.h"
#include "redis/scripting/script_engine.h"
#include "redis/server/cluster_view.h"
#include "redis/server/command_call.h"
#include "redis/server/config.h"
#include "redis/server/error_replies.h"
#include "redis/server/expire_cycle.h"
#include "redis/server/function_libraries.h"
#include "redis/server/memory_use.h"
#include "redis/server/running_script.h"
#include "redis/server/server_listener.h"
#include "redis/server/server_types.h"
#include "redis/server/server_version.h"
#include "redis/server/sessions.h"
#include "redis/server/version_traits.h"
#include "redis/values/keyspace.h"

namespace lockstep::redis {

struct ServerOptions {
  ServerVersion version = default_version;
  Role role = Role::master;
  Config config{};
  /// The files of the server's disk; nullptr if it has no disk; then nothing is stored.
  StoredFiles* files = nullptr;
  /// The replication id of this process until it learns another. Unique to the process.
  std::uint64_t replication_id = 1;
  /// INFO's run_id as a number; 0 if no client asks for it.
  std::uint64_t run_id = 0;
  /// The cluster that the server belongs to; nullptr if none. Not owned.
  ClusterView* cluster = nullptr;
};

/// A server of this version without a configuration.
[[nodiscard]] inline ServerOptions options_of(ServerVersion version) {
  ServerOptions options;
  options.version = version;
  options.config = config_of(traits_of(version));
  return options;
}

/// What INFO counts. CONFIG RESETSTAT resets it.
struct Statistics {
  std::int64_t started_at_us = 0;  ///< 0: the clock is not set yet
  std::int64_t connections = 0;
  std::int64_t commands = 0;
  std::int64_t expired_keys = 0;
  std::int64_t saves = 0;
  ErrorCounts errors;
  CommandCounts calls;
  std::int64_t noted_errors = 0;  ///< of errors.total(): commands have been blamed for them
  std::int64_t noted_repeated_errors = 0;  ///< of errors.repeated()

  /// Keeps memory.
  void clear();
};

class Server final : private ScriptHost {
 public:
  Server(ScriptEngine& scripts, ServerListener& listener)
      : scripts_(scripts), listener_(listener) {}
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // For the process around it.

  /// A freshly started process with an empty dataset, no sessions and no known scripts. Keeps
  /// memory.
  void start(const ServerOptions& options);

  /// The host's wall clock. Must be set before each of the calls below; does not move during a
  /// call.
  void set_time_us(std::int64_t unix_time_us);

  /// Reuses the ids of closed sessions, the lowest first.
  SessionId open_session(const PeerAddresses& addresses = {});
  /// Marks a session that asked for the replication stream. CLIENT LIST and KILL show it as a
  /// replica.
  void mark_replica(SessionId session) { sessions_.at(session).is_replica = true; }
  /// Forgets the session's subscriptions, transaction and wait.
  void close_session(SessionId session);

  /// Executes one request and writes exactly one reply in the session's protocol, or none if the
  /// session blocks or is silent. REQUIRES: arguments is not empty, session is open and not
  /// blocked.
  ///
  /// SUBSCRIBE a b c owes three confirmations: those of a and b go out through on_push during the
  /// call, the last one is the reply. A connection that writes pushes and replies into one buffer
  /// as they come keeps Redis's order, even if EXEC publishes to its own session. One that sends
  /// pushes first and the reply last keeps it in all other cases.
  ExecuteResult execute(SessionId session, std::span<const std::string_view> arguments,
                        ReplyWriter& reply);
  /// The session's protocol: the one in which its pushes and replies must be written.
  [[nodiscard]] Protocol protocol(SessionId session) const {
    return sessions_.at(session).protocol;
  }
  /// How many ms a session that execute left blocked may wait from now on; 0: forever. It times out
  /// once the clock is past that: one ms later than requested.
  [[nodiscard]] std::int64_t block_timeout_ms(SessionId session) const;
  /// Ends the wait of a blocked session, which replies with what it has (through on_unblocked).
  void unblock(SessionId session) { unblock(sessions_.at(session)); }

  /// The version that it behaves as.
  [[nodiscard]] const VersionTraits& version() const { return *version_; }
  [[nodiscard]] const Config& config() const { return config_; }
  /// Redis's active expire cycle: a master deletes expired keys and propagates each DEL by itself.
  /// Does nothing after DEBUG SET-ACTIVE-EXPIRE 0. Call it periodically; each call looks at some
  /// thousand keys of each database and goes on where the last one stopped.
  void expire_cycle();
  /// Evicts a key of database 0, as maxmemory would; false if the key does not exist or may not go.
  bool evict(std::string_view key);

  // Replication.
  [[nodiscard]] Role role() const { return role_; }
  /// Bytes of the stream written (master) or applied (replica) so far.
  [[nodiscard]] std::int64_t replication_offset() const { return stream_.offset(); }
  /// Replica: the offset of the bytes that it expects next, after those of an incomplete request.
  [[nodiscard]] std::int64_t received_offset() const {
    return stream_.offset() + static_cast<std::int64_t>(master_link_.partial_bytes());
  }
  /// Replica: applies the bytes of its master's stream that follow its offset. They may come in
  /// pieces: a request, or MULTI … EXEC as a whole, is applied once its last byte is there, and
  /// only then counts in the offset. REQUIRES: role() is replica.
  void apply_stream(std::string_view bytes);
  /// The replication id: the history that its offsets count.
  [[nodiscard]] std::uint64_t replication_id() const { return stream_.ids().id; }
  /// PSYNC's CONTINUE: the stream's bytes after `offset` of that history. Nothing if this server no
  /// longer has them; then the replica needs a snapshot. Valid until the next call.
  [[nodiscard]] std::optional<std::string_view> stream_since(std::uint64_t replication_id,
                                                             std::int64_t offset) const {
    return stream_.since(replication_id, offset);
  }
  /// A replica connected and gets the stream from here on. Returns its number. ROLE shows `host`
  /// and `port`.
  std::uint32_t attach_replica(std::string_view host, std::int64_t port);
  [[nodiscard]] std::span<const Replica> replicas() const { return replicas_.all(); }
  /// Copies the dataset for a full synchronisation. The stream goes on with a SELECT.
  void take_snapshot(Snapshot& snapshot);
  /// Replica: loads a master's snapshot. REQUIRES: the snapshot has a position.
  void load(const Snapshot& snapshot);
  /// Replica: adopts the new replication id of the master with which it continues.
  void adopt_replication_id(std::uint64_t id) { stream_.adopt(id); }
  /// Sets the master's address for ROLE and INFO, without a REPLICAOF.
  void set_master_address(std::string_view host, std::int64_t port) {
    master_link_.set_address(host, port);
  }
  /// Replica: the link is up and the stream goes on from replication_offset(). load() implies it.
  void mark_link_up() { master_link_.mark_up(); }
  /// Replica: the link to the master broke. The stream will go on from replication_offset().
  void mark_link_down() { master_link_.mark_down(now_ms_); }
  /// Master: a replica has everything up to `offset`, and on its disk everything up to `synced`
  /// (-1: it stores nothing, or does not say). Replicas count from 0 in the order added. One that
  /// never acknowledged does not count for WAIT; Redis counts a new one as being at 0, which
  /// acknowledge(replica, 0) says.
  void acknowledge(std::uint32_t replica, std::int64_t offset, std::int64_t synced = -1);
  /// The offset up to which it says that its append-only file is synced; -1: it has none, or its
  /// version tells nobody.
  [[nodiscard]] std::int64_t synced_offset() const {
    return config_.append_only && version_->acknowledges_syncs ? synced_offset_ : -1;
  }
  /// Whether ticks will bring synced_offset() to the present offset.
  [[nodiscard]] bool will_sync() const {
    return synced_offset() >= 0 && synced_offset_ < stream_.offset() &&
           config_.append_fsync != AppendFsync::no;
  }
  /// Master: a replica's link broke; its acknowledgements no longer count.
  void drop_replica(std::uint32_t replica) { replicas_.drop(replica); }
  /// REPLICAOF NO ONE: keeps the data, accepts writes, forgets the replicas' acknowledgements.
  void promote();
  /// REPLICAOF another: keeps the data until a synchronisation replaces it; blocked sessions get an
  /// error and are closed.
  void demote();
  /// Adopts another server's data and offset, as a full synchronisation does. Keeps its own
  /// sessions and scripts, which Redis does not replicate.
  void load_from(const Server& master);

  // Cluster.

  /// PUBLISH, also one from another node: hands a message to all subscribers. Returns how many got
  /// it, counting each subscription.
  std::int64_t publish(std::string_view channel, std::string_view message) {
    return pubsub_.publish(channel, message, sessions_, listener_);
  }
  /// SPUBLISH, also one from another node of the shard: the same for a shard's channel.
  std::int64_t publish_to_shard(std::string_view channel, std::string_view message) {
    return pubsub_.publish_to_shard(channel, message, sessions_, listener_);
  }
  /// The cluster's view changed: sessions blocked on keys that this node no longer serves get an
  /// error.
  void on_cluster_changed();

  // Persistence.

  /// Loads the data from the disk. Call once, after start and set_time_us and before anything else.
  LoadedData restore();
  /// When tick() will next have something to do if nothing happens until then; INT64_MAX: never.
  [[nodiscard]] std::int64_t next_tick_ms() const {
    return persistence_.next_due_ms(config_, dirty_, now_ms_);
  }
  /// Does what is due: syncs the append-only file, saves a snapshot.
  void tick();
  /// A shutdown waits for replicas: until the process ends the data stays as it is. What may write
  /// blocks and never runs, expired keys are hidden only, and nothing is evicted.
  void pause_writes() { pauses_writes_ = true; }
  /// A clean exit, as after SIGTERM: saves as configured.
  void shut_down(SaveAtShutdown save);

  /// For observers: the data of database 0, including expired keys that are still stored.
  [[nodiscard]] const Keyspace& keyspace() const { return databases_[0]; }
  /// The same of one of the databases 0 to 15.
  [[nodiscard]] const Keyspace& keyspace(std::size_t database) const {
    return databases_[database];
  }
  /// Counts changes of the data since start: Redis's `dirty` (each key or field written) plus one
  /// for each expired key deleted. While it stays the same, the data is unchanged; PUBLISH does not
  /// count.
  [[nodiscard]] std::uint64_t dirty() const { return dirty_; }
  /// The time set last, ms.
  [[nodiscard]] std::int64_t now_ms() const { return now_ms_; }
  /// Channels and how many sessions subscribe to each, sorted; for observers.
  [[nodiscard]] std::vector<std::pair<std::string, std::uint32_t>> subscriptions() const;
  /// Adds everything that future replies depend on, at this reading of the clock
  /// (server_digest.cpp). `owner` keeps its session names apart from other servers'; `configured`
  /// is the configuration that it was started with.
  void digest_into(sim::Digest& digest, std::uint64_t owner, const Config& configured,
                   std::int64_t now_ms) const;

  // For commands: its parts.

  [[nodiscard]] Keyspace& database(std::size_t index) { return databases_[index]; }
  [[nodiscard]] Sessions& sessions() { return sessions_; }
  [[nodiscard]] PubSub& pubsub() { return pubsub_; }
  [[nodiscard]] ScriptEngine& scripts() { return scripts_; }
  [[nodiscard]] const ReplicationStream& stream() const { return stream_; }
  [[nodiscard]] const MasterLink& master_link() const { return master_link_; }
  [[nodiscard]] const MemoryUse& memory() const { return memory_; }
  [[nodiscard]] const Persistence& persistence() const { return persistence_; }
  [[nodiscard]] const Statistics& statistics() const { return statistics_; }
  /// Null if the server is not in cluster mode.
  [[nodiscard]] ClusterView* cluster() { return cluster_; }
  [[nodiscard]] std::uint64_t run_id() const { return run_id_; }
  [[nodiscard]] std::int64_t now_us() const { return now_us_; }
  /// A random number in [0, bound). REQUIRES: bound ≥ 1.
  [[nodiscard]] std::uint64_t random_below(std::uint64_t bound) {
    return listener_.random_below(bound);
  }

  // For commands: what concerns several parts.

  /// Runs a command that was found fit to run.
  void run(const CommandSpec& spec, Origin origin, Session& session,
           std::span<const std::string_view> words, ReplyWriter& reply);
  /// CONFIG SET: adopts a changed configuration and tells the listener.
  void configure(Config config);
  void reset_statistics();
  /// DEBUG SLEEP.
  void sleep(std::int64_t us) { listener_.on_sleep(us); }
  /// For processes on real time: the script that runs has done so for busy-reply-threshold. Others
  /// may send requests from now until it ends (from within ScriptWatchdog::must_end), and are
  /// answered BUSY. REQUIRES: a script runs.
  void mark_script_busy(std::int64_t ms_so_far) {
    script_.is_busy = true;
    script_.busy_ms = ms_so_far;
  }
  void set_active_expire(bool is_on) { expire_cycle_.set_on(is_on); }
  /// SHUTDOWN: false if nobody ends the process.
  [[nodiscard]] bool ask_for_shutdown() { return listener_.on_shutdown(); }

  // server_sessions.cpp
  /// QUIT and CLIENT KILL: the session gets nothing more, and the listener is told to close it.
  void end_session(Session& session);
  /// RESET: makes it like a session that was just opened.
  void reset_session(Session& session);
  /// Ends a session's transaction, if any, without running it; its watched keys are forgotten.
  void discard_transaction(Session& session);
  void watch(Session& session, std::string_view key) {
    sessions_.watch(session, key, databases_, now_ms_);
  }
  [[nodiscard]] bool watched_key_expired(const Session& session) const {
    return has_expired_watched_key(session, databases_, now_ms_);
  }
  /// A confirmation of SUBSCRIBE that is not the command's last: it goes out ahead of the reply.
  void push_confirmation(Session& session, std::string_view word, PubSub::Kind kind,
                         std::string_view name);

  // server_monitor.cpp: MONITOR.
  void add_monitor(SessionId session);
  void remove_monitor(SessionId session);

  // server_data.cpp: keys, expiry and what changes tell others.
  [[nodiscard]] Keyspace::Position find(Keyspace& keys, std::uint8_t database, Origin origin,
                                        std::string_view key) {
    const Keyspace::Position position = keys.find(key);
    if (position == keys.end() || !position->second.expired_at(now_ms_)) return position;
    return expire_if_needed(keys, database, origin, position, key);
  }
  void signal_modified_key(std::uint8_t database, std::string_view key, std::uint64_t times);
  /// Tells of a field of a hash that was deleted since its time was over; with the last one the key
  /// is gone already.
  void drop_field(std::uint8_t database, std::string_view key, std::string_view field);
  /// Whether subscribers are told of what happens to keys (notify-keyspace-events).
  [[nodiscard]] bool notifies() const { return config_.keyspace_events.any(); }
  /// Tells them, where events of this kind are wanted.
  void notify(KeyspaceEvent kind, std::string_view event, std::uint8_t database,
              std::string_view key);
  /// A command changed a key: tells them where it did not exist before.
  void notify_if_created(std::uint8_t database, std::string_view key);
  void report_lexical_order_used() { listener_.on_lexical_order_used(); }
  void propagate(std::uint8_t database, std::span<const std::string_view> words);
  /// EXEC of Redis 6.0: MULTI and EXEC are sent around what it runs.
  void begin_frame(std::uint8_t database) {
    if (version_->frames_as_it_writes && role_ == Role::master) stream_.begin_frame(database);
  }
  void end_frame(std::uint8_t database) { stream_.end_frame(database); }
  /// Deletes all keys of a database; the number there were.
  std::uint64_t flush(std::uint8_t database);
  void swap_databases(std::uint8_t a, std::uint8_t b);
  /// The data and an empty server; an estimate. Cheap while there is a maxmemory.
  [[nodiscard]] std::uint64_t used_memory_bytes() const {
    return memory_.used_bytes(databases_, has_memory_limit());
  }

  // server_blocking.cpp
  /// A blocking command's session goes on waiting after its return. REQUIRES: none of the keys
  /// holds something of the type.
  void block_for_keys(Call& call, AwaitedType type, std::span<const std::string_view> keys,
                      std::int64_t timeout_ms, ServeBlocked code);
  /// A key was created or renamed: sessions blocked on it are served after this request.
  void signal_key_as_ready(std::uint8_t database, std::string_view key) {
    if (!blocking_keys_.empty()) mark_ready(database, key);
  }
  /// The same for all keys of a database.
  void signal_keys_as_ready(std::uint8_t database);
  /// A blocked session timed out or is unblocked: replies with what it has.
  void unblock(Session& session);
  void unblock_with_error(Session& session, std::string_view text);

  // server_scripts.cpp
  /// The script of this SHA1 (any case), if this server knows it.
  [[nodiscard]] const ScriptId* find_script(std::string_view sha1) const {
    return script_cache_.find(scripts_, sha1);
  }
  [[nodiscard]] std::size_t script_count() const { return script_cache_.size(); }
  void cache_script(ScriptId script) { script_cache_.add(script); }
  void flush_scripts();
  [[nodiscard]] const RunningScript& running_script() const { return script_; }
  /// What requests are answered while it is busy.
  [[nodiscard]] std::string_view busy_error() const {
    return script_.is_function ? busy_with_function : busy_with_script;
  }
  /// SCRIPT KILL: the script that runs will end. REQUIRES: there is one.
  void kill_script() { script_.is_killed = true; }
  void run_script(ScriptId script, ScriptAccess access, Call& call, std::size_t keys,
                  std::span<const std::string_view> keys_and_arguments);
  void run_function(const LibraryFunction& function, ScriptAccess access, Call& call,
                    std::size_t keys, std::span<const std::string_view> keys_and_arguments);
  [[nodiscard]] FunctionLibraries& libraries() { return libraries_; }
  /// Something was changed that is no key.
  void count_change() { ++dirty_; }

  // server_replication.cpp
  [[nodiscard]] bool has_acknowledgements(const BlockedOnReplicas& wait) const;
  /// WAIT's and WAITAOF's answer: how many have acknowledged by now.
  void reply_to_wait(const BlockedOnReplicas& wait, ReplyWriter& reply) const;
  /// WAIT's session goes on waiting after its return.
  void block_for_replication(Session& session, const BlockedOnReplicas& wait,
                             std::int64_t timeout_ms);
  /// REPLICAOF; an empty host: NO ONE.
  void follow(std::string_view host, std::int64_t port);

  // server_persistence.cpp
  [[nodiscard]] std::uint64_t changes_since_save() const {
    return persistence_.changes_since_save(dirty_);
  }
  void save();
  void rewrite_append_only();

 private:
  struct Resolved {
    const CommandSpec* spec = nullptr;  ///< nullptr if there is no such command
    const CommandSpec* parent = nullptr;
  };
  [[nodiscard]] Resolved resolve(std::span<const std::string_view> words) const {
    const CommandSpec* const spec = in_version(find_command(words[0]), version_->version);
    if (spec == nullptr || spec->subcommands.empty() || words.size() == 1) return {spec, nullptr};
    return resolve_subcommand(*spec, words);
  }
  [[nodiscard]] Resolved resolve_subcommand(const CommandSpec& parent,
                                            std::span<const std::string_view> words) const;
  /// Why a request must not run, as an error's text; empty if it may run.
  [[nodiscard]] std::string rejection_error(const Session& session, const CommandSpec& spec,
                                            std::span<const std::string_view> words) const;
  /// Whether a request counts as a write before it runs. Includes scripts whose flags say that they
  /// write.
  [[nodiscard]] bool is_write_command(const CommandSpec& spec,
                                      std::span<const std::string_view> words) const;
  using CommandPredicate = bool (Server::*)(const CommandSpec& spec,
                                            std::span<const std::string_view> words) const;
  /// Whether the predicate holds for any command queued by the session's transaction.
  [[nodiscard]] bool any_queued_command(const Session& session, CommandPredicate judgement) const;
  [[nodiscard]] bool has_queued_writes(const Session& session, const CommandSpec& spec) const;
  /// Whether it, or the script it runs, may write or publish, as far as is said before it runs.
  [[nodiscard]] bool may_replicate(const CommandSpec& spec,
                                   std::span<const std::string_view> words) const;
  [[nodiscard]] bool is_postponed(const Session& session, const CommandSpec& spec,
                                  std::span<const std::string_view> words) const;
  [[nodiscard]] bool has_memory_limit() const { return config_.max_memory_bytes > 0; }
  /// Evicts keys by the policy until the data fits, and remembers whether it does.
  void perform_evictions();
  void evict(std::uint8_t database, const std::string& key);
  /// Whether the command, or the script it runs, may add to the data.
  [[nodiscard]] bool is_denyoom_command(const CommandSpec& spec,
                                        std::span<const std::string_view> words) const;
  [[nodiscard]] bool is_rejected_for_oom(const Session& session, const CommandSpec& spec,
                                         std::span<const std::string_view> words) const;
  /// Evicts what it may, and tells whether the command must be refused even so.
  [[nodiscard]] bool lacks_memory_for(const Session& session, const CommandSpec& spec,
                                      std::span<const std::string_view> words);
  /// The flags that a command's script declares; nullptr if the command runs no script, or none
  /// that is known or compiles. Valid until the next script is compiled.
  [[nodiscard]] const ScriptFlags* script_flags_of(const CommandSpec& spec,
                                                   std::span<const std::string_view> words) const;
  /// Executes a request whose reply is wanted.
  ExecuteResult execute_replying(Session& caller, std::span<const std::string_view> words,
                                 ReplyWriter& reply);
  /// Executes a request after CLIENT REPLY OFF or SKIP.
  ExecuteResult execute_without_reply(Session& caller, std::span<const std::string_view> words,
                                      ReplyWriter& reply);
  /// Replies with the redirection or error if the keys are in several slots, on another node, or
  /// not served. Returns whether it did.
  bool redirect(Session& session, const CommandSpec& spec, std::span<const std::string_view> words,
                ReplyWriter& reply);
  struct SlotRouting;
  void find_slot(const CommandSpec& spec, std::span<const std::string_view> words,
                 SlotRouting& located) const;
  [[nodiscard]] SlotRouting find_slots(const Session& session, const CommandSpec& spec,
                                       std::span<const std::string_view> words) const;
  void judge(const Session& session, SlotRouting& located) const;
  [[nodiscard]] std::string_view cluster_rejection_error(const CommandSpec& spec,
                                                         std::span<const std::string_view> words);
  void refuse(Session& session, const CommandSpec* spec, std::string_view reason,
              ReplyWriter& reply);
  void propagate_pending_commands();
  [[nodiscard]] StreamPosition stream_position() const;
  void copy_to(Snapshot& snapshot) const;
  void load_append_only();
  void load_snapshot(LoadedData& restored);
  void discard_expired_keys(LoadedData& restored);
  void replay(std::string_view effects);
  Keyspace::Position expire_if_needed(Keyspace& keys, std::uint8_t database, Origin origin,
                                      Keyspace::Position position, std::string_view key);
  enum class TellMonitors : std::uint8_t { never, before, after };
  [[nodiscard]] TellMonitors when_monitored(const CommandSpec& spec) const;
  void tell_monitors(const Session& session, Origin origin,
                     std::span<const std::string_view> words);
  void expire_fields(std::uint8_t database, Keyspace::Position position);
  void drop_expired(Keyspace& keys, std::uint8_t database, Keyspace::Position position,
                    std::string_view key);
  void apply_unit(std::span<const std::vector<std::string_view>> requests);
  void note_absent_keys(Call& call);
  void process_clients_waiting_replicas();
  void note_synced_offset();
  void mark_ready(std::uint8_t database, std::string_view key);
  void handle_clients_blocked_on_keys();
  void serve_clients_blocked_on_key(std::uint8_t database, std::string_view key);
  void serve(Session& session, std::string_view key);

  // server_statistics.cpp
  enum class WaitOutcome : std::uint8_t { answered, failed, rejected };
  std::int64_t note_errors();
  void count_call(const CommandSpec& spec, const Session& session);
  void note_rejection_in_script(const CommandSpec* spec);
  void count_end_of_wait(const CommandSpec& spec, WaitOutcome outcome);

  [[nodiscard]] BlockingState end_blocking(Session& session);
  void answer(const Session& session, const BlockingState& ended, const Reply& reply);

  // ScriptHost
  void call(std::span<const std::string_view> words, ReplyWriter& reply) override;
  void log(std::int64_t level, std::string_view text) override {
    listener_.on_script_log(level, text);
  }
  ScriptProcessState& process() override { return script_.process; }
  [[nodiscard]] const VersionTraits& script_version() const override { return *version_; }
  void set_replicated(bool is_replicated) override { script_.is_replicated = is_replicated; }
  /// Prepares script_ for one with these flags; replies and returns false where it must not run.
  bool begin_script(const ScriptFlags& declared, ScriptAccess access, Call& call, std::size_t keys,
                    std::span<const std::string_view> keys_and_arguments);
  void end_script(Call& call);
  [[nodiscard]] std::string_view script_rejection_error(
      const CommandSpec* spec, std::span<const std::string_view> words) const;

  [[nodiscard]] bool has_enough_good_replicas() const;
  void digest_replication(sim::Digest& digest, std::int64_t now_ms) const;

  ScriptEngine& scripts_;
  ServerListener& listener_;
  ClusterView* cluster_ = nullptr;

  const VersionTraits* version_ = &traits_of(default_version);
  Config config_;
  Role role_ = Role::master;
  std::uint64_t run_id_ = 0;
  std::int64_t now_us_ = 0;
  std::int64_t now_ms_ = 0;
  Statistics statistics_;

  Databases databases_;
  std::uint64_t dirty_ = 0;
  bool pauses_writes_ = false;
  ExpireCycle expire_cycle_;
  MemoryUse memory_;

  Sessions sessions_;
  BlockingKeys blocking_keys_;
  PubSub pubsub_;
  std::string event_channel_;             // memory
  std::vector<std::string> absent_keys_;  // of the command that runs, where it matters

  std::vector<SessionId> monitors_;  // MONITOR

  ScriptCache script_cache_;
  RunningScript script_;
  FunctionLibraries libraries_;

  ReplicationStream stream_;
  Replicas replicas_;
  MasterLink master_link_;

  Persistence persistence_;
  bool is_loading_ = false;          // commands come from the append-only file
  std::int64_t synced_offset_ = 0;   // of the stream: on the disk, as it says
  bool has_waits_for_disk_ = false;  // somebody waits, or did, for synced_offset_ to grow
};

}  // namespace lockstep::redis
