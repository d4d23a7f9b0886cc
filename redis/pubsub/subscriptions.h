// Which sessions subscribe to which channels or patterns.
//
// Sessions get a channel's messages in the order in which they subscribed, as in Redis. Patterns
// are served by name; Redis serves them in the random order of a hash table.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "redis/server/server_types.h"

namespace lockstep::redis {

class Subscriptions {
 public:
  using Sessions = std::vector<SessionId>;
  using Topics = std::map<std::string, Sessions, std::less<>>;

  /// REQUIRES: the session does not listen to it yet.
  void add(std::string_view name, SessionId session);
  /// REQUIRES: the session listens to it.
  void remove(std::string_view name, SessionId session);
  void clear();

  /// The sessions subscribed to exactly this name; nullptr if there are none.
  [[nodiscard]] const Sessions* find(std::string_view name) const;
  /// All names with listeners, sorted.
  [[nodiscard]] const Topics& topics() const { return topics_; }

 private:
  static constexpr std::size_t spare_max = 16;

  Topics topics_;
  std::vector<Topics::node_type> spare_;  // memory for new topics
};

}  // namespace lockstep::redis
