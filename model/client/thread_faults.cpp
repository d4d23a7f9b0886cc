#include "model/client/thread_faults.h"

#include <algorithm>
#include <lua.hpp>

#include "model/client/calls.h"
#include "model/client/client_process.h"
#include "model/client/postponements.h"
#include "model/client/runtime/fiber_scheduler.h"
#include "model/client/service_operations.h"
#include "model/client/signals.h"
#include "model/client/subscriptions.h"
#include "model/client/tasks.h"
#include "model/client/workload.h"
#include "model/trace_vocabulary.h"

namespace lockstep::model {

void ThreadFaults::interrupt(std::uint32_t thread) {
  if (workload_.end_sleep(thread)) return;
  Fiber* const fiber = workload_.waiting_fiber(thread);
  if (fiber != nullptr) return end_waiting(*fiber);
  if (std::find(pending_.begin(), pending_.end(), thread) == pending_.end()) {
    pending_.push_back(thread);
  }
}

bool ThreadFaults::strikes(Fiber& fiber) {
  if (pending_.empty() || fiber.task) return false;
  if (std::erase(pending_, fiber.thread) == 0) return false;
  // Who is about to wait for others has had them do something, of which nobody knows the end.
  const bool has_others_at_work = fiber.interaction.kind == Interaction::Kind::wait_signal;
  raise(fiber, has_others_at_work ? CallEffect::unknown : CallEffect::none);
  return true;
}

/// Takes the fiber out of wherever it waits.
void ThreadFaults::end_waiting(Fiber& fiber) {
  const std::uint32_t incarnation = process_.incarnation();
  CallEffect effect = CallEffect::none;
  switch (fiber.interaction.kind) {
    case Interaction::Kind::none:
      return;
    case Interaction::Kind::call:
      effect = calls_.leave(fiber);
      break;
    case Interaction::Kind::subscribe:
      subscriptions_.stop_subscribing(fiber);
      break;
    case Interaction::Kind::wait_message:
      subscriptions_.forget_waiter(fiber);
      break;
    case Interaction::Kind::wait_signal:
      signals_.forget_waiter(fiber);
      effect = CallEffect::unknown;  // of what it has had others do
      break;
    case Interaction::Kind::unsubscribe:
    case Interaction::Kind::sleep:
      break;
  }
  if (process_.incarnation() != incarnation) return;
  process_.host.cancel_timer(fiber.timer);
  postponements_.forget(fiber);
  raise(fiber, effect);
}

void ThreadFaults::raise(Fiber& fiber, CallEffect effect) {
  operations_.complete_unanswered(fiber, effect);
  lua_settop(fiber.lua, 0);  // the results of an answer that came and was postponed
  fibers_.fail(fiber, "INTERRUPTED", "INTERRUPTED the thread was interrupted", effect);
}

bool ThreadFaults::is_in_call(std::uint32_t thread) const {
  return workload_.waiting_fiber(thread) != nullptr;
}

void ThreadFaults::abandon(std::uint32_t thread) {
  Fiber* const fiber = workload_.waiting_fiber(thread);
  if (fiber == nullptr) return;
  operations_.continue_as_task(*fiber);
  tasks_.add(*fiber, "abandoned call");
  workload_.on_abandoned(thread);
}

}  // namespace lockstep::model
