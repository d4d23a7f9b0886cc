// Confirming a run: the same commands at the same times on real Redis servers, one for each
// simulated node, and every reply compared.
//
// A node becomes a redis-server whose wall clock shows what the node's showed. Each connection
// becomes a connection, so that subscriptions, transactions and blocked commands are where they
// were. Replication is real, but *when* bytes arrive is decided by the simulation: this program
// stands between a master and its replica and hands the master's own bytes over at the moment at
// which the simulated replica got them (stream_link.h).
//
// Not covered: what a real server answers by nature otherwise than any other, even a second real
// one (reply_equivalence.h): such replies are received and counted, but not compared.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "redis/server/node_event.h"
#include "sim/trace.h"

namespace lockstep::confirm {

/// Where a real server went another way than the simulated one.
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

/// What was simulated cannot be done to a real server.
class CannotConfirm : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Settings of every node under Redis's names, as a scenario has them.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// Does what `events` say on real servers. `actors` names the nodes. `interrupted` is asked between
/// events; null: never.
/// Throws RedisUnusable where there is no redis-server, or it does not start; CannotConfirm.
[[nodiscard]] Confirmation confirm(std::span<const sim::Actor> actors,
                                   std::span<const redis::NodeEvent> events,
                                   const Settings& settings, bool (*interrupted)() = nullptr);

}  // namespace lockstep::confirm
