#include "checker/recorded/mutex/mutex_timeline.h"

#include <algorithm>
#include <utility>

namespace lockstep::checker::recorded {
namespace {

SweepStep step_of(Function function, Outcome outcome) {
  const bool acquires = function == Function::acquire;
  switch (outcome) {
    case Outcome::ok:
      return acquires ? SweepStep::acquire : SweepStep::release;
    case Outcome::fail:
      return acquires ? SweepStep::refused_acquire : SweepStep::refused_release;
    case Outcome::info:
      break;
  }
  return acquires ? SweepStep::unknown_acquire : SweepStep::unknown_release;
}

/// Counts texts from 0 in order of first sight.
class DenseOwners {
 public:
  std::uint32_t number(TextId text) {
    if (text == no_text) {
      if (without_name_ == no_item) without_name_ = count_++;
      return without_name_;
    }
    const auto index = static_cast<std::size_t>(text);
    if (index >= numbers_.size()) numbers_.resize(index + index / 2 + 1, no_item);
    if (numbers_[index] == no_item) numbers_[index] = count_++;
    return numbers_[index];
  }

 private:
  std::vector<std::uint32_t> numbers_;
  std::uint32_t without_name_ = no_item;
  std::uint32_t count_ = 0;
};

}  // namespace

std::optional<SweepObstacle> take_items(std::span<const Operation> operations, Refusals refusals,
                                        std::vector<SweepItem>& items) {
  items.clear();
  items.reserve(operations.size());
  DenseOwners owners;
  for (std::uint32_t index = 0; index < operations.size(); ++index) {
    const Operation& operation = operations[index];
    if (operation.function != Function::acquire && operation.function != Function::release) {
      return SweepObstacle::function;
    }
    const bool completes = operation.completed != never_completed;
    const Outcome outcome = completes ? operation.outcome : Outcome::info;
    if (outcome == Outcome::fail && refusals == Refusals::ignored) continue;
    const bool known = outcome != Outcome::info;
    items.push_back({.origin = index,
                     .owner = owners.number(operation.owner),
                     .invoked = operation.invoked,
                     .completed = known ? operation.completed : never_completed,
                     .next_effect = no_item,
                     .step = step_of(operation.function, outcome)});
  }
  return std::nullopt;
}

bool lay_out(std::vector<SweepItem> items, std::uint32_t owner_count, MutexTimeline& timeline) {
  timeline.items = std::move(items);
  timeline.first_effect.assign(owner_count, no_item);
  std::vector<std::uint32_t> last_effect(owner_count, no_item);
  std::vector<std::uint32_t> busy_until(owner_count, 0);
  for (std::uint32_t index = 0; index < timeline.items.size(); ++index) {
    SweepItem& item = timeline.items[index];
    item.next_effect = no_item;
    if (item.invoked < busy_until[item.owner]) return false;
    if (item.is_unknown()) continue;
    busy_until[item.owner] = item.completed;
    timeline.has_refused_acquires |= item.step == SweepStep::refused_acquire;
    timeline.has_refused_releases |= item.step == SweepStep::refused_release;
    if (!item.has_effect()) continue;
    const std::uint32_t last = std::exchange(last_effect[item.owner], index);
    (last == no_item ? timeline.first_effect[item.owner] : timeline.items[last].next_effect) =
        index;
  }
  order_events(timeline.items, timeline.events);
  return true;
}

std::uint32_t owner_count_of(const std::vector<SweepItem>& items) {
  std::uint32_t count = 0;
  for (const SweepItem& item : items) count = std::max(count, item.owner + 1);
  return count;
}

}  // namespace lockstep::checker::recorded
