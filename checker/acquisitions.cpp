#include "checker/acquisitions.h"

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
  is_spoken_of_.assign(count, false);
  const auto hold_of_nobody = static_cast<NameId>(count);
  for (std::size_t index = 0; index < count; ++index) {
    const Operation& operation = *operations[index];
    Owner& owner = find(operation.owner);
    const auto itself = static_cast<NameId>(index);
    NameId hold = itself;
    if (operation.kind != OperationKind::acquire) {
      const NameId meant = hold_meant(owner, operation.kind);
      if (meant != no_name) {
        hold = meant;
        is_spoken_of_[static_cast<std::size_t>(meant)] = true;
      }
    } else if (!operation.outcome_is_known()) {
      owner.unknown = itself;
    } else if (operation.outcome == Outcome::ok) {
      owner = {.name = owner.name, .granted = itself};
    }
    holds_.push_back(hold);
  }
  for (std::size_t index = 0; index < count; ++index) {
    if (is_acquire_with_unknown_outcome(*operations[index]) && !is_spoken_of_[index]) {
      holds_[index] = hold_of_nobody;
    }
  }
}

NameId Acquisitions::hold_meant(Owner& owner, OperationKind kind) {
  if (kind != OperationKind::release) return owner.granted;
  if (owner.granted != no_name && !owner.is_given_back) {
    owner.is_given_back = true;
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
