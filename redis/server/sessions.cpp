#include "redis/server/sessions.h"

#include <algorithm>
#include <string>

#include "redis/server/version_traits.h"

namespace lockstep::redis {
namespace {

constexpr std::size_t few_watched_keys = 32;  // that need no index

}  // namespace

void Session::queue_command(const CommandSpec& spec, std::span<const std::string_view> arguments) {
  // EXEC will not run it, nor look whether it writes.
  if (transaction == TransactionState::broken || watched_key_changed) return;
  if (queued_count == queue.size()) queue.emplace_back();
  QueuedCommand& queued = queue[queued_count++];
  queued.spec = &spec;
  queued.words.clear();
  for (const std::string_view word : arguments) queued.words.push(word);
}

void Sessions::start(const VersionTraits& version) {
  clients_seen_ = 0;
  silences_pushes_ = version.silences_pushes;
}

Session& Sessions::open(const PeerAddresses& addresses, std::int64_t now_ms) {
  const auto closed = std::find_if(sessions_.begin(), sessions_.end(),
                                   [](const Session& each) { return !each.is_open; });
  const auto index = static_cast<std::size_t>(closed - sessions_.begin());
  if (closed == sessions_.end()) by_id_.push_back(&sessions_.emplace_back());
  Session& opened = sessions_[index];
  opened.id = static_cast<SessionId>(index);
  opened.is_open = true;
  opened.client_number = ++clients_seen_;
  opened.address.assign(addresses.peer);
  opened.local_address.assign(addresses.local);
  opened.opened_at_ms = now_ms;
  opened.active_at_ms = now_ms;
  opened.last_command = nullptr;
  opened.is_replica = false;
  opened.is_no_evict = false;
  return opened;
}

std::vector<Session*> Sessions::clients() {
  std::vector<Session*> open;
  for (Session& each : sessions_) {
    if (each.is_open && !each.is_ending) open.push_back(&each);
  }
  std::sort(open.begin(), open.end(),
            [](const Session* a, const Session* b) { return a->client_number < b->client_number; });
  return open;
}

Session* Sessions::find_client(std::int64_t number) {
  const auto found = std::find_if(sessions_.begin(), sessions_.end(), [&](const Session& each) {
    return each.is_open && static_cast<std::int64_t>(each.client_number) == number;
  });
  return found == sessions_.end() ? nullptr : &*found;
}

void Sessions::watch(Session& session, std::string_view key, const Databases& databases,
                     std::int64_t now_ms) {
  if (is_watched_by(session, key)) return;
  const Entry* const entry = databases[session.database].stored(key);
  const bool is_expired = entry != nullptr && entry->expired_at(now_ms);
  session.watched.push_back({session.database, std::string(key), is_expired});
  ++watched_keys_;
  if (!watchers_.empty()) {
    index(session, session.watched.size() - 1);
  } else if (watched_keys_ > few_watched_keys) {
    index_watched_keys();
  }
}

bool Sessions::is_watched_by(const Session& session, std::string_view key) const {
  if (watchers_.empty()) {
    return std::any_of(session.watched.begin(), session.watched.end(), [&](const WatchedKey& each) {
      return each.database == session.database && each.key == key;
    });
  }
  const auto found = watchers_.find(WatchedName(session.database, key));
  return found != watchers_.end() &&
         std::any_of(found->second.begin(), found->second.end(),
                     [&](const Watcher& each) { return each.session == session.id; });
}

void Sessions::index(const Session& session, std::size_t place) {
  const WatchedKey& watched = session.watched[place];
  watchers_[{watched.database, std::string(watched.key)}].push_back({session.id, place});
}

void Sessions::index_watched_keys() {
  for (const Session& each : sessions_) {
    for (std::size_t place = 0; place < each.watched.size(); ++place) index(each, place);
  }
}

void Sessions::remove_from_index(const Session& session) {
  for (const WatchedKey& watched : session.watched) {
    const auto found = watchers_.find(WatchedName(watched.database, watched.key));
    if (found == watchers_.end()) continue;
    std::erase_if(found->second, [&](const Watcher& each) { return each.session == session.id; });
    if (found->second.empty()) watchers_.erase(found);
  }
}

void Sessions::unwatch(Session& session) {
  if (!watchers_.empty()) remove_from_index(session);
  watched_keys_ -= session.watched.size();
  session.watched.clear();
  session.watched_key_changed = false;
}

void Sessions::touch_watched_key(std::uint8_t database, std::string_view key,
                                 const Databases& databases) {
  const bool is_gone = databases[database].stored(key) == nullptr;
  if (!watchers_.empty()) {
    const auto found = watchers_.find(WatchedName(database, key));
    if (found == watchers_.end()) return;
    for (const Watcher& each : found->second) {
      Session& session = at(each.session);
      touch(session, session.watched[each.place], is_gone);
    }
    return;
  }
  for (Session& each : sessions_) {
    for (WatchedKey& watched : each.watched) {
      if (watched.database == database && watched.key == key) touch(each, watched, is_gone);
    }
  }
}

void Sessions::touch(Session& session, WatchedKey& watched, bool is_gone) {
  if (watched.was_expired && is_gone) {
    watched.was_expired = false;  // deleting an expired key changes nothing that shows
  } else {
    session.watched_key_changed = true;
  }
}

void Sessions::touch_all_watched_keys(std::uint8_t database, const Databases& databases,
                                      const Keyspace& other, std::int64_t now_ms) {
  for (Session& each : sessions_) {
    for (WatchedKey& watched : each.watched) {
      if (watched.database != database) continue;
      const Entry* const before = databases[database].stored(watched.key);
      const Entry* const after = other.stored(watched.key);
      const bool is_expired = after != nullptr && after->expired_at(now_ms);
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

bool has_expired_watched_key(const Session& session, const Databases& databases,
                             std::int64_t now_ms) {
  return std::any_of(session.watched.begin(), session.watched.end(), [&](const WatchedKey& key) {
    const Entry* const entry = databases[key.database].stored(key.key);
    return !key.was_expired && entry != nullptr && entry->expired_at(now_ms);
  });
}

}  // namespace lockstep::redis
