#include "model/observers/queue_observer.h"

#include <algorithm>
#include <cmath>

#include "model/lock/lock_package.h"
#include "model/node/redis_node.h"
#include "model/trace_vocabulary.h"

namespace lockstep::model {
namespace {

/// The option that says for how long a waiter may be silent beyond what it was told to wait.
constexpr std::string_view wait_option = "wait_ms";

}  // namespace

void QueueObserver::watch(std::span<const std::string> lock_names) {
  if (package_.queue_key.empty()) return;
  for (const std::string& name : lock_names) {
    watched_.push_back({recorder_.names().intern(name),
                        expand_pattern(package_.state_key, name),
                        expand_pattern(package_.queue_key, name),
                        expand_pattern(package_.deadlines_key, name),
                        {}});
  }
}

void QueueObserver::start_run() {
  for (Watched& watched : watched_) watched.places.clear();
}

void QueueObserver::on_executed(std::size_t lock, const RedisNode& node, checker::NameId by) {
  if (lock >= watched_.size()) return;
  Watched& watched = watched_[lock];
  for (const Place& place : watched.places) {
    if (place.owner == by) add(watched, checker::QueueEventKind::seen, place, node, by);
  }
}

void QueueObserver::on_changed(std::size_t lock, const RedisNode& node, checker::NameId by) {
  if (lock < watched_.size()) {
    compare(watched_[lock], node, checker::QueueEventKind::left, by);
  }
}

void QueueObserver::on_failover(std::size_t lock, const RedisNode& node) {
  if (lock < watched_.size()) {
    compare(watched_[lock], node, checker::QueueEventKind::lost_with_failover, checker::no_name);
  }
}

void QueueObserver::report_left(std::size_t lock, const RedisNode& node) {
  if (lock >= watched_.size() || node.state() == sim::HostState::crashed) return;
  const Watched& watched = watched_[lock];
  const auto report = [this](const std::string& key, checker::NameId owner) {
    recorder_.add({checker::ResidueKind::lock_key, key, recorder_.now(), owner});
  };
  read_places(watched, node);
  if (!found_.empty()) return report(watched.queue_key, found_.front().owner);
  const redis::Entry* entry =
      node.server().keyspace().visible(watched.deadlines_key, node.wall_ms());
  const auto* set = entry == nullptr ? nullptr : std::get_if<redis::SortedSetValue>(&entry->value);
  if (set == nullptr || set->size() == 0) return;
  report(watched.deadlines_key, reader_.owner_of(set->at(0).member));
}

void QueueObserver::read_places(const Watched& watched, const RedisNode& node) {
  found_.clear();
  if (node.state() == sim::HostState::crashed) return;
  const redis::Entry* entry = node.server().keyspace().visible(watched.queue_key, node.wall_ms());
  const auto* list = entry == nullptr ? nullptr : std::get_if<redis::ListValue>(&entry->value);
  if (list == nullptr) return;
  for (std::size_t i = 0; i < list->size(); ++i) {
    found_.push_back({reader_.owner_of((*list)[i]), (*list)[i]});
  }
}

void QueueObserver::compare(Watched& watched, const RedisNode& node, checker::QueueEventKind gone,
                            checker::NameId by) {
  read_places(watched, node);
  const auto is_in = [](const std::vector<Place>& places, const Place& place) {
    return std::any_of(places.begin(), places.end(),
                       [&](const Place& other) { return other.owner == place.owner; });
  };
  const auto same_owner = [](const Place& a, const Place& b) { return a.owner == b.owner; };
  if (std::equal(found_.begin(), found_.end(), watched.places.begin(), watched.places.end(),
                 same_owner)) {
    return;
  }
  for (const Place& place : watched.places) {
    if (!is_in(found_, place)) add(watched, gone, place, node, by);
  }
  for (const Place& place : found_) {
    if (is_in(watched.places, place)) continue;
    add(watched, checker::QueueEventKind::entered, place, node, by);
  }
  std::swap(watched.places, found_);
  emit(watched, node, by);
}

void QueueObserver::add(const Watched& watched, checker::QueueEventKind kind, const Place& place,
                        const RedisNode& node, checker::NameId by) {
  const bool has_place =
      kind == checker::QueueEventKind::entered || kind == checker::QueueEventKind::seen;
  recorder_.add(checker::QueueEvent{
      .kind = kind,
      .owner = place.owner,
      .lock = watched.name,
      .at = recorder_.now(),
      .by = by,
      .deadline_ns = has_place ? deadline_of(watched, place, node) : sim::never_ns});
}

/// Until when a waiter that asked now has no reason to come back: for as long as the lease lasts.
sim::TimeNs QueueObserver::announced_deadline(const Watched& watched, const RedisNode& node) const {
  const redis::Entry* entry = node.server().keyspace().visible(watched.lock_key, node.wall_ms());
  if (entry == nullptr || !entry->expire_at_ms) return queue_.now();
  return node.true_time_past(*entry->expire_at_ms);
}

/// What the sorted set says, on the owner's own clock; at least the lock's wait beyond what the
/// owner was told to wait.
sim::TimeNs QueueObserver::deadline_of(const Watched& watched, const Place& place,
                                       const RedisNode& node) const {
  sim::TimeNs deadline_ns = announced_deadline(watched, node);
  // The instant never comes where the node's clock stands still.
  if (deadline_ns == sim::never_ns) return sim::never_ns;
  deadline_ns += package_.find_number(wait_option).value_or(0) * sim::millisecond_ns;
  const redis::Entry* entry =
      node.server().keyspace().visible(watched.deadlines_key, node.wall_ms());
  const auto* set = entry == nullptr ? nullptr : std::get_if<redis::SortedSetValue>(&entry->value);
  const auto item = set == nullptr ? std::nullopt : set->find(place.text);
  const Client* const client = reader_.client_of(place.text);
  constexpr double score_max = 9e12;
  if (!item || client == nullptr || std::abs((*set)[*item].score) > score_max) return deadline_ns;
  const auto score_ms = static_cast<std::int64_t>((*set)[*item].score);
  return std::max(deadline_ns, client->wall_clock().true_time_of(score_ms * sim::millisecond_ns));
}

void QueueObserver::emit(const Watched& watched, const RedisNode& node, checker::NameId by) {
  std::string owners;
  for (const Place& place : watched.places) {
    if (!owners.empty()) owners += ' ';
    owners += recorder_.names().text(place.owner);
  }
  trace_.emit(queue_.now(), trace_kind::queue_changed, node.actor(),
              {{"lock", recorder_.names().text(watched.name)},
               {"owners", owners},
               {"by", by == checker::no_name ? std::string_view()
                                             : std::string_view(recorder_.names().text(by))}});
}

}  // namespace lockstep::model
