// The connections to a Redis node with their sessions, and the requests that wait for a reply.
//
// Replicas connect like clients; a connection becomes a replica's when it asks for the stream
// (replication_source.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/messages.h"
#include "model/node/node_context.h"

namespace lockstep::model {

struct HostView;

class ClientSessions {
 public:
  /// A connection to this node.
  struct Peer {
    sim::ConnectionId connection;
    redis::SessionId session;
    std::optional<std::uint32_t> replica;  ///< its number, once it has asked for the stream
  };

  explicit ClientSessions(NodeContext& context) : context_(context) {}

  /// The process starts: there are no connections.
  void forget_all();
  /// The process dies: all connections are gone, and what they brought.
  void drop_all();
  Peer& add(sim::ConnectionId connection);
  /// Null where the connection is not known.
  [[nodiscard]] Peer* find(sim::ConnectionId connection);
  [[nodiscard]] std::vector<Peer>& all() { return peers_; }
  [[nodiscard]] const std::vector<Peer>& all() const { return peers_; }
  /// The actor at the other end.
  [[nodiscard]] sim::ActorId actor_at(sim::ConnectionId connection) const;
  /// The connection is closed: ends its session and takes back its blocked request.
  void forget(const Peer& peer);
  /// The server has ended a session: its connection is closed by the next close_ended().
  void note_ended(redis::SessionId session) { closed_sessions_.push_back(session); }
  /// A DEBUG SLEEP that one of them asked for is begun by BusyProcess, not here.
  void close_ended();
  /// Answers a connection that exceeds maxclients, and closes it.
  void refuse(sim::ConnectionId connection);

  /// A reply to fill in and send.
  [[nodiscard]] sim::Payload make_reply(std::uint64_t request, std::string_view label,
                                        sim::ActorId on_behalf_of);
  void push(redis::SessionId session, const redis::Reply& message);

  // Blocked requests (WAIT, BLPOP).
  [[nodiscard]] bool has_blocked() const { return !blocked_.empty(); }
  void block(const Peer& peer, const Message& request);
  void on_timeout(redis::SessionId session);
  void on_unblocked(redis::SessionId session, const redis::Reply& reply);
  void on_unblocked_silently(redis::SessionId session);
  /// Keeps a request that has come behind a blocked one on its connection; false where it has not.
  bool keep_back(sim::ConnectionId connection, sim::Payload request);
  /// Has the first of those executed in its turn that nothing blocks any more.
  void plan_kept_back();
  struct KeptBack {
    sim::ConnectionId connection;
    sim::Payload request;
  };
  /// That one, in its turn; its payload is the caller's. None: its connection is closed.
  [[nodiscard]] std::optional<KeptBack> take_kept_back();

  void digest_into(sim::Digest& digest) const;
  void look(HostView& view) const;

 private:
  /// A request that waits for its reply.
  struct Blocked {
    sim::ConnectionId connection;
    redis::SessionId session;
    std::uint64_t request;
    std::string_view label;
    sim::ActorId on_behalf_of;
    sim::TimerId timer;
  };

  [[nodiscard]] std::vector<Peer>::iterator find(redis::SessionId session);
  [[nodiscard]] std::vector<Blocked>::iterator find_blocked(redis::SessionId session);
  [[nodiscard]] std::string_view reply_label(std::string_view label);

  [[nodiscard]] bool is_blocked(sim::ConnectionId connection) const;
  [[nodiscard]] std::vector<KeptBack>::iterator first_servable();

  NodeContext& context_;
  std::vector<Peer> peers_;
  std::vector<Blocked> blocked_;
  std::vector<KeptBack> kept_back_;  // in the order of their coming
  bool has_planned_kept_back_ = false;
  std::vector<redis::SessionId> closed_sessions_;
  std::string text_;                                               // memory for add
  std::vector<std::pair<std::string, std::string>> reply_labels_;  // kept over runs
};

}  // namespace lockstep::model
