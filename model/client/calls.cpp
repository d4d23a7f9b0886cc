// Invariants: a fiber with a call under way is either in under_way_ and has a timer for the attempt
// (its connection, open or about to be, is in fiber.connection; none: it waits for one), or it has
// a timer for the next attempt. fiber.is_sent says whether its requests have been sent and not all
// of them answered.
#include "model/client/calls.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <lua.hpp>
#include <string>

#include "model/client/client_process.h"
#include "model/client/discovery.h"
#include "model/client/postponements.h"
#include "model/client/runtime/errors.h"
#include "model/client/runtime/fiber_scheduler.h"
#include "model/client/runtime/functions.h"
#include "model/client/service_operations.h"
#include "model/client/subscriptions.h"
#include "model/recorder.h"
#include "model/trace_vocabulary.h"
#include "redis/protocol/refusals.h"
#include "scenario/faults/callback_kind.h"

namespace lockstep::model {
namespace {

/// Answers of a server that may answer otherwise a little later, or of one that is the wrong one.
constexpr std::array<std::string_view, 6> passing_codes = {"READONLY",    "LOADING",  "MASTERDOWN",
                                                           "CLUSTERDOWN", "TRYAGAIN", "BUSY"};
/// Of a call's number, beneath its client's.
constexpr unsigned call_bits = 40;

constexpr std::string_view no_more_clients = "ERR max number of clients";

bool is_passing(std::string_view code) {
  return std::find(passing_codes.begin(), passing_codes.end(), code) != passing_codes.end();
}

/// Or the library has not sent it.
bool has_no_effect(std::string_view code) {
  return redis::is_refusal(code) || code == no_connection_code;
}

}  // namespace

// -- an attempt's beginning --

void Calls::start(Fiber& fiber) {
  fiber.attempt = 0;
  fiber.redirections = 0;
  fiber.may_have_had_effect = false;
  for (std::size_t i = 0; i < fiber.interaction.command_count; ++i) {
    fiber.interaction.commands[i].first_number = 0;
  }
  fiber.connection = {};
  fiber.is_sent = false;
  begin_attempt(fiber);
}

void Calls::begin_attempt(Fiber& fiber) {
  ++fiber.attempt;
  fiber.last_error.clear();
  if (fiber.attempt > 1) {
    operations_.set_repeated(fiber.thread);
    process_.environment.trace.emit(
        process_.now(), trace_kind::call_retried, fiber.actor,
        {{"label", fiber.interaction.commands[0].label}, {"attempt", fiber.attempt}});
  }
  fiber.timer =
      process_.start_timer(process_.retry.timeout_ns, TimerUse::call_timeout, fiber.index);
  take_connection(fiber);
}

sim::Payload Calls::make_request(Command& command, sim::HostId node, sim::ActorId actor) {
  const sim::Payload payload = process_.environment.messages.make();
  Message& message = process_.environment.messages[payload];
  message.kind = Message::Kind::request;
  message.label = command.label;
  message.on_behalf_of = actor;
  command.number = ++last_number_;
  message.number = command.number;
  message.is_sent_again = command.first_number != 0;
  if (!message.is_sent_again) command.first_number = command.number;
  message.call =
      (std::uint64_t{static_cast<std::uint32_t>(process_.id)} << call_bits) + command.first_number;
  if (command.script != Command::no_script) {
    const auto& script = process_.runtime.scripts[static_cast<std::size_t>(command.script)];
    const bool is_known = knows(node, command.script);
    message.arguments.push(is_known ? "EVALSHA" : "EVAL");
    message.arguments.push(is_known ? std::string_view(script.sha1) : script.body);
  }
  message.arguments.append(command.rest);
  return payload;
}

// Sending may strike down this process or the connection: each round starts from what is left. What
// has been answered of requests that are sent again is not sent again.
void Calls::send_commands(Fiber& fiber) {
  const std::uint32_t incarnation = process_.incarnation();
  const sim::ConnectionId connection = fiber.connection;
  const sim::HostId node = find(connection)->node;
  fiber.is_sent = false;
  fiber.replies_missing = fiber.interaction.command_count;
  for (std::size_t i = 0; i < fiber.interaction.command_count; ++i) {
    if (fiber.interaction.commands[i].reply) --fiber.replies_missing;
  }
  for (std::size_t i = 0; i < fiber.interaction.command_count; ++i) {
    Command& command = fiber.interaction.commands[i];
    if (command.reply) continue;
    const sim::Payload payload = make_request(command, node, fiber.actor);
    const bool was_sent = process_.environment.network.send(connection, process_.id, payload,
                                                            command.label, fiber.actor);
    if (was_sent)
      process_.environment.recorder.add_request(static_cast<std::uint32_t>(process_.id),
                                                fiber.actor);
    if (!was_sent) process_.environment.messages.release(payload);
    if (process_.incarnation() != incarnation) return;
    if (was_sent) {
      fiber.is_sent = true;
      continue;
    }
    // It was closed, and the notice of that still waits to be read. Where there is but this one,
    // the notice says what is to be done; else another one will do.
    if (is_shared()) return;
    const bool was_begun = fiber.is_sent;
    take_off(fiber);
    remove(connection);
    if (was_begun) return on_attempt_failed(fiber, RetryWhen::at_once);
    return take_connection(fiber);
  }
}

// -- an attempt's end --

void Calls::on_timeout(Fiber& fiber) {
  process_.environment.trace.emit(
      process_.now(), trace_kind::call_timed_out, fiber.actor,
      {{"label", fiber.interaction.commands[0].label}, {"attempt", fiber.attempt}});
  const sim::ConnectionId connection = fiber.connection;
  const Connection* const used = find(connection);
  if (used == nullptr) return refuse_for_want_of_connection(fiber);
  const std::size_t shard = used->shard;
  const sim::HostId node = used->node;
  if (fiber.is_sent) fiber.may_have_had_effect = true;
  if (is_shared()) {
    take_off(fiber);
    discovery_.on_node_failure(shard, node);
  } else {
    discovery_.on_node_failure(shard, node);
    take_off(fiber);
    remove(connection);
    process_.environment.network.close(connection, process_.id);
  }
  leave_old_master(shard);
  on_attempt_failed(fiber, RetryWhen::after_interval);
}

void Calls::on_retry_due(Fiber& fiber) {
  leave_old_master(fiber.interaction.shard);
  subscriptions_.leave_old_master(fiber.interaction.shard);
  begin_attempt(fiber);
}

void Calls::on_attempt_failed(Fiber& fiber, RetryWhen when) {
  process_.host.cancel_timer(fiber.timer);
  release_replies(fiber);
  fiber.is_sent = false;
  if (fiber.attempt > process_.retry.attempts) return give_up(fiber);
  if (when == RetryWhen::at_once) return begin_attempt(fiber);
  fiber.timer = process_.start_timer(process_.retry_wait_ns(), TimerUse::call_retry, fiber.index);
}

void Calls::give_up(Fiber& fiber) {
  const bool was_refused = fiber.last_error.empty() ||
                           fiber.last_error.starts_with(no_more_clients) ||
                           has_no_effect(redis::code_of(fiber.last_error));
  const CallEffect effect =
      was_refused && !fiber.may_have_had_effect ? CallEffect::none : CallEffect::unknown;
  process_.environment.recorder.add_call_given_up(
      fiber.actor, static_cast<std::uint32_t>(fiber.interaction.shard), !fiber.last_error.empty());
  operations_.complete_unanswered(fiber, effect);
  if (!fiber.last_error.empty()) {
    fibers_.fail(fiber, redis::code_of(fiber.last_error), fiber.last_error, effect);
    return;
  }
  const std::string message = "TIMEOUT no reply to " +
                              std::string(fiber.interaction.commands[0].label) + " in " +
                              std::to_string(fiber.attempt) + " attempts";
  fibers_.fail(fiber, "TIMEOUT", message, effect);
}

CallEffect Calls::leave(Fiber& fiber) {
  const sim::ConnectionId connection = fiber.connection;
  Connection* const used = find(connection);
  const bool was_sent = fiber.is_sent;
  take_off(fiber);
  if (was_sent) fiber.may_have_had_effect = true;
  if (used != nullptr && !is_shared()) {
    if (was_sent) {
      used->unread_replies = fiber.replies_missing;
    } else {
      remove(connection);
      process_.environment.network.close(connection, process_.id);
    }
  }
  release_replies(fiber);
  // An answer that has come and was not looked at is as good as none.
  return fiber.may_have_had_effect || fiber.is_postponed ? CallEffect::unknown : CallEffect::none;
}

// -- replies --

bool Calls::on_message(sim::ConnectionId connection, sim::Payload payload) {
  Connection* const used = find(connection);
  if (used == nullptr) return false;
  if (used->unread_replies > 0) {
    --used->unread_replies;
    process_.environment.messages.release(payload);
    return true;
  }
  const std::uint64_t number = process_.environment.messages[payload].number;
  const redis::Reply& reply = process_.environment.messages[payload].reply;
  if (number == 0 && reply.is_error()) {  // no answer, but a farewell
    used->was_refused = true;
    Fiber* const user = is_shared() ? nullptr : user_of(connection);
    if (user != nullptr) user->last_error = reply.text;
  }
  for (const std::uint32_t index : under_way_) {
    Fiber& fiber = fibers_[index];
    if (fiber.connection != connection || !fiber.is_sent) continue;
    for (std::size_t i = 0; i < fiber.interaction.command_count; ++i) {
      Command& command = fiber.interaction.commands[i];
      if (command.number != number || command.reply) continue;
      command.reply = payload;
      if (--fiber.replies_missing == 0) on_replies_complete(fiber);
      return true;
    }
  }
  process_.environment.messages.release(payload);  // nobody waits for it any more
  return true;
}

void Calls::on_replies_complete(Fiber& fiber) {
  const std::size_t shard = fiber.interaction.shard;
  const sim::HostId node = find(fiber.connection)->node;
  bool is_unknown_script = false;
  bool was_refused = true;
  std::string_view moved;
  for (std::size_t i = 0; i < fiber.interaction.command_count; ++i) {
    const Command& command = fiber.interaction.commands[i];
    const redis::Reply& reply = process_.environment.messages[*command.reply].reply;
    const std::string_view code =
        reply.is_error() ? redis::code_of(reply.text) : std::string_view();
    const bool is_missing = code == "NOSCRIPT";
    if (command.script != Command::no_script) {
      set_known(node, command.script, !is_missing);
      is_unknown_script |= is_missing;
    }
    if (code == "MOVED") moved = reply.text;
    if (is_passing(code)) fiber.last_error = reply.text;
    was_refused &= has_no_effect(code);
  }
  // What stood beside a refused command in a pipeline may have been done.
  if (!was_refused) {
    fiber.may_have_had_effect = true;
    process_.environment.recorder.note_told(fiber.actor);
  }
  if (is_unknown_script) {
    release_replies(fiber);
    // Where others share the connection, it is behind what they have sent.
    std::erase(under_way_, fiber.index);
    under_way_.push_back(fiber.index);
    return send_commands(fiber);
  }
  take_off(fiber);
  if (!moved.empty() && follow(fiber, moved)) return;
  if (fiber.last_error.empty()) return finish(fiber, node);
  discovery_.on_node_failure(shard, node);
  const bool has_moved = discovery_.master_of(shard) != node;
  leave_old_master(shard);
  on_attempt_failed(fiber, has_moved ? RetryWhen::at_once : RetryWhen::after_interval);
}

/// Asks the node that a MOVED names, at once and within the same attempt; false where there is
/// none.
bool Calls::follow(Fiber& fiber, std::string_view moved) {
  constexpr std::uint32_t redirections_max = 5;
  if (fiber.redirections >= redirections_max || !discovery_.on_moved(moved)) return false;
  ++fiber.redirections;
  fiber.last_error.clear();
  release_replies(fiber);
  take_connection(fiber);
  return true;
}

void Calls::finish(Fiber& fiber, sim::HostId server) {
  process_.host.cancel_timer(fiber.timer);
  for (std::size_t i = 0; i < fiber.interaction.command_count; ++i) {
    const redis::Reply& reply =
        process_.environment.messages[*fiber.interaction.commands[i].reply].reply;
    if (!reply.is_error()) continue;
    fiber.last_error = reply.text;
    process_.report_error(fiber.actor, server, fiber.interaction.commands[i].label, reply.text);
    const int script = fiber.interaction.commands[i].script;
    if (script != Command::no_script) {
      process_.report_script_failure(fiber.actor, static_cast<std::size_t>(script), reply.text);
    }
    release_replies(fiber);
    return give_up(fiber);
  }
  {
    const lua::Memory::Unlimited unlimited(process_.runtime.state.memory());
    for (std::size_t i = 0; i < fiber.interaction.command_count; ++i) {
      const sim::Payload payload = *fiber.interaction.commands[i].reply;
      push_reply(fiber.lua, process_.environment.messages[payload].reply);
    }
  }
  release_replies(fiber);
  const auto count = static_cast<int>(fiber.interaction.command_count);
  const std::string_view label = fiber.interaction.commands[0].label;
  lua_pushboolean(fiber.lua, 1);
  if (postponements_.hold_back(fiber, scenario::CallbackKind::reply, label, count + 1)) return;
  fibers_.make_ready(fiber, count + 1);
}

void Calls::release_replies(Fiber& fiber) {
  for (std::size_t i = 0; i < fiber.interaction.command_count; ++i) {
    Command& command = fiber.interaction.commands[i];
    if (command.reply) process_.environment.messages.release(*command.reply);
    command.reply.reset();
  }
}

// -- small steps --

void Calls::forget_all() {
  connections_.clear();
  under_way_.clear();
  shared_.clear();
  std::fill(known_scripts_.begin(), known_scripts_.end(), 0U);
  last_number_ = 0;
}

bool Calls::knows(sim::HostId node, int script) const {
  const auto index = static_cast<std::size_t>(node);
  return index < known_scripts_.size() &&
         (known_scripts_[index] >> static_cast<unsigned>(script) & 1U) != 0;
}

void Calls::set_known(sim::HostId node, int script, bool known) {
  const auto index = static_cast<std::size_t>(node);
  if (index >= known_scripts_.size()) known_scripts_.resize(index + 1);
  const std::uint64_t bit = std::uint64_t{1} << static_cast<unsigned>(script);
  known_scripts_[index] = known ? known_scripts_[index] | bit : known_scripts_[index] & ~bit;
}

}  // namespace lockstep::model
