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
  is_referenced_.assign(count, false);
  const auto unowned_hold = static_cast<NameId>(count);
  for (std::size_t index = 0; index < count; ++index) {
    const Operation& operation = *operations[index];
    Owner& owner = find(operation.owner);
    const auto itself = static_cast<NameId>(index);
    NameId hold = itself;
    if (operation.kind != OperationKind::acquire) {
      const NameId meant = referenced_hold(owner, operation.kind);
      if (meant != no_name) {
        hold = meant;
        is_referenced_[static_cast<std::size_t>(meant)] = true;
      }
    } else if (!operation.outcome_is_known()) {
      owner.unknown = itself;
    } else if (operation.outcome == Outcome::ok) {
      owner = {.name = owner.name, .granted = itself};
    }
    holds_.push_back(hold);
  }
  for (std::size_t index = 0; index < count; ++index) {
    if (is_acquire_with_unknown_outcome(*operations[index]) && !is_referenced_[index]) {
      holds_[index] = unowned_hold;
    }
  }
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
