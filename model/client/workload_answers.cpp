// What calls answered, as it is reported beside the truth: the claims that an answer makes of the
// lock's state. What a client knows by itself only (after a request without an answer, or where it
// goes by a validity that it was told) makes no claim where it says no.
#include <algorithm>
#include <cstdint>
#include <optional>

#include "checker/observations.h"
#include "model/client/client_process.h"
#include "model/client/service_operations.h"
#include "model/client/workload.h"
#include "model/lock/lock_package.h"
#include "model/recorder.h"
#include "scenario/step_kind.h"
#include "scenario/workload_spec.h"

namespace lockstep::model {
namespace {

/// None where the step's answer claims nothing.
std::optional<checker::CallKind> call_of(scenario::StepKind kind) {
  switch (kind) {
    case scenario::StepKind::lock:
    case scenario::StepKind::try_lock:
    case scenario::StepKind::read_lock:
    case scenario::StepKind::try_read_lock:
    case scenario::StepKind::write_lock:
    case scenario::StepKind::try_write_lock:
    case scenario::StepKind::lock_all:
    case scenario::StepKind::try_lock_all:
    case scenario::StepKind::acquire:
    case scenario::StepKind::try_acquire:
      return checker::CallKind::acquire;
    case scenario::StepKind::unlock:
    case scenario::StepKind::read_unlock:
    case scenario::StepKind::write_unlock:
    case scenario::StepKind::unlock_all:
      return checker::CallKind::release;
    case scenario::StepKind::force_unlock:
      return checker::CallKind::force_release;
    case scenario::StepKind::extend:
      return checker::CallKind::extend;
    case scenario::StepKind::is_locked:
      return checker::CallKind::is_locked;
    case scenario::StepKind::is_held_by_me:
      return checker::CallKind::is_held;
    case scenario::StepKind::hold_count:
      return checker::CallKind::hold_count;
    case scenario::StepKind::remaining_lease:
      return checker::CallKind::remaining_lease;
    case scenario::StepKind::try_set_permits:
      return checker::CallKind::set_permits;
    case scenario::StepKind::try_set_count:
      return checker::CallKind::set_count;
    case scenario::StepKind::release:
      return checker::CallKind::release_permits;
    case scenario::StepKind::count_down:
      return checker::CallKind::count_down;
    case scenario::StepKind::await:
      return checker::CallKind::await;
    case scenario::StepKind::write:
    case scenario::StepKind::sleep:
    case scenario::StepKind::crash:
      return std::nullopt;
  }
  return std::nullopt;
}

constexpr std::int64_t nobody_has_it = -2;  // as remaining_lease says it

std::int64_t left_ms_of(std::optional<std::int64_t> answer) {
  return answer.value_or(nobody_has_it);
}

}  // namespace

/// A question put to several nodes is answered by each at an instant of its own: of what it was
/// told as a whole, that a quorum is the caller's is a claim, for nothing but an acquisition makes
/// it so; unless its acquisition was granted without a quorum, which is for valid-grant to tell.
/// That none is, is a claim where all nodes were there to be asked. A question that is answered by
/// nothing, or nil, is answered by no.
bool Workload::is_claim(std::uint32_t thread, checker::CallKind call,
                        const Returned& values) const {
  const bool is_quorum = process_.runtime.package.state_nodes == StateNodes::quorum;
  const bool knows = owner_knows(thread);
  const bool goes_by_validity = threads_[thread].tells_validity;
  const bool is_of_acquire = call == checker::CallKind::acquire;
  const bool has_number = values.number || values.says_nothing;
  if (is_quorum && threads_[thread].has_untrue_grant && !is_of_acquire) return false;
  switch (call) {
    case checker::CallKind::acquire:
      return !values.succeeded || counts_permits();
    case checker::CallKind::await:
      return !values.succeeded;
    case checker::CallKind::release:
      if (!values.says_nothing && !values.succeeded) return knows;
      // A vote need not hear from all whom it has asked.
      return !is_quorum || !owner_has_unknown(thread);
    case checker::CallKind::extend:
      return values.succeeded || (knows && !is_quorum && !goes_by_validity);
    case checker::CallKind::is_held: {
      const bool is_disturbed = process_.environment.recorder.observations().has_fault_struck;
      return values.succeeded || (knows && !(is_quorum && is_disturbed) && !goes_by_validity);
    }
    case checker::CallKind::force_release:
      return !values.says_nothing && !is_quorum;
    case checker::CallKind::is_locked:
      return !is_quorum;
    case checker::CallKind::hold_count:
      return has_number && knows && !is_quorum && !goes_by_validity;
    case checker::CallKind::remaining_lease:
      return has_number && (left_ms_of(values.number) != nobody_has_it ||
                            (knows && !is_quorum && !goes_by_validity));
    case checker::CallKind::set_permits:
    case checker::CallKind::set_count:
      return true;
    case checker::CallKind::count_down:
    case checker::CallKind::release_permits:
      return values.says_nothing || values.succeeded;
  }
  return false;
}

/// Of a call that begins. What threads of one owner do at the same time is not told apart.
void Workload::note_overlapping_calls(std::uint32_t thread) {
  Thread& self = threads_[thread];
  self.shares_call = false;
  if (!process_.owns_as_one()) return;
  for (Thread& other : threads_) {
    if (&other == &self || !is_in_call(other)) continue;
    self.shares_call = other.shares_call = true;
  }
}

/// Whether what the owner's client knows is what the lock has done for it.
bool Workload::owner_knows(std::uint32_t thread) const {
  if (!process_.owns_as_one()) return operations_.is_certain(thread);
  bool knows = !threads_[thread].shares_call;
  for (std::uint32_t i = 0; i < threads_.size(); ++i) knows &= operations_.is_certain(i);
  return knows;
}

bool Workload::owner_has_unknown(std::uint32_t thread) const {
  if (!process_.owns_as_one()) return operations_.has_unknown(thread);
  bool is_any = false;
  for (std::uint32_t i = 0; i < threads_.size(); ++i) is_any |= operations_.has_unknown(i);
  return is_any;
}

void Workload::tell_answer(std::uint32_t thread, const Returned& values) {
  const Thread& self = threads_[thread];
  const PreparedStep& prepared = current(self);
  std::optional<checker::CallKind> call = call_of(prepared.step->kind);
  // Where each permit is a member, it is known whose.
  const bool is_of_member = prepared.step->kind == scenario::StepKind::release &&
                            process_.runtime.package.state_shape == StateShape::permits_in_use;
  if (is_of_member) call = checker::CallKind::release;
  if (!call || !is_claim(thread, *call, values)) return;
  checker::Answer answer{.call = *call,
                         .owner = self.owner,
                         .lock = checker::no_name,
                         .invoked = self.invoked,
                         .returned = process_.environment.recorder.now(),
                         .yes = values.succeeded,
                         .mode = prepared.form->mode,
                         .is_certain = owner_knows(thread)};
  // Of several, some may have been given back.
  const bool is_disturbed = process_.environment.recorder.observations().has_fault_struck;
  const bool is_of_one =
      prepared.locks.size() == 1 &&
      (process_.runtime.package.state_nodes != StateNodes::quorum || !is_disturbed);
  const bool waits = *call == checker::CallKind::acquire || *call == checker::CallKind::await;
  if (waits && !values.raised) answer.limit_ns = limit_of(prepared).value_or(checker::never_ns);
  switch (*call) {
    case checker::CallKind::acquire:
    case checker::CallKind::set_permits:
    case checker::CallKind::set_count:
      if (prepared.locks.size() == 1) answer.number = prepared.step->amount;
      break;
    case checker::CallKind::release:
    case checker::CallKind::count_down:
    case checker::CallKind::release_permits:
      answer.yes = values.says_nothing || values.succeeded;
      answer.is_certain &= is_of_one;
      break;
    case checker::CallKind::hold_count:
      answer.number = process_.runtime.package.state_counts_holds()
                          ? values.number.value_or(0)
                          : std::min<std::int64_t>(values.number.value_or(0), 1);
      if (client_counts_holds()) answer.counted = values.number.value_or(0);
      break;
    case checker::CallKind::remaining_lease:
      answer.number = left_ms_of(values.number);
      answer.yes = *answer.number != nobody_has_it;
      break;
    case checker::CallKind::extend:
      answer.lease_ns = prepared.step->lease_ns.value_or(0);
      if (values.succeeded && values.details.valid_until_ms) {
        answer.valid_until_ns = true_time_of(*values.details.valid_until_ms);
      }
      break;
    case checker::CallKind::force_release:
      answer.is_certain &= is_of_one;
      break;
    case checker::CallKind::is_locked:
    case checker::CallKind::is_held:
    case checker::CallKind::await:
      break;
  }
  for (const std::uint32_t lock : prepared.locks) {
    // An inner hold that is counted in the client is given back there: of the lock that says
    // nothing.
    const bool is_inner = *call == checker::CallKind::release && client_counts_holds() &&
                          hold_of(threads_[thread], lock, prepared.form->mode).believed > 1;
    if (is_inner && answer.yes) continue;
    answer.lock = locks_[lock].id;
    process_.environment.recorder.add(answer);
  }
}

}  // namespace lockstep::model
