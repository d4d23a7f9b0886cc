// What a sentinel knows about one process that it watches: the master, a replica or a sentinel.
//
// Times are ms of the sentinel's own wall clock, as in Redis: a step of that clock moves them all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/host.h"

namespace lockstep::model {

enum class InstanceKind : std::uint8_t { master, replica, sentinel };
[[nodiscard]] std::string_view to_string(InstanceKind kind);

/// What a sentinel sends.
enum class SentinelRequest : std::uint8_t {
  ping,
  info,
  hello,       ///< PUBLISH of its own view
  listen,      ///< SUBSCRIBE to the hellos of others
  ask,         ///< SENTINEL is-master-down-by-addr
  order,       ///< REPLICAOF and the commands sent with it; replies are ignored
  kill_script  ///< SCRIPT KILL
};

/// One of the connections to an instance.
struct InstanceConnection {
  struct Expected {
    std::uint64_t number;
    SentinelRequest request;
  };
  std::optional<sim::ConnectionId> connection;
  bool is_open = false;
  std::int64_t connected_at_ms = 0;
  std::vector<Expected> expected;    ///< replies that have not come, in order
  std::vector<sim::Payload> unsent;  ///< while it is being opened

  [[nodiscard]] bool expects(SentinelRequest request) const {
    for (const Expected& each : expected) {
      if (each.request == request) return true;
    }
    return false;
  }
};

/// How far a replica's reconfiguration to the new master has come.
enum class Reconfiguration : std::uint8_t { none, sent, in_progress, done };

struct Instance {
  Instance(InstanceKind instance_kind, sim::HostId instance_host, std::string instance_name,
           std::int64_t now_ms)
      : kind(instance_kind),
        host(instance_host),
        name(std::move(instance_name)),
        waits_since_ms(now_ms),
        available_at_ms(now_ms),
        answered_at_ms(now_ms),
        published_at_ms(now_ms),
        reports_master(instance_kind == InstanceKind::master),
        role_reported_at_ms(now_ms),
        reported_master_at_ms(now_ms) {}

  InstanceKind kind;
  sim::HostId host;
  std::string name;  ///< of its host: addresses are names here

  // The link.
  InstanceConnection commands;
  InstanceConnection events;    ///< not to sentinels
  bool is_disconnected = true;  ///< one of the two connections is missing
  std::int64_t reconnected_at_ms = 0;
  std::int64_t heard_at_ms = 0;   ///< on `events`
  std::int64_t waits_since_ms;    ///< when the unanswered PING was sent; 0: none is
  std::int64_t pinged_at_ms = 0;  ///< when the last PING was sent
  std::int64_t available_at_ms;   ///< when a PING was last answered validly
  std::int64_t answered_at_ms;    ///< when a PING was last answered
  std::int64_t published_at_ms;   ///< when a hello was last answered

  // Whether it is down.
  bool is_subjectively_down = false;
  bool is_objectively_down = false;  ///< the master only
  std::int64_t subjectively_down_at_ms = 0;
  std::int64_t objectively_down_at_ms = 0;
  bool script_was_ended = false;

  // What INFO says of it.
  std::int64_t reported_at_ms = 0;  ///< 0: not yet
  bool reports_master;
  std::int64_t role_reported_at_ms;  ///< when it first reported this role
  std::string run_id;
  std::string reported_master;  ///< the master that it follows
  std::int64_t reported_master_at_ms;
  bool master_link_is_up = false;
  std::int64_t master_link_down_ms = 0;
  std::int64_t priority = 100;
  std::int64_t offset = 0;

  // A replica in a failover.
  bool is_promoted = false;  ///< chosen
  Reconfiguration reconfiguration = Reconfiguration::none;
  std::int64_t reconfigured_at_ms = 0;

  // A sentinel.
  bool thinks_master_is_down = false;
  std::int64_t replied_at_ms = 0;  ///< when it last answered an ask
  std::string voted_for;           ///< empty: nobody
  std::int64_t voted_epoch = 0;
};

}  // namespace lockstep::model
