// Keys as commands see them: lazy expiry, and what a change tells watchers and observers.
#include <algorithm>
#include <array>
#include <utility>

#include "redis/server/core.h"

namespace lockstep::redis {

Keyspace::Position Core::expire_if_needed(Keyspace& keys, std::uint8_t database, Origin origin,
                                          Keyspace::Position position, std::string_view key) {
  if (origin == Origin::master) return position;
  if (role_ == Role::replica) return keys.end();
  // A script's redis.set_repl does not reach this.
  const bool were_dropped = std::exchange(effects_are_dropped_, false);
  propagate(database, std::array<std::string_view, 2>{"DEL", key});
  effects_are_dropped_ = were_dropped;
  keys.erase(position);
  ++statistics_.expired_keys;
  signal_modified_key(database, key, 1);
  return keys.end();
}

void Core::expire_cycle() {
  constexpr std::size_t keys_looked_at_max = 10'000;
  if (role_ == Role::replica || !is_active_expire_on_) return;
  for (std::size_t i = 0; i < database_count; ++i) {
    Keyspace& keys = databases_[i];
    if (keys.entries().empty()) continue;
    Keyspace::Position next = keys.from(expire_cycle_at_[i]);
    for (std::size_t n = 0; n < keys_looked_at_max && next != keys.end(); ++n) {
      const Keyspace::Position looked_at = next++;
      if (!looked_at->second.expired_at(now_ms_)) continue;
      const std::string key = looked_at->first;
      expire_if_needed(keys, static_cast<std::uint8_t>(i), Origin::client, looked_at, key);
      propagate_pending_commands();
    }
    expire_cycle_at_[i] = next == keys.end() ? std::string() : next->first;
  }
}

void Core::signal_modified_key(std::uint8_t database, std::string_view key, std::uint64_t times) {
  dirty_ += times;
  listener_.on_key_changed(database, key);
  if (has_memory_limit()) count_memory(database, key);
  if (watched_keys_ > 0) touch_watched_key(database, key);
}

std::uint64_t Core::flush(std::uint8_t database) {
  Keyspace& keys = databases_[database];
  const std::uint64_t count = keys.entries().size();
  dirty_ += count;
  std::vector<std::string> touched;
  if (watched_keys_ > 0) {
    for (const auto& [key, entry] : keys.entries()) touched.push_back(key);
  }
  keys.clear();
  memory_[database].clear();
  for (const std::string& key : touched) touch_watched_key(database, key);
  return count;
}

void Core::touch_watched_key(std::uint8_t database, std::string_view key) {
  const bool is_gone = databases_[database].stored(key) == nullptr;
  for (Session& each : sessions_) {
    for (WatchedKey& watched : each.watched) {
      if (watched.database != database || watched.key != key) continue;
      if (watched.was_expired && is_gone) {
        watched.was_expired = false;  // deleting an expired key changes nothing that shows
      } else {
        each.watched_key_changed = true;
      }
    }
  }
}

void Core::swap_databases(std::uint8_t a, std::uint8_t b) {
  if (a == b) return;
  if (watched_keys_ > 0) {
    touch_all_watched_keys(a, databases_[b]);
    touch_all_watched_keys(b, databases_[a]);
  }
  databases_[a].swap(databases_[b]);
  std::swap(memory_[a], memory_[b]);
  ++dirty_;
  listener_.on_databases_replaced();
  signal_keys_as_ready(a);
  signal_keys_as_ready(b);
}

/// A database is about to hold what another holds now.
void Core::touch_all_watched_keys(std::uint8_t database, const Keyspace& other) {
  for (Session& each : sessions_) {
    for (WatchedKey& watched : each.watched) {
      if (watched.database != database) continue;
      const Entry* const before = databases_[database].stored(watched.key);
      const Entry* const after = other.stored(watched.key);
      const bool is_expired = after != nullptr && after->expired_at(now_ms_);
      if (before == nullptr && after == nullptr) continue;
      if (watched.was_expired && (after == nullptr || is_expired)) {
        watched.was_expired = is_expired;
      } else if (before == nullptr && is_expired) {
        watched.was_expired = true;
      } else {
        each.watched_key_changed = true;
      }
    }
  }
}

void Core::watch(Session& session, std::string_view key) {
  const auto is_same = [&](const WatchedKey& watched) {
    return watched.database == session.database && watched.key == key;
  };
  if (std::any_of(session.watched.begin(), session.watched.end(), is_same)) return;
  const Entry* const entry = databases_[session.database].stored(key);
  const bool is_expired = entry != nullptr && entry->expired_at(now_ms_);
  session.watched.push_back({session.database, std::string(key), is_expired});
  ++watched_keys_;
}

void Core::unwatch(Session& session) {
  watched_keys_ -= session.watched.size();
  session.watched.clear();
  session.watched_key_changed = false;
}

bool Core::watched_key_expired(const Session& session) const {
  return std::any_of(session.watched.begin(), session.watched.end(), [&](const WatchedKey& key) {
    const Entry* const entry = databases_[key.database].stored(key.key);
    return !key.was_expired && entry != nullptr && entry->expired_at(now_ms_);
  });
}

}  // namespace lockstep::redis
