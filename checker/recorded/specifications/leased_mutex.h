// A re-entrant mutex with leases, for recorded histories: the one that simulated runs are held to
// (checker/linearizability/leased_mutex.h), with the words for it.
//
//   acquire, renew, release  as there; `number` is the lease in ns, if the operation sets one
//
// A hold may end by itself at its deadline or later: its invocation + its lease × (1 − the declared
// drift), by the history's own times.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>

#include "checker/drift.h"
#include "checker/linearizability/leased_mutex.h"
#include "checker/recorded/specifications/sequential.h"
#include "checker/text.h"

namespace lockstep::checker::recorded {

class LeasedMutexOfHistory : public LeasedMutex {
 public:
  LeasedMutexOfHistory(const Texts& texts, const Settings& settings)
      : LeasedMutex(Reentry::counted),
        texts_(&texts),
        failures_(settings.failed_lock_operations),
        drift_ppm_(settings.declared_drift_ppm) {}

  [[nodiscard]] std::optional<Input> input_of(const recorded::Operation& operation) const {
    if (is_dropped(operation, failures_)) return std::nullopt;
    Input input;
    input.kind = kind_of(operation.function);
    input.refused = operation.outcome == Outcome::fail;
    input.owner = static_cast<NameId>(operation.owner);
    if (operation.outcome != Outcome::info) input.returns_ns = operation.completed_ns;
    input.has_lease = operation.number > 0;
    if (input.has_lease) {
      input.deadline_ns = earliest_end(operation.invoked_ns, operation.number, drift_ppm_);
    }
    return input;
  }
  [[nodiscard]] std::string describe(const State& state) const {
    if (state.is_free()) return "free";
    const std::string times = state.count == 1 ? "" : fmt::format(", {} times,", state.count);
    return fmt::format("held by {}{} {}", owner_of(state), times, until(state));
  }
  [[nodiscard]] std::string why_not(const State& state, const Input& /*input*/) const {
    if (state.is_free()) return "it is free";
    return fmt::format("the owner is {}, {}", owner_of(state), until(state));
  }

 private:
  [[nodiscard]] static OperationKind kind_of(Function function) {
    switch (function) {
      case Function::acquire:
        return OperationKind::acquire;
      case Function::renew:
        return OperationKind::renew;
      case Function::release:
        return OperationKind::release;
      case Function::force_release:
      case Function::read:
      case Function::write:
      case Function::compare_and_set:
      case Function::append:
      case Function::read_acquire:
      case Function::read_release:
      case Function::write_acquire:
      case Function::write_release:
      case Function::set_count:
      case Function::count_down:
      case Function::await:
        break;  // the others are not of this model
    }
    return OperationKind::force_release;
  }
  [[nodiscard]] std::string_view owner_of(const State& state) const {
    return texts_->text(static_cast<TextId>(state.owner));
  }
  [[nodiscard]] static std::string until(const State& state) {
    return state.deadline_ns == never_ns ? std::string("for good")
                                         : "until at least " + milliseconds(state.deadline_ns);
  }

  const Texts* texts_;
  Failures failures_;
  std::int64_t drift_ppm_;
};

}  // namespace lockstep::checker::recorded
