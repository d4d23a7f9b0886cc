#include "checker/properties/lease_linearizability.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>

#include "checker/check.h"
#include "checker/evidence.h"
#include "checker/observations.h"
#include "checker/properties/taken_away.h"
#include "checker/text.h"
#include "checker/verdict.h"

namespace lockstep::checker {
namespace {

bool by_lock_and_invocation(const Operation* a, const Operation* b) {
  if (a->lock != b->lock) return a->lock < b->lock;
  return a->invoked == b->invoked ? a < b : a->invoked < b->invoked;
}

std::string_view noun(OperationKind kind) {
  switch (kind) {
    case OperationKind::acquire:
      return "acquire";
    case OperationKind::renew:
      return "renewal";
    case OperationKind::release:
      return "release";
    case OperationKind::force_release:
      return "forced release";
  }
  return "operation";
}

/// "b/1's acquire returned ok"
std::string describe(const Names& names, const Operation& operation) {
  std::string_view ending = "has no known outcome";
  if (operation.outcome_is_known()) {
    const bool gives_back =
        operation.kind == OperationKind::release || operation.kind == OperationKind::force_release;
    // What a server answers; a client library may tell its caller yes all the same.
    const std::string_view failed = gives_back ? "found nothing to release" : "was refused";
    ending = operation.outcome == Outcome::ok ? "returned ok" : failed;
  }
  return fmt::format("{}'s {} {}", name_of(names, operation.owner), noun(operation.kind), ending);
}

/// Of a lock by vote: no majority gave a vote back, but those that did ended the hold.
bool is_partial_release(const Run& run, const Operation& operation) {
  const bool is_denied = operation.kind == OperationKind::release &&
                         operation.outcome == Outcome::fail && operation.completed;
  if (!is_denied || run.refusal != Refusal::spurious) return false;
  const auto& all = run.observations.hold_changes;
  return std::any_of(all.begin(), all.end(), [&operation](const HoldChange& each) {
    return each.owner == operation.owner &&
           is_taken_away_by(each, operation.owner, operation.lock, operation.invoked,
                            *operation.completed);
  });
}

std::string until_at_least(TimeNs deadline_ns) {
  return deadline_ns == never_ns ? std::string("for good")
                                 : "until at least " + milliseconds(deadline_ns);
}

/// "held by a/1 (count 2) until at least 10,000 ms"
std::string describe(const Names& names, NameId holder, const LeasedMutex::State& state) {
  if (state.is_free()) return "free";
  const std::string count = state.count == 1 ? "" : fmt::format(" (count {})", state.count);
  return fmt::format("held by {}{} {}", name_of(names, holder), count,
                     until_at_least(state.deadline_ns));
}

/// By how much too early the state's lease ended, if that is what the operation stumbles on; else
/// 0.
TimeNs early_by_ns(const LeasedMutex& specification, const LeasedMutex::State& state,
                   const LeasedMutex::Input& operation) {
  if (state.is_free() || state.deadline_ns == never_ns) return 0;
  LeasedMutex::Input with_time = operation;
  with_time.returns_ns = state.deadline_ns;
  LeasedMutex::Successors ignored;
  const bool legal_then = specification.successors(state, with_time, with_time, ignored) > 0;
  return legal_then ? state.deadline_ns - operation.returns_ns : 0;
}

}  // namespace

void LeaseLinearizability::judge(const Run& run, Verdict& verdict) {
  steps_ = 0;
  sort_by_lock(run);
  const LeasedMutex specification(run.reentry);
  std::optional<Moment> stuck_at;
  for (std::size_t begin = 0, end = 0; begin < by_lock_.size(); begin = end) {
    while (end < by_lock_.size() && by_lock_[end]->lock == by_lock_[begin]->lock) ++end;
    load(run, begin, end);
    const SearchResult result = search_.run(specification, loaded_, limits_);
    steps_ += result.steps;
    if (result.end == SearchEnd::linearizable) continue;
    if (result.end != SearchEnd::not_linearizable) {
      if (verdict.kind == VerdictKind::holds) report_unknown(run, result, verdict);
      continue;
    }
    const Moment at = *by_lock_[begin + result.stuck]->completed;
    if (stuck_at && !(at < *stuck_at)) continue;
    stuck_at = at;
    report_violation(run, result.stuck, verdict);
  }
}

/// A lock that refuses as it likes has done nothing by it, and said nothing.
void LeaseLinearizability::sort_by_lock(const Run& run) {
  by_lock_.clear();
  for (const Operation& operation : run.history.operations) {
    const bool is_refused_acquire = operation.kind == OperationKind::acquire &&
                                    operation.outcome_is_known() &&
                                    operation.outcome == Outcome::fail;
    if (is_refused_acquire && run.refusal == Refusal::spurious) continue;
    by_lock_.push_back(&operation);
  }
  if (!std::is_sorted(by_lock_.begin(), by_lock_.end(), by_lock_and_invocation)) {
    std::sort(by_lock_.begin(), by_lock_.end(), by_lock_and_invocation);
  }
}

void LeaseLinearizability::load(const Run& run, std::size_t begin, std::size_t end) {
  first_ = begin;
  loaded_.clear();
  counts_.clear();
  if (run.reentry == Reentry::refused) acquisitions_.start(&by_lock_[begin], end - begin);
  for (std::size_t index = begin; index < end; ++index) {
    std::optional<Operation> partial;
    if (is_partial_release(run, *by_lock_[index])) {
      partial = *by_lock_[index];
      partial->outcome = Outcome::info;
    }
    const Operation& operation = partial ? *partial : *by_lock_[index];
    LeasedMutex::Input input = LeasedMutex::input_of(operation, run.declared_drift_ppm);
    if (run.reentry == Reentry::refused) input.owner = acquisitions_.hold_of(index - begin);
    if (run.reentry == Reentry::counted_by_client) {
      const bool may_be_ghost =
          operation.kind == OperationKind::acquire && !operation.outcome_is_known();
      if (may_be_ghost) input.owner = LeasedMutex::ghost_of(operation.owner);
      input.is_inner = is_inner_release(operation);
    }
    loaded_.push_back({input, operation.invoked.order,
                       operation.outcome_is_known() ? operation.completed->order : never_returns});
  }
}

bool LeaseLinearizability::is_inner_release(const Operation& operation) {
  auto found = std::find_if(counts_.begin(), counts_.end(),
                            [&](const auto& counted) { return counted.first == operation.owner; });
  if (found == counts_.end()) found = counts_.emplace(found, operation.owner, 0);
  std::int64_t& count = found->second;
  const bool is_known = operation.outcome_is_known();
  const bool is_granted = is_known && operation.outcome == Outcome::ok;
  if (operation.kind == OperationKind::acquire && is_granted) ++count;
  if (operation.kind != OperationKind::release) return false;
  const bool is_inner = is_granted && count > 1;
  const bool has_heard_of_loss = is_known && !is_granted;
  count = has_heard_of_loss ? 0 : std::max<std::int64_t>(count - 1, 0);
  return is_inner;
}

void LeaseLinearizability::report_unknown(const Run& run, const SearchResult& result,
                                          Verdict& verdict) const {
  const Operation& stuck = *by_lock_[first_ + result.stuck];
  const std::string limit = result.end == SearchEnd::out_of_steps
                                ? fmt::format("{} steps", limits_.steps_max)
                                : fmt::format("{} MB of memory", limits_.memory_bytes_max >> 20U);
  verdict.kind = VerdictKind::unknown;
  verdict.summary = fmt::format(
      "the search for a linearization of lock \"{}\" gave up after {}; the furthest it came was "
      "to where {} at {}",
      name_of(run.names, stuck.lock), limit, describe(run.names, stuck),
      milliseconds(stuck.completed->at_ns));
}

void LeaseLinearizability::report_violation(const Run& run, std::size_t stuck_index,
                                            Verdict& verdict) {
  const Operation& stuck = *by_lock_[first_ + stuck_index];
  const LeasedMutex specification(run.reentry);
  collect_survivors();
  const LeasedMutex::State* nearest = nullptr;
  TimeNs early_ns = never_ns;
  for (const LeasedMutex::State& state : survivors_) {
    const TimeNs by_ns = early_by_ns(specification, state, loaded_[stuck_index].input);
    if (by_ns <= 0 || by_ns >= early_ns) continue;
    early_ns = by_ns;
    nearest = &state;
  }
  verdict.kind = VerdictKind::violated;
  verdict.summary = fmt::format("lock \"{}\": {} at {}, but ", name_of(run.names, stuck.lock),
                                describe(run.names, stuck), milliseconds(stuck.completed->at_ns));
  if (nearest != nullptr) {
    verdict.summary +=
        fmt::format("{}'s lease ran until at least {}: it ended at least {} too early",
                    name_of(run.names, holder_in(*nearest, stuck)),
                    milliseconds(nearest->deadline_ns), milliseconds(early_ns));
  } else {
    verdict.summary += "no order of the operations explains it: the lock was ";
    for (const LeasedMutex::State& state : survivors_) {
      verdict.summary += (&state == survivors_.data() ? "" : ", or ") +
                         describe(run.names, holder_in(state, stuck), state);
    }
  }
  verdict.evidence.clear();
  verdict.evidence.push_back(
      {describe(run.names, stuck), stuck.owner, stuck.invoked, stuck.completed});
  add_refusal_evidence(run, stuck, verdict);
  add_survivor_evidence(run, stuck, verdict);
}

/// What the lock may have been just before, without repetition: at most evidence_max − 1 states.
void LeaseLinearizability::collect_survivors() {
  survivors_.clear();
  search_.visit_survivors([this](const LeasedMutex::State& state) {
    if (survivors_.size() + 1 >= evidence_max) return;
    if (std::find(survivors_.begin(), survivors_.end(), state) == survivors_.end()) {
      survivors_.push_back(state);
    }
  });
}

void LeaseLinearizability::add_survivor_evidence(const Run& run, const Operation& stuck,
                                                 Verdict& verdict) const {
  for (const LeasedMutex::State& state : survivors_) {
    const NameId holder = holder_in(state, stuck);
    const std::string what = "until then the lock was " + describe(run.names, holder, state);
    const Operation* setter = setter_of(state, stuck);
    if (setter == nullptr) {
      verdict.evidence.push_back({what, holder, stuck.invoked, std::nullopt});
    } else {
      verdict.evidence.push_back({fmt::format("{}, by this {}", what, noun(setter->kind)), holder,
                                  setter->invoked, setter->completed});
    }
  }
}

/// A late answer leaves open when its acquire took effect. Who was refused meanwhile by nobody else
/// shows that it had: without this the violation can't be understood.
void LeaseLinearizability::add_refusal_evidence(const Run& run, const Operation& stuck,
                                                Verdict& verdict) const {
  if (!stuck.outcome_is_known() || stuck.outcome == Outcome::fail) return;
  const auto operations = std::span(by_lock_).subspan(first_, loaded_.size());
  const Operation* acquire = nullptr;
  for (const Operation* each : operations) {
    const bool is_granted = each->kind == OperationKind::acquire && each->outcome_is_known() &&
                            each->outcome == Outcome::ok;
    if (is_granted && each->owner == stuck.owner && *each->completed < stuck.invoked) {
      acquire = each;
    }
  }
  if (acquire == nullptr || survivors_.size() + 1 >= evidence_max) return;
  for (const Operation* each : operations) {
    const bool is_refusal = each->kind == OperationKind::acquire && each->outcome_is_known() &&
                            each->outcome == Outcome::fail && each->owner != stuck.owner;
    if (!is_refusal) continue;
    const bool is_meanwhile =
        acquire->invoked < *each->completed && *each->completed < *acquire->completed;
    // Else it may have it still.
    const bool may_be_over = acquire->lease_ns > 0 &&
                             stuck.completed->at_ns >= each->completed->at_ns + acquire->lease_ns;
    if (!is_meanwhile || !may_be_over || may_others_refuse(stuck.owner, *each)) continue;
    verdict.evidence.push_back(
        {fmt::format("refused: {}'s acquire, which returned ok at {}, had taken effect by then",
                     name_of(run.names, stuck.owner), milliseconds(acquire->completed->at_ns)),
         each->owner, each->invoked, each->completed});
    return;
  }
}

bool LeaseLinearizability::may_others_refuse(NameId owner, const Operation& refusal) const {
  const auto operations = std::span(by_lock_).subspan(first_, loaded_.size());
  return std::any_of(operations.begin(), operations.end(), [&](const Operation* taken) {
    const bool may_have_it = taken->kind == OperationKind::acquire && taken->owner != owner &&
                             (!taken->outcome_is_known() || taken->outcome == Outcome::ok) &&
                             taken->invoked < *refusal.completed;
    return may_have_it &&
           std::none_of(operations.begin(), operations.end(), [&](const Operation* back) {
             return back->kind == OperationKind::release && back->owner == taken->owner &&
                    back->outcome_is_known() && back->outcome == Outcome::ok &&
                    taken->invoked < back->invoked && *back->completed < refusal.invoked;
           });
  });
}

NameId LeaseLinearizability::holder_in(const LeasedMutex::State& state,
                                       const Operation& stuck) const {
  const Operation* setter = state.is_free() ? nullptr : setter_of(state, stuck);
  return setter != nullptr ? setter->owner : no_name;
}

/// The operation that set the state's deadline, as far as that can be told: the last that may have.
const Operation* LeaseLinearizability::setter_of(const LeasedMutex::State& state,
                                                 const Operation& stuck) const {
  const Operation* setter = nullptr;
  for (std::size_t index = 0; index < loaded_.size(); ++index) {
    const Operation& operation = *by_lock_[first_ + index];
    if (*stuck.completed < operation.invoked) break;
    const LeasedMutex::Input& input = loaded_[index].input;
    const bool grants = input.kind == OperationKind::acquire && !input.refused;
    if (input.refused || input.owner != state.owner || input.deadline_ns != state.deadline_ns) {
      continue;
    }
    if (input.has_lease || grants) setter = &operation;
  }
  return setter;
}

}  // namespace lockstep::checker
