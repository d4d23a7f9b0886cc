// Which sessions are blocked on which keys (BLPOP and others), and which of these keys are ready.
//
// Sessions are served in the order in which they blocked, keys in the order in which they became
// ready. It knows names only: whether a key still holds a value is checked when it is served.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "redis/server/server_types.h"

namespace lockstep::redis {

class BlockingKeys {
 public:
  static constexpr std::size_t database_count = 16;
  /// A place in the order of blocking.
  using Ticket = std::uint64_t;
  struct ReadyKey {
    std::uint8_t database;
    std::string key;
  };

  [[nodiscard]] bool empty() const { return waiting_ == 0; }
  [[nodiscard]] Ticket next_ticket() { return ++tickets_; }
  void add(std::uint8_t database, std::string_view key, Ticket ticket, SessionId session);
  void remove(std::uint8_t database, std::string_view key, Ticket ticket);
  /// The session that blocked on a key next after a ticket (0: the first).
  [[nodiscard]] std::optional<std::pair<Ticket, SessionId>> next(std::uint8_t database,
                                                                 std::string_view key,
                                                                 Ticket after) const;
  /// The keys of a database that sessions are blocked on.
  [[nodiscard]] std::vector<std::string> keys(std::uint8_t database) const;

  /// All blocked sessions, in order.
  template <typename Digest, typename AddSession>
  void digest_into(Digest& digest, AddSession add_session) const {
    digest.add(waiting_);
    if (waiting_ == 0) return;
    for (const Queues& of_database : queues_) {
      digest.add(of_database.size());
      for (const auto& [key, queue] : of_database) {
        digest.add(std::string_view(key));
        digest.add(queue.is_ready);
        digest.add(queue.sessions.size());
        for (const auto& [ticket, session] : queue.sessions) add_session(session);
      }
    }
    digest.add(ready_.size());
    for (const ReadyKey& ready : ready_) {
      digest.add(ready.database);
      digest.add(std::string_view(ready.key));
    }
  }

  /// Marks a key as ready, once, if a session is blocked on it.
  void mark_ready(std::uint8_t database, std::string_view key);
  [[nodiscard]] bool any_ready() const { return !ready_.empty(); }
  /// The key that became ready first. REQUIRES: any_ready().
  [[nodiscard]] ReadyKey take_ready();

 private:
  struct Queue {
    std::map<Ticket, SessionId> sessions;
    bool is_ready = false;
  };
  using Queues = std::map<std::string, Queue, std::less<>>;

  std::array<Queues, database_count> queues_;
  std::deque<ReadyKey> ready_;
  std::size_t waiting_ = 0;  // sessions, once for each key
  Ticket tickets_ = 0;
};

}  // namespace lockstep::redis
