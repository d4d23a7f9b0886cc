#include "model/client/client_components.h"

#include <array>
#include <charconv>
#include <lua.hpp>
#include <utility>

#include "model/client/runtime/errors.h"
#include "model/trace_vocabulary.h"

namespace lockstep::model {
namespace {

RetrySettings retry_settings(const LockPackage& package) {
  return {.timeout_ns = package.number_option("timeout_ms") * sim::millisecond_ns,
          .attempts = package.number_option("retry_attempts"),
          .interval_ns = package.number_option("retry_interval_ms") * sim::millisecond_ns,
          .jitter_ns = package.number_option("retry_jitter_ms") * sim::millisecond_ns};
}

}  // namespace

ClientComponents::ClientComponents(sim::Host& client_host, const scenario::ClientSpec& spec,
                                   std::vector<sim::ActorId> threads,
                                   const ClientEnvironment& client_environment,
                                   ClientRuntime::Implementation& runtime_parts)
    : host(client_host),
      environment(client_environment),
      runtime(runtime_parts),
      retry(retry_settings(runtime_parts.package)),
      client_model(runtime_parts),
      fibers(runtime_parts, client_host, *this, *this),
      discovery(make_discovery(*this)),
      calls(*this),
      subscriptions(*this),
      signals(*this),
      service_operations(*this),
      tasks(*this),
      workload(*this, spec, std::move(threads)),
      thread_faults(*this),
      postponements(*this) {
  owners_.resize(workload.thread_count());
}

void ClientComponents::start_run(sim::ChoiceSource& run_choices) {
  choices_ = &run_choices;
  is_dead_ = false;
  ++incarnation_;
  failures.clear();
  client_number_was_read = false;
  fibers.recycle_all();
  discovery->start_run();
  calls.forget_all();
  subscriptions.forget_all();
  signals.forget_all();
  thread_faults.forget_all();
  postponements.forget_all();
  tasks.start_run();
  service_operations.start_run();
  uuid_.clear();
  append_hexadecimal(uuid_);
  for (std::size_t i = 0; i < owners_.size(); ++i) {
    owners_[i] = uuid_;
    owners_[i] += ':';
    owners_[i] += std::to_string(i + 1);
  }
  client_model.start_run(uuid_);
  workload.start_run();
}

void ClientComponents::on_crash() {
  is_dead_ = true;
  ++incarnation_;
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
  fibers.run_ready();
}

void ClientComponents::on_message(const sim::Incoming& incoming) {
  const bool is_known = calls.on_message(incoming.connection, incoming.argument) ||
                        subscriptions.on_message(incoming.connection, incoming.argument) ||
                        workload.on_message(incoming.connection, incoming.argument) ||
                        discovery->on_message(incoming.connection, incoming.argument);
  if (!is_known) environment.messages.release(incoming.argument);
}

void ClientComponents::on_timer(std::uint64_t cookie) {
  const auto whose = static_cast<std::uint32_t>(cookie);
  switch (static_cast<TimerUse>(cookie >> 32U)) {
    case TimerUse::call_timeout:
      return calls.on_timeout(fibers[whose]);
    case TimerUse::call_retry:
      return calls.on_retry_due(fibers[whose]);
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
  host.run_or_defer((static_cast<std::uint64_t>(order) << 32U) | thread);
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
      fiber.timer = start_timer(*fiber.interaction.timeout_ns, TimerUse::sleep, fiber.index);
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
  const lua::Memory::Unlimited unlimited(runtime.state.memory());
  const RaisedError error = read_error(fiber.lua);
  if (error.kind == RaisedError::Kind::failure) report_failure(fiber.actor, error.text);
  tasks.ended(fiber, error.text);
}

void ClientComponents::report_failure(sim::ActorId actor, std::string_view what) {
  environment.trace.emit(now(), trace_kind::client_failed, actor, {{"error", what}});
  failures.push_back(environment.trace.actor(actor).name + ": " + std::string(what));
}

// -- for the functions of `client` --

std::int64_t ClientComponents::wall_ms() const { return sim::floor_to_ms(host.wall_ns()); }

std::int64_t ClientComponents::monotonic_ms() const {
  return sim::floor_to_ms(host.monotonic_ns());
}

std::int64_t ClientComponents::random(std::int64_t count) {
  return choices_->between({sim::Purpose::client_random, static_cast<std::uint32_t>(id)}, 1, count);
}

sim::DurationNs ClientComponents::retry_wait_ns() {
  if (retry.jitter_ns == 0) return retry.interval_ns;
  return retry.interval_ns +
         choices_->between({sim::Purpose::client_random, static_cast<std::uint32_t>(id)}, 0,
                           retry.jitter_ns);
}

std::string_view ClientComponents::make_token() {
  token_.clear();
  append_hexadecimal(token_);
  return token_;
}

/// 128 bits, all of them chosen.
void ClientComponents::append_hexadecimal(std::string& text) {
  constexpr std::string_view digits = "0123456789abcdef";
  constexpr std::uint64_t alternatives = std::uint64_t{1} << 32U;
  const sim::Stream stream{sim::Purpose::token, static_cast<std::uint32_t>(id)};
  std::array<char, 32> written;
  std::size_t count = 0;
  for (int part = 0; part < 4; ++part) {
    const std::uint64_t bits = choices_->choose(stream, alternatives);
    for (unsigned shift = 32; shift > 0; shift -= 4) {
      written[count++] = digits[bits >> (shift - 4) & 15U];
    }
  }
  text.append(written.data(), count);
}

std::optional<std::uint32_t> ClientComponents::thread_of_owner(std::string_view text) const {
  for (std::size_t i = 0; i < owners_.size(); ++i) {
    if (owners_[i] == text) return static_cast<std::uint32_t>(i);
  }
  return std::nullopt;
}

}  // namespace lockstep::model
