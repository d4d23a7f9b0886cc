#include "model/client/workload.h"

#include <algorithm>
#include <cassert>
#include <lua.hpp>
#include <string_view>
#include <utility>

#include "model/client/client_process.h"
#include "model/client/generated_steps.h"
#include "model/client/runtime/errors.h"
#include "model/client/runtime/fiber_scheduler.h"
#include "model/client/service_operations.h"
#include "model/recorder.h"
#include "model/trace_vocabulary.h"
#include "scenario/milestones.h"
#include "scenario/steps.h"
#include "scenario/workload_spec.h"
#include "sim/network.h"

namespace lockstep::model {
namespace {

constexpr std::string_view ok = "ok";
constexpr std::string_view fail = "fail";
constexpr std::string_view info = "info";

/// Later than that the answer was lost: nobody asks the resource twice.
constexpr sim::DurationNs resource_answers_ns_max = 60 * sim::second_ns;

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

}  // namespace

// -- preparation --

Workload::Workload(ClientProcess& process, const scenario::ClientSpec& spec,
                   std::vector<sim::ActorId> actors, FiberScheduler& fibers,
                   ClientModel& client_model, ServiceOperations& operations)
    : process_(process),
      fibers_(fibers),
      client_model_(client_model),
      operations_(operations),
      spec_(spec) {
  assert(actors.size() == spec.threads.size());
  threads_.resize(actors.size());
  for (std::size_t i = 0; i < actors.size(); ++i) {
    threads_[i].actor = actors[i];
    checker::Names& names = process_.environment.recorder.names();
    threads_[i].name = names.intern(process_.environment.trace.actor(actors[i]).name);
    threads_[i].owner =
        process_.owns_as_one() ? names.intern(process_.host.name()) : threads_[i].name;
    threads_[i].spec = &spec.threads[i];
    threads_[i].is_open = spec.threads[i].is_open();
    scenario::visit_possible_steps(spec.threads[i], [this](const scenario::Step& step) {
      for (const std::string& name : step.lock_names) static_cast<void>(index_of_lock(name));
    });
    if (!threads_[i].is_open) prepare_steps(threads_[i], spec.threads[i].steps);
  }
  for (Thread& thread : threads_) thread.holds.resize(2 * locks_.size());
}

Workload::~Workload() = default;

void Workload::begin_round(Thread& thread) {
  thread.next_step = 0;
  thread.skip_until = 0;
  if (!thread.is_open) return;
  const sim::Stream stream{sim::Purpose::workload, static_cast<std::uint32_t>(thread.actor)};
  draw_steps(*thread.spec, process_.choices(), stream, thread.drawn);
  thread.steps.clear();
  prepare_steps(thread, thread.drawn);
}

void Workload::prepare_steps(Thread& thread, const std::vector<scenario::Step>& steps) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const scenario::Step& step = steps[i];
    // Its own name, so that it is left out: events have the lock in a field.
    std::string_view own_name;
    if (!step.lock_names.empty()) own_name = step.lock_names.front();
    PreparedStep prepared{&step, &form_of(step.kind), scenario::write_step(step, own_name), {}, {},
                          0};
    for (const std::string& name : step.lock_names) {
      prepared.locks.push_back(index_of_lock(name));
      if (!prepared.lock_text.empty()) prepared.lock_text += ',';
      prepared.lock_text += name;
    }
    if (prepared.form->role == scenario::StepRole::takes) {
      prepared.skip_to = scenario::matching_release(steps, i).end;
    }
    // Until it is known: of what is given back in parts only the last part is matched.
    prepared.taken_at = i;
    thread.steps.push_back(std::move(prepared));
  }
  for (std::size_t i = 0; i < thread.steps.size(); ++i) {
    const PreparedStep& taking = thread.steps[i];
    if (taking.skip_to == 0) continue;
    PreparedStep& last = thread.steps[taking.skip_to - 1];
    const bool matches = last.form->kind == taking.form->ended_by &&
                         last.step->lock_names == taking.step->lock_names;
    if (matches) last.taken_at = i;
  }
}

std::uint32_t Workload::index_of_lock(const std::string& name) {
  const auto found = std::find_if(locks_.begin(), locks_.end(),
                                  [&](const Lock& lock) { return lock.name == name; });
  if (found != locks_.end()) return static_cast<std::uint32_t>(found - locks_.begin());
  locks_.push_back({name, process_.environment.recorder.names().intern(name)});
  return static_cast<std::uint32_t>(locks_.size() - 1);
}

checker::NameId Workload::lock_name(std::string_view name) {
  for (const Lock& lock : locks_) {
    if (lock.name == name) return lock.id;
  }
  return process_.environment.recorder.names().intern(name);
}

void Workload::start_run() {
  for (Thread& thread : threads_) {
    std::fill(thread.holds.begin(), thread.holds.end(), Hold{});
    begin_round(thread);
    thread.rounds_left = spec_.rounds;
    thread.is_finished = false;
    thread.has_turn = false;
    thread.fiber.reset();
    thread.sleep = {};
    thread.token = -1;
    thread.tells_validity = false;
    thread.has_untrue_grant = false;
    thread.shares_call = false;
    thread.waits.clear();
    thread.resource.reset();
    thread.resource_is_open = false;
    thread.access = Access::none;
  }
  sim::DurationNs start_ns = spec_.start_ns;
  if (spec_.start_ns_max) {
    const sim::Stream stream{sim::Purpose::workload,
                             static_cast<std::uint32_t>(process_.host.actor())};
    start_ns = draw_duration(process_.choices(), stream, {start_ns, *spec_.start_ns_max});
  }
  draw_numbers();
  process_.start_timer(start_ns, TimerUse::start, 0);
}

/// How many rounds there are, and how many threads take part.
void Workload::draw_numbers() {
  const sim::Stream stream{sim::Purpose::workload,
                           static_cast<std::uint32_t>(process_.host.actor())};
  if (spec_.rounds_max) {
    const auto rounds = process_.choices().between(stream, spec_.rounds, *spec_.rounds_max);
    for (Thread& thread : threads_) thread.rounds_left = static_cast<std::uint32_t>(rounds);
  }
  if (spec_.threads_min) {
    const auto most = static_cast<std::int64_t>(threads_.size());
    const auto taking_part = process_.choices().between(stream, *spec_.threads_min, most);
    for (std::int64_t i = taking_part; i < most; ++i) {
      threads_[static_cast<std::size_t>(i)].is_finished = true;
    }
  }
}

void Workload::on_start_due() {
  for (std::uint32_t thread = 0; thread < threads_.size(); ++thread) {
    if (threads_[thread].is_finished) continue;
    take_fiber(thread);
    enqueue_next_step(thread);
  }
}

void Workload::take_fiber(std::uint32_t thread) {
  threads_[thread].fiber = fibers_.take().index;
  Fiber& fiber = fibers_[*threads_[thread].fiber];
  fiber.thread = thread;
  fiber.actor = threads_[thread].actor;
}

// -- step after step --

void Workload::enqueue_next_step(std::uint32_t thread) {
  if (threads_[thread].has_turn) return;
  threads_[thread].has_turn = true;
  fibers_.make_step_ready(thread);
}

void Workload::on_next_step(std::uint32_t thread) {
  Thread& self = threads_[thread];
  self.has_turn = false;
  if (self.is_finished) return;
  if (self.access == Access::write) return send_access(thread);
  if (self.next_step < self.steps.size()) return begin_step(thread);
  if (self.rounds_left > 0) --self.rounds_left;
  if (self.rounds_left == 0 || self.steps.empty()) return finish(self);
  begin_round(self);
  enqueue_next_step(thread);
}

void Workload::begin_step(std::uint32_t thread) {
  Thread& self = threads_[thread];
  const PreparedStep& prepared = current(self);
  emit_invoked(self, prepared);
  self.invoked = process_.environment.recorder.now();
  switch (prepared.form->role) {
    case scenario::StepRole::takes:
    case scenario::StepRole::awaits:
      begin_waits(thread);
      return call_client_model(thread);
    case scenario::StepRole::gives_back:
      return invoke_release(thread);
    case scenario::StepRole::counts_down:
      self.count_down = process_.environment.recorder.begin_count_down(
          self.name, locks_[prepared.locks.front()].id);
      return call_client_model(thread);
    case scenario::StepRole::frees:
    case scenario::StepRole::extends:
    case scenario::StepRole::asks:
    case scenario::StepRole::sets:
      return call_client_model(thread);
    case scenario::StepRole::none:
      return begin_builtin_step(thread);
  }
}

/// Steps that the lock has no part in.
void Workload::begin_builtin_step(std::uint32_t thread) {
  const scenario::Step& step = *current(threads_[thread]).step;
  if (step.kind == scenario::StepKind::write) return begin_write(thread);
  if (step.kind == scenario::StepKind::crash) return crash_process();
  threads_[thread].sleep = process_.start_timer(step.duration_ns, TimerUse::step_sleep, thread);
}

void Workload::emit_invoked(const Thread& thread, const PreparedStep& prepared) {
  sim::Trace& trace = process_.environment.trace;
  const scenario::Step& step = *prepared.step;
  const std::string_view kind = trace_kind::step_invoked;
  if (prepared.locks.empty()) {
    trace.emit(process_.now(), kind, thread.actor, {{"step", prepared.text}});
  } else if (step.lease_ns) {
    trace.emit(process_.now(), kind, thread.actor,
               {{"step", prepared.text},
                {"lock", prepared.lock_text},
                {"lease_ms", *step.lease_ns / sim::millisecond_ns}});
  } else {
    trace.emit(process_.now(), kind, thread.actor,
               {{"step", prepared.text}, {"lock", prepared.lock_text}});
  }
}

/// The function's arguments: the lock or the locks, the amount, the wait, the lease.
void Workload::call_client_model(std::uint32_t thread) {
  const PreparedStep& prepared = current(threads_[thread]);
  const scenario::Step& step = *prepared.step;
  Fiber& fiber = fibers_[*threads_[thread].fiber];
  note_overlapping_calls(thread);
  const lua::Memory::Unlimited unlimited(process_.runtime.state.memory());
  client_model_.push_function(fiber.lua, step.kind);
  int arguments = 1;
  if (scenario::takes_several_locks(*prepared.form)) {
    lua_createtable(fiber.lua, static_cast<int>(prepared.locks.size()), 0);
    for (std::size_t i = 0; i < prepared.locks.size(); ++i) {
      client_model_.push_lock(fiber.lua, prepared.locks[i], step.lock_names[i]);
      lua_rawseti(fiber.lua, -2, static_cast<lua_Integer>(i) + 1);
    }
  } else {
    client_model_.push_lock(fiber.lua, prepared.locks.front(), step.lock_names.front());
  }
  if (scenario::takes_amount(*prepared.form)) {
    lua_pushinteger(fiber.lua, step.amount);
    ++arguments;
  }
  if (scenario::takes_wait(*prepared.form)) {
    push_optional(fiber.lua, in_ms(step.wait_ns));
    ++arguments;
  }
  if (scenario::takes_lease(*prepared.form)) {
    push_optional(fiber.lua, in_ms(step.lease_ns));
    ++arguments;
  }
  fibers_.make_ready(fiber, arguments);
}

void Workload::invoke_release(std::uint32_t thread) {
  Thread& self = threads_[thread];
  const PreparedStep& prepared = current(self);
  const checker::HoldMode mode = prepared.form->mode;
  for (const std::uint32_t lock : prepared.locks) {
    Hold& hold = hold_of(self, lock, mode);
    const std::int64_t amount = counts_permits() ? prepared.step->amount : 1;
    hold.count = std::max<std::int64_t>(hold.count - amount, 0);
    if (hold.count == 0 || counts_permits()) {
      end_belief(self, lock, mode, checker::BeliefEnd::released);
    }
    if (hold.count > 0 && counts_permits()) begin_belief(self, lock, mode);
  }
  call_client_model(
      thread);  // only makes it ready: what strikes at this milestone strikes before it runs
  for (const std::string& name : prepared.step->lock_names) {
    process_.environment.recorder.milestone(scenario::Milestone::releasing, self.actor, name);
  }
}

void Workload::on_sleep_over(std::uint32_t thread) {
  threads_[thread].sleep = {};
  complete_step(threads_[thread], ok, {});
  enqueue_next_step(thread);
}

void Workload::crash_process() {
  process_.host.crash();
  process_.environment.network.drop_connections_of(process_.id);
  process_.environment.recorder.milestone(scenario::Milestone::crashed, process_.host.actor(), {});
}

void Workload::complete_step(Thread& thread, std::string_view outcome, std::string_view detail,
                             Next next) {
  const PreparedStep& prepared = current(thread);
  sim::Trace& trace = process_.environment.trace;
  if (detail.empty()) {
    trace.emit(process_.now(), trace_kind::step_completed, thread.actor,
               {{"step", prepared.text}, {"outcome", outcome}});
  } else {
    trace.emit(process_.now(), trace_kind::step_completed, thread.actor,
               {{"step", prepared.text}, {"outcome", outcome}, {"detail", detail}});
  }
  if (next == Next::past_unlock) {
    thread.skip_from = thread.next_step;
    thread.skip_until = prepared.skip_to;
  }
  do ++thread.next_step;
  while (is_left_out(thread));
}

bool Workload::is_left_out(const Thread& thread) const {
  if (thread.next_step >= thread.skip_until) return false;
  const PreparedStep& next = current(thread);
  return next.form->role != scenario::StepRole::gives_back || next.taken_at >= thread.skip_from;
}

void Workload::finish(Thread& thread) {
  thread.is_finished = true;
  fibers_.recycle(fibers_[*thread.fiber]);
  thread.fiber.reset();
  process_.environment.recorder.milestone(scenario::Milestone::finished, thread.actor, {});
}

void Workload::stop(Thread& thread) {
  end_waits(thread, checker::WaitEnd::failed);
  thread.is_finished = true;
  fibers_.recycle(fibers_[*thread.fiber]);
  thread.fiber.reset();
}

Fiber* Workload::waiting_fiber(std::uint32_t thread) const {
  if (!threads_[thread].fiber) return nullptr;
  Fiber& fiber = fibers_[*threads_[thread].fiber];
  const bool waits =
      fiber.state == Fiber::State::waiting && fiber.interaction.kind != Interaction::Kind::none;
  return waits ? &fiber : nullptr;
}

bool Workload::is_of_question(std::uint32_t thread, std::string_view label) const {
  constexpr std::string_view answer = "reply to ";
  if (label.starts_with(answer)) label.remove_prefix(answer.size());
  const Fiber* const fiber = waiting_fiber(thread);
  if (fiber == nullptr) return false;
  if (current(threads_[thread]).form->role != scenario::StepRole::asks) return false;
  const auto& commands = fiber->interaction.commands;
  const auto end = commands.begin() + static_cast<std::ptrdiff_t>(fiber->interaction.command_count);
  return std::any_of(commands.begin(), end,
                     [label](const Command& each) { return each.label == label; });
}

bool Workload::end_sleep(std::uint32_t thread) {
  Thread& self = threads_[thread];
  if (self.sleep == sim::TimerId{}) return false;
  process_.host.cancel_timer(self.sleep);
  self.sleep = {};
  complete_step(self, fail, "INTERRUPTED");
  enqueue_next_step(thread);
  return true;
}

void Workload::on_abandoned(std::uint32_t thread) {
  Thread& self = threads_[thread];
  take_fiber(thread);
  on_permits_possibly_set(self);
  end_waits(self, checker::WaitEnd::failed);
  const bool takes = current(self).form->role == scenario::StepRole::takes;
  complete_step(self, info, "abandoned by its caller", takes ? Next::past_unlock : Next::following);
  enqueue_next_step(thread);
}

/// The client model is at fault: nobody can say what the thread would have done.
void Workload::report_client_model_mistake(std::uint32_t thread, std::string_view what) {
  operations_.set_unknown(thread);
  process_.report_failure(threads_[thread].actor, what);
  stop(threads_[thread]);
}

bool Workload::finished() const {
  return std::all_of(threads_.begin(), threads_.end(),
                     [](const Thread& thread) { return thread.is_finished; });
}

bool Workload::is_at_work(std::uint32_t thread) const {
  const Thread& self = threads_[thread];
  const bool waits_for_resource =
      self.access != Access::none && process_.now() - self.invoked.at_ns > resource_answers_ns_max;
  if (self.is_finished || waits_for_resource) return false;
  const auto is_of_lock = [](const PreparedStep& step) { return !step.locks.empty(); };
  const auto next = self.steps.begin() + static_cast<std::ptrdiff_t>(self.next_step);
  const auto from = self.rounds_left > 1 ? self.steps.begin() : next;
  return std::any_of(from, self.steps.end(), is_of_lock) ||
         std::any_of(self.holds.begin(), self.holds.end(),
                     [](const Hold& hold) { return hold.count > 0; });
}

void Workload::on_crash() {
  for (Thread& thread : threads_) {
    const bool is_in_step =
        thread.fiber && !thread.has_turn && thread.next_step < thread.steps.size();
    if (is_in_step) on_died_in_step(thread);
    for (std::uint32_t lock = 0; lock < locks_.size(); ++lock) {
      end_belief(thread, lock, checker::HoldMode::exclusive, checker::BeliefEnd::crashed);
      end_belief(thread, lock, checker::HoldMode::shared, checker::BeliefEnd::crashed);
    }
    end_waits(thread, checker::WaitEnd::crashed);
    thread.is_finished = true;
    thread.has_turn = false;
    thread.fiber.reset();
    thread.resource.reset();
    thread.access = Access::none;
  }
}

// -- what the client model came back with --

void Workload::on_returned(Fiber& fiber) {
  const std::uint32_t thread = fiber.thread;
  operations_.complete_all(fiber, checker::Outcome::info);
  const Returned values = read_returned(fiber);
  lua_settop(fiber.lua, 0);
  if (!values.mistake.empty()) return report_client_model_mistake(thread, values.mistake);
  // The next turn is asked for first: a milestone may pause the process, or end it.
  enqueue_next_step(thread);
  returned(thread, values);
}

void Workload::returned(std::uint32_t thread, const Returned& values) {
  Thread& self = threads_[thread];
  tell_answer(thread, values);
  switch (current(self).form->role) {
    case scenario::StepRole::takes:
      return values.succeeded ? granted(thread, values.details) : refused(thread);
    case scenario::StepRole::gives_back:
      return released(thread);
    case scenario::StepRole::extends:
      return extended(thread, values);
    case scenario::StepRole::awaits:
      return values.succeeded ? passed(thread) : refused(thread);
    case scenario::StepRole::sets:
      return on_permits_set(thread, values.succeeded);
    case scenario::StepRole::asks:
      return complete_step(self, ok, values.answer);
    case scenario::StepRole::counts_down:
      process_.environment.recorder.end_count_down(self.count_down);
      return complete_step(self, ok, {});
    case scenario::StepRole::frees:
    case scenario::StepRole::none:
      return complete_step(self, ok, {});
  }
}

void Workload::on_raised(Fiber& fiber) {
  const std::uint32_t thread = fiber.thread;
  Thread& self = threads_[thread];
  const lua::Memory::Unlimited unlimited(process_.runtime.state.memory());
  const RaisedError error = read_error(fiber.lua);
  process_.report_uncaught(fiber.actor, error.text);
  const bool is_known =
      error.kind == RaisedError::Kind::refused || error.kind == RaisedError::Kind::no_effect;
  if (error.kind == RaisedError::Kind::refused) {
    operations_.complete_all(fiber, checker::Outcome::fail);
  } else {
    operations_.complete_unanswered(fiber, is_known ? CallEffect::none : CallEffect::unknown);
  }
  lua_resetthread(fiber.lua);
  lua_settop(fiber.lua, 0);
  const PreparedStep& prepared = current(self);
  if (error.kind == RaisedError::Kind::failure || fiber.is_runaway) {
    return report_client_model_mistake(thread, error.text);
  }
  enqueue_next_step(thread);
  if (!is_known) operations_.set_unknown(thread);
  const scenario::StepRole role = prepared.form->role;
  const bool was_refused = error.kind == RaisedError::Kind::refused;
  if (was_refused) tell_answer(thread, Returned{.raised = true});
  if (!is_known) on_permits_possibly_set(self);
  end_waits(self, was_refused ? checker::WaitEnd::refused : checker::WaitEnd::failed);
  if (was_refused && role == scenario::StepRole::gives_back) {
    for (const std::uint32_t lock : prepared.locks) {
      on_loss_reported(thread, locks_[lock].id, prepared.form->mode);
    }
  }
  complete_step(self, is_known ? fail : info, error.text,
                role == scenario::StepRole::takes ? Next::past_unlock : Next::following);
  const bool asked = role == scenario::StepRole::takes || role == scenario::StepRole::awaits;
  if (!was_refused || !asked) return;
  for (const std::string& name : prepared.step->lock_names) {
    process_.environment.recorder.milestone(scenario::Milestone::refused, self.actor, name);
  }
}

}  // namespace lockstep::model
