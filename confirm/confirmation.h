// Confirming a run: the same commands at the same times on real Redis servers, one for each
// simulated node, and every reply compared.
//
// Each node becomes a redis-server with the node's wall clock. Each simulated connection becomes a
// real one, so that subscriptions, transactions and blocked commands stay on theirs. Replication is
// real, but *when* bytes arrive is decided by the simulation: this program sits between a master
// and its replica and delivers the master's own bytes when the simulated replica got them
// (stream_link.h).
//
// Not covered: replies in which even two real servers differ (reply_equivalence.h). They are
// received and counted, but not compared.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "confirm/real_program.h"
#include "redis/server/node_event.h"
#include "sim/trace.h"

namespace lockstep::confirm {

/// Records what happens to the Redis nodes of a run, to replay it on real servers.
class Recording final : public redis::NodeObserver {
 public:
  void on_node_event(redis::NodeEvent event) override { events_.push_back(std::move(event)); }

  [[nodiscard]] const std::vector<redis::NodeEvent>& events() const { return events_; }
  /// For tests that plant a difference.
  [[nodiscard]] std::vector<redis::NodeEvent>& events() { return events_; }

 private:
  std::vector<redis::NodeEvent> events_;
};

/// The first difference between a real server and the simulated one.
struct Difference {
  std::uint64_t trace_event = 0;  ///< which event of the trace, from 0
  sim::TimeNs at_ns = 0;
  std::string node;       ///< "n1"
  std::string what;       ///< "the reply to a/1's acquire: EVALSHA …"
  std::string simulated;  ///< what the simulated server said or did
  std::string real;       ///< what the real one did
};

struct Confirmation {
  std::string redis_version;        ///< "7.0.15"
  std::string server;               ///< "redis-server 7.0.15", "valkey-server 8.0.1"
  std::uint64_t servers = 0;        ///< real processes, restarts not counted
  std::uint64_t commands = 0;       ///< sent to real servers
  std::uint64_t equal_replies = 0;  ///< among their replies
  std::uint64_t not_compared = 0;   ///< replies that no two servers give alike
  std::uint64_t unanswered = 0;     ///< commands whose process or client was gone before the reply
  std::uint64_t messages = 0;       ///< of pub/sub, equal
  std::uint64_t stream_requests = 0;   ///< of replication streams, equal
  std::uint64_t synchronisations = 0;  ///< of replicas with a master, full or partial as simulated
  std::uint64_t promotions = 0;
  std::uint64_t restarts = 0;
  bool interrupted = false;
  std::optional<Difference> difference;  ///< the first; nothing is compared after it

  [[nodiscard]] bool is_confirmed() const { return !difference && !interrupted; }
};

/// The recorded events cannot be replayed on real servers.
class CannotConfirm : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Settings of every node under Redis's names, as a scenario has them.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// Replays `events` on real servers of this program. `actors` names the nodes. Polls `interrupted`
/// between events, unless it is nullptr. Throws RedisUnusable if there is no redis-server or it
/// does not start; CannotConfirm.
[[nodiscard]] Confirmation confirm(std::span<const sim::Actor> actors,
                                   std::span<const redis::NodeEvent> events,
                                   const Settings& settings, bool (*interrupted)() = nullptr,
                                   const RealProgram& program = {});

}  // namespace lockstep::confirm
