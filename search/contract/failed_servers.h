// The servers that failed a client, for a lock whose masters vote: while they are a minority, the
// lock must work without them.
#pragma once

#include <cstdint>

namespace lockstep::scenario {
struct RedisSpec;
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::model {
enum class StateNodes : std::uint8_t;
struct RunResult;
}  // namespace lockstep::model

namespace lockstep::search {

class FailedServers {
 public:
  /// Does not own; it outlives this.
  explicit FailedServers(const scenario::RedisSpec& redis) : redis_(redis) {}

  /// A master, by its place.
  void add_master(std::uint32_t master);
  /// Nodes, as a StrikeSpan has them; a replica counts as its master.
  void add_nodes(std::uint64_t nodes);
  /// Whether the remaining servers are a majority.
  [[nodiscard]] bool are_a_minority() const;

 private:
  const scenario::RedisSpec& redis_;
  std::uint64_t masters_ = 0;
};

/// Whether some fault still had its effect when the last was said to be over: what was sent long
/// before arrives. Of a vote, at more servers than may fail. REQUIRES: a run of the scenario.
[[nodiscard]] bool have_servers_failed_after_healing(const scenario::Scenario& scenario,
                                                     const model::RunResult& run,
                                                     model::StateNodes nodes);

}  // namespace lockstep::search
