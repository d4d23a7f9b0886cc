#include "model/client/signals.h"

#include <algorithm>
#include <lua.hpp>

#include "model/client/client_process.h"
#include "model/client/runtime/fiber_scheduler.h"

namespace lockstep::model {

Signals::Semaphore& Signals::find(std::string_view name) {
  const auto found = std::find_if(semaphores_.begin(), semaphores_.end(),
                                  [&](const Semaphore& each) { return each.name == name; });
  if (found != semaphores_.end()) return *found;
  // One with nothing in it that nobody waits at is as good as none: names that are used once don't
  // pile up.
  const auto idle = std::find_if(semaphores_.begin(), semaphores_.end(), [](const Semaphore& each) {
    return each.permits == 0 && each.waiting.empty();
  });
  if (idle != semaphores_.end()) {
    idle->name = name;
    return *idle;
  }
  semaphores_.push_back({std::string(name), 0, {}});
  return semaphores_.back();
}

void Signals::wait(Fiber& fiber) {
  Semaphore& semaphore = find(fiber.interaction.text);
  const auto& timeout_ns = fiber.interaction.timeout_ns;
  if (semaphore.permits > 0) {
    --semaphore.permits;
    return answer(fiber, true);
  }
  if (timeout_ns && *timeout_ns <= 0) return answer(fiber, false);
  semaphore.waiting.push_back(fiber.index);
  fiber.timer = {};
  if (timeout_ns) {
    fiber.timer = process_.start_timer(*timeout_ns, TimerUse::signal_timeout, fiber.index);
  }
}

void Signals::signal(std::string_view name, std::int64_t permits) {
  Semaphore& semaphore = find(name);
  semaphore.permits += std::min(permits, INT64_MAX - semaphore.permits);
  while (semaphore.permits > 0 && !semaphore.waiting.empty()) {
    Fiber& fiber = fibers_[semaphore.waiting.front()];
    semaphore.waiting.erase(semaphore.waiting.begin());
    --semaphore.permits;
    process_.host.cancel_timer(fiber.timer);
    answer(fiber, true);
  }
}

void Signals::on_timeout(Fiber& fiber) {
  forget_waiter(fiber);
  answer(fiber, false);
}

void Signals::forget_waiter(const Fiber& fiber) {
  for (Semaphore& semaphore : semaphores_) std::erase(semaphore.waiting, fiber.index);
}

void Signals::answer(Fiber& fiber, bool yes) {
  lua_pushboolean(fiber.lua, yes ? 1 : 0);
  fibers_.succeed(fiber, 1);
}

}  // namespace lockstep::model
