#include "checker/recorded/fast_path.h"

#include <optional>

#include "checker/recorded/mutex/mutex_sweep.h"
#include "checker/recorded/zones.h"

namespace lockstep::checker::recorded {
namespace {

std::optional<MutexKind> kind_for_sweep(Model model) {
  switch (model) {
    case Model::mutex:
      return MutexKind::unowned;
    case Model::owned_mutex:
      return MutexKind::owned;
    case Model::reentrant_mutex:
      return MutexKind::reentrant;
    case Model::leased_mutex:
    case Model::fifo_mutex:
    case Model::read_write_lock:
    case Model::semaphore:
    case Model::latch:
    case Model::fenced_lock:
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

FastResult ask_sweep(const History& history, MutexKind kind, const Settings& settings,
                     const Limits& limits, std::span<const std::uint32_t> operations) {
  std::vector<Operation> copied;
  std::span<const Operation> of_lock = history.operations;
  if (operations.size() != history.operations.size()) {
    copied.reserve(operations.size());
    for (const std::uint32_t index : operations) copied.push_back(history.operations[index]);
    of_lock = copied;
  }
  const Refusals refusals =
      settings.failed_lock_operations == Failures::ignored ? Refusals::ignored : Refusals::observed;
  SweepResult swept = sweep_mutex(of_lock, kind, refusals, limits);
  FastResult result;
  result.method = Method::sweep;
  result.steps = swept.steps;
  if (swept.answer == SweepAnswer::cannot_say) return result;
  const bool holds = swept.answer == SweepAnswer::linearizable;
  result.answer = holds ? FastAnswer::linearizable : FastAnswer::not_linearizable;
  if (!holds) result.until = of_lock[swept.stuck].completed;
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
    return ask_sweep(history, *kind, settings, limits, operations);
  }
  const bool may_have_zones = model == Model::reg || model == Model::cas_register ||
                              (model == Model::key_value && !settings.all_keys_at_once);
  return may_have_zones ? decide_by_zones(history, operations, settings) : FastResult{};
}

}  // namespace lockstep::checker::recorded
