#include "model/client/tasks.h"

#include <algorithm>

#include "model/client/client_components.h"
#include "model/trace_vocabulary.h"

namespace lockstep::model {

std::uint32_t Tasks::add(Fiber& fiber, std::string_view name) {
  fiber.task = ++last_;
  fiber.task_name = name;
  fibers_.push_back(fiber.index);
  client_.environment.trace.emit(client_.now(), trace_kind::task_started, fiber.actor,
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
  client_.host.cancel_timer(fiber->timer);
  client_.subscriptions.forget_waiter(*fiber);
  client_.signals.forget_waiter(*fiber);
  client_.service_operations.complete_all(*fiber, checker::Outcome::info);
  ended(*fiber, "cancelled");
  return true;
}

void Tasks::ended(Fiber& fiber, std::string_view why) {
  client_.environment.trace.emit(
      client_.now(), trace_kind::task_ended, fiber.actor,
      {{"task", fiber.task_name}, {"number", *fiber.task}, {"why", why}});
  std::erase(fibers_, fiber.index);
  client_.fibers.recycle(fiber);
}

void Tasks::on_crash() {
  for (const std::uint32_t index : fibers_) {
    const Fiber& fiber = client_.fibers[index];
    client_.environment.trace.emit(
        client_.now(), trace_kind::task_ended, fiber.actor,
        {{"task", fiber.task_name}, {"number", *fiber.task}, {"why", "crashed"}});
  }
  fibers_.clear();
}

void Tasks::start_run() {
  fibers_.clear();
  last_ = 0;
}

std::vector<std::string> Tasks::live() const {
  std::vector<std::string> names;
  for (const std::uint32_t index : fibers_) {
    names.push_back(client_.fibers[index].task_name + " of " +
                    client_.environment.trace.actor(client_.fibers[index].actor).name);
  }
  return names;
}

Fiber* Tasks::find(std::uint32_t task) {
  const auto found = std::find_if(fibers_.begin(), fibers_.end(), [&](std::uint32_t index) {
    return client_.fibers[index].task == task;
  });
  return found == fibers_.end() ? nullptr : &client_.fibers[*found];
}

}  // namespace lockstep::model
