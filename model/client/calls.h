// Commands and scripts sent to nodes: a pool of connections for each shard, time-outs, retries.
//
// A call takes an idle connection for itself, or opens one, and gives it back with the reply. An
// attempt without a reply within timeout_ms closes its connection, so that a late reply is lost to
// the caller, and the call is sent again after retry_interval_ms on another connection, at most
// retry_attempts times; then it raises TIMEOUT. A connection that breaks under a call, and a node
// that refuses (READONLY, LOADING, …), cost an attempt too. So a call may be executed several
// times.
//
// A script is sent with EVAL until the node has answered to it once, then with EVALSHA; where the
// node answers NOSCRIPT (it was restarted, or another one promoted) it is sent with EVAL again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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
  /// The fiber is interrupted in its call: what was sent stays sent, and its connection is nobody's
  /// until it is answered. Returns what the call may have done.
  [[nodiscard]] CallEffect leave(Fiber& fiber);

  // Each returns false if the connection is not one of these.
  bool on_opened(sim::ConnectionId connection);
  bool on_refused(sim::ConnectionId connection);
  bool on_closed(sim::ConnectionId connection);
  bool on_message(sim::ConnectionId connection, sim::Payload payload);

  /// Closes the idle connections to a node that is master no more.
  void leave_old_master(std::size_t shard);
  /// Releases the replies that a fiber has of an attempt under way.
  void release_replies(Fiber& fiber);
  /// The process died, or a new run begins.
  void forget_all();
  /// The call that a fiber waits for.
  void digest_call(sim::Digest& digest, const Fiber& fiber) const;
  void digest_into(sim::Digest& digest) const;  // client_digest.cpp; so are those of other parts

 private:
  struct Pooled {
    sim::ConnectionId id;
    std::size_t shard;
    sim::HostId node;
    bool is_open = false;
    std::optional<std::uint32_t> fiber;  ///< who uses it, or waits for it to open
    std::size_t unread_replies = 0;      ///< of a call that was left
    bool was_refused = false;            ///< the server has said that it takes no more clients
  };
  enum class RetryWhen : std::uint8_t { at_once, after_interval };

  void begin_attempt(Fiber& fiber);
  void take_connection(Fiber& fiber);
  void send_commands(Fiber& fiber);
  [[nodiscard]] sim::Payload make_request(Command& command, sim::HostId node, sim::ActorId actor);
  void on_attempt_failed(Fiber& fiber, RetryWhen when);
  void on_replies_complete(Fiber& fiber);
  bool follow(Fiber& fiber, std::string_view moved);
  void finish(Fiber& fiber);
  void give_up(Fiber& fiber);
  [[nodiscard]] Pooled* find(sim::ConnectionId connection);
  void remove(sim::ConnectionId connection);
  [[nodiscard]] bool knows(sim::HostId node, int script) const;
  void set_known(sim::HostId node, int script, bool known);

  ClientProcess& process_;
  FiberScheduler& fibers_;
  MasterDiscovery& discovery_;
  Subscriptions& subscriptions_;
  ServiceOperations& operations_;
  Postponements& postponements_;
  std::vector<Pooled> pool_;                  ///< in the order of their opening
  std::vector<std::uint64_t> known_scripts_;  ///< by node: a bit for each script
  std::uint64_t last_number_ = 0;
};

}  // namespace lockstep::model
