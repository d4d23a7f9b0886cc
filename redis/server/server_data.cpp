// Keys as commands see them: lazy expiry, and what a change tells watchers and observers.
#include <algorithm>
#include <array>
#include <utility>

#include "redis/server/server.h"

namespace lockstep::redis {
namespace {

void tell_of_expired_fields(Server& server, std::uint8_t database, std::string_view key) {
  server.signal_modified_key(database, key, 1);
  if (!server.notifies()) return;
  server.notify(KeyspaceEvent::hash, "hexpired", database, key);
  if (server.database(database).stored(key) == nullptr) {
    server.notify(KeyspaceEvent::generic, "del", database, key);
  }
}

}  // namespace

Keyspace::Position Server::expire_if_needed(Keyspace& keys, std::uint8_t database, Origin origin,
                                            Keyspace::Position position, std::string_view key) {
  if (origin == Origin::master) return position;
  // 6.0 takes what is negative for no expiry, until it comes by to clean up.
  if (version_->wraps_around && *position->second.expire_at_ms < 0) return position;
  if (role_ == Role::replica) {
    const bool is_seen = origin == Origin::script && version_->scripts_see_expired_on_replicas;
    return is_seen ? position : keys.end();
  }
  if (!pauses_writes_) drop_expired(keys, database, position, key);
  return keys.end();
}

void Server::drop_expired(Keyspace& keys, std::uint8_t database, Keyspace::Position position,
                          std::string_view key) {
  // A script's redis.set_repl does not reach this.
  const bool were_dropped = std::exchange(script_.drops_effects, false);
  propagate(database,
            std::array<std::string_view, 2>{config_.lazy_free_expire ? "UNLINK" : "DEL", key});
  script_.drops_effects = were_dropped;
  keys.erase(position);
  ++statistics_.expired_keys;
  if (notifies()) notify(KeyspaceEvent::expired, "expired", database, key);
  signal_modified_key(database, key, 1);
}

void Server::drop_field(std::uint8_t database, std::string_view key, std::string_view field) {
  const bool were_dropped = std::exchange(script_.drops_effects, false);
  propagate(database, std::array<std::string_view, 3>{"HDEL", key, field});
  script_.drops_effects = were_dropped;
  tell_of_expired_fields(*this, database, key);
}

void Server::expire_fields(std::uint8_t database, Keyspace::Position position) {
  auto& hash = std::get<HashValue>(position->second.value);
  std::vector<std::string> over;
  for (const auto& [field, moment_ms] : hash.expiries()) {
    if (now_ms_ > moment_ms) over.push_back(field);
  }
  if (over.empty()) return;
  const std::string key = position->first;
  for (const std::string& field : over) hash.erase(field);
  const bool is_gone = hash.size() == 0;
  if (is_gone) databases_[database].erase(position);
  if (version_->server == "valkey") {
    std::vector<std::string_view> words{"HDEL", key};
    words.insert(words.end(), over.begin(), over.end());
    propagate(database, words);
    if (is_gone) propagate(database, std::array<std::string_view, 2>{"UNLINK", key});
  } else {
    for (const std::string& field : over) {
      propagate(database, std::array<std::string_view, 3>{"HDEL", key, field});
      propagate_pending_commands();
    }
  }
  propagate_pending_commands();
  tell_of_expired_fields(*this, database, key);
}

void Server::expire_cycle() {
  if (role_ == Role::replica || pauses_writes_) return;
  // The key's last millisecond, in which lookups find it yet, may be over for the cycle.
  const std::int64_t now_ms = now_ms_ + (version_->expires_within_last_ms ? 1 : 0);
  expire_cycle_.run(
      databases_, now_ms,
      [this](std::uint8_t database, Keyspace::Position position) {
        const std::string key = position->first;
        drop_expired(databases_[database], database, position, key);
        propagate_pending_commands();
      },
      [this](std::uint8_t database, Keyspace::Position position) {
        expire_fields(database, position);
      });
}

void Server::signal_modified_key(std::uint8_t database, std::string_view key, std::uint64_t times) {
  dirty_ += times;
  listener_.on_key_changed(database, key);
  if (has_memory_limit()) memory_.count(databases_, database, key);
  if (sessions_.any_watched()) sessions_.touch_watched_key(database, key, databases_);
}

std::uint64_t Server::flush(std::uint8_t database) {
  Keyspace& keys = databases_[database];
  const std::uint64_t count = keys.entries().size();
  dirty_ += count;
  std::vector<std::string> touched;
  if (sessions_.any_watched()) {
    for (const auto& [key, entry] : keys.entries()) touched.push_back(key);
  }
  keys.clear();
  memory_.clear(database);
  for (const std::string& key : touched) {
    sessions_.touch_watched_key(database, key, databases_);
  }
  return count;
}

void Server::swap_databases(std::uint8_t a, std::uint8_t b) {
  if (a == b) return;
  if (sessions_.any_watched()) {
    sessions_.touch_all_watched_keys(a, databases_, databases_[b], now_ms_);
    sessions_.touch_all_watched_keys(b, databases_, databases_[a], now_ms_);
  }
  databases_[a].swap(databases_[b]);
  memory_.swap(a, b);
  ++dirty_;
  listener_.on_databases_replaced();
  signal_keys_as_ready(a);
  signal_keys_as_ready(b);
}

}  // namespace lockstep::redis
