#include "model/client/workload.h"

#include <algorithm>
#include <cassert>
#include <lua.hpp>
#include <utility>

#include "model/client/client_parts.h"
#include "model/client/errors.h"
#include "model/scenario/steps.h"
#include "model/trace_vocabulary.h"

namespace lockstep::model {
namespace {

constexpr std::string_view ok = "ok";
constexpr std::string_view fail = "fail";
constexpr std::string_view info = "info";

bool is_lock_step(StepKind kind) { return kind == StepKind::lock || kind == StepKind::try_lock; }

/// Where a thread goes on that did not get the lock of a step: behind the unlock that matches it,
/// or at the end where none does.
std::size_t matching_unlock_end(const std::vector<Step>& steps, std::size_t from) {
  int depth = 0;
  for (std::size_t i = from; i < steps.size(); ++i) {
    if (steps[i].lock_name != steps[from].lock_name) continue;
    if (is_lock_step(steps[i].kind)) ++depth;
    if (steps[i].kind == StepKind::unlock && --depth == 0) return i + 1;
  }
  return steps.size();
}

std::optional<std::int64_t> in_ms(const std::optional<sim::DurationNs>& duration_ns) {
  if (!duration_ns) return std::nullopt;
  return *duration_ns / sim::millisecond_ns;
}

void push_optional(lua_State* lua, std::optional<std::int64_t> value) {
  if (value) {
    lua_pushinteger(lua, *value);
  } else {
    lua_pushnil(lua);
  }
}

HalfFunction function_for(StepKind kind) {
  switch (kind) {
    case StepKind::lock:
      return HalfFunction::lock;
    case StepKind::try_lock:
      return HalfFunction::try_lock;
    case StepKind::unlock:
      return HalfFunction::unlock;
    default:
      return HalfFunction::force_unlock;
  }
}

}  // namespace

// -- preparation --

Workload::Workload(ClientParts& client, const ClientSpec& spec, std::vector<sim::ActorId> actors)
    : client_(client), spec_(spec) {
  assert(actors.size() == spec.threads.size());
  threads_.resize(actors.size());
  for (std::size_t i = 0; i < actors.size(); ++i) {
    threads_[i].actor = actors[i];
    threads_[i].owner = client_.environment.recorder.names().intern(
        client_.environment.trace.actor(actors[i]).name);
    prepare_steps(threads_[i], spec.threads[i]);
  }
  for (Thread& thread : threads_) thread.holds.resize(locks_.size());
}

void Workload::prepare_steps(Thread& thread, const ThreadSpec& spec) {
  for (std::size_t i = 0; i < spec.steps.size(); ++i) {
    const Step& step = spec.steps[i];
    PreparedStep prepared{&step, write_step(step, step.lock_name)};
    if (!step.lock_name.empty()) prepared.lock = index_of_lock(step.lock_name);
    if (is_lock_step(step.kind)) prepared.skip_to = matching_unlock_end(spec.steps, i);
    thread.steps.push_back(std::move(prepared));
  }
}

std::uint32_t Workload::index_of_lock(const std::string& name) {
  const auto found = std::find_if(locks_.begin(), locks_.end(),
                                  [&](const Lock& lock) { return lock.name == name; });
  if (found != locks_.end()) return static_cast<std::uint32_t>(found - locks_.begin());
  locks_.push_back({name, client_.environment.recorder.names().intern(name)});
  return static_cast<std::uint32_t>(locks_.size() - 1);
}

checker::NameId Workload::lock_name(std::string_view name) {
  for (const Lock& lock : locks_) {
    if (lock.name == name) return lock.id;
  }
  return client_.environment.recorder.names().intern(name);
}

void Workload::start_run() {
  for (Thread& thread : threads_) {
    std::fill(thread.holds.begin(), thread.holds.end(), Hold{});
    thread.next_step = 0;
    thread.rounds_left = spec_.rounds;
    thread.is_finished = false;
    thread.has_turn = false;
    thread.fiber.reset();
    thread.token = -1;
    thread.resource.reset();
    thread.resource_is_open = false;
    thread.access = Access::none;
  }
  client_.start_timer(spec_.start_ns, TimerUse::start, 0);
}

void Workload::on_start_due() {
  for (std::uint32_t thread = 0; thread < threads_.size(); ++thread) {
    threads_[thread].fiber = client_.fibers.take().index;
    Fiber& fiber = client_.fibers[*threads_[thread].fiber];
    fiber.thread = thread;
    fiber.actor = threads_[thread].actor;
    ask_for_turn(thread);
  }
}

// -- step after step --

void Workload::ask_for_turn(std::uint32_t thread) {
  if (threads_[thread].has_turn) return;
  threads_[thread].has_turn = true;
  client_.fibers.make_step_ready(thread);
}

void Workload::on_next_step(std::uint32_t thread) {
  Thread& self = threads_[thread];
  self.has_turn = false;
  if (self.is_finished) return;
  if (self.access == Access::write) return send_access(thread);
  if (self.next_step < self.steps.size()) return begin_step(thread);
  if (self.rounds_left > 0) --self.rounds_left;
  if (self.rounds_left == 0 || self.steps.empty()) return finish(self);
  self.next_step = 0;
  ask_for_turn(thread);
}

void Workload::begin_step(std::uint32_t thread) {
  Thread& self = threads_[thread];
  const PreparedStep& prepared = current(self);
  emit_invoked(self, prepared);
  switch (prepared.step->kind) {
    case StepKind::lock:
    case StepKind::try_lock:
    case StepKind::force_unlock:
      return call_half(thread);
    case StepKind::unlock:
      return invoke_unlock(thread);
    case StepKind::write:
      return begin_write(thread);
    case StepKind::sleep:
      client_.start_timer(prepared.step->duration_ns, TimerUse::step_sleep, thread);
      return;
    case StepKind::crash:
      return crash_process();
  }
}

void Workload::emit_invoked(const Thread& thread, const PreparedStep& prepared) {
  sim::Trace& trace = client_.environment.trace;
  const Step& step = *prepared.step;
  const std::string_view kind = trace_kind::step_invoked;
  if (step.lock_name.empty()) {
    trace.emit(client_.now(), kind, thread.actor, {{"step", prepared.text}});
  } else if (step.lease_ns) {
    trace.emit(client_.now(), kind, thread.actor,
               {{"step", prepared.text},
                {"lock", step.lock_name},
                {"lease_ms", *step.lease_ns / sim::millisecond_ns}});
  } else {
    trace.emit(client_.now(), kind, thread.actor,
               {{"step", prepared.text}, {"lock", step.lock_name}});
  }
}

void Workload::call_half(std::uint32_t thread) {
  const Step& step = *current(threads_[thread]).step;
  Fiber& fiber = client_.fibers[*threads_[thread].fiber];
  const lua::Memory::Unlimited unlimited(client_.runtime.state.memory());
  client_.half.push_function(fiber.lua, function_for(step.kind));
  client_.half.push_lock(fiber.lua, current(threads_[thread]).lock, step.lock_name);
  int arguments = 1;
  if (step.kind == StepKind::try_lock) {
    push_optional(fiber.lua, in_ms(step.wait_ns));
    ++arguments;
  }
  if (is_lock_step(step.kind)) {
    push_optional(fiber.lua, in_ms(step.lease_ns));
    ++arguments;
  }
  client_.fibers.make_ready(fiber, arguments);
}

void Workload::invoke_unlock(std::uint32_t thread) {
  Thread& self = threads_[thread];
  const PreparedStep& prepared = current(self);
  Hold& hold = self.holds[prepared.lock];
  if (hold.count > 0) --hold.count;
  if (hold.count == 0) end_belief(self, prepared.lock, checker::BeliefEnd::released);
  call_half(thread);  // only makes it ready: what strikes at this milestone strikes before it runs
  client_.environment.recorder.milestone(Milestone::releasing, self.actor,
                                         prepared.step->lock_name);
}

void Workload::on_sleep_over(std::uint32_t thread) {
  complete_step(threads_[thread], ok, {});
  ask_for_turn(thread);
}

void Workload::crash_process() {
  client_.host.crash();
  client_.environment.network.drop_connections_of(client_.id);
  client_.environment.recorder.milestone(Milestone::crashed, client_.host.actor(), {});
}

void Workload::complete_step(Thread& thread, std::string_view outcome, std::string_view detail,
                             Next next) {
  const PreparedStep& prepared = current(thread);
  sim::Trace& trace = client_.environment.trace;
  if (detail.empty()) {
    trace.emit(client_.now(), trace_kind::step_completed, thread.actor,
               {{"step", prepared.text}, {"outcome", outcome}});
  } else {
    trace.emit(client_.now(), trace_kind::step_completed, thread.actor,
               {{"step", prepared.text}, {"outcome", outcome}, {"detail", detail}});
  }
  thread.next_step = next == Next::following ? thread.next_step + 1 : prepared.skip_to;
}

void Workload::finish(Thread& thread) {
  thread.is_finished = true;
  client_.fibers.give_back(client_.fibers[*thread.fiber]);
  thread.fiber.reset();
  client_.environment.recorder.milestone(Milestone::finished, thread.actor, {});
}

void Workload::stop(Thread& thread) {
  thread.is_finished = true;
  client_.fibers.give_back(client_.fibers[*thread.fiber]);
  thread.fiber.reset();
}

bool Workload::finished() const {
  return std::all_of(threads_.begin(), threads_.end(),
                     [](const Thread& thread) { return thread.is_finished; });
}

void Workload::on_crash() {
  for (Thread& thread : threads_) {
    for (std::uint32_t lock = 0; lock < locks_.size(); ++lock) {
      end_belief(thread, lock, checker::BeliefEnd::crashed);
    }
    thread.is_finished = true;
    thread.has_turn = false;
    thread.fiber.reset();
    thread.resource.reset();
    thread.access = Access::none;
  }
}

// -- what the client half came back with --

void Workload::on_returned(Fiber& fiber) {
  const std::uint32_t thread = fiber.thread;
  Thread& self = threads_[thread];
  client_.records.complete_all(fiber, checker::Outcome::info);
  const bool said_yes = fiber.results > 0 && lua_toboolean(fiber.lua, -fiber.results) != 0;
  const GrantDetails details =
      fiber.results > 1 ? read_details(fiber.lua, -fiber.results + 1) : GrantDetails{};
  lua_settop(fiber.lua, 0);
  // The next turn is asked for first: a milestone may pause the process, or end it.
  ask_for_turn(thread);
  const StepKind kind = current(self).step->kind;
  if (is_lock_step(kind)) return said_yes ? granted(thread, details) : refused(thread);
  if (kind == StepKind::unlock) return unlocked(thread);
  complete_step(self, ok, {});
}

void Workload::on_raised(Fiber& fiber) {
  const std::uint32_t thread = fiber.thread;
  Thread& self = threads_[thread];
  const lua::Memory::Unlimited unlimited(client_.runtime.state.memory());
  const RaisedError error = read_error(fiber.lua);
  const bool is_known =
      error.kind == RaisedError::Kind::refused || error.kind == RaisedError::Kind::no_effect;
  if (error.kind == RaisedError::Kind::refused) {
    client_.records.complete_all(fiber, checker::Outcome::fail);
  } else {
    client_.records.complete_unanswered(fiber, is_known ? Effect::none : Effect::unknown);
  }
  lua_resetthread(fiber.lua);
  lua_settop(fiber.lua, 0);
  const PreparedStep& prepared = current(self);
  if (error.kind == RaisedError::Kind::failure || fiber.is_runaway) {
    client_.records.set_unknown(thread);
    client_.report_failure(self.actor, error.text);
    return stop(self);
  }
  ask_for_turn(thread);
  if (!is_known) client_.records.set_unknown(thread);
  const bool was_refused_unlock =
      error.kind == RaisedError::Kind::refused && prepared.step->kind == StepKind::unlock;
  if (was_refused_unlock) told_of_loss(thread, locks_[prepared.lock].id);
  complete_step(self, is_known ? fail : info, error.text,
                is_lock_step(prepared.step->kind) ? Next::past_unlock : Next::following);
}

}  // namespace lockstep::model
