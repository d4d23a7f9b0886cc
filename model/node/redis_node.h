// A Redis server on a simulated host: sessions over connections, replication links, a process that
// can pause, crash and restart.
//
// Replication follows Redis: a replica connects to its master and asks to go on from its offset
// (PSYNC); the master goes on from its backlog where it can, else it sends its whole dataset as it
// is at that moment. A promoted replica keeps its data and goes on counting offsets under a new
// replication id, and knows up to which offset the old id is still good.
// What it stores outlives its process (redis/persistence/persistence.h). Replicas acknowledge when
// asked, and once a second only where min-replicas-to-write counts on it. Not covered: the time
// that saving and full synchronisations take, a master's pings.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/host_view.h"
#include "model/messages.h"
#include "model/recorder.h"
#include "redis/persistence/persistence.h"
#include "redis/persistence/stored_files.h"
#include "redis/server/node_event.h"
#include "redis/server/server.h"
#include "sim/choice_source.h"
#include "sim/host.h"
#include "sim/network.h"

namespace lockstep::model {

class ClusterBus;
class ClusterLayout;
class RedisNode;

/// Told when a request or the stream of a master may have changed a node's data.
class NodeListener {
 public:
  /// A request of `by` was executed, whatever came of it; before on_data_changed.
  virtual void on_executed(RedisNode& node, sim::ActorId by) = 0;
  /// `label` names the request; `by` is the thread for which it was made.
  virtual void on_data_changed(RedisNode& node, std::string_view label, sim::ActorId by) = 0;
  /// A node evicted a key because of maxmemory.
  virtual void on_evicted(RedisNode& node) = 0;
  /// A node's process has ended of its own will.
  virtual void on_ended(RedisNode& node) = 0;

 protected:
  ~NodeListener() = default;
};

/// What of a node's data has changed since a listener was last told so.
struct ChangedKeys {
  bool all = false;  ///< more than are kept here, or data as a whole
  redis::Arguments keys;
};

/// Who makes a replica a master: an operator sees to the other replicas too, others do not.
enum class Promoter : std::uint8_t { operator_, other };

/// Told when a node takes on another role: by an operator, by a request, or of its own accord.
class RoleListener {
 public:
  /// A replica has become a master: its links are closed.
  virtual void on_promoted(RedisNode& node, Promoter by) = 0;
  /// A node begins to follow a master.
  virtual void on_following(RedisNode& node, RedisNode& master) = 0;

 protected:
  ~RoleListener() = default;
};

/// What a node shares with the rest of the simulation. Does not own; all outlive the node.
struct NodeEnvironment {
  sim::EventQueue& queue;
  sim::Trace& trace;
  sim::Network& network;
  MessagePool& messages;
  Recorder& recorder;
  redis::ScriptEngine& scripts;
  NodeListener& listener;
  RoleListener& roles;
  const std::vector<RedisNode*>& nodes;  ///< all of the cluster
};

class RedisNode final : public sim::Host, private redis::ServerListener {
 public:
  RedisNode(std::string name, sim::ActorId actor, const NodeEnvironment& environment);
  ~RedisNode() override;

  void set_host_id(sim::HostId id) { id_ = id; }
  [[nodiscard]] sim::HostId host_id() const { return id_; }

  /// Where the server's random numbers come from in the run to come; outlives it.
  void set_choices(sim::ChoiceSource& choices) { choices_ = &choices; }
  /// Each of its processes has a run id of its own, drawn at random: for sentinels, which ask.
  void draw_run_ids() { draws_run_ids_ = true; }
  /// Redis's settings, for the runs to come.
  void set_config(const redis::Config& config) { config_ = config; }
  /// Who is told of what happens to this node; null: nobody. Does not own it.
  void set_observer(redis::NodeObserver* observer) { observer_ = observer; }
  /// The node is one of a cluster in the runs to come, by its index in the layout. Does not own
  /// the layout.
  void join_cluster(ClusterLayout& layout, std::uint32_t index);
  /// Null where it is in none.
  [[nodiscard]] ClusterBus* cluster() { return cluster_.get(); }
  /// Prepares a new run (after Host::reset) as a master.
  void start_as_master();
  /// Whether it follows nobody.
  [[nodiscard]] bool is_master() const { return master_ == nullptr; }
  /// Prepares a new run as a replica with the same, empty, dataset as its master, to which it is
  /// linked already. REQUIRES: the master has started.
  void start_as_replica_of(RedisNode& master);

  // A paused process obeys an operator when it goes on.
  /// An operator's REPLICAOF NO ONE. The listener to roles is told when it is done. One that has
  /// crashed, or crashes before it obeys, is not promoted.
  void promote();
  /// An operator's REPLICAOF another node. The operator sees to it that it is done: one that has
  /// crashed, or crashes before it obeys, is told as it starts.
  void follow(RedisNode& master);

  // What strikes the link to the master (redis_node_link.cpp). Calls are counted.
  /// Nothing that comes by the link is read until end_stall(), and nothing acknowledged.
  void stall_link();
  void end_stall();
  /// The link breaks, and the process opens no other until allow_link().
  void forbid_link();
  void allow_link();
  /// If this host is the master, it has forgotten the link and sends nothing any more: the replica
  /// gives it up after repl-timeout.
  void expect_silence_of(sim::HostId host);

  // redis_node_operator.cpp: what an operator does, or what befalls a server that still runs. A
  // paused process does so when it goes on, one that has ended never.
  /// DEL, replicated as any write.
  void delete_key(std::string_view key);
  /// The key goes as it would because of maxmemory.
  void evict(std::string_view key);
  void flush_all();
  void flush_scripts();
  /// A script runs for so long, and does nothing: requests wait, after busy-reply-threshold others
  /// are refused with BUSY. Of two the later end counts.
  void hang_in_script(sim::DurationNs for_ns);
  /// It is killed then, if it would run for longer; an instant that is past: at once.
  void end_script_hang_at(sim::TimeNs until_ns);
  /// maxclients: connections beyond that many are refused; none: Redis's own limit, which no run
  /// reaches.
  void limit_clients(std::optional<std::size_t> limit) { clients_limit_ = limit; }
  [[nodiscard]] std::size_t client_count() const { return peers_.size(); }

  /// The machine loses its power: crash(), and what was not synced is gone from the disk too.
  void lose_power();
  /// SIGTERM: lets its replicas catch up, stores what it is configured to store, and ends. A paused
  /// process does so when it goes on.
  void shut_down();

  [[nodiscard]] const redis::Server& server() const { return server_; }
  /// Whether the order of texts may have decided something in this run (ServerListener).
  [[nodiscard]] bool has_ordered_texts() const { return has_ordered_texts_; }
  /// Host, server, disk and links (redis_node_digest.cpp).
  void digest_into(sim::Digest& digest) const;
  /// Its role, its keys, and who waits at it (redis_node_view.cpp).
  void look(HostView& view) const;
  /// No other node will ask for what came before this offset, as far as this one goes.
  [[nodiscard]] std::int64_t oldest_offset_wanted() const;
  /// Whether something of its data is on its disk.
  [[nodiscard]] bool stores_files() const {
    return files_.snapshot.exists || files_.has_append_only;
  }
  /// For the listener, while it is told: what may have changed in the database of locks.
  [[nodiscard]] const ChangedKeys& changed_keys() const { return changed_keys_; }
  /// The instant of true time at which a key with this deadline is gone: now > deadline.
  [[nodiscard]] sim::TimeNs true_time_past(std::int64_t expire_at_ms) const;
  /// The host's wall clock in ms, as the server reads it.
  [[nodiscard]] std::int64_t wall_ms() const;

  static constexpr std::int64_t redis_port = 6379;

 private:
  friend class ClusterBus;

  /// A connection of somebody's to this node.
  struct Peer {
    sim::ConnectionId connection;
    redis::SessionId session;
    std::optional<std::uint32_t> replica;  ///< its number, once it has asked for the stream
  };
  /// A request that waits for its reply (WAIT).
  struct Blocked {
    sim::ConnectionId connection;
    redis::SessionId session;
    std::uint64_t request;
    std::string_view label;
    sim::ActorId on_behalf_of;
    sim::TimerId timer;
  };

  void on_incoming(const sim::Incoming& incoming) override;
  void on_dropped(sim::Payload payload) override { environment_.messages.release(payload); }
  void digest_payload(sim::Digest& digest, sim::ConnectionId connection,
                      sim::Payload payload) const override;
  void digest_cookie(sim::Digest& digest, std::uint64_t cookie) const override;
  void on_start() override;
  void on_crash() override;
  void on_wall_clock_changed() override;

  void on_push(redis::SessionId session, const redis::Reply& push) override;
  void on_unblocked(redis::SessionId session, const redis::Reply& reply) override;
  void on_unblocked_silently(redis::SessionId session) override;
  void on_propagated(std::string_view bytes, std::int64_t offset_after) override;
  void on_getack_wanted() override;
  void on_replica_of(std::string_view host, std::int64_t port) override;
  void on_saved(std::uint64_t keys) override;
  std::uint64_t random_below(std::uint64_t bound) override;
  void on_evicted(std::string_view key) override;
  void on_key_changed(std::uint8_t database, std::string_view key) override;
  void on_lexical_order_used() override { has_ordered_texts_ = true; }
  void on_databases_replaced() override { changed_keys_.all = true; }

  // What a timer is for; from first_session_cookie on: a blocked session.
  static constexpr std::uint64_t reconnect_cookie = 0;
  static constexpr std::uint64_t acknowledge_cookie = 1;
  static constexpr std::uint64_t tick_cookie = 2;
  static constexpr std::uint64_t shutdown_cookie = 3;
  static constexpr std::uint64_t busy_cookie = 4;
  static constexpr std::uint64_t silence_cookie = 5;
  static constexpr std::uint64_t first_session_cookie = 6;
  // What an operator asked for, as run_or_defer keeps it.
  static constexpr std::uint64_t shutdown_work = 0;
  static constexpr std::uint64_t operator_work = 1;
  static constexpr std::uint64_t promote_work = 2;
  static constexpr std::uint64_t follow_work = 3;
  static constexpr std::uint64_t read_link_work = 4;
  static constexpr std::uint64_t open_link_work = 5;
  void on_closed(redis::SessionId session) override { closed_sessions_.push_back(session); }
  void on_sleep(std::int64_t us) override { sleep_us_ = us; }

  /// `master`: none, or whom it is a replica of.
  void start_run(RedisNode* master);
  void start_process(redis::Role role);
  void set_time();
  redis::ExecuteResult execute_in(redis::SessionId session, std::string_view label, sim::ActorId by,
                                  std::span<const std::string_view> words,
                                  redis::ReplyWriter& reply);
  void tell_result(redis::SessionId session, redis::ExecuteResult executed,
                   const redis::Reply& reply);
  struct OperatorCommand {
    std::string label;
    std::vector<std::string>
        words;  ///< the command; of an eviction: the DEL that it is replicated as
    bool is_eviction = false;
  };
  void give_order(OperatorCommand order);
  /// The oldest of operator_commands_.
  void run_operator_command();
  [[nodiscard]] bool is_refused_busy(std::string_view command) const;
  void refuse_busy(const Peer& peer, const Message& request);
  [[nodiscard]] bool is_full() const { return clients_limit_ && peers_.size() >= *clients_limit_; }
  void refuse_connection(sim::ConnectionId connection);
  /// Tells the observer, where there is one: `make` makes what happened.
  template <typename Make>
  void tell(Make make) {
    if (observer_ == nullptr) return;
    const std::uint64_t events = trace().event_count();
    observer_->on_node_event(
        {actor(), now(), wall_ns() / sim::microsecond_ns, events == 0 ? 0 : events - 1, make()});
  }
  void carry_out(std::uint64_t work);
  void on_timer(std::uint64_t cookie);
  void handle_message(sim::ConnectionId connection, sim::Payload payload);
  void execute(const Peer& peer, const Message& request);
  /// The connection is closed.
  void forget(const Peer& peer);
  /// Closes the connections whose sessions the server has ended.
  void close_ended_sessions();
  void block(const Peer& peer, const Message& request);
  void emit_executed(const Message& request, const redis::Reply& reply, std::uint64_t writes);
  void send(sim::ConnectionId connection, sim::Payload payload);
  [[nodiscard]] sim::Payload make_reply(std::uint64_t request, std::string_view label,
                                        sim::ActorId on_behalf_of);
  void tell_data_changed(std::string_view label, sim::ActorId by);
  /// Somebody's connection is open.
  Peer& add_peer(sim::ConnectionId connection);
  [[nodiscard]] Peer* peer_of(sim::ConnectionId connection);
  [[nodiscard]] std::string_view reply_label(std::string_view label);

  // redis_node_replication.cpp
  [[nodiscard]] sim::ActorId peer_actor(sim::ConnectionId connection);
  void attach_before_run();
  void set_master_address();
  void connect_to_master();
  void ask_for_stream();
  void serve_stream(Peer& peer, const Message& request);
  void apply(const Message& message);
  void apply_full(const Message& message);
  void send_snapshot(const Peer& peer);
  void acknowledge();
  void send_periodic_ack();
  void request_ack(const Peer& peer);
  void send_stream(const Peer& peer, std::string_view bytes, std::int64_t offset_after);
  void disconnect_replicas();
  void follow_by_link(RedisNode& master);
  void apply_replica_of();

  void carry_out_promotion(Promoter by);
  void carry_out_following();

  // redis_node_link.cpp
  void reset_link_faults();
  [[nodiscard]] bool defers_reading(sim::ConnectionId connection) const;
  void read_deferred_messages();
  void drop_deferred_messages();
  void open_link();
  void time_out_silent_link();
  [[nodiscard]] bool has_stream_gap(const Message& message) const;
  void reopen_link();

  // redis_node_persistence.cpp
  void restore();
  void plan_tick();
  void begin_shutdown();
  [[nodiscard]] bool replicas_caught_up() const;
  void exit_cleanly();

  NodeEnvironment environment_;
  redis::NodeObserver* observer_ = nullptr;
  std::unique_ptr<ClusterBus> cluster_;
  redis::Server server_;
  sim::HostId id_{};
  sim::ChoiceSource* choices_ = nullptr;
  ChangedKeys changed_keys_;
  std::vector<Peer> peers_;
  std::vector<Blocked> blocked_;
  std::vector<redis::SessionId> closed_sessions_;
  std::vector<OperatorCommand> operator_commands_;  // an operator's, in the order of their coming
  std::optional<std::size_t> clients_limit_;
  sim::TimeNs busy_until_ns_ = 0;  // of true time
  sim::TimerId busy_end_{};        // while requests are refused because of it
  sim::PauseId busy_pause_{};      // before that
  sim::TimeNs busy_pause_until_ns_ = 0;
  std::int64_t sleep_us_ = 0;                                      // DEBUG SLEEP
  std::vector<std::string_view> arguments_;                        // memory for execute
  std::string text_;                                               // memory for trace events
  std::vector<std::pair<std::string, std::string>> reply_labels_;  // kept over runs

  // Replication.
  RedisNode* master_ = nullptr;                   // whom this node follows
  std::optional<sim::ConnectionId> master_link_;  // open, or being opened
  bool is_synchronised_ = false;                  // the link brought what was missing
  std::uint32_t starts_ = 0;                      // of processes, in this run
  bool draws_run_ids_ = false;
  sim::TimerId next_acknowledgement_{};
  std::optional<std::string> replica_of_;                    // a client's order; empty: NO ONE
  std::vector<std::unique_ptr<redis::Snapshot>> snapshots_;  // full synchronisations under way
  RedisNode* next_master_ = nullptr;  // whom it is told to follow, and does not yet
  std::uint32_t stalls_ = 0;
  std::uint32_t forbidden_links_ = 0;
  std::vector<std::pair<sim::ConnectionId, sim::Payload>> unread_;  // because of a stall
  std::optional<sim::ConnectionId> silent_link_;
  sim::TimerId silence_{};

  // Persistence.
  redis::Config config_;
  redis::StoredFiles files_;
  sim::TimerId tick_{};
  std::int64_t tick_ms_ = redis::Persistence::never_ms;  // when it is due, by the wall clock
  bool is_shutting_down_ = false;
  bool has_ordered_texts_ = false;
  redis::node_event::ProcessKilled::How end_{};
};

}  // namespace lockstep::model
