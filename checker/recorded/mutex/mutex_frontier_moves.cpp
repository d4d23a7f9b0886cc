// Part of mutex_frontier.h: in which ways an operation that completes can have its effect.
#include <algorithm>
#include <cassert>
#include <tuple>

#include "checker/recorded/mutex/mutex_frontier.h"

namespace lockstep::checker::recorded {
namespace {

using First = SweepMove::First;
using Then = SweepMove::Then;

const OwnerDeviation* deviation_of(const MutexConfiguration& configuration, std::uint32_t owner) {
  const auto& all = configuration.deviations;
  const auto at = std::lower_bound(all.begin(), all.end(), owner, is_of_earlier_owner);
  return at != all.end() && at->owner == owner ? &*at : nullptr;
}

bool is_before(const SweepMove& one, const SweepMove& other) {
  return std::tie(one.price, one.due) < std::tie(other.price, other.due);
}

}  // namespace

/// How many unknown acquires the owner's known effects need, if this is the next of them.
std::int32_t MutexFrontier::forced_after(const Owner& owner, SweepStep step) const {
  if (step != SweepStep::release) return owner.forced_acquires;
  if (kind_ == MutexKind::reentrant) {
    return std::max(owner.forced_acquires, 1 - owner.balance);
  }
  return owner.forced_acquires + (owner.last_was_acquire ? 0 : 1);
}

/// How many unknown acquires of the owner are left to be used.
std::uint32_t MutexFrontier::spare_acquires(const MutexConfiguration& configuration,
                                            std::uint32_t owner) const {
  const Owner& now = owners_[owner];
  std::int32_t used = now.forced_acquires;
  if (const OwnerDeviation* deviation = deviation_of(configuration, owner)) {
    used = deviation->excess + (deviation->took_effect
                                    ? forced_after(now, timeline_.items[now.under_way].step)
                                    : now.forced_acquires);
  }
  assert(used >= 0 && static_cast<std::uint32_t>(used) <= now.unknown_acquires);
  return now.unknown_acquires - static_cast<std::uint32_t>(used);
}

/// Used unknown releases are all acquires less all known releases less the level.
std::uint32_t MutexFrontier::spare_releases(const MutexConfiguration& configuration,
                                            std::uint32_t owner) const {
  const Owner& now = owners_[owner];
  std::int32_t used = now.balance + now.forced_acquires;
  if (const OwnerDeviation* deviation = deviation_of(configuration, owner)) {
    used += deviation->excess;
    if (deviation->took_effect) {
      const SweepStep step = timeline_.items[now.under_way].step;
      used += (step == SweepStep::acquire ? 1 : -1) + forced_after(now, step) - now.forced_acquires;
    }
  }
  if (configuration.holder == owner) used -= static_cast<std::int32_t>(configuration.level);
  assert(used >= 0 && static_cast<std::uint32_t>(used) <= now.unknown_releases);
  return now.unknown_releases - static_cast<std::uint32_t>(used);
}

bool MutexFrontier::release_is_under_way(const MutexConfiguration& configuration) const {
  const std::uint32_t under_way = owners_[configuration.holder].under_way;
  if (under_way == no_item || timeline_.items[under_way].step != SweepStep::release) return false;
  const OwnerDeviation* deviation = deviation_of(configuration, configuration.holder);
  if (deviation != nullptr && deviation->took_effect) return false;
  return spare_releases(configuration, configuration.holder) + 1 >= configuration.level;
}

/// Whether unknown releases can end the hold.
bool MutexFrontier::can_let_go(const MutexConfiguration& configuration) const {
  return spare_releases(configuration, configuration.holder) >= configuration.level;
}

/// When the lock was held last, or, where it is re-entrant, held by another than the caller.
LastHeld MutexFrontier::last_held(const MutexConfiguration& configuration,
                                  std::uint32_t caller) const {
  const bool any = kind_ != MutexKind::reentrant;
  if (!configuration.is_free() && (any || configuration.holder != caller)) {
    return {configuration.holder, now_, configuration.placed};
  }
  return any || configuration.held.owner != caller ? configuration.held : configuration.held_other;
}

/// What an unknown release by the owner ends in: nothing more, if its next known effect needs one.
std::int32_t MutexFrontier::price_of_release(std::uint32_t owner) const {
  const std::uint32_t next = owners_[owner].next_effect;
  return next != no_item && timeline_.items[next].step == SweepStep::release ? 1 : 0;
}

void MutexFrontier::list_moves(const MutexConfiguration& configuration, std::uint32_t index) {
  moves_.clear();
  const SweepItem& item = timeline_.items[index];
  switch (item.step) {
    case SweepStep::acquire:
      list_acquire(configuration, item);
      break;
    case SweepStep::release:
      list_release(configuration, item);
      break;
    case SweepStep::refused_acquire:
      list_refused_acquire(configuration, item);
      break;
    case SweepStep::refused_release:
      list_refused_release(configuration, item);
      break;
    case SweepStep::unknown_acquire:
    case SweepStep::unknown_release:
      break;
  }
  moves_were_several_ = moves_.size() > 1;
  if (!moves_were_several_) return;
  std::stable_sort(moves_.begin(), moves_.end(), is_before);
  if (moves_max_ == 0 || moves_.size() <= moves_max_) return;
  moves_.resize(moves_max_);
  left_out_ = true;
}

void MutexFrontier::list_acquire(const MutexConfiguration& configuration, const SweepItem& item) {
  if (configuration.is_free()) {
    moves_.push_back({First::nothing, Then::take});
    return;
  }
  if (configuration.holder == item.owner) {
    if (kind_ == MutexKind::reentrant) moves_.push_back({First::nothing, Then::reenter});
    if (can_let_go(configuration)) {
      moves_.push_back({First::unknown_releases, Then::take, nobody, 1});
    }
    return;
  }
  const bool under_way = release_is_under_way(configuration);
  if (under_way) {
    moves_.push_back({First::release_under_way, Then::take});
    // The caller then holds the lock instead of the holder, until it needs to let go: as good,
    // unless somebody is refused just because it is not the holder.
    const bool owner_matters = timeline_.has_refused_releases ||
                               (timeline_.has_refused_acquires && kind_ == MutexKind::reentrant);
    if (configuration.level == 1 && !owner_matters) return;
  }
  if (!under_way && can_let_go(configuration)) {
    moves_.push_back(
        {First::unknown_releases, Then::take, nobody, price_of_release(configuration.holder)});
  }
  if (configuration.free_at > item.invoked && spare_releases(configuration, item.owner) > 0) {
    const bool needed =
        item.next_effect != no_item && timeline_.items[item.next_effect].step == SweepStep::release;
    moves_.push_back({First::nothing, Then::take_in_past, nobody, needed ? 1 : 0});
  }
}

void MutexFrontier::list_release(const MutexConfiguration& configuration, const SweepItem& item) {
  if (configuration.holder == item.owner) {
    moves_.push_back({First::nothing, Then::give});
    return;
  }
  if (spare_acquires(configuration, item.owner) == 0) return;
  if (configuration.is_free()) {
    moves_.push_back({First::nothing, Then::give_now});
  } else if (configuration.free_at > item.invoked) {
    moves_.push_back({First::nothing, Then::give_in_past});
    // Now, it would explain why the holder is being refused.
    const std::uint32_t asks = owners_[configuration.holder].under_way;
    if (needs_past_holds_ && asks != no_item &&
        timeline_.items[asks].step == SweepStep::refused_acquire && can_let_go(configuration)) {
      moves_.push_back({First::unknown_releases, Then::give_now, nobody, 1});
    }
  } else if (release_is_under_way(configuration)) {
    moves_.push_back({First::release_under_way, Then::give_now});
  } else if (can_let_go(configuration)) {
    moves_.push_back({First::unknown_releases, Then::give_now});
  }
}

void MutexFrontier::list_refused_acquire(const MutexConfiguration& configuration,
                                         const SweepItem& item) {
  if (last_held(configuration, item.owner).at > item.invoked) {
    moves_.push_back({First::nothing, Then::see_held});
  } else if (configuration.is_free()) {
    list_takers(configuration, item, First::nothing);
  } else {
    if (configuration.free_at > item.invoked) list_past_holds(configuration, item);
    if (can_let_go(configuration)) list_takers(configuration, item, First::unknown_releases);
  }
}

/// The caller has held the lock since it was last free: somebody else did just then. Nobody else
/// has used anything since, so what was invoked by then and is left was left then.
void MutexFrontier::list_past_holds(const MutexConfiguration& configuration,
                                    const SweepItem& item) {
  const SweepMoment then = configuration.free_at;
  const auto had_spare = [this, then](std::uint32_t spare, const std::vector<std::uint32_t>& at) {
    const auto from = std::lower_bound(at.begin(), at.end(), then);
    const auto to = std::lower_bound(from, at.end(), now_);
    return spare > static_cast<std::size_t>(to - from);
  };
  for (std::uint32_t other = 0; other < owners_.size(); ++other) {
    if (other == item.owner) continue;
    const Owner& owner = owners_[other];
    const bool acquire =
        had_spare(spare_acquires(configuration, other), unknown_at_[other].acquires);
    const bool release =
        had_spare(spare_releases(configuration, other), unknown_at_[other].releases);
    if (acquire && release) {
      moves_.push_back({First::nothing, Then::see_past_pair, other, 1});
    }
    if (owner.under_way == no_item || timeline_.items[owner.under_way].invoked >= then) continue;
    const OwnerDeviation* deviation = deviation_of(configuration, other);
    if (deviation != nullptr && deviation->took_effect) continue;
    const SweepStep step = timeline_.items[owner.under_way].step;
    if (step == SweepStep::acquire && release) {
      moves_.push_back({First::nothing, Then::see_past_acquire, other});
    } else if (step == SweepStep::release && acquire) {
      moves_.push_back({First::nothing, Then::see_past_release, other});
    }
  }
}

/// Somebody must take the lock now, for the caller to be refused.
void MutexFrontier::list_takers(const MutexConfiguration& configuration, const SweepItem& item,
                                SweepMove::First first) {
  for (const std::uint32_t owner : acquiring_) {
    const OwnerDeviation* deviation = deviation_of(configuration, owner);
    if (deviation != nullptr && deviation->took_effect) continue;
    moves_.push_back(
        {first, Then::see_acquire, owner, 0, timeline_.items[owners_[owner].under_way].completed});
  }
  for (const std::uint32_t owner : uncertain_owners_) {
    if (owner == item.owner && kind_ == MutexKind::reentrant) continue;
    if (spare_acquires(configuration, owner) == 0) continue;
    const std::uint32_t next = owners_[owner].next_effect;
    const bool needed = next != no_item && timeline_.items[next].step == SweepStep::release;
    moves_.push_back({first, Then::see_unknown, owner, needed ? 0 : 1,
                      needed ? timeline_.items[next].completed : never_completed});
  }
}

void MutexFrontier::list_refused_release(const MutexConfiguration& configuration,
                                         const SweepItem& item) {
  if (configuration.holder != item.owner) {
    moves_.push_back({First::nothing, Then::see_now});
  } else if (configuration.free_at > item.invoked) {
    moves_.push_back({First::nothing, Then::see_free});
  } else if (can_let_go(configuration)) {
    moves_.push_back({First::unknown_releases, Then::see_now});
  }
}

}  // namespace lockstep::checker::recorded
