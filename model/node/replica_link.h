// A Redis node's link to the master that it follows: PSYNC, the stream, acknowledgements, and the
// node's changes of role.
//
// A replica connects to its master and asks to continue from its offset; the master answers with
// the missing bytes or with a snapshot. A promoted replica keeps its data. Replicas acknowledge
// when asked, and once a second only where min-replicas-to-write counts on it, or while what they
// were asked about is not on their disk yet. Not covered: the time that a full synchronisation
// takes, a master's pings.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/messages.h"
#include "model/node/client_sessions.h"
#include "model/node/key_changes.h"
#include "model/node/node_context.h"
#include "model/node/replication_source.h"
#include "model/node/server_ticks.h"

namespace lockstep::model {

enum class Promoter : std::uint8_t;

class ReplicaLink {
 public:
  ReplicaLink(NodeContext& context, ClientSessions& sessions, ReplicationSource& replicas,
              KeyChanges& changes, ServerTicks& ticks)
      : context_(context),
        sessions_(sessions),
        replicas_(replicas),
        changes_(changes),
        ticks_(ticks) {}

  /// `master`: null where the node starts as one itself.
  void start_run(RedisNode* master);
  /// REQUIRES: start_run() of this node and of its master. The snapshot is used as memory.
  void attach_before_run(redis::Snapshot& snapshot);
  void start_process();
  /// Connects to the master, if there is one and no link yet.
  void open();
  void on_crash();

  /// Null for a master.
  [[nodiscard]] const RedisNode* master() const { return master_; }
  [[nodiscard]] bool is_synchronised() const { return is_synchronised_; }
  /// Whether this connection is the link.
  [[nodiscard]] bool uses(sim::ConnectionId connection) const { return link_ == connection; }
  void on_opened();
  /// Closed by the other end, or refused.
  void on_closed();
  /// Handles a message of the master's, or keeps it while the link stalls. Takes the payload.
  void on_message(sim::ConnectionId connection, sim::Payload payload);

  // Changes of role. A paused process obeys an operator when it goes on.
  /// An operator's REPLICAOF NO ONE.
  void order_promotion();
  /// An operator's REPLICAOF another node.
  void follow(RedisNode& master);
  /// What the cluster elected. REQUIRES: the process runs.
  void follow_elected(RedisNode& master);
  void carry_out_promotion(Promoter by);
  void carry_out_following();
  /// A client's REPLICAOF, while the server executes it: its effect on the links waits until the
  /// reply is out.
  void note_replica_of(std::string_view host) { replica_of_ = host; }
  void apply_replica_of();

  // Faults. Calls are counted.
  void stall() { ++stalls_; }
  void end_stall();
  void forbid();
  void allow();
  void expect_silence_of(sim::HostId host);
  /// REPLCONF ACK, every second for as long as the link stands and somebody counts on it.
  void send_periodic_ack();
  void read_deferred_messages();
  void on_silence_over();

  void digest_into(sim::Digest& digest) const;
  void look(HostView& view) const;

 private:
  void connect();
  void set_master_address();
  void close_link();
  void follow_by_link(RedisNode& master);
  void ask_for_stream();
  void handle(const Message& message);
  void apply(const Message& message);
  void apply_full(const Message& message);
  void acknowledge();
  void acknowledge_as_asked();
  void plan_periodic_ack();
  [[nodiscard]] bool has_stream_gap(const Message& message) const;
  void reopen();
  void drop_deferred_messages();

  NodeContext& context_;
  ClientSessions& sessions_;
  ReplicationSource& replicas_;
  KeyChanges& changes_;
  ServerTicks& ticks_;
  RedisNode* master_ = nullptr;            // the node that this one replicates
  std::optional<sim::ConnectionId> link_;  // open, or being opened
  bool is_synchronised_ = false;           // the link brought what was missing
  sim::TimerId next_acknowledgement_{};
  std::optional<std::string> replica_of_;  // a client's order; empty: NO ONE
  RedisNode* next_master_ = nullptr;       // the one it was told to replicate, but does not yet
  std::uint32_t stalls_ = 0;
  std::uint32_t forbidden_ = 0;
  std::vector<std::pair<sim::ConnectionId, sim::Payload>> unread_;  // because of a stall
  std::optional<sim::ConnectionId> closed_unread_;  // … so was the end of the link
  std::optional<sim::ConnectionId> silent_link_;    // forgotten by its other end
  sim::TimerId silence_{};
};

}  // namespace lockstep::model
