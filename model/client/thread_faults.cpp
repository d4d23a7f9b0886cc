#include "model/client/thread_faults.h"

#include <algorithm>
#include <lua.hpp>

#include "model/client/client_components.h"
#include "model/trace_vocabulary.h"

namespace lockstep::model {

void ThreadFaults::interrupt(std::uint32_t thread) {
  if (client_.workload.end_sleep(thread)) return;
  Fiber* const fiber = client_.workload.waiting_fiber(thread);
  if (fiber != nullptr) return end_waiting(*fiber);
  if (std::find(pending_.begin(), pending_.end(), thread) == pending_.end()) {
    pending_.push_back(thread);
  }
}

bool ThreadFaults::strikes(Fiber& fiber) {
  if (pending_.empty() || fiber.task) return false;
  if (std::erase(pending_, fiber.thread) == 0) return false;
  raise(fiber, CallEffect::none);
  return true;
}

/// Takes the fiber out of wherever it waits.
void ThreadFaults::end_waiting(Fiber& fiber) {
  const std::uint32_t incarnation = client_.incarnation();
  CallEffect effect = CallEffect::none;
  switch (fiber.interaction.kind) {
    case Interaction::Kind::none:
      return;
    case Interaction::Kind::call:
      effect = client_.calls.leave(fiber);
      break;
    case Interaction::Kind::subscribe:
      client_.subscriptions.stop_subscribing(fiber);
      break;
    case Interaction::Kind::wait_message:
      client_.subscriptions.forget_waiter(fiber);
      break;
    case Interaction::Kind::wait_signal:
      client_.signals.forget_waiter(fiber);
      effect = CallEffect::unknown;  // of what it has had others do
      break;
    case Interaction::Kind::unsubscribe:
    case Interaction::Kind::sleep:
      break;
  }
  if (client_.incarnation() != incarnation) return;
  client_.host.cancel_timer(fiber.timer);
  client_.postponements.forget(fiber);
  raise(fiber, effect);
}

void ThreadFaults::raise(Fiber& fiber, CallEffect effect) {
  client_.service_operations.complete_unanswered(fiber, effect);
  lua_settop(fiber.lua, 0);  // the results of an answer that came and was postponed
  client_.fibers.fail(fiber, "INTERRUPTED", "INTERRUPTED the thread was interrupted", effect);
}

bool ThreadFaults::is_in_call(std::uint32_t thread) const {
  return client_.workload.waiting_fiber(thread) != nullptr;
}

void ThreadFaults::abandon(std::uint32_t thread) {
  Fiber* const fiber = client_.workload.waiting_fiber(thread);
  if (fiber == nullptr) return;
  client_.service_operations.continue_as_task(*fiber);
  client_.tasks.add(*fiber, "abandoned call");
  client_.workload.on_abandoned(thread);
}

}  // namespace lockstep::model
