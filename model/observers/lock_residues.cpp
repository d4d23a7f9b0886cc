// What locks leave behind: keys, subscriptions, places in queues, permits, and keys without a TTL.

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "model/lock/lock_package.h"
#include "model/node/redis_node.h"
#include "model/observers/lock_observer.h"
#include "model/sentinel/hello.h"

namespace lockstep::model {

bool LockObserver::is_lease(const Watched& watched, std::string_view key) {
  return std::any_of(watched.leases.begin(), watched.leases.end(),
                     [&](const std::string& pattern) { return matches_expanded(pattern, key); });
}

// A key that has not changed since it was last looked at has its TTL still.
void LockObserver::check_ttl(Watched& watched, const RedisNode& node, KeysToCheck which) {
  if (watched.ttl_missing_reported) return;
  const redis::Keyspace& keyspace = node.server().keyspace();
  std::optional<std::string_view> missing;  // the first of them in the keyspace's order
  if (which == KeysToCheck::all) {
    for (const auto& [key, entry] : keyspace.entries()) {
      if (entry.expire_at_ms || !is_lease(watched, key)) continue;
      missing = key;
      break;
    }
  } else {
    const redis::Arguments& changed = node.changed_keys().keys;
    for (std::size_t i = 0; i < changed.size(); ++i) {
      const redis::Entry* const entry = keyspace.stored(changed[i]);
      if (entry == nullptr || entry->expire_at_ms || (missing && *missing <= changed[i])) continue;
      if (is_lease(watched, changed[i])) missing = changed[i];
    }
  }
  if (!missing) return;
  watched.ttl_missing_reported = true;
  recorder_.add({checker::ResidueKind::lease_without_ttl, std::string(*missing), recorder_.now()});
}

void LockObserver::report_residues(PermitsCount permits, const SubscriptionsInUse& in_use) {
  for (std::size_t shard = 0; shard < topology_.shards.size(); ++shard) {
    report_residues_on(master_of(shard), in_use);
  }
  // What ends by itself may be free while somebody still believes in it.
  const bool may_end = package_.scores != StateScores::order;
  if (permits == PermitsCount::unknown || !has_permits(package_.state_shape) || may_end) return;
  for (const Watched& watched : watched_) {
    // A semaphore that a client's request has deleted has none left; one that went with its
    // server's data is lost by nobody's fault.
    if (!is_reachable(watched) || watched.was_number_lost) continue;
    recorder_.add(checker::PermitsLeft{watched.name, recorder_.now(), watched.known.number});
  }
}

void LockObserver::report_left_places() {
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    queues_.report_left(i, master_of(watched_[i].first_shard));
  }
}

void LockObserver::report_residues_on(const RedisNode& node, const SubscriptionsInUse& in_use) {
  if (node.state() == sim::HostState::crashed) return;
  for (const Watched& watched : watched_) {
    if (!counts_for(watched, node)) continue;
    for (const auto& [key, entry] : node.server().keyspace().entries()) {
      // Another key with a TTL goes by itself, and so does one that a minority keeps; the lock's
      // own should be gone by now.
      // Of permits that end one by one, the last end was waited for, not the key's.
      const bool is_whole_lock = key == watched.keys.main && watched.shard_count == 1 &&
                                 package_.scores == StateScores::order;
      if (!is_lease(watched, key) || (entry.expire_at_ms && !is_whole_lock)) continue;
      if (!entry.expired_at(node.wall_ms())) {
        recorder_.add({checker::ResidueKind::lock_key, key, recorder_.now()});
      }
    }
  }
  for (const auto& [channel, sessions] : node.server().subscriptions()) {
    if (channel == hello_channel || may_stay_subscribed(channel)) continue;
    const auto excused =
        std::count(in_use.channels.begin(), in_use.channels.end(), channel) +
        std::count(in_use.cut_off_from.begin(), in_use.cut_off_from.end(), node.host_id());
    if (std::cmp_less_equal(sessions, excused)) continue;
    recorder_.add({checker::ResidueKind::subscription,
                   channel + " (" + std::to_string(sessions) + " on " + node.name() + ")",
                   recorder_.now()});
  }
}

bool LockObserver::may_stay_subscribed(std::string_view channel) const {
  return std::any_of(watched_.begin(), watched_.end(), [&](const Watched& watched) {
    return std::any_of(
        watched.kept_channels.begin(), watched.kept_channels.end(),
        [&](const std::string& pattern) { return matches_expanded(pattern, channel); });
  });
}

}  // namespace lockstep::model
