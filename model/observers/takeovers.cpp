// What LockObserver does as another node, or another state of one, begins to count.
#include "model/observers/takeovers.h"

#include <algorithm>
#include <utility>

#include "checker/history.h"
#include "checker/observations.h"
#include "model/lock/lock_package.h"
#include "model/node/redis_node.h"
#include "model/observers/lock_observer.h"
#include "redis/protocol/letter_case.h"

namespace lockstep::model {
namespace {

/// Whether it came to see what is there. Who counts down a latch asks for nothing.
bool came_to_see(StateShape shape, const checker::Observations& observations, checker::NameId by,
                 checker::NameId lock) {
  if (shape != StateShape::count) return true;
  const auto& waits = observations.waits;
  return std::any_of(waits.rbegin(), waits.rend(), [&](const checker::Wait& wait) {
    return wait.owner == by && wait.lock == lock && wait.end == checker::WaitEnd::run_over;
  });
}

}  // namespace

std::string_view to_string(TakeoverKind kind) {
  switch (kind) {
    case TakeoverKind::promotion:
      return "promotion";
    case TakeoverKind::restart:
      return "restart";
    case TakeoverKind::resynchronisation:
      return "resynchronisation";
  }
  return "?";
}

/// While nobody serves a lock its state is unknown; what was known last stays for comparison.
void LockObserver::note_last_seen(Watched& watched) {
  const LockState& known = watched.known;
  if (known.holds.empty() && !known.has_number) return;
  watched.last_seen.holds.assign(known.holds.begin(), known.holds.end());
  watched.last_seen.number = known.number;
  watched.last_seen.has_number = known.has_number;
}

void LockObserver::on_takeover(TakeoverKind kind, const RedisNode& node,
                               const RedisNode* replaced) {
  for (Watched& watched : watched_) {
    if (counts_for(watched, node)) note_last_seen(watched);
  }
  on_failover();
  Takeover takeover{kind, queue_.now(), false, false};
  const std::size_t place = takeovers_.size();
  for (Watched& watched : watched_) {
    if (!counts_for(watched, node)) continue;
    takeover.of_lock = true;
    Lacking lacking{place, master_of(watched.first_shard).host_id(), watched.name, 0, {}};
    if (watched.shard_count > 1) {
      RedisNode* counting = nodes_[index_of(node.host_id())];
      lacking.node = counting->host_id();
      // What most have said, the one that is replaced need not have.
      if (replaced != nullptr) {
        RedisNode* before = nodes_[index_of(replaced->host_id())];
        reader_.read_current(watched.keys, std::span(&before, 1), found_);
        std::erase_if(watched.last_seen.holds, [&](const StateHold& hold) {
          takeover.was_held |= hold.lease_ends_ns > queue_.now();
          return found_.find(hold.owner, hold.mode) == nullptr;
        });
      }
      reader_.read_current(watched.keys, std::span(&counting, 1), found_);
      compare_with_last_seen(watched, found_, takeover, lacking);
    } else {
      compare_with_last_seen(watched, watched.known, takeover, lacking);
    }
    if (lacking.until_ns > 0) lacking_.push_back(std::move(lacking));
    watched.last_seen.clear();
  }
  const bool is_behind = replaced != nullptr && node.server().replication_offset() <
                                                    replaced->server().replication_offset();
  if (takeover.lacked || is_behind) takeover.lost_write_at_ns = takeover.at_ns;
  takeovers_.push_back(takeover);
  note_masters_in_use();
}

bool LockObserver::is_old_master(const RedisNode& node) const {
  if (takeovers_.empty() || !node.is_master()) return false;
  return std::none_of(topology_.shards.begin(), topology_.shards.end(),
                      [&node](const Shard& shard) { return shard.master == node.host_id(); });
}

/// What it executes is lost, and what it answers lacks what the new master has acknowledged.
void LockObserver::note_served_by_old_master(const RedisNode& node) {
  if (!is_old_master(node)) return;
  for (Takeover& each : takeovers_) {
    each.lost_write_at_ns = std::min(each.lost_write_at_ns, queue_.now());
  }
}

/// It may have given its client the lock: whoever asks the new master while that one believes so
/// sees it.
void LockObserver::note_given_by_old_master(const RedisNode& node, checker::NameId by) {
  if (!is_old_master(node)) return;
  for (const Watched& watched : watched_) {
    const bool is_known = std::any_of(lacking_.begin(), lacking_.end(), [&](const Lacking& each) {
      return each.is_since && each.lock == watched.name && each.holds.front().owner == by;
    });
    if (is_known || !has_changed_key(node, watched.keys.main)) continue;
    lacking_.push_back({takeovers_.size() - 1,
                        master_of(watched.first_shard).host_id(),
                        watched.name,
                        checker::never_ns,
                        {{by, checker::HoldMode::exclusive, Thought::has_it},
                         {by, checker::HoldMode::shared, Thought::has_it}},
                        true});
  }
}

std::uint64_t LockObserver::bit_of(sim::HostId node) const {
  return std::uint64_t{1} << std::min<std::size_t>(index_of(node), 63);
}

void LockObserver::note_masters_in_use() {
  for (const Watched& watched : watched_) {
    for (const RedisNode* node : nodes_of(watched)) in_use_.masters |= bit_of(node->host_id());
  }
}

void LockObserver::note_in_use(const RedisNode& node, std::string_view command) {
  in_use_.all |= bit_of(node.host_id());
  if (redis::equals_ignoring_case(command, "wait")) in_use_.waits_for_replicas = true;
}

NodesInUse LockObserver::nodes_in_use() const {
  NodesInUse found = in_use_;
  found.all |= found.masters;
  for (const RedisNode* node : nodes_) found.waits_for_replicas |= node->needs_replicas();
  if (!found.waits_for_replicas) return found;
  for (const Watched& watched : watched_) {
    for (std::size_t i = 0; i < watched.shard_count; ++i) {
      for (const sim::HostId replica : topology_.shards[watched.first_shard + i].replicas) {
        found.all |= bit_of(replica);
      }
    }
  }
  return found;
}

void LockObserver::compare_with_last_seen(const Watched& watched, const LockState& now,
                                          Takeover& takeover, Lacking& lacking) const {
  const LockState& before = watched.last_seen;
  for (const StateHold& hold : before.holds) {
    if (hold.lease_ends_ns <= queue_.now()) continue;
    takeover.was_held = true;
    const bool is_there = now.find(hold.owner, hold.mode) != nullptr;
    // Of a node that came back it is a test, too, that another sees what is there.
    if (is_there && takeover.kind != TakeoverKind::restart) continue;
    takeover.lacked |= !is_there;
    lacking.until_ns = std::max(lacking.until_ns, hold.lease_ends_ns);
    lacking.holds.push_back({hold.owner, hold.mode, thought_of(hold, watched.name)});
  }
  // The permits that are out are holds.
  if (!before.has_number || package_.state_shape == StateShape::permits_in_use) return;
  takeover.was_held = true;
  const bool is_there = now.has_number && now.number == before.number;
  if (is_there && takeover.kind != TakeoverKind::restart) return;
  if (is_there) {
    lacking.until_ns = checker::never_ns;
    return;
  }
  takeover.lacked = true;
  // Of a semaphore none are left, there or not, and what is given back is there again.
  takeover.for_setters =
      package_.state_shape == StateShape::permits && before.number == 0 && !now.has_number;
  if (takeover.for_setters) return;
  lacking.until_ns = checker::never_ns;
}

LockObserver::Thought LockObserver::thought_of(const StateHold& hold, checker::NameId lock) const {
  if (recorder_.believes(hold.owner, lock, hold.mode)) return Thought::has_it;
  const auto& operations = recorder_.history().operations;
  const auto last =
      std::find_if(operations.rbegin(), operations.rend(), [&](const checker::Operation& each) {
        return each.owner == hold.owner && each.lock == lock;
      });
  const bool gave_up = last != operations.rend() && last->kind == checker::OperationKind::release;
  return gave_up ? Thought::gave_it_up : Thought::may_be_told;
}

/// By one of its owners that believed in it then, or may yet be told of it; a number, by anybody.
bool LockObserver::is_believed_in(const Lacking& lacking) const {
  return lacking.holds.empty() ||
         std::any_of(lacking.holds.begin(), lacking.holds.end(), [&](const LackingHold& hold) {
           switch (hold.thought) {
             case Thought::has_it:
               return recorder_.believes(hold.owner, lacking.lock, hold.mode);
             case Thought::may_be_told:
               return true;
             case Thought::gave_it_up:
               return false;
           }
           return false;
         });
}

/// The owner of what is lacking finds out at most that it has lost it. Another may get it, which
/// tells something while the owner goes on believing.
void LockObserver::note_asked(const RedisNode& node, checker::NameId by) {
  std::erase_if(lacking_, [&](const Lacking& each) {
    if (queue_.now() >= each.until_ns) return true;
    if (each.node != node.host_id()) return false;
    const bool is_owner =
        std::any_of(each.holds.begin(), each.holds.end(), [by](const LackingHold& hold) {
          return hold.owner == by && hold.thought != Thought::may_be_told;
        });
    if (is_owner && !each.is_since) takeovers_[each.takeover].owner_asked = true;
    if (is_owner || !is_believed_in(each) ||
        !came_to_see(package_.state_shape, recorder_.observations(), by, each.lock)) {
      return false;
    }
    Takeover& takeover = takeovers_[each.takeover];
    (each.is_since ? takeover.old_one_gave_it : takeover.asked) = true;
    return true;
  });
}

}  // namespace lockstep::model
