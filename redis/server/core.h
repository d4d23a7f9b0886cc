// The inside of a server: its data, sessions and stream, and the one way a command is executed.
//
// Server (server.h) is its face to the outside; commands reach it through their Call. Requests go
//   execute → resolve → refuse? → queue (MULTI) or run → propagate
// and redis.call of a script joins at run, so that all writes leave their effects in one place.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "redis/persistence/persistence.h"
#include "redis/persistence/stored_files.h"
#include "redis/protocol/reply.h"
#include "redis/replication/propagation_buffer.h"
#include "redis/replication/replication_backlog.h"
#include "redis/scripting/script_engine.h"
#include "redis/scripting/script_process_state.h"
#include "redis/server/cluster_view.h"
#include "redis/server/command_call.h"
#include "redis/server/config.h"
#include "redis/server/memory_ledger.h"
#include "redis/server/server.h"
#include "redis/server/session.h"
#include "redis/server/subscriptions.h"
#include "redis/values/keyspace.h"

namespace lockstep::redis {

/// What INFO counts. CONFIG RESETSTAT begins again.
struct Statistics {
  std::int64_t started_at_us = 0;  ///< 0: the clock was not set yet
  std::int64_t connections = 0;
  std::int64_t commands = 0;
  std::int64_t expired_keys = 0;
  std::int64_t saves = 0;
  ErrorCounts errors;
};

class Core final : private ScriptHost {
 public:
  static constexpr std::size_t database_count = redis::database_count;

  Core(ScriptEngine& scripts, ServerListener& listener) : scripts_(scripts), listener_(listener) {}

  // core.cpp: the life of the process, and execution.
  void start(const ServerOptions& options);
  void set_time_us(std::int64_t unix_time_us);
  ExecuteResult execute(SessionId id, std::span<const std::string_view> words, ReplyWriter& reply);
  /// Runs a command that was found fit to run.
  void run(const CommandSpec& spec, Origin origin, Session& session,
           std::span<const std::string_view> words, ReplyWriter& reply);

  [[nodiscard]] const Config& config() const { return config_; }
  /// CONFIG SET: takes on a changed configuration and tells the listener.
  void configure(Config config);

  [[nodiscard]] const Statistics& statistics() const { return statistics_; }
  void reset_statistics();
  /// DEBUG SLEEP.
  void sleep(std::int64_t us) { listener_.on_sleep(us); }
  void set_active_expire(bool is_on) { is_active_expire_on_ = is_on; }
  /// Deletes what is expired, each key by itself.
  void expire_cycle();

  // core_sessions.cpp
  SessionId open_session(const PeerAddresses& addresses);
  void close_session(SessionId id);
  /// QUIT and CLIENT KILL: the session gets nothing more, and its owner is told to close it.
  void end_session(Session& session);
  /// Those who may be listed and killed, the oldest first.
  [[nodiscard]] std::vector<Session*> clients();
  void mark_replica(SessionId id) { session(id).is_replica = true; }
  /// RESET: as a session that was just opened.
  void reset_session(Session& session);
  [[nodiscard]] Session& session(SessionId id);
  [[nodiscard]] const Session& session(SessionId id) const;

  // core_data.cpp: keys, expiry and what changes tell others.
  [[nodiscard]] Keyspace& database(std::size_t index) { return databases_[index]; }
  [[nodiscard]] const Keyspace& database(std::size_t index) const { return databases_[index]; }
  [[nodiscard]] Keyspace::Position find(Keyspace& keys, std::uint8_t database, Origin origin,
                                        std::string_view key) {
    const Keyspace::Position position = keys.find(key);
    if (position == keys.end() || !position->second.expired_at(now_ms_)) return position;
    return expire_if_needed(keys, database, origin, position, key);
  }
  [[nodiscard]] bool shut_down() { return listener_.on_shutdown(); }
  void signal_modified_key(std::uint8_t database, std::string_view key, std::uint64_t times);
  void report_lexical_order_used() { listener_.on_lexical_order_used(); }
  void propagate(std::uint8_t database, std::span<const std::string_view> words);
  /// Deletes all keys of a database; the number there were.
  std::uint64_t flush(std::uint8_t database);
  void swap_databases(std::uint8_t a, std::uint8_t b);
  void watch(Session& session, std::string_view key);
  void unwatch(Session& session);
  [[nodiscard]] bool watched_key_expired(const Session& session) const;

  // core_pubsub.cpp
  enum class Kind : std::uint8_t { channel, pattern };
  /// False where the session listens already.
  bool subscribe(Session& session, Kind kind, std::string_view name);
  /// False where the session did not listen.
  bool unsubscribe(Session& session, Kind kind, std::string_view name);
  /// Hands a message to all who listen; how many did, counting each subscription.
  std::int64_t publish(std::string_view channel, std::string_view message);
  /// A confirmation that is not a command's last: it goes out ahead of the reply.
  void push_confirmation(Session& session, std::string_view kind, std::string_view name);
  [[nodiscard]] const Subscriptions& channels() const { return channels_; }
  [[nodiscard]] const Subscriptions& patterns() const { return patterns_; }

  // core_blocking.cpp
  /// A blocking command's session goes on waiting after its return. REQUIRES: none of the keys
  /// holds something of the type.
  void block_for_keys(Call& call, AwaitedType type, std::span<const std::string_view> keys,
                      std::int64_t timeout_ms, ServeBlocked code);
  /// A key came into being, or under another name: who waits for it is served once the request that
  /// did it is through.
  void signal_key_as_ready(std::uint8_t database, std::string_view key) {
    if (!blocking_keys_.empty()) mark_ready(database, key);
  }
  /// The same for all keys of a database.
  void signal_keys_as_ready(std::uint8_t database);
  /// A blocked session's time is over: answers with what it has.
  void unblock(Session& session);
  void unblock_with_error(Session& session, std::string_view text);
  /// The open session of this CLIENT ID, or null.
  [[nodiscard]] Session* find_client(std::int64_t number);

  // core_cluster.cpp
  /// Null where the server is not in cluster mode.
  [[nodiscard]] ClusterView* cluster() { return cluster_; }
  void on_cluster_changed();

  // core_memory.cpp
  /// What the data and an empty server take; an estimate. Cheap while there is a maxmemory.
  [[nodiscard]] std::uint64_t used_memory_bytes() const;
  [[nodiscard]] std::uint64_t evicted_keys() const { return evicted_keys_; }
  /// Evicts a key of database 0, if it is there.
  void evict_key(std::string_view key);

  // core_scripts.cpp
  [[nodiscard]] ScriptEngine& scripts() { return scripts_; }
  /// The script of this SHA1 (any case), where this server knows it.
  [[nodiscard]] const ScriptId* find_script(std::string_view sha1) const;
  void cache_script(ScriptId script);
  void flush_scripts();
  void run_script(ScriptId script, ScriptAccess access, Call& call, std::size_t keys,
                  std::span<const std::string_view> keys_and_arguments);

  // core_replication.cpp
  [[nodiscard]] Role role() const { return role_; }
  [[nodiscard]] std::int64_t offset() const { return offset_; }
  [[nodiscard]] std::int64_t received_offset() const {
    return offset_ + static_cast<std::int64_t>(partial_stream_.size());
  }
  void apply_stream(std::string_view bytes);
  void mark_link_up();
  void mark_link_down();
  /// Replica: whether its master feeds it.
  [[nodiscard]] bool is_master_link_up() const { return is_master_link_up_; }
  /// When the link broke; never where there was none yet.
  [[nodiscard]] std::optional<std::int64_t> master_link_down_since_ms() const {
    return master_link_down_since_ms_;
  }
  [[nodiscard]] const ReplicationIds& history() const { return history_; }
  [[nodiscard]] const ReplicationBacklog& backlog() const { return backlog_; }
  [[nodiscard]] std::optional<std::string_view> stream_since(std::uint64_t replication_id,
                                                             std::int64_t offset) const;
  std::uint32_t attach_replica(std::string_view host, std::int64_t port);
  [[nodiscard]] std::span<const Replica> replicas() const { return replicas_; }
  [[nodiscard]] bool has_enough_good_replicas() const;
  void acknowledge(std::uint32_t replica, std::int64_t offset);
  void drop_replica(std::uint32_t replica);
  [[nodiscard]] std::int64_t count_acks_by_offset(std::int64_t offset) const;
  void adopt_replication_id(std::uint64_t id) { history_.shift_replication_id(id, offset_); }
  void promote();
  void demote();
  void load_from(const Core& master);
  /// WAIT's session goes on waiting after its return.
  void block_for_replication(Session& session, const BlockedOnReplicas& wait,
                             std::int64_t timeout_ms);
  void take_snapshot(Snapshot& snapshot);
  void load(const Snapshot& snapshot);
  void follow(std::string_view host, std::int64_t port);
  struct MasterAddress {
    std::string host;
    std::int64_t port = 0;
  };
  [[nodiscard]] const MasterAddress& master_address() const { return master_address_; }
  void set_master_address(std::string_view host, std::int64_t port);

  // core_persistence.cpp
  LoadedData restore();
  [[nodiscard]] const Persistence& persistence() const { return persistence_; }
  [[nodiscard]] std::uint64_t changes_since_save() const {
    return persistence_.changes_since_save(dirty_);
  }
  void save();
  void rewrite_append_only() { persistence_.rewrite(databases_); }
  [[nodiscard]] std::int64_t next_tick_ms() const;
  void tick();
  void shut_down(SaveAtShutdown save);

  // core_digest.cpp
  void digest_into(sim::Digest& digest, std::uint64_t owner, const Config& configured,
                   std::int64_t now_ms) const;

  [[nodiscard]] std::uint64_t run_id() const { return run_id_; }
  [[nodiscard]] std::int64_t now_ms() const { return now_ms_; }
  [[nodiscard]] std::int64_t now_us() const { return now_us_; }
  [[nodiscard]] std::uint64_t dirty() const { return dirty_; }
  /// A random number in [0, bound). REQUIRES: bound ≥ 1.
  [[nodiscard]] std::uint64_t random_below(std::uint64_t bound) {
    return listener_.random_below(bound);
  }

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
  using CommandPredicate = bool (Core::*)(const CommandSpec& spec,
                                          std::span<const std::string_view> words) const;
  /// Whether a judgement is true of a command that the session's transaction holds back.
  [[nodiscard]] bool any_queued_command(const Session& session, CommandPredicate judgement) const;
  [[nodiscard]] bool has_queued_writes(const Session& session, const CommandSpec& spec) const;
  [[nodiscard]] bool has_memory_limit() const { return config_.max_memory_bytes > 0; }
  void count_memory(std::uint8_t database, std::string_view key);
  void count_all_memory();
  /// Evicts what the policy lets go until the data fits; notes whether it does.
  void perform_evictions();
  bool evict_one();
  [[nodiscard]] std::optional<std::string> pick_eviction_victim(std::uint8_t database);
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
  void forget_subscriptions(Session& session);
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
  void touch_watched_key(std::uint8_t database, std::string_view key);
  void touch_all_watched_keys(std::uint8_t database, const Keyspace& other);
  void push_message(const Subscriptions::Sessions& listeners, Reply& message);
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
  void log(std::int64_t level, std::string_view text) override;
  ScriptProcessState& process() override { return script_process_; }
  void set_replicated(bool is_replicated) override { script_is_replicated_ = is_replicated; }
  [[nodiscard]] std::string_view script_rejection_error(
      const CommandSpec* spec, std::span<const std::string_view> words) const;

  void digest_sessions(sim::Digest& digest, std::uint64_t owner, std::int64_t now_ms) const;
  void digest_replication(sim::Digest& digest, std::int64_t now_ms) const;

  ScriptEngine& scripts_;
  ServerListener& listener_;
  ClusterView* cluster_ = nullptr;

  Config config_;
  Role role_ = Role::master;
  std::uint64_t run_id_ = 0;
  std::int64_t now_us_ = 0;
  std::int64_t now_ms_ = 0;
  Databases databases_;
  std::uint64_t dirty_ = 0;
  std::array<std::string, database_count> expire_cycle_at_;  // the key to go on with
  std::array<MemoryLedger, database_count> memory_;          // kept while there is a limit
  bool is_memory_counted_ = false;  // not after the data changed as a whole
  std::uint64_t evicted_keys_ = 0;
  std::uint8_t last_evicted_from_ = 0;  // the database
  bool is_out_of_memory_ = false;  // since the last command of a client, where there is a limit

  std::vector<Session> sessions_;  // by id; closed ones are reused
  std::uint64_t clients_seen_ = 0;
  Statistics statistics_;
  bool is_active_expire_on_ = true;
  std::size_t watched_keys_ = 0;  // over all sessions

  BlockingKeys blocking_keys_;

  Subscriptions channels_;
  Subscriptions patterns_;
  Reply message_;   // memory for pushes
  Reply pmessage_;  // memory for pushes by pattern

  std::vector<std::uint32_t> known_scripts_;  // by script: the generation that knows it
  std::uint32_t script_cache_generation_ = 1;
  Session script_session_;  // what redis.call works as: SELECT in a script stays in it
  ScriptAccess script_access_ = ScriptAccess::read_write;
  bool script_has_written_ = false;
  bool script_allows_oom_ = true;
  bool script_may_cross_slots_ = true;
  std::optional<std::uint32_t> script_slot_;  // cluster: of the keys so far
  bool script_is_replicated_ = true;          // until redis.set_repl says otherwise
  bool effects_are_dropped_ = false;          // of the command that runs, for that
  ScriptProcessState script_process_;

  PropagationBuffer effects_;
  std::int64_t offset_ = 0;
  ReplicationIds history_;
  std::uint64_t own_replication_id_ = 0;  // the latest that this process gave itself
  ReplicationBacklog backlog_;
  std::vector<Replica> replicas_;   // by number
  bool is_master_link_up_ = false;  // to the master
  std::optional<std::int64_t> master_link_down_since_ms_;
  Session master_session_;      // what the master's stream is applied as
  std::string partial_stream_;  // of a request or transaction that has not ended
  std::vector<std::vector<std::string_view>> unit_;  // memory for apply_stream
  MasterAddress master_address_;

  Persistence persistence_;
  bool is_loading_ = false;  // what is executed is what the disk says
};

}  // namespace lockstep::redis
