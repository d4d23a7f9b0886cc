// Keyspace notifications: which events there are, and what the change of a key by a command is
// called (notify-keyspace-events).
//
// Names and classes are those of Redis 7.0. Delivery is pub/sub's (Server::notify).
#pragma once

#include <cstdint>
#include <string_view>

namespace lockstep::redis {

class Call;

/// The letters of notify-keyspace-events as bits.
enum class KeyspaceEvent : std::uint16_t {
  keyspace = 1U << 0U,  ///< K: messages to __keyspace@0__:key
  keyevent = 1U << 1U,  ///< E: messages to __keyevent@0__:event
  generic = 1U << 2U,
  string = 1U << 3U,
  list = 1U << 4U,
  set = 1U << 5U,
  hash = 1U << 6U,
  sorted_set = 1U << 7U,
  expired = 1U << 8U,
  evicted = 1U << 9U,
  key_miss = 1U << 10U,
  created = 1U << 11U,
  other = 1U << 12U,  ///< of streams and modules, which do not come
};

class KeyspaceEvents {
 public:
  constexpr KeyspaceEvents() = default;
  constexpr void add(KeyspaceEvent event) { bits_ |= static_cast<std::uint16_t>(event); }
  [[nodiscard]] constexpr bool has(KeyspaceEvent event) const {
    return (bits_ & static_cast<std::uint16_t>(event)) != 0;
  }
  /// Whether anything is sent at all: where, and what.
  [[nodiscard]] constexpr bool any() const { return (bits_ & 3U) != 0 && bits_ > 3U; }
  friend constexpr bool operator==(KeyspaceEvents, KeyspaceEvents) = default;

 private:
  std::uint16_t bits_ = 0;
};

/// Tells subscribers of a change that a command reported (Call::changed); `effect` is the name of
/// the command that replicas get for it. `changes_before`: how many it reported before.
void notify_change(Call& call, std::string_view key, std::string_view effect,
                   unsigned changes_before);

}  // namespace lockstep::redis
