#include "checker/recorded/counting/counting_lock.h"

#include <algorithm>

namespace lockstep::checker::recorded {
namespace {

class Reader {
 public:
  Reader(const History& history, Model model, const Settings& settings)
      : history_(history),
        counts_permits_(model == Model::semaphore),
        is_exact_(model == Model::semaphore || model == Model::mutex),
        refusals_say_something_(settings.failed_lock_operations == Failures::observed),
        first_capacity_(counts_permits_ ? settings.initial_number : 1),
        highest_capacity_(first_capacity_) {}

  std::optional<CountingLock> read(std::span<const std::uint32_t> operations) {
    lock_.is_exact = is_exact_;
    lock_.operations.reserve(operations.size());
    for (const std::uint32_t index : operations) {
      const Operation& operation = history_.operations[index];
      const bool is_known =
          operation.completed != never_completed && operation.outcome != Outcome::info;
      if (is_known && operation.outcome == Outcome::fail) {
        pass_over(operation);
      } else if (operation.function == Function::set_count) {
        set_capacity(operation, index, is_known);
      } else if (!take(operation, index, is_known)) {
        return std::nullopt;
      }
    }
    lock_.capacity = capacity_changes_ ? highest_capacity_ : first_capacity_;
    lock_.counts_permits = counts_permits_;
    if (lock_.capacity < 1) return std::nullopt;
    return std::move(lock_);
  }

 private:
  void pass_over(const Operation& refused) {
    const bool sets = refused.function == Function::set_count;
    if (refusals_say_something_ && !sets) lock_.is_exact = false;
  }

  /// What is set before anything else begins is the capacity from the first.
  void set_capacity(const Operation& operation, std::uint32_t index, bool is_known) {
    highest_capacity_ = std::max(highest_capacity_, operation.number);
    const bool is_first =
        is_known && lock_.operations.empty() && operation.invoked >= first_set_until_;
    if (!is_first) return change_capacity();
    first_capacity_ = operation.number;
    first_set_until_ = operation.completed;
    lock_.first_sets.push_back(index);
  }

  void change_capacity() {
    capacity_changes_ = true;
    lock_.is_exact = false;
  }

  /// False if it is about more units than can be counted.
  [[nodiscard]] bool take(const Operation& operation, std::uint32_t index, bool is_known) {
    const bool has_units = counts_permits_ && operation.number != no_number;
    const std::int64_t units = has_units ? operation.number : 1;
    if (units > UINT32_MAX) return false;
    if (units != 1) lock_.is_exact = false;
    if (operation.invoked < first_set_until_) change_capacity();
    lock_.operations.push_back({.operation = index,
                                .invoked = operation.invoked,
                                .completed = is_known ? operation.completed : never_completed,
                                .units = static_cast<std::uint32_t>(units),
                                .acquires = operation.function == Function::acquire});
    return true;
  }

  const History& history_;
  bool counts_permits_;
  bool is_exact_;
  bool refusals_say_something_;
  std::int64_t first_capacity_;
  std::int64_t highest_capacity_;
  std::uint32_t first_set_until_ = 0;
  bool capacity_changes_ = false;
  CountingLock lock_;
};

}  // namespace

std::optional<CountingLock> read_as_counting(const History& history, Model model,
                                             const Settings& settings,
                                             std::span<const std::uint32_t> operations) {
  switch (model) {
    case Model::mutex:
    case Model::semaphore:
    case Model::owned_mutex:
    case Model::fifo_mutex:
      return Reader(history, model, settings).read(operations);
    case Model::reentrant_mutex:
    case Model::leased_mutex:
    case Model::read_write_lock:
    case Model::latch:
    case Model::fenced_lock:
    case Model::reg:
    case Model::cas_register:
    case Model::key_value:
      break;
  }
  return std::nullopt;
}

}  // namespace lockstep::checker::recorded
