// One Redis server on sockets: its listeners, its clients, and the timeouts of blocked clients.
//
// Works in rounds of the event loop: requests are executed when they come, and their replies are
// sent together at the round's end (finish_round). What crosses to other nodes goes through
// NodeOwner.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "redis/protocol/resp_writer.h"
#include "redis/server/server.h"
#include "serve/connection.h"
#include "serve/event_loop.h"
#include "serve/limits.h"
#include "serve/listening.h"
#include "serve/wall_clock.h"

namespace lockstep::serve {

class Node;

/// Told of what concerns other nodes. Called while a node executes: must not call into that node's
/// server.
class NodeOwner {
 public:
  virtual void on_propagated(Node& master, std::string_view bytes) = 0;
  virtual void on_getack_wanted(Node& master) = 0;
  /// An empty host: it is a master now.
  virtual void on_replica_of(Node& node, std::string_view host, std::int64_t port) = 0;
  /// A session ends that no client of the node's has: a replica's.
  virtual void on_replica_closed(Node& master, redis::SessionId session) = 0;

 protected:
  ~NodeOwner() = default;
};

class Node final : private redis::ServerListener, private ConnectionOwner {
 public:
  /// All that is given must outlive it. Its server is started as a master.
  Node(redis::ScriptEngine& scripts, EventLoop& loop, const WallClock& clock, const Limits& limits,
       redis::ServerVersion version, NodeOwner& owner);
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  ~Node();

  void listen(ListeningSocket socket);
  /// Where clients reach it: a port, or 0.
  [[nodiscard]] std::uint16_t port() const;
  /// The path of its Unix socket, or nothing.
  [[nodiscard]] std::string_view path() const;

  /// Where programs of this machine reach it, without the port.
  [[nodiscard]] std::string host() const {
    return listeners_.empty() ? "" : listeners_[0]->socket.host();
  }

  /// Its server, with the time set.
  [[nodiscard]] redis::Server& server_now();
  /// Its server while it executes: the time stands.
  [[nodiscard]] redis::Server& server() { return server_; }
  /// Executes a request that no client sent. REQUIRES: it does not block.
  void execute(std::initializer_list<std::string_view> words);

  /// Answers blocked clients whose time is over, and executes what waited behind answered ones.
  /// True: something was executed, so that there may be more to do.
  bool resume();
  /// Sends replies and lets go of clients that are gone. Also while a script runs (ScriptWatch).
  void finish_round();
  /// Before requests of others are taken while one is executed: that one's client must stay, and
  /// its further requests wait.
  void protect_executing();
  /// Whether resume has something to do now.
  [[nodiscard]] bool has_unblocked() const { return !unblocked_.empty(); }
  /// What Redis does ten times a second.
  void tick();
  /// The clock's ms at which resume has something to do, if any.
  [[nodiscard]] std::optional<std::int64_t> next_deadline_ms() const;

  /// Whether a client has asked for the end (SHUTDOWN).
  [[nodiscard]] bool is_shutdown_requested() const { return is_shutdown_requested_; }
  /// Takes no more clients and executes no more requests.
  void stop_listening();
  /// Whether replies are still to be sent.
  [[nodiscard]] bool has_unsent() const;

 private:
  /// One listener as the event loop knows it.
  struct Listener final : Watcher {
    Listener(Node& of, ListeningSocket listening) : node(of), socket(std::move(listening)) {}
    void on_ready(Readiness /*readiness*/) override { node.accept_from(*this); }
    Node& node;
    ListeningSocket socket;
  };

  // ServerListener
  void on_closed(redis::SessionId session) override;
  void on_sleep(std::int64_t us) override;
  void on_push(redis::SessionId session, const redis::Reply& push) override;
  void on_unblocked(redis::SessionId session, const redis::Reply& reply) override;
  void on_unblocked_silently(redis::SessionId session) override;
  void on_propagated(std::string_view bytes, std::int64_t offset_after) override;
  void on_getack_wanted() override;
  void on_replica_of(std::string_view host, std::int64_t port) override;
  std::uint64_t random_below(std::uint64_t bound) override;
  bool on_shutdown() override;

  // ConnectionOwner
  void on_bytes(Connection& connection) override { execute_requests(connection); }
  void on_scripts_flushed() override { scripts_.forget_all(); }
  void on_pending_work(Connection& connection) override;

  void accept_from(Listener& door);
  void open(sim::FileDescriptor socket, const std::string& path);
  void execute_requests(Connection& connection);
  redis::ExecuteResult execute(Connection& connection, redis::RespWriter& writer);
  void make_room(Connection& connection);
  void enforce_limit(Connection& connection, std::int64_t now_ms);
  void block(Connection& connection);
  void time_out_blocked_clients();
  void forget_deadline(redis::SessionId session);
  void close(Connection& connection);
  [[nodiscard]] Connection* find(redis::SessionId session);

  redis::ScriptEngine& scripts_;
  EventLoop& loop_;
  const WallClock& clock_;
  const Limits& limits_;
  NodeOwner& owner_;
  std::mt19937_64 random_{std::random_device{}()};
  redis::Server server_;
  std::vector<std::unique_ptr<Listener>> listeners_;
  std::vector<std::unique_ptr<Connection>> connections_;  // by session
  Connection* executing_ = nullptr;                       // whose request is being executed
  std::size_t clients_ = 0;
  bool is_shutdown_requested_ = false;
  std::vector<redis::SessionId> pending_;  // something to send, or gone
  std::vector<redis::SessionId> unblocked_;
  std::set<std::pair<std::int64_t, redis::SessionId>> deadlines_;  // of those who block
};

}  // namespace lockstep::serve
