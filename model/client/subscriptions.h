// Channels that a client listens to: one connection for each shard, a semaphore for each channel.
//
// All threads of a client that subscribe to a channel share the subscription (counted) and its
// semaphore: it starts without permits, each message adds one, and each permit lets one waiting
// thread go on, the longest waiting first. A connection that breaks is opened again while anybody
// is subscribed, and its channels are subscribed anew; messages published meanwhile are missed, as
// in real life.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
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

class Subscriptions {
 public:
  /// Does not own; all outlive this.
  Subscriptions(ClientProcess& process, FiberScheduler& fibers, MasterDiscovery& discovery)
      : process_(process), fibers_(fibers), discovery_(discovery) {}

  // Each carries out fiber.interaction.
  void subscribe(Fiber& fiber);
  void wait_message(Fiber& fiber);
  void unsubscribe(Fiber& fiber);
  void on_subscribe_timeout(Fiber& fiber);
  void on_message_timeout(Fiber& fiber);
  void on_reconnect_due(std::size_t shard);

  // Each returns false if the connection is not one of these.
  bool on_opened(sim::ConnectionId connection);
  bool on_closed(sim::ConnectionId connection);  ///< or refused
  bool on_message(sim::ConnectionId connection, sim::Payload payload);

  /// Moves to the shard's master where that is another node now.
  void leave_old_master(std::size_t shard);
  /// A fiber that waits for its subscription is taken back.
  void stop_subscribing(Fiber& fiber);
  /// A fiber that waits for a message is taken back.
  void forget_waiter(const Fiber& fiber);
  /// The process died, or a new run begins.
  void forget_all();
  void digest_into(sim::Digest& digest) const;
  /// The channels with subscribers.
  [[nodiscard]] std::vector<std::string> live() const;

 private:
  struct Channel {
    std::size_t shard;
    std::string name;
    std::uint32_t subscribers = 0;
    std::uint32_t confirmations_missing = 0;  ///< SUBSCRIBEs sent on this connection, not confirmed
    bool is_confirmed = false;
    std::vector<std::string> unread;  ///< messages that no thread was told of, each a permit
    sim::ActorId on_behalf_of = sim::no_actor;
    std::vector<std::uint32_t> subscribing;  ///< fibers that wait for the confirmation
    std::vector<std::uint32_t> waiting;      ///< fibers that wait for a message
  };
  struct Link {
    std::optional<sim::ConnectionId> connection;
    sim::HostId node{};
    bool is_open = false;
    bool was_refused = false;
    sim::TimerId reconnect{};
  };

  [[nodiscard]] Channel* find(std::size_t shard, std::string_view name);
  [[nodiscard]] Link& link(std::size_t shard);
  [[nodiscard]] bool is_needed(std::size_t shard) const;
  /// Starts the timer of an attempt to subscribe.
  void start_attempt(Fiber& fiber);
  void give_up(Fiber& fiber, bool time_is_up);
  void answer(Fiber& fiber, bool yes);
  void tell(Fiber& fiber, std::string_view message);
  void open(std::size_t shard);
  void close(std::size_t shard);
  void lost(std::size_t shard);
  void plan_reconnection(std::size_t shard);
  void send(std::size_t shard, std::string_view command, std::string_view label,
            const std::string& channel, sim::ActorId on_behalf_of);
  void subscribe_channel(Channel& channel);
  void leave_channel(Channel& channel);
  void drop_unused();
  void confirmed(std::size_t shard, std::string_view name);
  void published(std::size_t shard, std::string_view name, std::string_view message);

  ClientProcess& process_;
  FiberScheduler& fibers_;
  MasterDiscovery& discovery_;
  std::vector<Channel> channels_;
  std::vector<Link> links_;
};

}  // namespace lockstep::model
