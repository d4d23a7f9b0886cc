// Part of mutex_frontier.h: giving a configuration an effect.
#include <algorithm>
#include <cassert>

#include "checker/recorded/mutex/mutex_frontier.h"

namespace lockstep::checker::recorded {

void MutexFrontier::note(SweepStep step, std::uint32_t item, std::uint32_t owner) {
  if (trail_ != nullptr) trail_->effects.push_back({step, item, owner});
}

void MutexFrontier::note_in_past(MutexConfiguration& configuration, SweepAnchor anchor,
                                 SweepTrail::Effect first, SweepTrail::Effect second) {
  ++configuration.in_past;
  if (trail_ != nullptr) trail_->in_past.push_back({anchor, first, second});
}

/// REQUIRES: nobody but the holder has held the lock since.
void MutexFrontier::remember(MutexConfiguration& configuration, const LastHeld& last) {
  if (configuration.held.owner != last.owner) configuration.held_other = configuration.held;
  configuration.held = last;
}

/// The lock is free, and was until now.
void MutexFrontier::take(MutexConfiguration& configuration, std::uint32_t owner) {
  assert(configuration.is_free());
  configuration.free_at = now_;
  configuration.free_anchor = configuration.placed++;
  configuration.holder = owner;
  configuration.level = 1;
}

/// The holder's last release: it was held until now.
void MutexFrontier::release_hold(MutexConfiguration& configuration) {
  remember(configuration, {configuration.holder, now_, configuration.placed++});
  configuration.holder = nobody;
  configuration.level = 0;
}

void MutexFrontier::add_excess(MutexConfiguration& configuration, std::uint32_t owner,
                               std::int32_t more) {
  if (more == 0) return;
  configuration.cost += more;
  auto& deviations = configuration.deviations;
  auto at = std::lower_bound(deviations.begin(), deviations.end(), owner, is_of_earlier_owner);
  if (at == deviations.end() || at->owner != owner) at = deviations.insert(at, {owner, 0, false});
  at->excess += more;
  assert(at->excess >= 0 || at->took_effect || owners_[owner].under_way != no_item);
  if (at->excess == 0 && !at->took_effect) deviations.erase(at);
}

/// A known effect may make some unknown acquires forced that were excess before.
void MutexFrontier::account(MutexConfiguration& configuration, std::uint32_t index) {
  const SweepItem& item = timeline_.items[index];
  const Owner& owner = owners_[item.owner];
  add_excess(configuration, item.owner, owner.forced_acquires - forced_after(owner, item.step));
}

/// The owner's known operation under way has its effect before it completes.
void MutexFrontier::take_early(MutexConfiguration& configuration, std::uint32_t owner) {
  account(configuration, owners_[owner].under_way);
  auto& deviations = configuration.deviations;
  auto at = std::lower_bound(deviations.begin(), deviations.end(), owner, is_of_earlier_owner);
  if (at == deviations.end() || at->owner != owner) at = deviations.insert(at, {owner, 0, false});
  at->took_effect = true;
}

void MutexFrontier::apply_first(MutexConfiguration& configuration, const SweepMove& move) {
  if (move.first == SweepMove::First::nothing) return;
  const std::uint32_t holder = configuration.holder;
  bool known = move.first == SweepMove::First::release_under_way;
  while (!configuration.is_free()) {
    if (known) {
      note(SweepStep::release, owners_[holder].under_way, holder);
      take_early(configuration, holder);
      known = false;
    } else {
      note(SweepStep::unknown_release, no_item, holder);
    }
    if (configuration.level == 1) {
      release_hold(configuration);
    } else {
      --configuration.level;
      ++configuration.placed;
    }
  }
}

void MutexFrontier::apply(MutexConfiguration& configuration, std::uint32_t index,
                          const SweepMove& move) {
  using Then = SweepMove::Then;
  apply_first(configuration, move);
  const SweepItem& item = timeline_.items[index];
  const SweepTrail::Effect known{item.step, index, item.owner};
  switch (move.then) {
    case Then::take:
      take(configuration, item.owner);
      note(item.step, index, item.owner);
      break;
    case Then::reenter:
      ++configuration.level;
      ++configuration.placed;
      note(item.step, index, item.owner);
      break;
    case Then::give:
      note(item.step, index, item.owner);
      if (configuration.level == 1) {
        release_hold(configuration);
      } else {
        --configuration.level;
        ++configuration.placed;
      }
      break;
    case Then::give_now:
      take(configuration, item.owner);
      note(SweepStep::unknown_acquire, no_item, item.owner);
      release_hold(configuration);
      note(item.step, index, item.owner);
      add_excess(configuration, item.owner, 1);
      break;
    case Then::take_in_past:
      hold_in_past(configuration, item.owner, known,
                   {SweepStep::unknown_release, no_item, item.owner});
      break;
    case Then::give_in_past:
      hold_in_past(configuration, item.owner, {SweepStep::unknown_acquire, no_item, item.owner},
                   known);
      add_excess(configuration, item.owner, 1);
      break;
    case Then::see_acquire:
      note(SweepStep::acquire, owners_[move.other].under_way, move.other);
      take_early(configuration, move.other);
      take(configuration, move.other);
      note_in_past(configuration, configuration.placed, known);
      break;
    case Then::see_unknown:
      note(SweepStep::unknown_acquire, no_item, move.other);
      add_excess(configuration, move.other, 1);
      take(configuration, move.other);
      note_in_past(configuration, configuration.placed, known);
      break;
    case Then::see_past_pair:
    case Then::see_past_acquire:
    case Then::see_past_release:
      see_past_hold(configuration, move, known);
      break;
    case Then::see_now:
      note_in_past(configuration, configuration.placed, known);
      break;
    case Then::see_held:
      note_in_past(configuration, last_held(configuration, item.owner).anchor, known);
      break;
    case Then::see_free:
      note_in_past(configuration, configuration.free_anchor, known);
      break;
  }
  if (item.has_effect()) account(configuration, index);
}

void MutexFrontier::see_past_hold(MutexConfiguration& configuration, const SweepMove& move,
                                  const SweepTrail::Effect& refused) {
  using Then = SweepMove::Then;
  const std::uint32_t other = move.other;
  const std::uint32_t under_way = owners_[other].under_way;
  SweepTrail::Effect acquire{SweepStep::unknown_acquire, no_item, other};
  SweepTrail::Effect release{SweepStep::unknown_release, no_item, other};
  if (move.then == Then::see_past_acquire) acquire = {SweepStep::acquire, under_way, other};
  if (move.then == Then::see_past_release) release = {SweepStep::release, under_way, other};
  const SweepAnchor inside = inside_past | configuration.in_past;
  hold_in_past(configuration, other, acquire, release);
  note_in_past(configuration, inside, refused);
  if (move.then != Then::see_past_acquire) add_excess(configuration, other, 1);
  if (move.then != Then::see_past_pair) take_early(configuration, other);
}

/// A hold of no length when the lock was last free. It was held by the owner then, which a refusal
/// of the present holder may need.
void MutexFrontier::hold_in_past(MutexConfiguration& configuration, std::uint32_t owner,
                                 SweepTrail::Effect acquire, SweepTrail::Effect release) {
  const LastHeld last{owner, configuration.free_at, inside_past | configuration.in_past};
  note_in_past(configuration, configuration.free_anchor, acquire, release);
  remember(configuration, last);
}

}  // namespace lockstep::checker::recorded
