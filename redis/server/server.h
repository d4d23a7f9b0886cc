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
// server holds them and does what concerns several. Commands reach it through their Call. Requests
// go
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
#include "redis/protocol/error_counts.h"
#include "redis/replication/master_link.h"
#include "redis/replication/replicas.h"
#include "redis/replication/replication_stream.h"
#include "redis/scripting/script_cache.h"
#include "redis/scripting/script_engine.h"
#include "redis/server/cluster_view.h"
#include "redis/server/command_call.h"
#include "redis/server/config.h"
#include "redis/server/expire_cycle.h"
#include "redis/server/memory_use.h"
#include "redis/server/pubsub.h"
#include "redis/server/running_script.h"
#include "redis/server/server_listener.h"
#include "redis/server/server_types.h"
#include "redis/server/sessions.h"
#include "redis/values/keyspace.h"

namespace lockstep::redis {

struct ServerOptions {
  Role role = Role::master;
  Config config{};
  /// The files of the server's disk; null: it has none, and stores nothing whatever it is told.
  StoredFiles* files = nullptr;
  /// What the offsets of this process count, until it learns another; no other process has it.
  std::uint64_t replication_id = 1;
  /// INFO's run_id, as a number; 0 where nobody asks for it.
  std::uint64_t run_id = 0;
  /// The cluster that the server is a node of; null: none. Does not own it.
  ClusterView* cluster = nullptr;
};

/// What INFO counts. CONFIG RESETSTAT begins again.
struct Statistics {
  std::int64_t started_at_us = 0;  ///< 0: the clock was not set yet
  std::int64_t connections = 0;
  std::int64_t commands = 0;
  std::int64_t expired_keys = 0;
  std::int64_t saves = 0;
  ErrorCounts errors;
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

  /// Ids of closed sessions are given out again, the lowest first.
  SessionId open_session(const PeerAddresses& addresses = {});
  /// The session has asked for the replication stream: CLIENT LIST and KILL tell such from others.
  void mark_replica(SessionId session) { sessions_.at(session).is_replica = true; }
  /// Forgets the session's subscriptions, transaction and wait.
  void close_session(SessionId session);

  /// Executes one request and writes exactly one reply, in the session's protocol, unless it blocks
  /// or is silent: then none.
  /// REQUIRES: arguments is not empty, session is open and not blocked.
  ///
  /// SUBSCRIBE a b c owes three confirmations: those of a and b go out through on_push during the
  /// call, the last one is the reply. A connection whose pushes and replies are written into the
  /// same buffer as they come keeps Redis's order (also where EXEC has a message to oneself in the
  /// middle of its reply); one that sends pushes at once and then the reply, nearly so.
  ExecuteResult execute(SessionId session, std::span<const std::string_view> arguments,
                        ReplyWriter& reply);
  /// What the session speaks: pushes and replies for it are to be written by a writer for this.
  [[nodiscard]] Protocol protocol(SessionId session) const {
    return sessions_.at(session).protocol;
  }
  /// How long a session that execute left blocked may wait, ms from now; 0: for ever. Its time is
  /// over once the clock is past that: one ms more than was asked.
  [[nodiscard]] std::int64_t block_timeout_ms(SessionId session) const;
  /// The wait of a blocked session is over: answers with what it has (through on_unblocked).
  void unblock(SessionId session) { unblock(sessions_.at(session)); }

  [[nodiscard]] const Config& config() const { return config_; }
  /// Redis's cron: a master deletes expired keys that nobody touched, each DEL propagated by
  /// itself; nothing after DEBUG SET-ACTIVE-EXPIRE 0. Who wants that calls it now and then. A call
  /// looks at some thousand keys of each database, the next one at those behind them.
  void expire_cycle();
  /// Evicts a key of database 0, as maxmemory would; nothing where it is not there.
  void evict(std::string_view key);

  // Replication.
  [[nodiscard]] Role role() const { return role_; }
  /// Bytes written to (master) or applied from (replica) the stream so far.
  [[nodiscard]] std::int64_t replication_offset() const { return stream_.offset(); }
  /// Replica: where the bytes that it expects next begin: past those of a request that is not
  /// whole.
  [[nodiscard]] std::int64_t received_offset() const {
    return stream_.offset() + static_cast<std::int64_t>(master_link_.partial_bytes());
  }
  /// Replica: applies bytes of its master's stream that follow its offset.
  /// They may come in pieces: a request, or MULTI … EXEC as a whole, is applied when its last byte
  /// is there, and only then counts in the offset. REQUIRES: role() is replica.
  void apply_stream(std::string_view bytes);
  /// The name of what its offsets count.
  [[nodiscard]] std::uint64_t replication_id() const { return stream_.ids().id; }
  /// The stream's bytes after `offset` of that history, where this server still has them (PSYNC's
  /// CONTINUE); else the asker needs a snapshot. Valid until the next call.
  [[nodiscard]] std::optional<std::string_view> stream_since(std::uint64_t replication_id,
                                                             std::int64_t offset) const {
    return stream_.since(replication_id, offset);
  }
  /// A replica has connected and gets the stream from here on; its number. `host` and `port` are
  /// what ROLE says of it.
  std::uint32_t attach_replica(std::string_view host, std::int64_t port);
  [[nodiscard]] std::span<const Replica> replicas() const { return replicas_.all(); }
  /// The dataset as it is, for a replica that needs all of it. The stream goes on with a SELECT.
  void take_snapshot(Snapshot& snapshot);
  /// Replica: takes over a master's snapshot. REQUIRES: it has a position.
  void load(const Snapshot& snapshot);
  /// Replica: its master, from which it goes on, calls the history by another name since.
  void adopt_replication_id(std::uint64_t id) { stream_.adopt(id); }
  /// What ROLE and INFO call the master, where no REPLICAOF did.
  void set_master_address(std::string_view host, std::int64_t port) {
    master_link_.set_address(host, port);
  }
  /// Replica: its master goes on from replication_offset(). After load() that is so anyway.
  void mark_link_up() { master_link_.mark_up(); }
  /// Replica: its link to the master broke; the stream goes on from replication_offset().
  void mark_link_down() { master_link_.mark_down(now_ms_); }
  /// Master: a replica has everything up to `offset`. Replicas count from 0 in the order added. One
  /// that never acknowledged does not count for WAIT; Redis counts a new one as being at 0, which
  /// acknowledge(replica, 0) says.
  void acknowledge(std::uint32_t replica, std::int64_t offset);
  /// Master: a replica's link broke; its acknowledgements no longer count.
  void drop_replica(std::uint32_t replica) { replicas_.drop(replica); }
  /// REPLICAOF NO ONE: keeps the data, accepts writes, forgets the replicas' acknowledgements.
  void promote();
  /// REPLICAOF another: keeps the data until a synchronisation replaces it; blocked sessions get an
  /// error and are closed.
  void demote();
  /// Takes over another server's data, role and offset as a full synchronisation would. Keeps its
  /// own sessions and known scripts, which Redis does not replicate.
  void load_from(const Server& master);

  // Cluster.

  /// Hands a message to all who listen; how many did, counting each subscription. Also another
  /// node's PUBLISH.
  std::int64_t publish(std::string_view channel, std::string_view message) {
    return pubsub_.publish(channel, message, sessions_, listener_);
  }
  /// The view says something else than before: who is blocked on keys that are another's now, or
  /// that nobody serves, gets an error.
  void on_cluster_changed();

  // Persistence.

  /// Reads what is on the disk. Call once, after start and set_time_us and before anything else.
  LoadedData restore();
  /// When tick() will have something to do, if nothing happens until then; INT64_MAX: never.
  [[nodiscard]] std::int64_t next_tick_ms() const {
    return persistence_.next_due_ms(config_, dirty_, now_ms_);
  }
  /// Does what is due: syncs the append-only file, saves a snapshot.
  void tick();
  /// The process is about to end well, as after SIGTERM: stores what it is configured to store.
  void shut_down(SaveAtShutdown save);

  /// For observers: the data of database 0 as it is, expired keys included.
  [[nodiscard]] const Keyspace& keyspace() const { return databases_[0]; }
  /// The same of one of the databases 0 to 15.
  [[nodiscard]] const Keyspace& keyspace(std::size_t database) const {
    return databases_[database];
  }
  /// Counts changes of the data since start, whoever made them: as Redis's `dirty` (each key or
  /// field written), and one for each expired key that was deleted. Where it has not moved, nothing
  /// has changed; PUBLISH does not move it.
  [[nodiscard]] std::uint64_t dirty() const { return dirty_; }
  /// The time set last, ms.
  [[nodiscard]] std::int64_t now_ms() const { return now_ms_; }
  /// Channels and how many sessions subscribe to each, sorted; for observers.
  [[nodiscard]] std::vector<std::pair<std::string, std::uint32_t>> subscriptions() const;
  /// All that its answers to come depend on, at this reading of its clock (server_digest.cpp).
  /// `owner` tells its sessions' names from other servers'; `configured`: how it was started.
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
  void set_active_expire(bool is_on) { expire_cycle_.set_on(is_on); }
  /// SHUTDOWN: false if nobody ends the process.
  [[nodiscard]] bool ask_for_shutdown() { return listener_.on_shutdown(); }

  // server_sessions.cpp
  /// QUIT and CLIENT KILL: the session gets nothing more, and its owner is told to close it.
  void end_session(Session& session);
  /// RESET: as a session that was just opened.
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
  void push_confirmation(Session& session, std::string_view kind, std::string_view name);

  // server_data.cpp: keys, expiry and what changes tell others.
  [[nodiscard]] Keyspace::Position find(Keyspace& keys, std::uint8_t database, Origin origin,
                                        std::string_view key) {
    const Keyspace::Position position = keys.find(key);
    if (position == keys.end() || !position->second.expired_at(now_ms_)) return position;
    return expire_if_needed(keys, database, origin, position, key);
  }
  void signal_modified_key(std::uint8_t database, std::string_view key, std::uint64_t times);
  void report_lexical_order_used() { listener_.on_lexical_order_used(); }
  void propagate(std::uint8_t database, std::span<const std::string_view> words);
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
  /// A blocked session's time is over: answers with what it has.
  void unblock(Session& session);
  void unblock_with_error(Session& session, std::string_view text);

  // server_scripts.cpp
  /// The script of this SHA1 (any case), if this server knows it.
  [[nodiscard]] const ScriptId* find_script(std::string_view sha1) const {
    return script_cache_.find(scripts_, sha1);
  }
  void cache_script(ScriptId script) { script_cache_.add(script); }
  void flush_scripts();
  void run_script(ScriptId script, ScriptAccess access, Call& call, std::size_t keys,
                  std::span<const std::string_view> keys_and_arguments);

  // server_replication.cpp
  [[nodiscard]] std::int64_t count_acks_by_offset(std::int64_t offset) const {
    return replicas_.count_acks_by_offset(offset);
  }
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
  void rewrite_append_only() { persistence_.rewrite(databases_); }

 private:
  struct Resolved {
    const CommandSpec* spec = nullptr;  ///< null where there is no such command
    const CommandSpec* parent = nullptr;
  };
  [[nodiscard]] static Resolved resolve(std::span<const std::string_view> words);
  /// Why a request must not run, as an error's text; empty where it may.
  [[nodiscard]] std::string rejection_error(const Session& session, const CommandSpec& spec,
                                            std::span<const std::string_view> words) const;
  /// Whether a request counts as a write before it runs: also one for a script that says it writes.
  [[nodiscard]] bool is_write_command(const CommandSpec& spec,
                                      std::span<const std::string_view> words) const;
  using CommandPredicate = bool (Server::*)(const CommandSpec& spec,
                                            std::span<const std::string_view> words) const;
  /// Whether a judgement is true of a command that the session's transaction holds back.
  [[nodiscard]] bool any_queued_command(const Session& session, CommandPredicate judgement) const;
  [[nodiscard]] bool has_queued_writes(const Session& session, const CommandSpec& spec) const;
  [[nodiscard]] bool has_memory_limit() const { return config_.max_memory_bytes > 0; }
  /// Evicts what the policy lets go until the data fits; notes whether it does.
  void perform_evictions();
  void evict(std::uint8_t database, const std::string& key);
  /// The command, or the script it runs, may add to the data.
  [[nodiscard]] bool is_denyoom_command(const CommandSpec& spec,
                                        std::span<const std::string_view> words) const;
  [[nodiscard]] bool is_rejected_for_oom(const Session& session, const CommandSpec& spec,
                                         std::span<const std::string_view> words) const;
  /// What the script says of itself that a command runs; null where it runs none, or none that is
  /// known or can be compiled. Valid until the next script is compiled.
  [[nodiscard]] const ScriptFlags* script_flags_of(const CommandSpec& spec,
                                                   std::span<const std::string_view> words) const;
  /// Executes a request whose reply is wanted.
  ExecuteResult execute_replying(Session& caller, std::span<const std::string_view> words,
                                 ReplyWriter& reply);
  /// Executes a request after CLIENT REPLY OFF or SKIP.
  ExecuteResult execute_without_reply(Session& caller, std::span<const std::string_view> words,
                                      ReplyWriter& reply);
  /// Where a request's keys are another node's, in several slots, or served by nobody: replies so.
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
  void apply_unit(std::span<const std::vector<std::string_view>> requests);
  void process_clients_waiting_replicas();
  void mark_ready(std::uint8_t database, std::string_view key);
  void handle_clients_blocked_on_keys();
  void serve_clients_blocked_on_key(std::uint8_t database, std::string_view key);
  void serve(Session& session, std::string_view key);
  [[nodiscard]] BlockingState end_blocking(Session& session);
  void answer(const Session& session, const BlockingState& ended, const Reply& reply);

  // ScriptHost
  void call(std::span<const std::string_view> words, ReplyWriter& reply) override;
  void log(std::int64_t level, std::string_view text) override {
    listener_.on_script_log(level, text);
  }
  ScriptProcessState& process() override { return script_.process; }
  void set_replicated(bool is_replicated) override { script_.is_replicated = is_replicated; }
  [[nodiscard]] std::string_view script_rejection_error(
      const CommandSpec* spec, std::span<const std::string_view> words) const;

  [[nodiscard]] bool has_enough_good_replicas() const;
  void digest_replication(sim::Digest& digest, std::int64_t now_ms) const;

  ScriptEngine& scripts_;
  ServerListener& listener_;
  ClusterView* cluster_ = nullptr;

  Config config_;
  Role role_ = Role::master;
  std::uint64_t run_id_ = 0;
  std::int64_t now_us_ = 0;
  std::int64_t now_ms_ = 0;
  Statistics statistics_;

  Databases databases_;
  std::uint64_t dirty_ = 0;
  ExpireCycle expire_cycle_;
  MemoryUse memory_;

  Sessions sessions_;
  BlockingKeys blocking_keys_;
  PubSub pubsub_;

  ScriptCache script_cache_;
  RunningScript script_;

  ReplicationStream stream_;
  Replicas replicas_;
  MasterLink master_link_;

  Persistence persistence_;
  bool is_loading_ = false;  // what is executed is what the disk says
};

}  // namespace lockstep::redis
