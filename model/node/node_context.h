// What all parts of a Redis node work on: its host, its server, and the simulation around them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "model/node/node_environment.h"
#include "redis/server/config.h"
#include "redis/server/node_event.h"
#include "redis/server/server.h"
#include "sim/choice_source.h"
#include "sim/event_queue.h"
#include "sim/host.h"
#include "sim/time.h"
#include "sim/trace.h"

namespace lockstep::model {

/// What a node's timer is for; from first_session on: the time-out of that blocked session.
enum class NodeTimer : std::uint64_t {
  reconnect,
  acknowledge,
  tick,
  shutdown,
  script_end,
  link_silence,
  first_session,
};

/// Work that a paused process does when it goes on.
enum class NodeWork : std::uint64_t {
  shutdown,
  operator_command,
  promote,
  follow,
  read_link,
  open_link,
  kept_back_request,
};

class NodeContext {
 public:
  /// `node` is what listeners are told of, `host` its host. Does not own; all outlive this.
  NodeContext(RedisNode& redis_node, sim::Host& its_host, redis::Server& its_server,
              const NodeEnvironment& its_environment)
      : node(redis_node), host(its_host), server(its_server), environment(its_environment) {}

  [[nodiscard]] sim::TimeNs now() const { return environment.queue.now(); }
  [[nodiscard]] bool is_crashed() const { return host.state() == sim::HostState::crashed; }
  /// The host's wall clock in ms, as the server reads it.
  [[nodiscard]] std::int64_t wall_ms() const { return sim::floor_to_ms(host.wall_ns()); }
  /// Sets the server's clock. Needed before anything that the server does.
  void set_time() { server.set_time_us(host.wall_ns() / sim::microsecond_ns); }
  sim::TimerId start_timer(sim::DurationNs after_ns, NodeTimer use,
                           sim::EventKind kind = sim::EventKind::normal) {
    return host.start_timer(after_ns, static_cast<std::uint64_t>(use), kind);
  }
  void run_or_defer(NodeWork work) { host.run_or_defer(static_cast<std::uint64_t>(work)); }
  /// A random number of the server's, in [0, bound).
  [[nodiscard]] std::uint64_t random_below(std::uint64_t bound);
  void emit(std::string_view kind, std::initializer_list<sim::Field> fields) {
    environment.trace.emit(now(), kind, host.actor(), fields);
  }
  /// Tells the observer, if there is one; only then `make` is called for what happened.
  template <typename Make>
  void tell(Make make) {
    if (observer == nullptr) return;
    const std::uint64_t events = environment.trace.event_count();
    observer->on_node_event({host.actor(), now(), host.wall_ns() / sim::microsecond_ns,
                             events == 0 ? 0 : events - 1, make()});
  }

  /// Executes a command and tells the observer of it, but not of its result.
  redis::ExecuteResult execute(redis::SessionId session, std::string_view label, sim::ActorId by,
                               std::span<const std::string_view> words, redis::ReplyWriter& reply);
  /// Tells the observer what came of a command.
  void tell_result(redis::SessionId session, redis::ExecuteResult executed,
                   const redis::Reply& reply);
  /// Sends a message, or releases it where the connection is gone.
  void send(sim::ConnectionId connection, sim::Payload payload);

  RedisNode& node;
  sim::Host& host;
  redis::Server& server;
  const NodeEnvironment environment;
  sim::HostId id{};
  redis::Config config;  ///< of the runs to come
  redis::ServerVersion version = redis::default_version;
  redis::NodeObserver* observer = nullptr;
  sim::ChoiceSource* choices = nullptr;
};

}  // namespace lockstep::model
