// A Redis Sentinel on a simulated host: watches one master with its replicas, agrees with the other
// sentinels that it is down, and makes a replica the master in its place.
//
// Everything goes by message, as in Redis 7.0: PING, INFO and hellos over `__sentinel__:hello` to
// the nodes, is-master-down-by-addr and hellos to the other sentinels, and what clients ask. It
// looks around 10 to 19 times a second, by its own wall clock: a step of that clock brings TILT.
// Epochs, votes and known instances survive a restart: Redis keeps them in sentinel.conf.
//
// A run starts with sentinels that know each other, as after a restart of them all: connections
// are opened in the first instants. Its timers are daemons: a failover keeps no run alive.
// Not covered: several masters, SENTINEL SET and its like, scripts that it runs, passwords.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/messages.h"
#include "model/sentinel/hello.h"
#include "model/sentinel/info_report.h"
#include "model/sentinel/instance.h"
#include "model/sentinel/instance_links.h"
#include "model/sentinel/sentinel_clients.h"
#include "sim/choice_source.h"
#include "sim/host.h"
#include "sim/network.h"

namespace lockstep::scenario {
struct SentinelSpec;
}  // namespace lockstep::scenario

namespace lockstep::model {

class Recorder;

/// What a sentinel shares with the rest of the simulation. Does not own; all outlive it.
struct SentinelEnvironment {
  sim::EventQueue& queue;
  sim::Trace& trace;
  sim::Network& network;
  MessagePool& messages;
  Recorder& recorder;
};

/// The processes that a sentinel knows when a run begins.
struct WatchedHosts {
  sim::HostId master;
  std::vector<sim::HostId> replicas;
  std::vector<sim::HostId> sentinels;  ///< all of them, including itself
};

class SentinelNode final : public sim::Host {
 public:
  SentinelNode(std::string name, sim::ActorId actor, const scenario::SentinelSpec& spec,
               const SentinelEnvironment& environment);

  void set_host_id(sim::HostId id);
  [[nodiscard]] sim::HostId host_id() const { return id_; }
  /// Prepares a new run (after Host::reset).
  void start_run(sim::ChoiceSource& choices, const WatchedHosts& watched);

  /// Host and sentinel (sentinel_digest.cpp).
  void digest_into(sim::Digest& digest) const;

  /// The host that it considers the master.
  [[nodiscard]] const std::string& current_master() const;
  [[nodiscard]] std::int64_t config_epoch() const { return config_epoch_; }
  [[nodiscard]] std::int64_t current_epoch() const { return current_epoch_; }

 private:
  enum class FailoverState : std::uint8_t {
    none,
    wait_start,  ///< waiting to be elected leader
    select_replica,
    send_replicaof_no_one,
    wait_promotion,  ///< waiting for INFO to show the promotion
    reconfigure_replicas,
    update_config,
  };
  struct Failover {
    FailoverState state = FailoverState::none;
    std::int64_t epoch = 0;
    std::int64_t started_at_ms = 0;  ///< or when it voted for another sentinel; 0: never
    std::int64_t changed_at_ms = 0;
    sim::HostId promoted{};  ///< from send_replicaof_no_one on
  };
  struct Vote {
    std::string leader;  ///< empty: none
    std::int64_t epoch = 0;
  };
  /// An instance, and which of its connections it is.
  struct Found {
    Instance* instance = nullptr;
    InstanceConnection* channel = nullptr;
  };

  // sentinel_node.cpp: the process, what reaches it, and its rounds.
  void on_incoming(const sim::Incoming& incoming) override;
  void on_dropped(sim::Payload payload) override { environment_.messages.release(payload); }
  void digest_payload(sim::Digest& digest, sim::ConnectionId connection,
                      sim::Payload payload) const override;
  void on_start() override;
  void on_crash() override;
  void begin();
  void schedule_tick();
  void tick();
  void check_tilt();
  void handle(Instance& instance);
  void on_opened(sim::ConnectionId connection);
  void on_closed(sim::ConnectionId connection);
  void on_message(sim::ConnectionId connection, sim::Payload payload);
  void on_reply(const Found& from, const Message& message);
  [[nodiscard]] Found find(sim::ConnectionId connection);
  [[nodiscard]] Instance* find(std::vector<Instance>& among, std::string_view name);
  [[nodiscard]] std::int64_t now_ms() const;
  [[nodiscard]] std::int64_t random_below(std::int64_t bound);
  /// Reports a step under Sentinel's own name for it, to the trace and to subscribers.
  void announce(std::string_view event, const Instance& about, std::string_view more = {});
  void announce(std::string_view event, std::string_view text);
  void announce_switch(std::string_view new_master);
  [[nodiscard]] std::string describe(const Instance& about, std::string_view more) const;

  // sentinel_watching.cpp: links, and which instances are down.
  void reconnect(Instance& instance);
  void send_periodically(Instance& instance);
  void send_ping(Instance& instance);
  void send_hello(Instance& instance);
  void publish_soon();
  void check_subjectively_down(Instance& instance);
  void reconnect_stuck_links(Instance& instance);
  void check_objectively_down();
  void on_ping_reply(Instance& instance, const redis::Reply& reply);
  void on_info(Instance& instance, std::string_view text);
  void adopt_info(Instance& instance, const InfoReport& report);
  void correct_role(Instance& instance);
  void follow_reconfiguration(Instance& replica);
  void on_hello(std::string_view text);
  [[nodiscard]] bool master_looks_sane() const;
  [[nodiscard]] bool was_up_for(const Instance& instance, std::int64_t ms) const;

  // sentinel_voting.cpp
  enum class Urgency : std::uint8_t { when_due, at_once };
  void ask_others(Urgency urgency);
  void on_ask_reply(Instance& sentinel, const redis::Reply& reply);
  [[nodiscard]] Vote vote(std::int64_t epoch, std::string_view candidate);
  /// The winner of the epoch's election, as far as this sentinel knows; empty: none yet.
  [[nodiscard]] std::string elected_in(std::int64_t epoch);
  void learn_epoch(std::int64_t epoch);

  // sentinel_failover.cpp
  [[nodiscard]] bool start_failover_if_needed();
  void advance_failover();
  void await_election();
  void select_replica();
  [[nodiscard]] Instance* best_replica();
  void promote();
  void reconfigure_next();
  void check_end();
  void abort_failover(std::string_view why);
  void enter(FailoverState state);
  void send_replicaof(Instance& node, std::string_view host);
  void switch_to(sim::HostId master);
  [[nodiscard]] Instance& promoted();
  [[nodiscard]] bool is_failing_over() const { return failover_.state != FailoverState::none; }

  // sentinel_answers.cpp
  void answer(sim::ConnectionId connection, const Message& request);
  void answer_sentinel(const redis::Arguments& words, redis::ReplyWriter& reply);
  void answer_is_master_down(const redis::Arguments& words, redis::ReplyWriter& reply);
  void write_master(redis::ReplyWriter& reply) const;
  void write_instances(const std::vector<Instance>& instances, redis::ReplyWriter& reply) const;

  SentinelEnvironment environment_;
  sim::HostId id_{};
  sim::ChoiceSource* choices_ = nullptr;
  InstanceLinks links_;
  SentinelClients clients_;
  bool is_up_ = false;  // false between a restart and the first tick

  std::int64_t down_after_ms_;
  std::int64_t failover_timeout_ms_;
  std::uint32_t quorum_;

  Instance master_;
  std::vector<Instance> replicas_;
  std::vector<Instance> sentinels_;  // the others

  // In sentinel.conf, with the names of those above.
  std::int64_t current_epoch_ = 0;
  std::int64_t config_epoch_ = 0;
  Vote vote_;

  Failover failover_;
  bool is_tilted_ = false;
  std::int64_t tilted_at_ms_ = 0;
  std::int64_t last_tick_at_ms_ = 0;
};

}  // namespace lockstep::model
