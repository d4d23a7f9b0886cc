// A Redis server on a simulated host: a process that can pause, crash and restart.
//
// The node connects the parts and hands them what reaches it: the sessions of those who connect
// (client_sessions.h), its replicas (replication_source.h), the link to its master
// (replica_link.h), an operator's commands, and how its process hangs or ends. What it stores
// outlives its process (redis/persistence/persistence.h). Not covered: the time that saving takes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/node/busy_process.h"
#include "model/node/client_sessions.h"
#include "model/node/key_changes.h"
#include "model/node/node_context.h"
#include "model/node/operator_commands.h"
#include "model/node/process_end.h"
#include "model/node/replica_link.h"
#include "model/node/replication_source.h"
#include "model/node/server_ticks.h"
#include "redis/persistence/stored_files.h"
#include "redis/server/server.h"
#include "sim/host.h"

namespace lockstep::model {

class ClusterBus;
class ClusterLayout;

class RedisNode final : public sim::Host, private redis::ServerListener {
 public:
  RedisNode(std::string name, sim::ActorId actor, const NodeEnvironment& environment);
  ~RedisNode() override;

  void set_host_id(sim::HostId id) { context_.id = id; }
  [[nodiscard]] sim::HostId host_id() const { return context_.id; }

  /// Sets the source of the server's random numbers for the run to come; it outlives the run.
  void set_choices(sim::ChoiceSource& choices) { context_.choices = &choices; }
  /// Gives each of its processes a run id of its own, drawn at random: for sentinels, which ask.
  void draw_run_ids() { draws_run_ids_ = true; }
  /// Sets Redis's settings for the runs to come.
  void set_config(const redis::Config& config) { context_.config = config; }
  /// Whether it takes no write while too few replicas follow it.
  [[nodiscard]] bool needs_replicas() const { return context_.config.min_replicas_to_write > 0; }
  void set_version(redis::ServerVersion version) { context_.version = version; }
  /// Sets the observer of this node; nullptr clears it. Does not own it.
  void set_observer(redis::NodeObserver* observer) { context_.observer = observer; }
  /// Makes the node one of a cluster in the runs to come, by its index in the layout. Does not own
  /// the layout.
  void join_cluster(ClusterLayout& layout, std::uint32_t index);
  /// Null where it is in none.
  [[nodiscard]] ClusterBus* cluster() { return cluster_.get(); }
  /// Prepares a new run (after Host::reset) as a master.
  void start_as_master();
  [[nodiscard]] bool is_master() const { return link_.master() == nullptr; }
  /// Prepares a new run as a replica with the same, empty, dataset as its master, to which it is
  /// linked already. REQUIRES: the master has started.
  void start_as_replica_of(RedisNode& master);

  // A paused process obeys an operator when it goes on.
  /// An operator's REPLICAOF NO ONE. The role listener is told when it is done. A node that has
  /// crashed, or crashes before it obeys, is not promoted.
  void promote() { link_.order_promotion(); }
  /// An operator's REPLICAOF another node. The operator insists: a node that has crashed, or
  /// crashes before it obeys, is told as it starts.
  void follow(RedisNode& master) { link_.follow(master); }

  // Faults of the link to the master. Calls are counted.
  /// Nothing that comes by the link is read until end_stall(), and nothing acknowledged.
  void stall_link() { link_.stall(); }
  void end_stall() { link_.end_stall(); }
  /// The link breaks, and the process opens no other until allow_link().
  void forbid_link() { link_.forbid(); }
  void allow_link() { link_.allow(); }
  /// If this host is the master, it has forgotten the link and sends nothing any more: the replica
  /// gives the link up after repl-timeout.
  void expect_silence_of(sim::HostId host) { link_.expect_silence_of(host); }

  // An operator's commands (operator_commands.h).
  void delete_key(std::string_view key) { operator_commands_.delete_key(key); }
  /// The key goes as it would because of maxmemory.
  void evict(std::string_view key) { operator_commands_.evict(key); }
  void flush_all() { operator_commands_.flush_all(); }
  void flush_scripts() { operator_commands_.flush_scripts(); }
  /// maxclients: further connections are refused; none: Redis's own limit, which no run reaches.
  void limit_clients(std::optional<std::size_t> limit) { clients_limit_ = limit; }
  [[nodiscard]] std::size_t client_count() const { return sessions_.all().size(); }

  // A script that hangs (busy_process.h).
  void hang_in_script(sim::DurationNs for_ns) { busy_.hang_in_script(for_ns); }
  void end_script_hang_at(sim::TimeNs until_ns) { busy_.end_script_hang_at(until_ns); }

  /// The machine loses its power: crash(), and unsynced writes are gone from the disk too.
  void lose_power();
  /// SIGTERM. A paused process obeys when it goes on.
  void shut_down();

  [[nodiscard]] const redis::Server& server() const { return server_; }
  /// Whether the order of texts may have decided something in this run (ServerListener).
  [[nodiscard]] bool has_ordered_texts() const { return has_ordered_texts_; }
  /// Digests host, server, disk and links (redis_node_digest.cpp).
  void digest_into(sim::Digest& digest) const;
  /// Shows its role, its keys, and who waits at it (redis_node_view.cpp).
  void look(HostView& view) const;
  /// As far as this node goes, no other will ask for what came before this offset.
  [[nodiscard]] std::int64_t oldest_offset_wanted() const;
  /// Whether its disk holds any data.
  [[nodiscard]] bool stores_files() const {
    return files_.snapshot.exists || files_.has_append_only;
  }
  /// For the listener, while it is told: what may have changed in the database of locks.
  [[nodiscard]] const ChangedKeys& changed_keys() const { return changes_.keys(); }
  /// The instant of true time at which a key with this deadline is gone: now > deadline.
  [[nodiscard]] sim::TimeNs true_time_past(std::int64_t expire_at_ms) const;
  /// The host's wall clock in ms, as the server reads it.
  [[nodiscard]] std::int64_t wall_ms() const { return context_.wall_ms(); }

  // For the links of its replicas.
  [[nodiscard]] ReplicationSource& replicas() { return replicas_; }
  [[nodiscard]] const ReplicationSource& replicas() const { return replicas_; }
  /// The server's dataset, for a replica that is attached before the run.
  void take_snapshot(redis::Snapshot& snapshot) { server_.take_snapshot(snapshot); }

  static constexpr std::int64_t redis_port = 6379;

 private:
  void on_incoming(const sim::Incoming& incoming) override;
  void on_dropped(sim::Payload payload) override;
  void digest_payload(sim::Digest& digest, sim::ConnectionId connection,
                      sim::Payload payload) const override;
  void digest_cookie(sim::Digest& digest, std::uint64_t cookie) const override;
  void on_start() override;
  void on_crash() override;
  void on_wall_clock_changed() override { ticks_.on_wall_clock_changed(); }

  void on_push(redis::SessionId session, const redis::Reply& push) override {
    sessions_.push(session, push);
  }
  void on_unblocked(redis::SessionId session, const redis::Reply& reply) override {
    sessions_.on_unblocked(session, reply);
  }
  void on_unblocked_silently(redis::SessionId session) override {
    sessions_.on_unblocked_silently(session);
  }
  void on_propagated(std::string_view bytes, std::int64_t offset_after) override;
  void on_getack_wanted() override { replicas_.request_acknowledgements(); }
  void on_replica_of(std::string_view host, std::int64_t /*port*/) override {
    link_.note_replica_of(host);
  }
  void on_saved(std::uint64_t keys) override;
  std::uint64_t random_below(std::uint64_t bound) override { return context_.random_below(bound); }
  void on_evicted(std::string_view key) override;
  void on_key_changed(std::uint8_t database, std::string_view key) override {
    changes_.note(database, key);
  }
  void on_lexical_order_used() override { has_ordered_texts_ = true; }
  void on_databases_replaced() override { changes_.note_all(); }
  void on_closed(redis::SessionId session) override { sessions_.note_ended(session); }
  void on_sleep(std::int64_t us) override { busy_.request_sleep(us); }

  /// `master`: the node that it replicates; null for a master.
  void start_run(RedisNode* master);
  void start_process(redis::Role role);
  void restore();
  void on_timer(std::uint64_t cookie);
  void handle(const sim::Incoming& incoming);
  void on_resumed(NodeWork work);
  void execute_kept_back();
  void on_connection_opened(sim::ConnectionId connection);
  void on_connection_closed(sim::ConnectionId connection);
  void on_message(sim::ConnectionId connection, const Message& message);
  void serve_replica(ClientSessions::Peer& peer, const Message& request);
  void execute(const ClientSessions::Peer& peer, const Message& request);
  void refuse_busy(const ClientSessions::Peer& peer, const Message& request);
  void emit_executed(const Message& request, const redis::Reply& reply, std::uint64_t writes);

  redis::Server server_;
  NodeContext context_;
  KeyChanges changes_{context_};
  ServerTicks ticks_{context_};
  ClientSessions sessions_{context_};
  ReplicationSource replicas_{context_, sessions_};
  ReplicaLink link_{context_, sessions_, replicas_, changes_, ticks_};
  OperatorCommands operator_commands_{context_, changes_, ticks_};
  std::optional<std::size_t> clients_limit_;
  BusyProcess busy_{context_};
  ProcessEnd end_{context_, replicas_};
  std::unique_ptr<ClusterBus> cluster_;
  redis::StoredFiles files_;
  std::uint32_t starts_ = 0;  // of processes, in this run
  bool draws_run_ids_ = false;
  bool has_ordered_texts_ = false;
  std::vector<std::string_view> arguments_;  // memory for execute
  std::string text_;                         // memory for trace events
};

}  // namespace lockstep::model
