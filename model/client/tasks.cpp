#include "model/client/tasks.h"

#include <algorithm>

#include "model/client/client.h"
#include "model/client/client_process.h"
#include "model/client/runtime/fiber_scheduler.h"
#include "model/client/service_operations.h"
#include "model/client/signals.h"
#include "model/client/subscriptions.h"
#include "model/trace_vocabulary.h"

namespace lockstep::model {

std::uint32_t Tasks::add(Fiber& fiber, std::string_view name) {
  fiber.task = ++last_;
  fiber.task_name = name;
  live_fibers_.push_back(fiber.index);
  process_.environment.trace.emit(process_.now(), trace_kind::task_started, fiber.actor,
                                  {{"task", name}, {"number", last_}});
  return last_;
}

bool Tasks::cancel(std::uint32_t task) {
  Fiber* fiber = find(task);
  if (fiber == nullptr || fiber->state == Fiber::State::running) return false;
  const Interaction::Kind asked_for = fiber->interaction.kind;
  const bool has_begun = asked_for != Interaction::Kind::none;
  const bool is_asleep =
      fiber->state == Fiber::State::waiting &&
      (asked_for == Interaction::Kind::sleep || asked_for == Interaction::Kind::wait_message ||
       asked_for == Interaction::Kind::wait_signal);
  if (has_begun && !is_asleep) return false;
  process_.host.cancel_timer(fiber->timer);
  subscriptions_.forget_waiter(*fiber);
  signals_.forget_waiter(*fiber);
  operations_.complete_all(*fiber, checker::Outcome::info);
  ended(*fiber, "cancelled");
  return true;
}

void Tasks::ended(Fiber& fiber, std::string_view why) {
  process_.environment.trace.emit(
      process_.now(), trace_kind::task_ended, fiber.actor,
      {{"task", fiber.task_name}, {"number", *fiber.task}, {"why", why}});
  std::erase(live_fibers_, fiber.index);
  fibers_.recycle(fiber);
}

void Tasks::on_crash() {
  for (const std::uint32_t index : live_fibers_) {
    const Fiber& fiber = fibers_[index];
    process_.environment.trace.emit(
        process_.now(), trace_kind::task_ended, fiber.actor,
        {{"task", fiber.task_name}, {"number", *fiber.task}, {"why", "crashed"}});
  }
  live_fibers_.clear();
}

void Tasks::start_run() {
  live_fibers_.clear();
  last_ = 0;
}

std::vector<LiveTask> Tasks::live() const {
  std::vector<LiveTask> tasks;
  for (const std::uint32_t index : live_fibers_) {
    const Fiber& fiber = fibers_[index];
    LiveTask& task = tasks.emplace_back();
    task.name = fiber.task_name + " of " + process_.environment.trace.actor(fiber.actor).name;
    const bool listens = fiber.state == Fiber::State::waiting &&
                         fiber.interaction.kind == Interaction::Kind::wait_message;
    if (listens) task.channel = fiber.interaction.text;
  }
  return tasks;
}

Fiber* Tasks::find(std::uint32_t task) {
  const auto found = std::find_if(live_fibers_.begin(), live_fibers_.end(),
                                  [&](std::uint32_t index) { return fibers_[index].task == task; });
  return found == live_fibers_.end() ? nullptr : &fibers_[*found];
}

}  // namespace lockstep::model
