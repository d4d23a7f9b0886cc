#include "model/observers/lock_observer.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "model/lock/lock_package.h"
#include "model/node/redis_node.h"
#include "model/trace_vocabulary.h"
#include "redis/protocol/letter_case.h"
#include "redis/values/key_slot.h"
#include "sim/mixing.h"

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

}  // namespace

LockObserver::LockObserver(sim::EventQueue& queue, sim::Trace& trace, Recorder& recorder,
                           const LockPackage& package, const Topology& topology)
    : queue_(queue),
      trace_(trace),
      recorder_(recorder),
      package_(package),
      topology_(topology),
      reader_(recorder, package),
      queues_(queue, trace, recorder, package, reader_) {}

void LockObserver::watch(std::span<const std::string> lock_names, std::span<Client* const> clients,
                         std::span<RedisNode* const> nodes) {
  reader_.set_clients(clients);
  nodes_.assign(nodes.begin(), nodes.end());
  const std::size_t shards = topology_.shards.size();
  for (const std::string& name : lock_names) {
    Watched watched;
    watched.name = recorder_.names().intern(name);
    watched.keys = StateKeys::of(package_, name);
    for (const std::string& pattern : package_.lease_keys) {
      watched.leases.push_back(expand_pattern(pattern, name));
    }
    for (const std::string& pattern : package_.kept_channels) {
      watched.kept_channels.push_back(expand_pattern(pattern, name));
    }
    if (package_.state_nodes == StateNodes::quorum) {
      watched.shard_count = shards;
    } else {
      watched.first_shard = redis::master_of_slot(redis::key_slot(watched.keys.main), shards);
    }
    watched_.push_back(std::move(watched));
  }
  queues_.watch(lock_names);
}

void LockObserver::start_run() {
  for (Watched& watched : watched_) {
    watched.known.clear();
    watched.known.free_nodes = watched.shard_count;
    watched.last_seen.clear();
    watched.last_tokens.clear();
    watched.availability.reset();
    watched.emitted_number = no_number;
    watched.expiry = {};
    watched.ttl_missing_reported = false;
    watched.was_number_lost = false;
    watched.changed_elsewhere.clear();
  }
  reader_.start_run();
  queues_.start_run();
  longest_lease_ns_ = 0;
  misplaced_.reset();
  takeovers_.clear();
  in_use_ = {};
  lacking_.clear();
  is_unchecked_.assign(nodes_.size(), true);
}

void LockObserver::report_start() {
  note_masters_in_use();
  for (Watched& watched : watched_) {
    if (package_.state_shape == StateShape::permits_in_use) {
      watched.known.number = package_.permit_count;
      watched.known.has_number = true;
      recorder_.add(checker::PermitsSet{watched.name, recorder_.now(), package_.permit_count,
                                        checker::SetOutcome::accepted});
    }
    emit_availability(watched, checker::no_name);
  }
}

std::size_t LockObserver::index_of(sim::HostId node) const {
  const auto first = static_cast<std::size_t>(nodes_.front()->host_id());
  const auto id = static_cast<std::size_t>(node);
  assert(id >= first && id - first < nodes_.size() && nodes_[id - first]->host_id() == node);
  return id - first;
}

RedisNode& LockObserver::master_of(std::size_t shard) const {
  return *nodes_[index_of(topology_.master_of(shard))];
}

std::span<RedisNode* const> LockObserver::nodes_of(const Watched& watched) {
  authoritative_nodes_.clear();
  for (std::size_t i = 0; i < watched.shard_count; ++i) {
    authoritative_nodes_.push_back(&master_of(watched.first_shard + i));
  }
  return authoritative_nodes_;
}

std::span<RedisNode* const> LockObserver::masters_of(checker::NameId lock) {
  for (const Watched& watched : watched_) {
    if (watched.name == lock) return nodes_of(watched);
  }
  return {};
}

bool LockObserver::counts_for(const Watched& watched, const RedisNode& node) const {
  for (std::size_t i = 0; i < watched.shard_count; ++i) {
    if (topology_.master_of(watched.first_shard + i) == node.host_id()) return true;
  }
  return false;
}

/// As an owner: of what is done for a thread, the thread, or its process.
checker::NameId LockObserver::name_of(sim::ActorId actor) const {
  if (actor == sim::no_actor) return checker::no_name;
  const sim::Actor& who = trace_.actor(actor);
  const bool owns_as_one = package_.state_owner == StateOwner::process;
  return recorder_.names().intern(owns_as_one ? who.group : who.name);
}

TrueHold LockObserver::hold_of(checker::NameId lock, checker::NameId owner,
                               checker::HoldMode mode) {
  const auto watched =
      std::find_if(watched_.begin(), watched_.end(),
                   [&](const Watched& candidate) { return candidate.name == lock; });
  TrueHold hold;
  if (watched == watched_.end()) return hold;
  hold.was_changed_elsewhere =
      std::find(watched->changed_elsewhere.begin(), watched->changed_elsewhere.end(), owner) !=
      watched->changed_elsewhere.end();
  reader_.read_current(watched->keys, nodes_of(*watched), found_);
  if (found_.has_number) hold.count = 1;  // a number has no holders: nothing to compare
  for (const StateHold& found : found_.holds) {
    const bool is_own = found.owner == owner && found.mode == mode;
    if (is_own || hold.holder == checker::no_name) {
      hold.holder = found.owner;
      hold.lease_ends_ns = found.lease_ends_ns;
    }
    if (is_own) hold.count = found.count;
    if (is_own) break;
  }
  return hold;
}

void LockObserver::on_executed(RedisNode& node, std::string_view command, sim::ActorId by) {
  if (by != sim::no_actor) {
    note_in_use(node, command);
    note_served_by_old_master(node);
  }
  // Who subscribes asks for nothing.
  if (!lacking_.empty() && by != sim::no_actor &&
      !redis::equals_ignoring_case(command, "subscribe") &&
      !redis::equals_ignoring_case(command, "unsubscribe")) {
    note_asked(node, name_of(by));
  }
  if (package_.queue_key.empty() || by == sim::no_actor) return;
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    if (counts_for(watched_[i], node)) queues_.on_executed(i, node, name_of(by));
  }
}

void LockObserver::on_data_changed(RedisNode& node, std::string_view label, sim::ActorId by) {
  const bool forced = label.find("force") != std::string_view::npos;
  const checker::ChangeCause cause = by == sim::no_actor ? checker::ChangeCause::other
                                     : forced            ? checker::ChangeCause::force_release
                                                         : checker::ChangeCause::release;
  std::vector<bool>::reference is_unchecked = is_unchecked_[index_of(node.host_id())];
  const bool needs_all = is_unchecked || node.changed_keys().all;
  const KeysToCheck which = needs_all ? KeysToCheck::all : KeysToCheck::changed;
  is_unchecked = false;
  if (by != sim::no_actor) note_given_by_old_master(node, name_of(by));
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    if (!counts_for(watched_[i], node)) {
      note_misplaced(watched_[i], node, by);
      if (by == sim::no_actor) continue;
      note_change_elsewhere(watched_[i], node, name_of(by));
      reader_.learn_elsewhere(watched_[i].keys.main, node, name_of(by));
      continue;
    }
    check_ttl(watched_[i], node, which);
    queues_.on_changed(i, node, name_of(by));
    compare(i, cause, name_of(by));
  }
}

// An old master that nobody follows any more may well have the key.
void LockObserver::note_misplaced(const Watched& watched, const RedisNode& node, sim::ActorId by) {
  if (misplaced_ || by == sim::no_actor || watched.shard_count == topology_.shards.size()) return;
  const auto is_master_here = [&](std::size_t shard) {
    return topology_.master_of(shard) == node.host_id();
  };
  bool is_master = false;
  for (std::size_t shard = 0; shard < topology_.shards.size(); ++shard) {
    is_master = is_master || is_master_here(shard);
  }
  if (!is_master) return;
  for (const std::string_view key : watched.keys.all()) {
    const bool is_there = node.server().keyspace().stored(key) != nullptr;
    if (key.empty() || !has_changed_key(node, key) || !is_there) continue;
    misplaced_ = {std::string(key), node.name(), master_of(watched.first_shard).name(),
                  trace_.actor(by).name};
    return;
  }
}

bool LockObserver::has_changed_key(const RedisNode& node, std::string_view key) {
  const auto& changed = node.changed_keys();
  bool has_changed = changed.all;
  for (std::size_t i = 0; i < changed.keys.size() && !has_changed; ++i) {
    has_changed = changed.keys[i] == key;
  }
  return has_changed;
}

void LockObserver::note_change_elsewhere(Watched& watched, const RedisNode& node,
                                         checker::NameId by) {
  std::vector<checker::NameId>& known = watched.changed_elsewhere;
  if (std::find(known.begin(), known.end(), by) != known.end()) return;
  const auto keys = watched.keys.all();
  const bool has_changed = std::any_of(keys.begin(), keys.end(), [&](std::string_view key) {
    return !key.empty() && has_changed_key(node, key);
  });
  if (has_changed) known.push_back(by);
}

void LockObserver::on_evicted(RedisNode& node) {
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    if (!counts_for(watched_[i], node)) continue;
    queues_.on_changed(i, node, checker::no_name);
    compare(i, checker::ChangeCause::eviction, checker::no_name);
  }
}

void LockObserver::compare(std::size_t index, checker::ChangeCause cause, checker::NameId by) {
  Watched& watched = watched_[index];
  reader_.read_change(watched.keys, nodes_of(watched), by, watched.last_tokens, found_);
  const bool same_holds = found_.same_holds(watched.known);
  const bool same_lease = found_.first_lease_end_ns() == watched.known.first_lease_end_ns();
  // A change that gives somebody a hold is an acquire, whatever else it takes away.
  if (cause == checker::ChangeCause::release) {
    for (const StateHold& hold : found_.holds) {
      const StateHold* before = watched.known.find(hold.owner, hold.mode);
      if (before == nullptr || before->count < hold.count) cause = checker::ChangeCause::acquire;
    }
  }
  if (cause == checker::ChangeCause::release && has_only_expired(watched.known, by)) {
    cause = checker::ChangeCause::expiry;
    by = checker::no_name;
  }
  tell_of_removed_permits(watched, by);
  if (!same_holds) report(watched, cause, by);
  tell_what_was_there(watched);
  if (!same_holds) tell_of_ended_permits(watched);
  if (cause == checker::ChangeCause::failover) {
    note_last_seen(watched);
  } else if (!same_holds) {
    watched.last_seen.clear();
  }
  report_lease(watched, cause, by);
  if (found_.has_number) {
    watched.was_number_lost = false;
  } else if (watched.known.has_number) {
    watched.was_number_lost = by == checker::no_name || cause == checker::ChangeCause::failover;
  }
  std::swap(watched.known, found_);
  if (lease_listener_ != nullptr) {
    lease_listener_->on_leases(recorder_.names().text(watched.name), watched.known.holds);
  }
  emit_availability(watched, by);
  emit_number(watched, by);
  if (same_holds && same_lease) return;
  watch_expiry(index);
  emit(watched, same_holds ? std::string_view("renewal") : to_string(cause), by);
}

/// A lease may end at the very instant of somebody's change, whose event comes before its own. And
/// of an owner's votes those for its count may end while enough are left for its lease.
bool LockObserver::has_only_expired(const LockState& before, checker::NameId by) const {
  bool has_lost = false;
  for (const StateHold& hold : before.holds) {
    const StateHold* after = found_.find(hold.owner, hold.mode);
    if (after != nullptr && after->count >= hold.count) continue;
    const bool is_of_votes = after != nullptr && hold.count_ends_ns <= queue_.now();
    const bool is_of_lease = hold.owner != by && hold.lease_ends_ns <= queue_.now();
    if (!is_of_votes && !is_of_lease) return false;
    has_lost = true;
  }
  return has_lost;
}

/// One key's lease is that of all who have it. In a quorum each owner has its own; and who lost it
/// to anything but its own release has had it for as long as it was told.
void LockObserver::report_lease(const Watched& watched, checker::ChangeCause cause,
                                checker::NameId by) {
  const bool by_holder = std::any_of(found_.holds.begin(), found_.holds.end(),
                                     [&](const StateHold& hold) { return hold.owner == by; });
  const auto add = [&](checker::NameId owner, sim::TimeNs ends_ns) {
    recorder_.add(checker::LeaseChange{watched.name, owner, recorder_.now(), ends_ns, by,
                                       by_holder && by != checker::no_name});
  };
  if (package_.state_nodes != StateNodes::quorum) {
    const sim::TimeNs ends_ns = found_.first_lease_end_ns();
    if (ends_ns != watched.known.first_lease_end_ns()) add(checker::no_name, ends_ns);
    return;
  }
  for (const StateHold& hold : found_.holds) {
    const StateHold* before = watched.known.find(hold.owner, hold.mode);
    if (before != nullptr && before->lease_ends_ns == hold.lease_ends_ns) continue;
    add(hold.owner, hold.lease_ends_ns);
  }
  for (const StateHold& hold : watched.known.holds) {
    const bool gave_it_back = cause == checker::ChangeCause::release && hold.owner == by &&
                              found_.find(hold.owner, hold.mode) == nullptr;
    if (gave_it_back) add(hold.owner, 0);
  }
}

void LockObserver::report(const Watched& watched, checker::ChangeCause cause, checker::NameId by) {
  checker::HoldChange change{.lock = watched.name,
                             .owner = checker::no_name,
                             .by = by,
                             .at = recorder_.now(),
                             .count_before = 0,
                             .count_after = 0,
                             .cause = cause};
  for (const StateHold& known : watched.known.holds) {
    const StateHold* after = found_.find(known.owner, known.mode);
    change.owner = known.owner;
    change.mode = known.mode;
    change.count_before = known.count;
    change.count_after = after == nullptr ? 0 : after->count;
    if (change.count_before != change.count_after) recorder_.add(change);
  }
  for (const StateHold& found : found_.holds) {
    if (watched.known.find(found.owner, found.mode) != nullptr) continue;
    change.owner = found.owner;
    change.mode = found.mode;
    change.count_before = 0;
    change.count_after = found.count;
    recorder_.add(change);
  }
}

/// As many of the nodes that count as somebody needs are there.
bool LockObserver::is_reachable(const Watched& watched) const {
  std::size_t running = 0;
  for (std::size_t i = 0; i < watched.shard_count; ++i) {
    if (master_of(watched.first_shard + i).state() == sim::HostState::running) ++running;
  }
  return running >= watched.shard_count / 2 + 1;
}

checker::Availability LockObserver::availability_of(const Watched& watched) const {
  checker::Availability now{watched.name, recorder_.now(), 0, 0};
  if (!watched.is_reachable) return now;
  const LockState& state = watched.known;
  const bool has_writer =
      std::any_of(state.holds.begin(), state.holds.end(),
                  [](const StateHold& hold) { return hold.mode == checker::HoldMode::exclusive; });
  now.exclusive = state.free_nodes >= watched.shard_count / 2 + 1 ? 1 : 0;
  now.shared = has_writer ? 0 : 1;
  if (has_permits(package_.state_shape)) now.exclusive = state.number;
  if (package_.state_shape == StateShape::count) now.exclusive = state.number > 0 ? 0 : 1;
  return now;
}

void LockObserver::emit_availability(Watched& watched, checker::NameId by) {
  watched.is_reachable = is_reachable(watched);
  checker::Availability now = availability_of(watched);
  if (watched.availability && watched.availability->exclusive == now.exclusive &&
      watched.availability->shared == now.shared) {
    return;
  }
  now.by = by;
  watched.availability = now;
  recorder_.add(now);
}

/// What became available while a node stood still was there when it went on, before the first
/// request that it executed.
void LockObserver::tell_what_was_there(Watched& watched) {
  if (!watched.availability || watched.is_reachable) return;  // then it was told
  watched.is_reachable = is_reachable(watched);
  checker::Availability before = availability_of(watched);
  if (before.exclusive <= watched.availability->exclusive &&
      before.shared <= watched.availability->shared) {
    return;
  }
  --before.at.order;
  watched.availability = before;
  recorder_.add(before);
}

/// Who takes permits within the millisecond in which others end may find those over: scripts
/// compare whole milliseconds, each in its own way. Then more were there for this one instant.
void LockObserver::tell_of_ended_permits(Watched& watched) {
  if (package_.scores == StateScores::order || !watched.availability) return;
  checker::Availability with_ended = *watched.availability;
  for (const StateHold& hold : watched.known.holds) {
    if (hold.lease_ends_ns > queue_.now() + sim::millisecond_ns) continue;
    const StateHold* after = found_.find(hold.owner, hold.mode);
    with_ended.exclusive +=
        hold.count - (after == nullptr ? 0 : std::min(after->count, hold.count));
  }
  if (with_ended.exclusive == watched.availability->exclusive) return;
  with_ended.at = recorder_.now();
  --with_ended.at.order;  // as the script was executed, before what it came to
  watched.availability = with_ended;
  recorder_.add(with_ended);
}

void LockObserver::tell_of_removed_permits(const Watched& watched, checker::NameId by) {
  for (const EndedPermits& before : watched.known.ended) {
    if (before.owner != by || found_.count_ended(by) >= before.count) continue;
    recorder_.add(checker::EndedPermitRemoved{watched.name, by, recorder_.now()});
  }
}

void LockObserver::emit(const Watched& watched, std::string_view cause, checker::NameId by) {
  std::string holders;
  for (const StateHold& hold : watched.known.holds) {
    if (!holders.empty()) holders += ' ';
    const bool is_reader = hold.mode == checker::HoldMode::shared;
    holders += recorder_.names().text(hold.owner) + (is_reader ? " reads:" : ":") +
               std::to_string(hold.count);
  }
  const sim::TimeNs lease_ends_ns = watched.known.first_lease_end_ns();
  trace_.emit(queue_.now(), trace_kind::lock_changed, master_of(watched.first_shard).actor(),
              {{"lock", recorder_.names().text(watched.name)},
               {"holders", holders},
               {"lease_ends_ns", lease_ends_ns == sim::never_ns ? -1 : lease_ends_ns},
               {"cause", cause},
               {"by", by == checker::no_name ? std::string_view()
                                             : std::string_view(recorder_.names().text(by))}});
}

void LockObserver::emit_number(Watched& watched, checker::NameId by) {
  const std::int64_t number = watched.known.has_number ? watched.known.number : no_number;
  if (number == watched.emitted_number) return;
  watched.emitted_number = number;
  recorder_.add(
      checker::NumberChange{watched.name, recorder_.now(), number == no_number ? 0 : number, by});
  trace_.emit(queue_.now(), trace_kind::number_changed, master_of(watched.first_shard).actor(),
              {{"lock", recorder_.names().text(watched.name)},
               {"left", number},
               {"by", by == checker::no_name ? std::string_view()
                                             : std::string_view(recorder_.names().text(by))}});
}

void LockObserver::watch_expiry(std::size_t index) {
  Watched& watched = watched_[index];
  queue_.cancel(watched.expiry);
  const sim::TimeNs lease_ends_ns = watched.known.first_lease_end_ns();
  if (lease_ends_ns == 0 || lease_ends_ns == sim::never_ns) return;
  longest_lease_ns_ = std::max(longest_lease_ns_, lease_ends_ns - queue_.now());
  watched.expiry = queue_.schedule(std::max(lease_ends_ns, queue_.now()), *this, 0, index);
}

void LockObserver::on_event(std::uint32_t /*code*/, std::uint64_t argument) {
  watched_[argument].expiry = {};
  compare(argument, checker::ChangeCause::expiry, checker::no_name);
}

void LockObserver::on_failover() {
  is_unchecked_.assign(nodes_.size(), true);
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    queues_.on_failover(i, master_of(watched_[i].first_shard));
    compare(i, checker::ChangeCause::failover, checker::no_name);
  }
}

void LockObserver::on_clock_changed() {
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    compare(i, checker::ChangeCause::expiry, checker::no_name);
  }
}

std::uint64_t LockObserver::abstract_state(sim::TimeNs now) const {
  constexpr std::int64_t counts_told_apart = 3;
  constexpr sim::TimeNs parts_of_lease = 4;
  std::uint64_t state = 0;
  for (const Watched& watched : watched_) {
    const LockState& known = watched.known;
    state = sim::mixed(state, known.free_nodes);
    state = sim::mixed(state, static_cast<std::uint64_t>(known.has_number ? known.number : -1));
    for (const StateHold& hold : known.holds) {
      state = sim::mixed(state, static_cast<std::uint64_t>(hold.owner));
      state = sim::mixed(state, static_cast<std::uint64_t>(hold.mode));
      state =
          sim::mixed(state, static_cast<std::uint64_t>(std::min(hold.count, counts_told_apart)));
      const bool ends = hold.lease_ends_ns != sim::never_ns && longest_lease_ns_ > 0;
      const sim::TimeNs part_ns = longest_lease_ns_ / parts_of_lease + 1;
      state = sim::mixed(
          state, ends ? static_cast<std::uint64_t>((hold.lease_ends_ns - now) / part_ns) : ~0ULL);
    }
  }
  return state;
}

}  // namespace lockstep::model
