// The servers that failed a client, for a lock whose masters vote: while they are a minority, the
// lock must work without them.
#pragma once

#include <cstdint>

namespace lockstep::scenario {
struct RedisSpec;
}  // namespace lockstep::scenario

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

}  // namespace lockstep::search
