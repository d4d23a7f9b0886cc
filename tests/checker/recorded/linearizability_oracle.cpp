#include "linearizability_oracle.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <vector>

#include "reference_object.h"

namespace lockstep::checker::recorded::testing {
namespace {

constexpr std::uint64_t no_end = UINT64_MAX;

enum class StepKind : std::uint8_t { whole, enter, grant, leave };

/// What happens at one moment.
struct Step {
  std::uint32_t request = 0;
  StepKind kind = StepKind::whole;
  std::uint64_t earliest = 0;
  std::uint64_t latest = no_end;
  bool is_required = false;
};

class AllOrders {
 public:
  AllOrders(const History& history, Model model, const Settings& settings)
      : history_(history), model_(model), settings_(settings) {
    for (std::uint32_t index = 0; index < history.operations.size(); ++index) {
      add_steps(index);
      token_max_ = std::max(token_max_, history.operations[index].token);
    }
    token_max_ += static_cast<std::int64_t>(history.operations.size());
    if (steps_.size() > 60) throw std::invalid_argument("too many steps for all orders");
  }

  bool has_one() { return can_go_on(0, 0, ReferenceObject(history_.texts, model_, settings_)); }

 private:
  void add_steps(std::uint32_t index) {
    const Operation& operation = history_.operations[index];
    const bool known = operation.outcome != Outcome::info;
    const bool failed = operation.outcome == Outcome::fail;
    const std::uint64_t end = known ? operation.completed : no_end;
    if (model_ == Model::fifo_mutex && operation.function == Function::acquire) {
      if (failed) return;  // it was in the queue for a while, perhaps, and behind it nobody lost
      const bool told = operation.enqueued_by != never_completed;
      const std::uint64_t entered = told ? operation.enqueued_by : end;
      steps_.push_back({index, StepKind::enter, operation.invoked, entered, told || known});
      steps_.push_back({index, StepKind::grant, operation.invoked, end, known});
      if (!known) steps_.push_back({index, StepKind::leave, operation.invoked, no_end, false});
      return;
    }
    if (failed && says_nothing_when_failed(operation.function)) return;
    steps_.push_back({index, StepKind::whole, operation.invoked, end, known});
  }

  [[nodiscard]] bool says_nothing_when_failed(Function function) const {
    switch (function) {
      case Function::read:
      case Function::write:
      case Function::append:
      case Function::count_down:
        return true;
      case Function::compare_and_set:
        return settings_.failed_compare_and_sets == Failures::ignored;
      case Function::set_count:
        if (model_ == Model::semaphore) return true;
        return settings_.failed_lock_operations == Failures::ignored;
      default:
        return settings_.failed_lock_operations == Failures::ignored;
    }
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  bool can_go_on(std::uint64_t done, std::uint64_t latest_beginning,
                 const ReferenceObject& object) {
    bool is_complete = true;
    std::uint64_t first_end = no_end;
    for (std::size_t index = 0; index < steps_.size(); ++index) {
      if ((done >> index & 1U) != 0 || !steps_[index].is_required) continue;
      is_complete = false;
      first_end = std::min(first_end, steps_[index].latest);
    }
    if (is_complete) return true;
    if (!hopeless_.insert({done, object.key()}).second) return false;
    for (std::size_t index = 0; index < steps_.size(); ++index) {
      const Step& step = steps_[index];
      const bool fits = (done >> index & 1U) == 0 && step.earliest <= first_end &&
                        latest_beginning <= step.latest;
      if (!fits) continue;
      const std::uint64_t now_done = done | std::uint64_t{1} << index;
      const std::uint64_t beginning = std::max(latest_beginning, step.earliest);
      if (any_outcome_goes_on(step, now_done, beginning, object)) return true;
    }
    return false;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  bool any_outcome_goes_on(const Step& step, std::uint64_t done, std::uint64_t beginning,
                           const ReferenceObject& object) {
    const Operation& operation = history_.operations[step.request];
    ReferenceObject after = object;
    if (step.kind == StepKind::enter) {
      after.enter(step.request);
      return can_go_on(done, beginning, after);
    }
    if (step.kind == StepKind::leave) {
      if (!after.is_queued(step.request)) return false;
      after.leave(step.request);
      return can_go_on(done, beginning, after);
    }
    if (operation.outcome == Outcome::fail) {
      return object.refuses(operation) && can_go_on(done, beginning, object);
    }
    if (object.refuses(operation)) return false;
    if (step.kind == StepKind::grant) {
      if (!after.is_first(step.request)) return false;
      after.leave(step.request);
    }
    if (operation.function == Function::read && !sees(object, operation)) return false;
    if (model_ != Model::fenced_lock || operation.function != Function::acquire) {
      after.execute(operation, no_number);
      return can_go_on(done, beginning, after);
    }
    return any_token_goes_on(operation, done, beginning, object);
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  bool any_token_goes_on(const Operation& operation, std::uint64_t done, std::uint64_t beginning,
                         const ReferenceObject& object) {
    for (std::int64_t token = object.lowest_token(); token <= token_max_; ++token) {
      const bool is_told = operation.outcome == Outcome::ok && operation.token != no_number;
      if (is_told && operation.token != token) continue;
      ReferenceObject after = object;
      after.execute(operation, token);
      if (can_go_on(done, beginning, after)) return true;
    }
    return false;
  }

  [[nodiscard]] bool sees(const ReferenceObject& object, const Operation& operation) const {
    if (operation.outcome != Outcome::ok || operation.result == no_text) return true;
    const std::string seen(history_.texts.text(operation.result));
    return object.value(operation.key) == (seen == "nil" ? "" : seen);
  }

  const History& history_;
  Model model_;
  const Settings& settings_;
  std::vector<Step> steps_;
  std::int64_t token_max_ = 0;
  std::set<std::pair<std::uint64_t, std::string>> hopeless_;  // latest_beginning follows from it
};

}  // namespace

bool is_linearizable_by_brute_force(const History& history, Model model, const Settings& settings) {
  return AllOrders(history, model, settings).has_one();
}

}  // namespace lockstep::checker::recorded::testing
