// Those who watch a run, as a part of its state: what they compare with what is to come.
//
// Beliefs that are open, what is known of the locks, and places in queues; not what was observed
// and is over. So what is judged of the rest of a run by these is the same; what is judged by how
// things came about (how long somebody has waited, in which order requests came) is not.
//
// Not state: spec_, id_, name_, owner_, leases, kept_channels, keys, first_shard, shard_count,
// clients_, listener_, lease_listener_, kept_names_ (the same in all runs), found_,
// authoritative_nodes_, node_state_, also_, all_, counts_, ends_ns_, is_reachable (memory), expiry
// (it is among the events), count_ends_ns (which the nodes' data say), history_, open_waits_,
// open_stops_, is_healed_for_good_, has_belated_waits_, last_seen, executed_, executed_again_,
// takeovers_, lacking_, in_use_ (what has been observed), misplaced_ (a run that has one ends in a
// complaint).
#include <algorithm>

#include "model/node/redis_node.h"
#include "model/observers/lock_observer.h"
#include "model/observers/resource.h"
#include "model/observers/topology_tracker.h"
#include "model/recorder.h"
#include "sim/digest.h"

namespace lockstep::model {
namespace {

/// What a run names besides the scenario's names has another number each time.
void add_name(sim::Digest& digest, const checker::Names& names, checker::NameId name) {
  digest.add(name == checker::no_name);
  if (name != checker::no_name) digest.add(std::string_view(names.text(name)));
}

}  // namespace

void Recorder::digest_into(sim::Digest& digest) const {
  digest.add(open_beliefs_.size());
  for (const OpenBelief& open : open_beliefs_) {
    digest.add(open.thread);
    add_name(digest, names_, open.owner);
    add_name(digest, names_, open.lock);
    digest.add(open.mode);
    digest.add(observations_.beliefs[open.index].permits);
  }
}

void LockState::digest_into(sim::Digest& digest, const checker::Names& names) const {
  digest.add(holds.size());
  for (const StateHold& hold : holds) {
    add_name(digest, names, hold.owner);
    digest.add(hold.mode);
    digest.add(hold.count);
    digest.add_instant(hold.lease_ends_ns);
  }
  digest.add(ended.size());
  for (const EndedPermits& each : ended) {
    add_name(digest, names, each.owner);
    digest.add(each.count);
  }
  digest.add(has_number);
  if (has_number) digest.add(number);
  digest.add(free_nodes);
}

// A token that is in no key, and may come back only as somebody writes it, says nothing more: who
// writes it then is its owner.
void LockStateReader::digest_into(sim::Digest& digest, std::span<RedisNode* const> nodes) const {
  const auto is_stored = [&](std::string_view token) {
    if (digest.grain().replicates) return true;
    return std::any_of(nodes.begin(), nodes.end(), [&](const RedisNode* node) {
      const auto& entries = node->server().keyspace().entries();
      return node->stores_files() ||
             std::any_of(entries.begin(), entries.end(), [&](const auto& entry) {
               const auto* const text = std::get_if<std::string>(&entry.second.value);
               return text != nullptr && *text == token;
             });
    });
  };
  for (const auto& [token, owner] : tokens_) {
    if (!is_stored(token)) continue;
    digest.add(std::string_view(token));
    add_name(digest, recorder_.names(), owner);
  }
  digest.add(~std::uint64_t{0});
}

void QueueObserver::digest_into(sim::Digest& digest) const {
  for (const Watched& watched : watched_) {
    digest.add(watched.places.size());
    for (const Place& place : watched.places) {
      add_name(digest, recorder_.names(), place.owner);
      digest.add(std::string_view(place.text));
    }
  }
}

void LockObserver::digest_into(sim::Digest& digest) const {
  for (const Watched& watched : watched_) {
    watched.known.digest_into(digest, recorder_.names());
    digest.add(watched.last_tokens.size());
    for (const std::string& token : watched.last_tokens) digest.add(std::string_view(token));
    digest.add(watched.availability.has_value());
    if (watched.availability) {
      digest.add(watched.availability->exclusive);
      digest.add(watched.availability->shared);
    }
    digest.add(watched.emitted_number);
    digest.add(watched.ttl_missing_reported);
    digest.add(watched.was_number_lost);
    digest.add(watched.changed_elsewhere.size());
    for (const checker::NameId owner : watched.changed_elsewhere) {
      add_name(digest, recorder_.names(), owner);
    }
  }
  for (const bool is_unchecked : is_unchecked_) digest.add(is_unchecked);
  digest.add(longest_lease_ns_);
  reader_.digest_into(digest, nodes_);
  queues_.digest_into(digest);
}

void LockObserver::digest_event(sim::Digest& digest, std::uint32_t /*code*/,
                                std::uint64_t argument) const {
  digest.add(argument);
}

void Resource::digest_into(sim::Digest& digest) const {
  digest.add(version_);
  digest.add(highest_token_);
  Host::digest_into(digest);
}

void Resource::digest_payload(sim::Digest& digest, sim::ConnectionId connection,
                              sim::Payload payload) const {
  messages_[payload].digest_into(digest, connection);
}

}  // namespace lockstep::model
