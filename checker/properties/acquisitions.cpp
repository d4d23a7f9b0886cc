#include "checker/properties/acquisitions.h"

#include <algorithm>

namespace lockstep::checker {
namespace {

bool is_acquire_with_unknown_outcome(const Operation& operation) {
  return operation.kind == OperationKind::acquire && !operation.outcome_is_known();
}

}  // namespace

void Acquisitions::start(const Operation* const* operations, std::size_t count) {
  known_.clear();
  holds_.clear();
  untold_.clear();
  is_referenced_.assign(count, false);
  const auto unowned_hold = static_cast<NameId>(count);
  for (std::size_t index = 0; index < count; ++index) {
    const Operation& operation = *operations[index];
    auto hold = static_cast<NameId>(index);
    if (operation.kind == OperationKind::acquire) {
      untold_.push_back(index);
    } else {
      learn_until(operations, operation.invoked);
      const NameId meant = referenced_hold(find(operation.owner), operation.kind);
      if (meant != no_name) {
        hold = meant;
        is_referenced_[static_cast<std::size_t>(meant)] = true;
      }
    }
    holds_.push_back(hold);
  }
  for (std::size_t index = 0; index < count; ++index) {
    if (is_acquire_with_unknown_outcome(*operations[index]) && !is_referenced_[index]) {
      holds_[index] = unowned_hold;
    }
  }
}

void Acquisitions::learn_until(const Operation* const* operations, const Moment& moment) {
  const auto told_at = [&](std::size_t index) -> const Moment& {
    const Operation& acquire = *operations[index];
    return acquire.completed ? *acquire.completed : acquire.invoked;
  };
  const auto later = std::partition(untold_.begin(), untold_.end(),
                                    [&](std::size_t index) { return !(moment < told_at(index)); });
  std::sort(untold_.begin(), later, [&](std::size_t one, std::size_t other) {
    return told_at(one) == told_at(other) ? one < other : told_at(one) < told_at(other);
  });
  for (auto each = untold_.begin(); each != later; ++each) {
    const Operation& acquire = *operations[*each];
    Owner& owner = find(acquire.owner);
    const auto itself = static_cast<NameId>(*each);
    if (!acquire.outcome_is_known()) {
      owner.unknown = itself;
    } else if (acquire.outcome == Outcome::ok) {
      owner = {.name = owner.name, .granted = itself};
    }
  }
  untold_.erase(untold_.begin(), later);
}

NameId Acquisitions::referenced_hold(Owner& owner, OperationKind kind) {
  if (kind != OperationKind::release) return owner.granted;
  if (owner.granted != no_name && !owner.is_released) {
    owner.is_released = true;
    return owner.granted;
  }
  return owner.unknown != no_name ? owner.unknown : owner.granted;
}

Acquisitions::Owner& Acquisitions::find(NameId name) {
  const auto found = std::find_if(known_.begin(), known_.end(),
                                  [name](const Owner& owner) { return owner.name == name; });
  return found != known_.end() ? *found : known_.emplace_back(Owner{.name = name});
}

}  // namespace lockstep::checker
