// The connections to a sentinel (from clients and sentinels) and their subscriptions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/messages.h"
#include "sim/network.h"

namespace lockstep::redis {
class ReplyWriter;
struct Reply;
}  // namespace lockstep::redis

namespace lockstep::model {

class SentinelClients {
 public:
  SentinelClients(sim::Network& network, MessagePool& messages)
      : network_(network), messages_(messages) {}

  void set_host_id(sim::HostId id) { id_ = id; }
  void forget_all() { clients_.clear(); }
  void add(sim::ConnectionId connection) { clients_.push_back({connection, {}, {}}); }
  void remove(sim::ConnectionId connection);

  /// SUBSCRIBE, UNSUBSCRIBE and the two with patterns: sends every confirmation but the last, which
  /// is the reply.
  void change_subscriptions(sim::ConnectionId connection, const redis::Arguments& words,
                            redis::ReplyWriter& reply);
  /// Sends an event to all its subscribers.
  void publish(std::string_view channel, std::string_view text);
  [[nodiscard]] bool is_anybody_listening() const;
  void digest_into(sim::Digest& digest) const;

 private:
  struct ConnectedClient {
    sim::ConnectionId connection;
    std::vector<std::string> channels;
    std::vector<std::string> patterns;
  };

  void push(sim::ConnectionId connection, const redis::Reply& message);

  sim::Network& network_;
  MessagePool& messages_;
  sim::HostId id_{};
  std::vector<ConnectedClient> clients_;
};

}  // namespace lockstep::model
