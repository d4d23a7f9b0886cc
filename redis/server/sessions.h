// The sessions of a server, and the keys that they watch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "redis/persistence/stored_files.h"
#include "redis/server/session.h"

namespace lockstep::redis {

class Sessions {
 public:
  /// A new process: no client has connected. REQUIRES: all sessions are closed.
  void start() { clients_seen_ = 0; }

  /// Takes the lowest free id.
  Session& open(const PeerAddresses& addresses, std::int64_t now_ms);
  [[nodiscard]] Session& at(SessionId id);
  [[nodiscard]] const Session& at(SessionId id) const;
  /// By id, closed ones included.
  [[nodiscard]] std::span<Session> all() { return sessions_; }
  /// Those that may be listed and killed, the oldest first.
  [[nodiscard]] std::vector<Session*> clients();
  /// The open session of this CLIENT ID, or null.
  [[nodiscard]] Session* find_client(std::int64_t number);

  // WATCH.
  void watch(Session& session, std::string_view key, const Databases& databases,
             std::int64_t now_ms);
  void unwatch(Session& session);
  [[nodiscard]] bool any_watched() const { return watched_keys_ > 0; }
  /// A key was written or deleted: sessions that watch it will have EXEC refused.
  void touch_watched_key(std::uint8_t database, std::string_view key, const Databases& databases);
  /// The database is about to hold what `other` holds.
  void touch_all_watched_keys(std::uint8_t database, const Databases& databases,
                              const Keyspace& other, std::int64_t now_ms);

  // server_digest.cpp
  void digest_counts_into(sim::Digest& digest) const;
  void digest_into(sim::Digest& digest, std::uint64_t owner, std::int64_t now_ms) const;

 private:
  std::vector<Session> sessions_;  // by id; closed ones are reused
  std::uint64_t clients_seen_ = 0;
  std::size_t watched_keys_ = 0;  // over all sessions
};

/// A key that the session watches expired after WATCH, and is still stored.
[[nodiscard]] bool has_expired_watched_key(const Session& session, const Databases& databases,
                                           std::int64_t now_ms);

}  // namespace lockstep::redis
