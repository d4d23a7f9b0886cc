#include "model/simulation/lock_observer.h"

#include <algorithm>
#include <cassert>
#include <charconv>

#include "model/trace_vocabulary.h"

namespace lockstep::model {
namespace {

std::string_view to_string(checker::ChangeCause cause) {
  switch (cause) {
    case checker::ChangeCause::acquire:
      return "acquire";
    case checker::ChangeCause::release:
      return "release";
    case checker::ChangeCause::force_release:
      return "force-release";
    case checker::ChangeCause::expiry:
      return "expiry";
    case checker::ChangeCause::eviction:
      return "eviction";
    case checker::ChangeCause::failover:
      return "failover";
    case checker::ChangeCause::other:
      return "other";
  }
  return "other";
}

/// What a field of the lock's hash counts; a value that is no number is one hold.
std::int64_t hold_count(std::string_view value) {
  std::int64_t count = 1;
  std::from_chars(value.data(), value.data() + value.size(), count);
  return count;
}

}  // namespace

LockObserver::LockObserver(sim::EventQueue& queue, sim::Trace& trace, Recorder& recorder,
                           const LockPackage& package, const Topology& topology)
    : queue_(queue), trace_(trace), recorder_(recorder), package_(package), topology_(topology) {}

void LockObserver::watch(std::span<const std::string> lock_names, std::span<Client* const> clients,
                         std::span<RedisNode* const> nodes) {
  clients_.assign(clients.begin(), clients.end());
  nodes_.assign(nodes.begin(), nodes.end());
  for (const std::string& name : lock_names) {
    Watched watched;
    watched.name = recorder_.names().intern(name);
    watched.key = expand_pattern(package_.state_key, name);
    watched_.push_back(std::move(watched));
  }
}

void LockObserver::start_run() {
  for (Watched& watched : watched_) {
    watched.holds.clear();
    watched.token.clear();
    watched.lease_ends_ns = 0;
    watched.expiry = {};
    watched.ttl_missing_reported = false;
  }
  tokens_.clear();
  longest_lease_ns_ = 0;
}

RedisNode& LockObserver::node_that_counts() const {
  const sim::HostId master = topology_.master_of(0);
  const auto found = std::find_if(nodes_.begin(), nodes_.end(),
                                  [&](const RedisNode* node) { return node->host_id() == master; });
  assert(found != nodes_.end());
  return **found;
}

checker::NameId LockObserver::owner_of_field(std::string_view field) {
  for (const Client* client : clients_) {
    const checker::NameId owner = client->owner_of_field(field);
    if (owner != checker::no_name) return owner;
  }
  return recorder_.names().intern(field);
}

checker::NameId LockObserver::owner_of_token(std::string_view token) const {
  const auto found = std::find_if(tokens_.begin(), tokens_.end(),
                                  [&](const auto& entry) { return entry.first == token; });
  return found == tokens_.end() ? checker::no_name : found->second;
}

void LockObserver::read_holds(const Watched& watched, const RedisNode& node,
                              checker::NameId writer) {
  found_.clear();
  const redis::Entry* entry = node.server().keyspace().visible(watched.key, node.wall_ms());
  if (entry == nullptr || node.state() == sim::HostState::crashed) return;
  if (const auto* hash = std::get_if<redis::HashValue>(&entry->value)) {
    for (const auto& [field, value] : hash->fields()) {
      const std::int64_t count = hold_count(value);
      if (count > 0) found_.push_back({owner_of_field(field), count});
    }
    return;
  }
  if (const auto* token = std::get_if<std::string>(&entry->value)) {
    if (*token != watched.token && writer != checker::no_name) {
      std::erase_if(tokens_, [&](const auto& known) { return known.first == *token; });
      tokens_.emplace_back(*token, writer);
    }
    found_.push_back({owner_of_token(*token), 1});
  }
}

TrueHold LockObserver::hold_of(checker::NameId lock, checker::NameId owner) {
  const auto watched =
      std::find_if(watched_.begin(), watched_.end(),
                   [&](const Watched& candidate) { return candidate.name == lock; });
  TrueHold hold;
  if (watched == watched_.end()) return hold;
  const RedisNode& node = node_that_counts();
  read_holds(*watched, node, checker::no_name);
  for (const Hold& found : found_) {
    if (found.owner == owner || hold.holder == checker::no_name) hold.holder = found.owner;
    if (found.owner == owner) hold.count = found.count;
  }
  if (!found_.empty()) {
    const redis::Entry* entry = node.server().keyspace().stored(watched->key);
    hold.lease_ends_ns =
        entry->expire_at_ms ? node.true_time_past(*entry->expire_at_ms) : sim::never_ns;
  }
  return hold;
}

void LockObserver::on_data_changed(RedisNode& node, std::string_view label, sim::ActorId by) {
  if (&node != &node_that_counts()) return;
  const checker::NameId writer =
      by == sim::no_actor ? checker::no_name : recorder_.names().intern(trace_.actor(by).name);
  const bool forced = label.find("force") != std::string_view::npos;
  const checker::ChangeCause cause = by == sim::no_actor ? checker::ChangeCause::other
                                     : forced            ? checker::ChangeCause::force_release
                                                         : checker::ChangeCause::release;
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    check_ttl(watched_[i], node);
    compare(i, cause, writer);
  }
}

void LockObserver::on_evicted(RedisNode& node) {
  if (&node != &node_that_counts()) return;
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    compare(i, checker::ChangeCause::eviction, checker::no_name);
  }
}

void LockObserver::compare(std::size_t index, checker::ChangeCause cause, checker::NameId by) {
  Watched& watched = watched_[index];
  const RedisNode& node = node_that_counts();
  read_holds(watched, node, by);
  const redis::Entry* entry =
      found_.empty() ? nullptr : node.server().keyspace().stored(watched.key);
  const sim::TimeNs lease_ends_ns = entry == nullptr ? 0
                                    : entry->expire_at_ms
                                        ? node.true_time_past(*entry->expire_at_ms)
                                        : sim::never_ns;
  const bool same_holds = std::equal(
      found_.begin(), found_.end(), watched.holds.begin(), watched.holds.end(),
      [](const Hold& a, const Hold& b) { return a.owner == b.owner && a.count == b.count; });
  if (same_holds && lease_ends_ns == watched.lease_ends_ns) return;
  // A change that gives somebody a hold is an acquire, whatever else it takes away.
  if (cause == checker::ChangeCause::release) {
    for (const Hold& hold : found_) {
      const auto before =
          std::find_if(watched.holds.begin(), watched.holds.end(),
                       [&](const Hold& known) { return known.owner == hold.owner; });
      if (before == watched.holds.end() || before->count < hold.count) {
        cause = checker::ChangeCause::acquire;
      }
    }
  }
  if (!same_holds) report(watched, cause, by);
  std::swap(watched.holds, found_);
  watched.token.clear();
  if (entry != nullptr) {
    if (const auto* token = std::get_if<std::string>(&entry->value)) watched.token = *token;
  }
  watch_expiry(index, lease_ends_ns);
  emit(watched, same_holds ? std::string_view("renewal") : to_string(cause), by);
}

void LockObserver::report(const Watched& watched, checker::ChangeCause cause, checker::NameId by) {
  checker::HoldChange change{.lock = watched.name,
                             .owner = checker::no_name,
                             .by = by,
                             .at = recorder_.now(),
                             .count_before = 0,
                             .count_after = 0,
                             .cause = cause};
  const auto count_in = [](const std::vector<Hold>& holds, checker::NameId owner) -> std::int64_t {
    for (const Hold& hold : holds) {
      if (hold.owner == owner) return hold.count;
    }
    return 0;
  };
  for (const Hold& known : watched.holds) {
    change.owner = known.owner;
    change.count_before = known.count;
    change.count_after = count_in(found_, known.owner);
    if (change.count_before != change.count_after) recorder_.add(change);
  }
  for (const Hold& found : found_) {
    if (count_in(watched.holds, found.owner) != 0) continue;
    change.owner = found.owner;
    change.count_before = 0;
    change.count_after = found.count;
    recorder_.add(change);
  }
}

void LockObserver::emit(const Watched& watched, std::string_view cause, checker::NameId by) {
  std::string holders;
  for (const Hold& hold : watched.holds) {
    if (!holders.empty()) holders += ' ';
    holders += recorder_.names().text(hold.owner) + ":" + std::to_string(hold.count);
  }
  trace_.emit(
      queue_.now(), trace_kind::lock_changed, node_that_counts().actor(),
      {{"lock", recorder_.names().text(watched.name)},
       {"holders", holders},
       {"lease_ends_ns", watched.lease_ends_ns == sim::never_ns ? -1 : watched.lease_ends_ns},
       {"cause", cause},
       {"by", by == checker::no_name ? std::string_view()
                                     : std::string_view(recorder_.names().text(by))}});
}

void LockObserver::watch_expiry(std::size_t index, sim::TimeNs lease_ends_ns) {
  Watched& watched = watched_[index];
  queue_.cancel(watched.expiry);
  watched.lease_ends_ns = lease_ends_ns;
  if (lease_ends_ns == 0 || lease_ends_ns == sim::never_ns) return;
  longest_lease_ns_ = std::max(longest_lease_ns_, lease_ends_ns - queue_.now());
  watched.expiry = queue_.schedule(std::max(lease_ends_ns, queue_.now()), *this, 0, index);
}

void LockObserver::on_event(std::uint32_t /*code*/, std::uint64_t argument) {
  watched_[argument].expiry = {};
  compare(argument, checker::ChangeCause::expiry, checker::no_name);
}

bool LockObserver::is_lease(const Watched& watched, std::string_view key) const {
  const std::string& name = recorder_.names().text(watched.name);
  return std::any_of(package_.lease_keys.begin(), package_.lease_keys.end(),
                     [&](const std::string& pattern) { return key_matches(pattern, name, key); });
}

void LockObserver::check_ttl(Watched& watched, const RedisNode& node) {
  if (watched.ttl_missing_reported) return;
  for (const auto& [key, entry] : node.server().keyspace().entries()) {
    if (entry.expire_at_ms || !is_lease(watched, key)) continue;
    watched.ttl_missing_reported = true;
    recorder_.add({checker::ResidueKind::lease_without_ttl, key, recorder_.now()});
    return;
  }
}

void LockObserver::on_failover() {
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    compare(i, checker::ChangeCause::failover, checker::no_name);
  }
}

void LockObserver::on_clock_changed() {
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    compare(i, checker::ChangeCause::expiry, checker::no_name);
  }
}

void LockObserver::report_residues() {
  const RedisNode& node = node_that_counts();
  if (node.state() == sim::HostState::crashed) return;
  for (const Watched& watched : watched_) {
    for (const auto& [key, entry] : node.server().keyspace().entries()) {
      // Another key with a TTL goes by itself; the lock's own should be gone by now.
      if (!is_lease(watched, key) || (entry.expire_at_ms && key != watched.key)) continue;
      if (!entry.expired_at(node.wall_ms())) {
        recorder_.add({checker::ResidueKind::lock_key, key, recorder_.now()});
      }
    }
  }
  for (const auto& [channel, sessions] : node.server().subscriptions()) {
    recorder_.add({checker::ResidueKind::subscription,
                   channel + " (" + std::to_string(sessions) + " on " + node.name() + ")",
                   recorder_.now()});
  }
}

}  // namespace lockstep::model
