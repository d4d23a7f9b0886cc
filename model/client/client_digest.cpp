// A client as a part of a state: its components, its coroutines, and what its client model's
// variables hold.
//
// Coroutines are named in the order of the threads and tasks that they are. Numbers of requests and
// of operations only tell these apart. Not here: under which names its work stands in the history,
// and what is set anew before each use.
//
// Not state: choices_, listener_, callback_listener_, nodes_, chunk_, libraries_, traits_ (the same
// in all runs), image_, snapshots_taken_, snapshots_restored_ (what a run begins with is the same
// with them and without), owners_, owner_strings_ (made of the uuid), actor (the thread's),
// reference, fibers_, unused_, token_ (memory), incarnation_, last_number_ (numbers to come are new
// ones), is_running_, iterations, loading_iterations_ (over between two events), processes_ (names
// in the history), client_number_was_read, wall_clock_was_read, repeated_, first_number (nobody in
// the run sees them), changes_, values_, values_changes_ (memory of the last digest).
#include <algorithm>
#include <lua.hpp>

#include "model/client/client_components.h"
#include "model/client/cluster_discovery.h"
#include "model/client/sentinel_discovery.h"
#include "model/lock/client_model_instrumentation.h"
#include "model/lock/lock_package.h"

namespace lockstep::model {
namespace {

/// More turns in one instant than a client has that does not go on for ever.
constexpr int turns_told_apart = 1'000;

bool is_of_fiber(TimerUse use) {
  switch (use) {
    case TimerUse::call_timeout:
    case TimerUse::call_retry:
    case TimerUse::sleep:
    case TimerUse::message_timeout:
    case TimerUse::subscribe_timeout:
    case TimerUse::signal_timeout:
    case TimerUse::postponed:
      return true;
    case TimerUse::call_reconnect:
    case TimerUse::reconnect:
    case TimerUse::start:
    case TimerUse::step_sleep:
    case TimerUse::validity:
    case TimerUse::discovery:
      return false;
  }
  return false;
}

}  // namespace

void ClientProcess::digest_into(sim::Digest& digest) const {
  digest.add(is_dead_);
  digest.add(std::string_view(uuid_));
  digest.add(failures_.empty());
  // script_failure_ and refused_ are no state: what comes next depends on the reply that the client
  // got.
}

void ClientProcess::digest_fiber(sim::Digest& digest, std::uint32_t fiber) const {
  digest.name(sim::NamedKind::fiber, static_cast<std::uint64_t>(id), fiber);
}

void ClientProcess::digest_fibers(sim::Digest& digest,
                                  const std::vector<std::uint32_t>& fibers) const {
  digest.add(fibers.size());
  for (const std::uint32_t fiber : fibers) digest_fiber(digest, fiber);
}

void ClientComponents::digest_cookie(sim::Digest& digest, std::uint64_t cookie) const {
  const auto use = static_cast<TimerUse>(cookie >> 32U);
  const auto whose = static_cast<std::uint32_t>(cookie);
  digest.add(use);
  is_of_fiber(use) ? process.digest_fiber(digest, whose) : digest.add(whose);
}

lua::ValueDigest& ClientComponents::values() const {
  if (process.runtime.values) return *process.runtime.values;
  lua::ValueDigest& made = process.runtime.values.emplace(process.runtime.main);
  for (const LuaReference* const constant :
       {&process.runtime.base, &process.runtime.functions_metatable,
        &process.runtime.error_metatable}) {
    constant->push(process.runtime.main);
    made.know();
  }
  for (const auto& each : process.runtime.option_tables) {
    each.table.push(process.runtime.main);
    made.know();
  }
  const LockPackage& package = process.runtime.package;
  made.note_source("@" + chunk_name_of(package.client_path), package.client_source);
  for (const LockLibrary& library : package.libraries) {
    made.note_source("@" + chunk_name_of(library.path), library.source);
  }
  return made;
}

void ClientComponents::digest_into(sim::Digest& digest) {
  process.digest_into(digest);
  digest.begin_part("workload");
  workload.digest_into(digest);
  digest.begin_part("tasks");
  tasks.digest_into(digest);
  digest.begin_part("fibers");
  fibers.digest_into(digest);
  digest.begin_part("calls");
  calls.digest_into(digest);
  digest.begin_part("subscriptions");
  subscriptions.digest_into(digest);
  digest.begin_part("signals");
  signals.digest_into(digest);
  digest.begin_part("records");
  service_operations.digest_into(digest);
  digest.begin_part("interruptions");
  thread_faults.digest_into(digest);
  digest.begin_part("postponements");
  postponements.digest_into(digest);
  digest.begin_part("directory");
  discovery->digest_into(digest);

  digest.begin_part("coroutines");
  for (const std::uint32_t index : workload.live_fibers()) digest_contents(digest, fibers[index]);
  for (const std::uint32_t index : tasks.live_fibers()) digest_contents(digest, fibers[index]);
  digest.begin_part("values");
  if (values_changes_ != fibers.changes()) {
    values_ = digest_values(digest);
    values_changes_ = fibers.changes();
  }
  digest.add(values_.value.high);
  digest.add(values_.value.low);
  if (values_.is_unmergeable) digest.mark_unmergeable();
  digest.begin_part("host");
}

/// What the client model's variables and its coroutines' stacks hold. Times are no part of it, nor
/// is anything that is not Lua's: so it is the same until some coroutine has gone on.
lua::ValueDigest::Values ClientComponents::digest_values(const sim::Digest& digest) {
  const lua::Memory::Unlimited unlimited(process.runtime.state.memory());
  if (!constants_are_registered_) client_model.register_constants(values());
  constants_are_registered_ = true;
  lua::ValueDigest& lua_values = values();
  lua_values.begin(digest);
  client_model.digest_into(lua_values);
  for (const std::uint32_t index : workload.live_fibers()) {
    lua_values.add_coroutine(fibers[index].lua);
  }
  for (const std::uint32_t index : tasks.live_fibers()) {
    lua_values.add_coroutine(fibers[index].lua);
  }
  return lua_values.end();
}

/// What a coroutine has asked for; not its stack.
void ClientComponents::digest_contents(sim::Digest& digest, const Fiber& fiber) const {
  process.digest_fiber(digest, fiber.index);
  digest.add(fiber.state);
  digest.add(fiber.thread);
  digest.add(fiber.task.has_value());
  if (fiber.task) {
    digest.add(*fiber.task);
    digest.add(std::string_view(fiber.task_name));
  }
  digest.add(fiber.is_runaway);
  digest.add(fiber.operations.size());
  for (const OpenOperation& open : fiber.operations) {
    digest.add(open.number);
    digest.add(open.thread);
  }
  process.host.digest_timer(digest, fiber.timer);
  digest.add(fiber.is_postponed);
  if (fiber.is_postponed) digest.add(fiber.postponed_for);
  const Interaction& asked = fiber.interaction;
  digest.add(asked.kind);
  const bool has_answer = fiber.state == Fiber::State::ready || fiber.is_postponed;
  if (has_answer) digest.add(fiber.results);
  if (!has_answer && asked.kind != Interaction::Kind::none) {
    digest.add(asked.shard);
    if (asked.kind == Interaction::Kind::call) {
      calls.digest_call(digest, fiber);
    } else {
      digest.add(std::string_view(asked.text));
    }
    if (asked.kind == Interaction::Kind::subscribe) {
      digest.add(fiber.attempt);
      digest.add(asked.timeout_ns);
    }
  }
}

void Calls::digest_call(sim::Digest& digest, const Fiber& fiber) const {
  digest.add(fiber.attempt);
  digest.add(fiber.redirections);
  digest.add(fiber.may_have_had_effect);
  digest.add(std::string_view(fiber.last_error));
  digest.add(fiber.is_sent);
  if (fiber.is_sent) digest.add(fiber.replies_missing);
  digest.add(fiber.interaction.command_count);
  for (std::size_t i = 0; i < fiber.interaction.command_count; ++i) {
    const Command& command = fiber.interaction.commands[i];
    digest.add(command.label);
    digest.add(command.script);
    command.rest.digest_into(digest);
    if (fiber.is_sent) {
      digest.name(sim::NamedKind::request, static_cast<std::uint64_t>(process_.id), command.number);
    }
    digest.add(command.reply.has_value());
    if (command.reply) process_.environment.messages[*command.reply].reply.digest_into(digest);
  }
}

// Of pooled connections it does not matter in which order they were taken.
void Calls::digest_into(sim::Digest& digest) const {
  const auto add_calls_of = [&](sim::ConnectionId connection) {
    for (const std::uint32_t index : under_way_) {
      if (fibers_[index].connection == connection) process_.digest_fiber(digest, index);
    }
  };
  digest.add(connections_.size());
  for (const Connection& connection : connections_) {
    digest.add_connection(connection.id);
    digest.add(connection.shard);
    digest.add(connection.node);
    digest.add(connection.is_open);
    digest.add(connection.users);
    add_calls_of(connection.id);
    digest.add(connection.unread_replies);
    digest.add(connection.was_refused);
  }
  add_calls_of(sim::ConnectionId{});
  digest.add(~std::uint64_t{0});
  for (const Shared& shard : shared_) {
    digest.add(shard.was_open);
    process_.host.digest_timer(digest, shard.reconnect);
  }
  for (std::size_t node = 0; node < known_scripts_.size(); ++node) {  // its size is memory
    if (known_scripts_[node] == 0) continue;
    digest.add(node);
    digest.add(known_scripts_[node]);
  }
  digest.add(~std::uint64_t{0});
}

void Subscriptions::digest_into(sim::Digest& digest) const {
  digest.add(channels_.size());
  for (const Channel& channel : channels_) {
    digest.add(channel.shard);
    digest.add(std::string_view(channel.name));
    digest.add(channel.subscribers);
    digest.add(channel.confirmations_missing);
    digest.add(channel.is_confirmed);
    digest.add(channel.on_behalf_of);
    digest.add(channel.unread.size());
    for (const std::string& message : channel.unread) digest.add(std::string_view(message));
    process_.digest_fibers(digest, channel.subscribing);
    process_.digest_fibers(digest, channel.waiting);
  }
  for (const Link& link : links_) {
    digest.add_connection(link.connection);
    digest.add(link.node);
    digest.add(link.is_open);
    digest.add(link.was_refused);
    process_.host.digest_timer(digest, link.reconnect);
  }
}

// One with nothing in it that nobody waits at is as good as none.
void Signals::digest_into(sim::Digest& digest) const {
  for (const Semaphore& semaphore : semaphores_) {
    if (semaphore.permits == 0 && semaphore.waiting.empty()) continue;
    digest.add(std::string_view(semaphore.name));
    digest.add(semaphore.permits);
    process_.digest_fibers(digest, semaphore.waiting);
  }
  digest.add(~std::uint64_t{0});
}

void ServiceOperations::digest_into(sim::Digest& digest) const {
  for (const bool is_unknown : unknown_) digest.add(is_unknown);
}

// The client model knows tasks by their numbers.
void Tasks::digest_into(sim::Digest& digest) const {
  digest.add(last_);
  process_.digest_fibers(digest, live_fibers_);
}

void ThreadFaults::digest_into(sim::Digest& digest) const {
  digest.add(pending_.size());
  for (const std::uint32_t thread : pending_) digest.add(thread);
}

void Postponements::digest_into(sim::Digest& digest) const {
  digest.add(orders_.size());
  for (const Postponement& order : orders_) {
    digest.add(order.fault);
    digest.add(order.kind);
    digest.add(std::string_view(order.name));
    digest.add(order.nth);
    digest.add(order.by_ns);
  }
}

void FiberScheduler::digest_into(sim::Digest& digest) const {
  digest.add(turns_.size() - next_turn_);
  for (std::size_t i = next_turn_; i < turns_.size(); ++i) {
    digest.add(turns_[i].kind);
    if (turns_[i].kind == Turn::Kind::fiber) {
      process_.digest_fiber(digest, turns_[i].index);
    } else {
      digest.add(turns_[i].index);
    }
  }
  digest.add(is_deferred_);
  const bool counts = instant_ns_ == digest.now() && turns_in_instant_ > turns_told_apart;
  digest.add(counts ? turns_in_instant_ : 0);
}

void ClusterDiscovery::digest_into(sim::Digest& digest) const {
  for (const sim::HostId master : masters_) digest.add(master);
  digest.add(next_node_);
  if (connection_) digest.add(nodes_to_ask_);
  digest.add(failed_node_);
  digest.add_connection(connection_);
  process_.host.digest_timer(digest, timer_);
}

void SentinelDiscovery::digest_into(sim::Digest& digest) const {
  const std::size_t sentinels = process_.environment.sentinels.size();
  digest.add(master_);
  digest.add(question_.has_value());
  if (question_) {
    digest.add(question_->what);
    digest.add(question_->host);
    digest.add_connection(question_->connection);
    process_.host.digest_timer(digest, question_->timeout);
    if (question_->what == Question::What::role) digest.add(told_by_);  // else it is left over
  }
  digest.add(next_asked_ % sentinels);
  digest.add(unanswered_queries_ % sentinels);
  process_.host.digest_timer(digest, ask_again_);
  digest.add_connection(event_subscription_.connection);
  digest.add(event_subscription_.is_confirmed);
  process_.host.digest_timer(digest, event_subscription_.timer);
  digest.add(next_subscribed_ % sentinels);
}

// -- the client model --

void ClientModel::register_constants(lua::ValueDigest& values) const {
  names_.push(runtime_.main);
  lua_getfield(runtime_.main, -1, count_iteration_name);
  lua_remove(runtime_.main, -2);
  values.know();
}

void ClientModel::digest_into(lua::ValueDigest& values) const {
  lua_State* const lua = runtime_.main;
  for (const LuaReference* const root : {&client_, &functions_, &locks_}) {
    root->push(lua);
    values.add_top();
  }
  if (runtime_.package.libraries.empty()) return;
  returned_.push(lua);
  values.add_top();
}

}  // namespace lockstep::model
