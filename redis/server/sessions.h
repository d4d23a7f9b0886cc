// The sessions of a server, and the keys that they watch.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "redis/persistence/stored_files.h"
#include "redis/server/session.h"

namespace lockstep::redis {

struct VersionTraits;

class Sessions {
 public:
  /// A new process: no client has connected. REQUIRES: all sessions are closed.
  void start(const VersionTraits& version);

  /// Takes the lowest free id.
  Session& open(const PeerAddresses& addresses, std::int64_t now_ms);
  [[nodiscard]] Session& at(SessionId id) { return *by_id_[index_of(id)]; }
  [[nodiscard]] const Session& at(SessionId id) const { return *by_id_[index_of(id)]; }
  /// By id, closed ones included.
  [[nodiscard]] std::deque<Session>& all() { return sessions_; }
  /// Those that may be listed and killed, the oldest first.
  [[nodiscard]] std::vector<Session*> clients();
  /// The open session of this CLIENT ID, or null.
  [[nodiscard]] Session* find_client(std::int64_t number);

  /// Whether messages and confirmations of subscriptions are sent to it now.
  [[nodiscard]] bool hears_pushes(const Session& session) const {
    return session.replies == ReplyMode::on || !silences_pushes_;
  }

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
  /// Who watches a key: the session, and the key's place among those that it watches.
  struct Watcher {
    SessionId session;
    std::size_t place;
  };
  /// Orders databases and keys, whatever kind of text the key is.
  struct ByDatabaseAndKey {
    using is_transparent = void;
    template <class Left, class Right>
    bool operator()(const Left& left, const Right& right) const {
      if (left.first != right.first) return left.first < right.first;
      return std::string_view(left.second) < std::string_view(right.second);
    }
  };
  using WatchedName = std::pair<std::uint8_t, std::string_view>;
  using Watchers =
      std::map<std::pair<std::uint8_t, std::string>, std::vector<Watcher>, ByDatabaseAndKey>;

  [[nodiscard]] std::size_t index_of(SessionId id) const {
    assert(static_cast<std::size_t>(id) < by_id_.size());
    return static_cast<std::size_t>(id);
  }
  static void touch(Session& session, WatchedKey& watched, bool is_gone);
  [[nodiscard]] bool is_watched_by(const Session& session, std::string_view key) const;
  void remove_from_index(const Session& session);
  void index_watched_keys();
  void index(const Session& session, std::size_t place);

  std::deque<Session> sessions_;  // by id; closed ones are reused; they stay where they are
  std::vector<Session*> by_id_;   // the same: each request looks its session up
  std::uint64_t clients_seen_ = 0;
  bool silences_pushes_ = false;  // see VersionTraits
  std::size_t watched_keys_ = 0;  // over all sessions
  Watchers watchers_;             // of all watched keys, once they are many
};

/// A key that the session watches expired after WATCH, and is still stored.
[[nodiscard]] bool has_expired_watched_key(const Session& session, const Databases& databases,
                                           std::int64_t now_ms);

}  // namespace lockstep::redis
