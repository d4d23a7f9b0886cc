// What LockObserver does as another node, or another state of one, begins to count.
#include "model/observers/takeovers.h"

#include <algorithm>

#include "model/lock/lock_package.h"
#include "model/observers/lock_observer.h"

namespace lockstep::model {

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

void LockObserver::on_takeover(TakeoverKind kind, const RedisNode& node) {
  for (Watched& watched : watched_) {
    if (counts_for(watched, node)) note_last_seen(watched);
  }
  on_failover();
  Takeover takeover{kind, queue_.now(), false, false};
  const std::size_t place = takeovers_.size();
  for (Watched& watched : watched_) {
    if (!counts_for(watched, node)) continue;
    RedisNode* counting = &master_of(watched.first_shard);
    sim::TimeNs lacking_until_ns = 0;
    if (watched.shard_count > 1) {
      counting = nodes_[index_of(node.host_id())];
      reader_.read_current(watched.keys, std::span(&counting, 1), found_);
      lacking_until_ns = compare_with_last_seen(watched, found_, takeover);
    } else {
      lacking_until_ns = compare_with_last_seen(watched, watched.known, takeover);
    }
    if (lacking_until_ns > 0) lacking_.push_back({place, counting->host_id(), lacking_until_ns});
    watched.last_seen.clear();
  }
  takeovers_.push_back(takeover);
}

sim::TimeNs LockObserver::compare_with_last_seen(const Watched& watched, const LockState& now,
                                                 Takeover& takeover) const {
  const LockState& before = watched.last_seen;
  sim::TimeNs lacking_until_ns = 0;
  for (const StateHold& hold : before.holds) {
    if (hold.lease_ends_ns <= queue_.now()) continue;
    takeover.was_held = true;
    if (now.find(hold.owner, hold.mode) != nullptr) continue;
    takeover.lacked = true;
    lacking_until_ns = std::max(lacking_until_ns, hold.lease_ends_ns);
  }
  // The permits that are out are holds.
  if (!before.has_number || package_.state_shape == StateShape::permits_in_use) {
    return lacking_until_ns;
  }
  takeover.was_held = true;
  if (now.has_number && now.number == before.number) return lacking_until_ns;
  takeover.lacked = true;
  return checker::never_ns;
}

void LockObserver::note_asked(const RedisNode& node) {
  std::erase_if(lacking_, [&](const Lacking& each) {
    const bool is_asked = each.node == node.host_id() && queue_.now() < each.until_ns;
    if (is_asked) takeovers_[each.takeover].asked = true;
    return is_asked || queue_.now() >= each.until_ns;
  });
}

}  // namespace lockstep::model
