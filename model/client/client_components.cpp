#include "model/client/client_components.h"

#include <utility>

#include "model/client/runtime/errors.h"

namespace lockstep::model {

ClientComponents::ClientComponents(sim::Host& host, const scenario::ClientSpec& spec,
                                   std::vector<sim::ActorId> threads,
                                   const ClientEnvironment& environment,
                                   ClientRuntime::Implementation& runtime)
    : process(host, environment, runtime, threads.size()),
      client_model(runtime, process.options),
      fibers(process, *this, *this),
      discovery(make_discovery(process, *this)),
      postponements(process, fibers),
      subscriptions(process, fibers, *discovery),
      signals(process, fibers),
      service_operations(process, workload),
      calls(process, fibers, *discovery, subscriptions, service_operations, postponements),
      tasks(process, fibers, subscriptions, signals, service_operations),
      workload(process, spec, std::move(threads), fibers, client_model, service_operations),
      thread_faults(process, workload, fibers, calls, subscriptions, signals, service_operations,
                    tasks, postponements) {}

void ClientComponents::start_run(sim::ChoiceSource& choices) {
  process.start_run(choices);
  client_number_was_read = false;
  wall_clock_was_read = false;
  fibers.recycle_all();
  discovery->start_run();
  calls.forget_all();
  subscriptions.forget_all();
  signals.forget_all();
  thread_faults.forget_all();
  postponements.forget_all();
  tasks.start_run();
  service_operations.start_run();
  process.draw_names();
  client_model.start_run(process.uuid());
  workload.start_run();
}

void ClientComponents::on_crash() {
  process.on_crash();
  workload.on_crash();
  tasks.on_crash();
  for (std::uint32_t i = 0; i < fibers.size(); ++i) calls.release_replies(fibers[i]);
  fibers.recycle_all();
  discovery->forget_all();
  calls.forget_all();
  subscriptions.forget_all();
  signals.forget_all();
  thread_faults.forget_all();
  postponements.forget_all();
}

// -- what reaches the process --

void ClientComponents::on_incoming(const sim::Incoming& incoming) {
  switch (incoming.kind) {
    case sim::Incoming::Kind::message:
      on_message(incoming);
      break;
    case sim::Incoming::Kind::connection_opened:
      static_cast<void>(
          calls.on_opened(incoming.connection) || subscriptions.on_opened(incoming.connection) ||
          workload.on_opened(incoming.connection) || discovery->on_opened(incoming.connection));
      break;
    case sim::Incoming::Kind::connection_refused:
      static_cast<void>(
          calls.on_refused(incoming.connection) || subscriptions.on_closed(incoming.connection) ||
          workload.on_closed(incoming.connection) || discovery->on_closed(incoming.connection));
      break;
    case sim::Incoming::Kind::connection_closed:
      static_cast<void>(
          calls.on_closed(incoming.connection) || subscriptions.on_closed(incoming.connection) ||
          workload.on_closed(incoming.connection) || discovery->on_closed(incoming.connection));
      break;
    case sim::Incoming::Kind::timer:
      on_timer(incoming.argument);
      break;
    case sim::Incoming::Kind::resumed_work:
      if (incoming.argument == FiberScheduler::deferred_cookie) return fibers.on_resumed();
      carry_out(incoming.argument);
      break;
  }
  calls.serve_waiting();
  fibers.run_ready();
}

void ClientComponents::on_message(const sim::Incoming& incoming) {
  const bool is_known = calls.on_message(incoming.connection, incoming.argument) ||
                        subscriptions.on_message(incoming.connection, incoming.argument) ||
                        workload.on_message(incoming.connection, incoming.argument) ||
                        discovery->on_message(incoming.connection, incoming.argument);
  if (!is_known) process.environment.messages.release(incoming.argument);
}

void ClientComponents::on_timer(std::uint64_t cookie) {
  const auto whose = static_cast<std::uint32_t>(cookie);
  switch (static_cast<TimerUse>(cookie >> 32U)) {
    case TimerUse::call_timeout:
      return calls.on_timeout(fibers[whose]);
    case TimerUse::call_retry:
      return calls.on_retry_due(fibers[whose]);
    case TimerUse::call_reconnect:
      return calls.on_reconnect_due(whose);
    case TimerUse::sleep:
      return fibers.succeed(fibers[whose], 0);
    case TimerUse::message_timeout:
      return subscriptions.on_message_timeout(fibers[whose]);
    case TimerUse::subscribe_timeout:
      return subscriptions.on_subscribe_timeout(fibers[whose]);
    case TimerUse::signal_timeout:
      return signals.on_timeout(fibers[whose]);
    case TimerUse::reconnect:
      return subscriptions.on_reconnect_due(whose);
    case TimerUse::start:
      return workload.on_start_due();
    case TimerUse::step_sleep:
      return workload.on_sleep_over(whose);
    case TimerUse::validity:
      return workload.on_validity_over(whose);
    case TimerUse::postponed:
      return postponements.on_postponement_over(fibers[whose]);
    case TimerUse::discovery:
      return discovery->on_timer(whose);
  }
}

// -- what befalls its threads --

void ClientComponents::order(ThreadFault order, std::uint32_t thread) {
  process.host.run_or_defer((static_cast<std::uint64_t>(order) << 32U) | thread);
}

void ClientComponents::carry_out(std::uint64_t cookie) {
  const auto thread = static_cast<std::uint32_t>(cookie);
  switch (static_cast<ThreadFault>(cookie >> 32U)) {
    case ThreadFault::interrupt:
      return thread_faults.interrupt(thread);
    case ThreadFault::abandon:
      return thread_faults.abandon(thread);
  }
}

// -- what the coroutines come to --

void ClientComponents::on_interaction(Fiber& fiber) {
  if (thread_faults.strikes(fiber)) return;
  switch (fiber.interaction.kind) {
    case Interaction::Kind::none:
      return;
    case Interaction::Kind::call:
      return calls.start(fiber);
    case Interaction::Kind::subscribe:
      return subscriptions.subscribe(fiber);
    case Interaction::Kind::wait_message:
      return subscriptions.wait_message(fiber);
    case Interaction::Kind::unsubscribe:
      return subscriptions.unsubscribe(fiber);
    case Interaction::Kind::wait_signal:
      return signals.wait(fiber);
    case Interaction::Kind::sleep:
      fiber.timer =
          process.start_timer(*fiber.interaction.timeout_ns, TimerUse::sleep, fiber.index);
      return;
  }
}

void ClientComponents::on_returned(Fiber& fiber) {
  if (!fiber.task) return workload.on_returned(fiber);
  service_operations.complete_all(fiber, checker::Outcome::info);
  tasks.ended(fiber, "finished");
}

void ClientComponents::on_raised(Fiber& fiber) {
  if (!fiber.task) return workload.on_raised(fiber);
  service_operations.complete_all(fiber, checker::Outcome::info);
  const lua::Memory::Unlimited unlimited(process.runtime.state.memory());
  const RaisedError error = read_error(fiber.lua);
  process.report_uncaught(fiber.actor, error.text);
  if (error.kind == RaisedError::Kind::failure) process.report_failure(fiber.actor, error.text);
  tasks.ended(fiber, error.text);
}

void ClientComponents::on_new_master(std::size_t shard) {
  calls.on_new_master(shard);
  subscriptions.leave_old_master(shard);
}

}  // namespace lockstep::model
