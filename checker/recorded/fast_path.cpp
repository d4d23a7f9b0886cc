#include "checker/recorded/fast_path.h"

#include <optional>
#include <utility>

#include "checker/recorded/counting/counting_lock.h"
#include "checker/recorded/counting/counting_sweep.h"
#include "checker/recorded/mutex/hold_sweep.h"
#include "checker/recorded/mutex/mutex_sweep.h"
#include "checker/recorded/mutex/mutex_timeline.h"
#include "checker/recorded/zones.h"

namespace lockstep::checker::recorded {
namespace {

/// A fair mutex and a fenced one demand more than the kind given here: a history that the kind
/// refuses they refuse, too.
std::optional<MutexKind> kind_for_sweep(Model model) {
  switch (model) {
    case Model::owned_mutex:
    case Model::fifo_mutex:
      return MutexKind::owned;
    case Model::reentrant_mutex:
    case Model::fenced_lock:
      return MutexKind::reentrant;
    case Model::mutex:
    case Model::leased_mutex:
    case Model::read_write_lock:
    case Model::semaphore:
    case Model::latch:
    case Model::reg:
    case Model::cas_register:
    case Model::key_value:
      break;
  }
  return std::nullopt;
}

/// The sweep counts the operations of its lock; the history counts all.
void count_as_history(std::vector<std::uint32_t>& of_lock,
                      std::span<const std::uint32_t> operations) {
  for (std::uint32_t& operation : of_lock) operation = operations[operation];
}

bool demands_more(Model model) { return model == Model::fifo_mutex || model == Model::fenced_lock; }

FastResult count(const CountingLock& lock) {
  CountingResult counted = sweep_counting(lock);
  FastResult result;
  result.method = Method::sweep;
  result.steps = lock.operations.size();
  if (counted.proof) {
    result.answer = FastAnswer::not_linearizable;
    result.until = counted.proof->steps.back().until;
    result.may_be_late = !lock.is_exact;
    result.proof = std::move(counted.proof);
  } else if (lock.is_exact) {
    result.answer = FastAnswer::linearizable;
    result.order = lock.first_sets;
    result.order.insert(result.order.end(), counted.order.begin(), counted.order.end());
  }
  return result;
}

FastResult count_holds(const History& history, std::span<const std::uint32_t> operations,
                       const MutexTimeline& timeline) {
  FastResult result;
  result.method = Method::sweep;
  result.steps = timeline.items.size();
  result.hold_proof = sweep_holds(history, operations, timeline);
  if (!result.hold_proof) return result;
  result.answer = FastAnswer::not_linearizable;
  result.until = history.operations[result.hold_proof->stuck].completed;
  result.may_be_late = true;
  return result;
}

FastResult ask_sweep(const History& history, Model model, MutexKind kind, const Settings& settings,
                     const Limits& limits, std::span<const std::uint32_t> operations) {
  std::vector<Operation> copied;
  std::span<const Operation> of_lock = history.operations;
  if (operations.size() != history.operations.size()) {
    copied.reserve(operations.size());
    for (const std::uint32_t index : operations) copied.push_back(history.operations[index]);
    of_lock = copied;
  }
  const bool only_refutes = demands_more(model);
  const bool ignores = only_refutes || settings.failed_lock_operations == Failures::ignored;
  const Refusals refusals = ignores ? Refusals::ignored : Refusals::observed;
  // Where few operations don't show it, perhaps numbers do.
  FastResult counted;
  const auto is_refuted = [&](const MutexTimeline& timeline) {
    if (kind == MutexKind::reentrant) {
      counted = count_holds(history, operations, timeline);
      return counted.hold_proof.has_value();
    }
    if (const auto lock = read_as_counting(history, model, settings, operations)) {
      counted = count(*lock);
    }
    return counted.proof.has_value();
  };
  SweepResult swept = sweep_mutex(of_lock, kind, refusals, limits, is_refuted);
  if (swept.obstacle == SweepObstacle::elsewhere) return counted;
  FastResult result;
  result.method = Method::sweep;
  result.steps = swept.steps;
  if (swept.answer == SweepAnswer::cannot_say) return result;
  const bool holds = swept.answer == SweepAnswer::linearizable;
  if (holds && only_refutes) return result;
  result.answer = holds ? FastAnswer::linearizable : FastAnswer::not_linearizable;
  if (!holds) result.until = of_lock[swept.stuck].completed;
  result.may_be_late = only_refutes;
  result.order = std::move(swept.order);
  result.blamed = std::move(swept.blamed);
  count_as_history(result.order, operations);
  count_as_history(result.blamed, operations);
  return result;
}

}  // namespace

FastResult ask_fast_path(const History& history, Model model, const Settings& settings,
                         const Limits& limits, std::span<const std::uint32_t> operations) {
  if (settings.search_only) return {};
  if (const auto kind = kind_for_sweep(model)) {
    return ask_sweep(history, model, *kind, settings, limits, operations);
  }
  if (const auto lock = read_as_counting(history, model, settings, operations)) return count(*lock);
  const bool may_have_zones = model == Model::reg || model == Model::cas_register ||
                              (model == Model::key_value && !settings.all_keys_at_once);
  return may_have_zones ? decide_by_zones(history, operations, settings) : FastResult{};
}

}  // namespace lockstep::checker::recorded
