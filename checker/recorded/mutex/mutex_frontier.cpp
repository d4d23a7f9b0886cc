#include "checker/recorded/mutex/mutex_frontier.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockstep::checker::recorded {

MutexFrontier::MutexFrontier(const MutexTimeline& timeline, MutexKind kind)
    : timeline_(timeline),
      kind_(kind),
      needs_past_holds_(kind == MutexKind::reentrant && timeline.has_refused_acquires) {
  if (!needs_past_holds_) return;
  unknown_at_.resize(timeline.owner_count());
  for (const SweepItem& item : timeline.items) {
    UnknownAt& at = unknown_at_[item.owner];
    if (item.step == SweepStep::unknown_acquire) at.acquires.push_back(item.invoked);
    if (item.step == SweepStep::unknown_release) at.releases.push_back(item.invoked);
  }
}

MutexFrontier::~MutexFrontier() = default;

void MutexFrontier::start() {
  now_ = 0;
  owners_.assign(timeline_.owner_count(), Owner{});
  for (std::uint32_t owner = 0; owner < timeline_.owner_count(); ++owner) {
    owners_[owner].next_effect = timeline_.first_effect[owner];
  }
  acquiring_.clear();
  uncertain_owners_.clear();
  configurations_.assign(1, MutexConfiguration{});
  decisions_.clear();
  comparisons_ = 0;
  left_out_ = false;
}

void MutexFrontier::invoke(std::uint32_t index) {
  const SweepItem& item = timeline_.items[index];
  Owner& owner = owners_[item.owner];
  switch (item.step) {
    case SweepStep::unknown_acquire:
      if (owner.unknown_acquires++ == 0) uncertain_owners_.push_back(item.owner);
      return;
    case SweepStep::unknown_release:
      ++owner.unknown_releases;
      return;
    case SweepStep::acquire:
      owner.acquiring_place = static_cast<std::uint32_t>(acquiring_.size());
      acquiring_.push_back(item.owner);
      break;
    case SweepStep::release:
    case SweepStep::refused_acquire:
    case SweepStep::refused_release:
      break;
  }
  owner.under_way = index;
}

/// All configurations have placed it.
void MutexFrontier::complete(std::uint32_t index) {
  const SweepItem& item = timeline_.items[index];
  Owner& owner = owners_[item.owner];
  owner.under_way = no_item;
  if (!item.has_effect()) return;
  owner.forced_acquires = forced_after(owner, item.step);
  owner.balance += item.step == SweepStep::acquire ? 1 : -1;
  owner.last_was_acquire = item.step == SweepStep::acquire;
  owner.next_effect = item.next_effect;
  if (item.step != SweepStep::acquire) return;
  const std::uint32_t moved = acquiring_.back();
  acquiring_[owner.acquiring_place] = moved;
  owners_[moved].acquiring_place = owner.acquiring_place;
  acquiring_.pop_back();
}

FrontierResult MutexFrontier::run(std::uint32_t width, const Limits& limits) {
  start();
  FrontierResult result;
  for (const ItemEvent event : timeline_.events) {
    if (!take_event(event, width, limits, result)) return result;
  }
  result.choices = choices_of(configurations_.front());
  return result;
}

/// False: this ended the run.
bool MutexFrontier::take_event(ItemEvent event, std::uint32_t width, const Limits& limits,
                               FrontierResult& result) {
  const std::uint32_t index = event / 2;
  if (event % 2 == 0) {
    invoke(index);
    return true;
  }
  moves_max_ = width;
  now_ = timeline_.items[index].completed + 1;
  result.steps += configurations_.size();
  if (!advance(index, result)) return false;
  complete(index);
  if (configurations_.size() > 1) reduce(width, result);
  log_choices();
  return !is_over(limits, result);
}

/// Whether a limit was reached; says which.
bool MutexFrontier::is_over(const Limits& limits, FrontierResult& result) {
  constexpr std::uint64_t bytes_each = sizeof(MutexConfiguration) + 8 * sizeof(OwnerDeviation);
  constexpr std::uint64_t events_between_looks = 4096;
  if (work_of(result) > limits.steps_max) {
    result.end = FrontierEnd::steps;
  } else if (configurations_.size() * 2 * bytes_each + decisions_.size() * 2 * sizeof(Decision) >
             limits.memory_bytes_max) {
    result.end = FrontierEnd::memory;
  } else if (limits.is_over != nullptr && ++events_taken_ % events_between_looks == 0 &&
             limits.is_over()) {
    result.end = FrontierEnd::time;
  } else {
    return false;
  }
  return true;
}

/// Lets every configuration place the item that completes; false: none could.
bool MutexFrontier::advance(std::uint32_t index, FrontierResult& result) {
  next_configurations_.clear();
  std::size_t kept = 0;
  for (std::size_t place = 0; place < configurations_.size(); ++place) {
    MutexConfiguration& configuration = configurations_[place];
    if (!act(configuration, index)) {
      if (result.holders.size() < 8) result.holders.push_back(configuration.holder);
      continue;
    }
    if (kept != place) std::swap(configurations_[kept], configuration);
    ++kept;
  }
  configurations_.resize(kept);
  std::move(next_configurations_.begin(), next_configurations_.end(),
            std::back_inserter(configurations_));
  result.pruned |= left_out_;
  if (configurations_.empty()) {
    result.end = FrontierEnd::died;
    result.stuck = index;
    return false;
  }
  result.holders.clear();
  return true;
}

/// Goes one way itself and leaves the others in next_configurations_; false: there is none.
bool MutexFrontier::act(MutexConfiguration& configuration, std::uint32_t index) {
  if (had_effect(configuration, timeline_.items[index].owner)) return true;
  list_moves(configuration, index);
  if (moves_.empty()) return false;
  for (std::uint32_t choice = 1; choice < moves_.size(); ++choice) {
    MutexConfiguration& born = next_configurations_.emplace_back(configuration);
    born.choice = choice;
    apply(born, index, moves_[choice]);
  }
  if (moves_were_several_) configuration.choice = 0;
  apply(configuration, index, moves_[0]);
  return true;
}

/// Whether the owner's operation, which completes, took effect before; forgets it then.
bool MutexFrontier::had_effect(MutexConfiguration& configuration, std::uint32_t owner) {
  auto& deviations = configuration.deviations;
  const auto at =
      std::lower_bound(deviations.begin(), deviations.end(), owner, is_of_earlier_owner);
  if (at == deviations.end() || at->owner != owner || !at->took_effect) return false;
  at->took_effect = false;
  if (at->excess == 0) deviations.erase(at);
  return true;
}

/// Those that survived the event write down how they came here.
void MutexFrontier::log_choices() {
  for (MutexConfiguration& configuration : configurations_) {
    if (configuration.choice == no_item) continue;
    decisions_.push_back({configuration.decision, configuration.choice});
    configuration.decision = static_cast<std::uint32_t>(decisions_.size() - 1);
    configuration.choice = no_item;
  }
}

std::vector<std::uint32_t> MutexFrontier::choices_of(
    const MutexConfiguration& configuration) const {
  std::vector<std::uint32_t> choices;
  for (std::uint32_t at = configuration.decision; at != no_item; at = decisions_[at].before) {
    choices.push_back(decisions_[at].choice);
  }
  std::reverse(choices.begin(), choices.end());
  return choices;
}

SweepTrail MutexFrontier::replay(const std::vector<std::uint32_t>& choices) {
  start();
  moves_max_ = 0;
  SweepTrail trail;
  trail_ = &trail;
  MutexConfiguration& configuration = configurations_.front();
  std::size_t next_choice = 0;
  for (const ItemEvent event : timeline_.events) {
    const std::uint32_t index = event / 2;
    if (event % 2 == 0) {
      invoke(index);
      continue;
    }
    now_ = timeline_.items[index].completed + 1;
    if (!had_effect(configuration, timeline_.items[index].owner)) {
      list_moves(configuration, index);
      apply(configuration, index, moves_[moves_were_several_ ? choices[next_choice++] : 0]);
    }
    complete(index);
  }
  trail_ = nullptr;
  return trail;
}

}  // namespace lockstep::checker::recorded
