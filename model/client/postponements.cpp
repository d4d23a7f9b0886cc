#include "model/client/postponements.h"

#include <algorithm>

#include "model/client/client_process.h"
#include "model/client/runtime/fiber.h"
#include "model/client/runtime/fiber_scheduler.h"

namespace lockstep::model {

bool Postponements::hold_back(Fiber& fiber, scenario::CallbackKind kind, std::string_view name,
                              int results) {
  if (callback_listener_ != nullptr) callback_listener_->on_due(process_.host.name(), kind, name);
  const auto order = std::find_if(orders_.begin(), orders_.end(), [&](Postponement& candidate) {
    return candidate.kind == kind && candidate.name == name && --candidate.nth == 0;
  });
  if (order == orders_.end()) return false;
  const Postponement found = *order;
  orders_.erase(order);
  fiber.results = results;
  fiber.is_postponed = true;
  fiber.postponed_for = found.fault;
  fiber.timer = process_.start_timer(found.by_ns, TimerUse::postponed, fiber.index);
  if (listener_ != nullptr) listener_->on_postponed(found.fault);
  return true;
}

void Postponements::on_postponement_over(Fiber& fiber) {
  fiber.is_postponed = false;
  fibers_.make_ready(fiber, fiber.results);
}

void Postponements::forget(Fiber& fiber) { fiber.is_postponed = false; }

// By a timer, so that a paused process, too, does it when it goes on.
void Postponements::cancel(std::size_t fault) {
  std::erase_if(orders_, [&](const Postponement& order) { return order.fault == fault; });
  for (std::uint32_t i = 0; i < fibers_.size(); ++i) {
    Fiber& fiber = fibers_[i];
    if (!fiber.is_postponed || fiber.postponed_for != fault) continue;
    process_.host.cancel_timer(fiber.timer);
    fiber.timer = process_.start_timer(0, TimerUse::postponed, i);
  }
}

}  // namespace lockstep::model
