// How a client of a Sentinel deployment knows the master: as client libraries do.
//
// It begins with the master of the start, where it connected before the run. When a node makes
// trouble it asks the sentinels in order for the master's address, asks the node at another address
// for its ROLE, and follows it where that is a master; else it asks again a little later. It
// listens to `+switch-master` at the first sentinel that answers, and then believes what it is
// told. Until it learns better it keeps to the master that it has. Not covered: a check whether the
// sentinel that it listens to is still there, reading replicas.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "model/client/discovery.h"
#include "model/messages.h"
#include "sim/host.h"

namespace lockstep::model {

class SentinelDiscovery final : public MasterDiscovery {
 public:
  SentinelDiscovery(ClientProcess& process, NewMasterListener& listener)
      : process_(process), listener_(listener) {}

  [[nodiscard]] std::size_t shard_count() const override { return 1; }
  [[nodiscard]] std::optional<sim::HostId> master_of(std::size_t /*shard*/) const override {
    return master_;
  }
  void on_node_failure(std::size_t shard, sim::HostId node) override;

  bool on_opened(sim::ConnectionId connection) override;
  bool on_closed(sim::ConnectionId connection) override;
  bool on_message(sim::ConnectionId connection, sim::Payload payload) override;
  void on_timer(std::uint32_t whose) override;

  void start_run() override;
  void forget_all() override;
  void digest_into(sim::Digest& digest) const override;

 private:
  /// What it asks, and whom.
  struct Question {
    enum class What : std::uint8_t { address, role };
    What what;
    sim::HostId host;
    sim::ConnectionId connection;
    sim::TimerId timeout;
  };
  struct EventSubscription {
    std::optional<sim::ConnectionId> connection;
    bool is_confirmed = false;
    sim::TimerId timer{};  ///< until it is confirmed, or tries the next sentinel
  };

  void ask();
  void send_question(Question::What what, sim::HostId host);
  void on_answer(const redis::Reply& reply);
  void unanswered();
  void end_question();
  void ask_later();
  void listen();
  void listen_to_next();
  void on_event(const redis::Reply& event);
  void learn(sim::HostId master, sim::HostId from);
  [[nodiscard]] sim::HostId sentinel(std::size_t number) const;

  ClientProcess& process_;
  NewMasterListener& listener_;
  std::optional<sim::HostId> master_;
  std::optional<Question> question_;
  std::size_t next_asked_ = 0;          // a sentinel
  std::size_t unanswered_queries_ = 0;  // sentinels, since one answered
  sim::TimerId ask_again_{};
  sim::HostId told_by_{};
  EventSubscription event_subscription_;
  std::size_t next_subscribed_ = 0;
};

}  // namespace lockstep::model
