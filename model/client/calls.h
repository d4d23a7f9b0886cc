// Commands and scripts sent to nodes over the connections of a client library: time-outs, retries.
//
// From a *pool* (the option connection = "pool") a call takes an idle connection for itself, or
// opens one, and gives it back with the reply. Where the pool has as many as it may (pool_size),
// the call waits for one, the longest waiting first, for pool_timeout_ms at most. An attempt
// without a reply within timeout_ms closes its connection, so that a late reply is lost to the
// caller.
//
// *One* connection is shared by all calls to a shard: requests are sent at once, in the order of
// the calls, without waiting for replies, which come back in that order. It stays open when an
// attempt has no reply in time; the late reply is thrown away. When it breaks it is opened again,
// at once and then every retry_interval_ms; what becomes of the calls meanwhile, the option
// `reconnect` says.
//
// An attempt that fails (no reply in time, a broken connection, a node that refuses: READONLY,
// LOADING, …) is followed by the next one after retry_interval_ms, at most retry_attempts times;
// then the call raises. So a call may be executed several times. Pub/sub has connections of its own
// (subscriptions.h).
//
// A script is sent with EVAL until the node has answered to it once, then with EVALSHA; where the
// node answers NOSCRIPT (it was restarted, or another one promoted) it is sent with EVAL again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "model/client/runtime/fiber.h"
#include "model/messages.h"
#include "sim/host.h"
#include "sim/network.h"

namespace lockstep::model {

class ClientProcess;
class FiberScheduler;
class MasterDiscovery;
class Postponements;
class ServiceOperations;
class Subscriptions;

/// The code of the error that a call raises which the library has not sent for want of a
/// connection.
inline constexpr std::string_view no_connection_code = "NOCONNECTION";

class Calls {
 public:
  /// Does not own; all outlive this.
  Calls(ClientProcess& process, FiberScheduler& fibers, MasterDiscovery& discovery,
        Subscriptions& subscriptions, ServiceOperations& operations, Postponements& postponements)
      : process_(process),
        fibers_(fibers),
        discovery_(discovery),
        subscriptions_(subscriptions),
        operations_(operations),
        postponements_(postponements) {}

  /// Carries out fiber.interaction's commands; the fiber is made ready with the results.
  void start(Fiber& fiber);
  void on_timeout(Fiber& fiber);
  void on_retry_due(Fiber& fiber);
  void on_reconnect_due(std::size_t shard);
  /// The fiber is interrupted in its call: what was sent stays sent, and what is answered to it is
  /// thrown away. Returns what the call may have done.
  [[nodiscard]] CallEffect leave(Fiber& fiber);
  /// Gives the connections that have become free to the calls that wait for one. To be called once
  /// whatever reached the process is handled.
  void serve_waiting();

  // Each returns false if the connection is not one of these.
  bool on_opened(sim::ConnectionId connection);
  bool on_refused(sim::ConnectionId connection);
  bool on_closed(sim::ConnectionId connection);
  bool on_message(sim::ConnectionId connection, sim::Payload payload);

  /// The client has learnt of another master of the shard.
  void on_new_master(std::size_t shard);
  /// Releases the replies that a fiber has of an attempt under way.
  void release_replies(Fiber& fiber);
  /// The process died, or a new run begins.
  void forget_all();
  /// The call that a fiber waits for.
  void digest_call(sim::Digest& digest, const Fiber& fiber) const;
  void digest_into(sim::Digest& digest) const;  // client_digest.cpp; so are those of other parts

 private:
  struct Connection {
    sim::ConnectionId id;
    std::size_t shard;
    sim::HostId node;
    bool is_open = false;
    std::size_t users = 0;           ///< calls of under_way_ that have it
    std::size_t unread_replies = 0;  ///< of a pooled one: to a call that was left
    bool was_refused = false;        ///< the server has said that it takes no more clients
  };
  /// Of a shard that one connection is for.
  struct Shared {
    bool was_open = false;     ///< so that its being closed is a loss
    sim::TimerId reconnect{};  ///< nobody listened: when it is opened again
  };
  enum class RetryWhen : std::uint8_t { at_once, after_interval };
  enum class Loss : std::uint8_t {
    broken,   ///< or refused
    left_it,  ///< another node is the master
  };

  // calls.cpp: attempts and replies
  void begin_attempt(Fiber& fiber);
  void send_commands(Fiber& fiber);
  [[nodiscard]] sim::Payload make_request(Command& command, sim::HostId node, sim::ActorId actor);
  void on_attempt_failed(Fiber& fiber, RetryWhen when);
  void on_replies_complete(Fiber& fiber);
  bool follow(Fiber& fiber, std::string_view moved);
  void finish(Fiber& fiber, sim::HostId server);
  void give_up(Fiber& fiber);
  [[nodiscard]] bool knows(sim::HostId node, int script) const;
  void set_known(sim::HostId node, int script, bool known);

  // call_connections.cpp: which connection carries a call
  void take_connection(Fiber& fiber);
  void take_off(Fiber& fiber);
  void assign(Fiber& fiber, Connection& connection);
  [[nodiscard]] Connection* find(sim::ConnectionId connection);
  void remove(sim::ConnectionId connection);
  [[nodiscard]] Fiber* user_of(sim::ConnectionId connection);
  void lose(sim::ConnectionId connection);
  /// Closes what the shard's calls do not need any more where another node is its master now.
  void leave_old_master(std::size_t shard);
  void refuse_for_want_of_connection(Fiber& fiber);
  void tell_of_waiting(const Fiber& fiber, std::string_view why);
  // a pool
  [[nodiscard]] Connection* idle_connection(std::size_t shard);
  [[nodiscard]] bool has_room(std::size_t shard);
  void use_pooled(Fiber& fiber);
  void wait_for_pooled(Fiber& fiber);
  [[nodiscard]] Fiber* next_served();
  // one connection
  [[nodiscard]] bool is_shared() const;
  [[nodiscard]] Shared& shared(std::size_t shard);
  [[nodiscard]] Connection* shared_connection(std::size_t shard);
  void use_shared(Fiber& fiber);
  void open_shared(std::size_t shard);
  void plan_reconnection(std::size_t shard);
  void on_shared_lost(const Connection& lost, Loss how);

  ClientProcess& process_;
  FiberScheduler& fibers_;
  MasterDiscovery& discovery_;
  Subscriptions& subscriptions_;
  ServiceOperations& operations_;
  Postponements& postponements_;
  std::vector<Connection> connections_;  ///< in the order of their opening
  /// The fibers whose attempt has a connection, or waits for one; where they share one, in the
  /// order in which their requests are sent.
  std::vector<std::uint32_t> under_way_;
  std::vector<Shared> shared_;                ///< by shard
  std::vector<std::uint64_t> known_scripts_;  ///< by node: a bit for each script
  std::uint64_t last_number_ = 0;
};

}  // namespace lockstep::model
