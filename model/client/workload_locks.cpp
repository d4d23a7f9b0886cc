// What the threads believe of their locks, and how it is reported beside the truth.
#include <algorithm>
#include <cmath>
#include <lua.hpp>
#include <string>

#include "model/client/client_process.h"
#include "model/client/service_operations.h"
#include "model/client/workload.h"
#include "model/lock/lock_package.h"
#include "model/lock_truth.h"
#include "model/recorder.h"
#include "scenario/milestones.h"
#include "scenario/workload_spec.h"

namespace lockstep::model {
namespace {

/// A validity timer's owner: the thread above, the place in `holds` below.
constexpr std::uint32_t hold_bits = 16;
constexpr std::uint32_t hold_mask = (1U << hold_bits) - 1;

/// An answer as the trace shows it.
std::string as_text(lua_State* lua, int index) {
  switch (lua_type(lua, index)) {
    case LUA_TBOOLEAN:
      return lua_toboolean(lua, index) != 0 ? "true" : "false";
    case LUA_TNUMBER:
      return lua_isinteger(lua, index) != 0 ? std::to_string(lua_tointeger(lua, index))
                                            : "a fraction";
    case LUA_TSTRING:
      return lua_tostring(lua, index);
    case LUA_TNIL:
      return "nil";
    default:
      return luaL_typename(lua, index);
  }
}

enum class Fraction : std::uint8_t { refused, rounded_down };

/// A number in a table that the client model returned; none where there is no such field. Says in
/// `mistake` where it is anything else.
std::optional<std::int64_t> number_field(lua_State* lua, int index, const char* field,
                                         Fraction fraction, std::string& mistake) {
  lua_pushstring(lua, field);
  const int type = lua_rawget(lua, index);
  int is_integer = 0;
  int is_number = 0;
  std::int64_t value = lua_tointegerx(lua, -1, &is_integer);
  const double real = lua_tonumberx(lua, -1, &is_number);
  lua_pop(lua, 1);
  if (type == LUA_TNIL) return std::nullopt;
  if (is_integer == 0 && fraction == Fraction::rounded_down && is_number != 0 && real == real) {
    value = static_cast<std::int64_t>(std::floor(std::clamp(real, -1e15, 1e15)));
  } else if (is_integer == 0) {
    mistake = "'" + std::string(field) + "' in what the client model returned is a " +
              (is_number != 0 ? "fraction" : lua_typename(lua, type)) + "; expected a " +
              (fraction == Fraction::refused ? "whole number" : "number");
    return std::nullopt;
  }
  return value;
}

/// Longer than any run, and few enough to be counted in nanoseconds.
constexpr std::int64_t years_ms = 100'000'000'000;

}  // namespace

/// Where the process is the owner, its first thread has the holds of all.
Workload::Hold& Workload::hold_of(Thread& thread, std::uint32_t lock, checker::HoldMode mode) {
  Thread& owner = process_.owns_as_one() ? threads_.front() : thread;
  return owner.holds[2 * std::size_t{lock} + static_cast<std::size_t>(mode)];
}

bool Workload::counts_permits() const { return has_permits(process_.runtime.package.state_shape); }

/// Whether only the client model knows how often an owner has the lock: the true state says no more
/// than whether it has it.
bool Workload::client_counts_holds() const {
  return process_.runtime.package.judged_reentry() == checker::Reentry::counted_by_client;
}

Workload::Returned Workload::read_returned(const Fiber& fiber) const {
  Returned returned;
  returned.says_nothing = fiber.results == 0;
  if (fiber.results == 0) return returned;
  lua_State* lua = fiber.lua;
  const int first = lua_gettop(lua) - fiber.results + 1;
  returned.says_nothing = lua_isnil(lua, first);
  if (lua_isinteger(lua, first) != 0) returned.number = lua_tointeger(lua, first);
  returned.succeeded = lua_toboolean(lua, first) != 0;
  returned.answer = as_text(lua, first);
  if (fiber.results == 1 || !lua_istable(lua, first + 1)) return returned;
  const lua::Memory::Unlimited unlimited(process_.runtime.state.memory());
  GrantDetails& details = returned.details;
  details.token =
      number_field(lua, first + 1, "token", Fraction::refused, returned.mistake).value_or(-1);
  details.valid_until_ms =
      number_field(lua, first + 1, "valid_until_ms", Fraction::rounded_down, returned.mistake);
  if (details.valid_until_ms) {
    details.valid_until_ms = std::clamp(*details.valid_until_ms, -years_ms, years_ms);
  }
  return returned;
}

void Workload::granted(std::uint32_t thread, const GrantDetails& details) {
  Thread& self = threads_[thread];
  const PreparedStep& prepared = current(self);
  const checker::Moment invoked = self.invoked;
  for (const std::uint32_t lock : prepared.locks) {
    Hold& hold = hold_of(self, lock, prepared.form->mode);
    // What is granted after the validity of what was there before is not taken inside it.
    if (hold.is_outlived) hold.count = hold.believed = 0;
    hold.is_outlived = false;
    hold.count += counts_permits() ? prepared.step->amount : 1;
    ++hold.believed;
  }
  self.token = details.token;
  end_waits(self, checker::WaitEnd::granted);
  complete_step(self, "ok", {});
  for (const std::uint32_t lock : prepared.locks) {
    grant(thread, lock, prepared, invoked, details);
  }
  for (const std::string& name : prepared.step->lock_names) {
    process_.environment.recorder.milestone(scenario::Milestone::acquired, self.actor, name);
  }
}

/// From now on the thread believes; what is true of it is noted at this very moment.
void Workload::grant(std::uint32_t thread, std::uint32_t lock, const PreparedStep& step,
                     const checker::Moment& invoked, const GrantDetails& details) {
  const checker::HoldMode mode = step.form->mode;
  Thread& self = threads_[thread];
  const checker::NameId lock_id = locks_[lock].id;
  Recorder& recorder = process_.environment.recorder;
  if (counts_permits()) end_belief(self, lock, mode, checker::BeliefEnd::released);
  if (!recorder.believes(self.owner, lock_id, mode)) begin_belief(self, lock, mode);
  if (!step.step->lease_ns) recorder.believe_until_released(self.owner, lock_id, mode);
  const TrueHold truth = process_.environment.truth.hold_of(lock_id, self.owner, mode);
  self.has_untrue_grant = truth.count == 0;
  checker::Grant grant{.owner = self.owner,
                       .lock = lock_id,
                       .at = recorder.now(),
                       .truly_held = truth.count > 0,
                       .true_holder = truth.count > 0 ? checker::no_name : truth.holder,
                       .true_lease_ends_ns = truth.lease_ends_ns,
                       .reported_valid_until_ns = std::nullopt,
                       .mode = mode,
                       .invoked = invoked,
                       .token = std::nullopt};
  if (details.token >= 0) grant.token = details.token;
  if (details.valid_until_ms) {
    grant.reported_valid_until_ns = true_time_of(*details.valid_until_ms);
    watch_validity(thread, lock, mode, *details.valid_until_ms);
  }
  recorder.add(grant);
  recorder.add(checker::AskedLease{self.owner, lock_id, mode, invoked, recorder.now(),
                                   step.step->lease_ns.value_or(0), grant.reported_valid_until_ns});
  if (!counts_permits()) check_hold(self, lock, mode, truth);
}

void Workload::refused(std::uint32_t thread) {
  Thread& self = threads_[thread];
  const PreparedStep& prepared = current(self);
  end_waits(self, checker::WaitEnd::refused);
  complete_step(
      self, "fail", {},
      prepared.form->role == scenario::StepRole::takes ? Next::past_unlock : Next::following);
  for (const std::string& name : prepared.step->lock_names) {
    process_.environment.recorder.milestone(scenario::Milestone::refused, self.actor, name);
  }
}

void Workload::released(std::uint32_t thread) {
  Thread& self = threads_[thread];
  const PreparedStep& prepared = current(self);
  const checker::HoldMode mode = prepared.form->mode;
  for (const std::uint32_t lock : prepared.locks) {
    Hold& hold = hold_of(self, lock, mode);
    if (hold.believed > 0) --hold.believed;
  }
  complete_step(self, "ok", {});
  for (const std::uint32_t lock : prepared.locks) {
    if (counts_permits()) continue;
    for (const auto each : {checker::HoldMode::exclusive, checker::HoldMode::shared}) {
      // A release as a reader may have taken what the thread holds as the writer, and vice versa.
      if (each != mode && hold_of(self, lock, each).believed == 0) continue;
      const TrueHold truth = process_.environment.truth.hold_of(locks_[lock].id, self.owner, each);
      check_hold(self, lock, each, truth);
    }
  }
  for (const std::string& name : prepared.step->lock_names) {
    process_.environment.recorder.milestone(scenario::Milestone::released, self.actor, name);
  }
}

/// A lock that refuses to extend a hold says that it is lost; but where the client model itself
/// told until when the hold is valid, that stays so.
void Workload::extended(std::uint32_t thread, const Returned& values) {
  Thread& self = threads_[thread];
  const PreparedStep& prepared = current(self);
  const checker::HoldMode mode = prepared.form->mode;
  complete_step(self, values.succeeded ? "ok" : "fail", {});
  for (const std::uint32_t lock : prepared.locks) {
    const Hold& hold = hold_of(self, lock, mode);
    if (values.succeeded && values.details.valid_until_ms && hold.count > 0) {
      watch_validity(thread, lock, mode, *values.details.valid_until_ms);
    }
    if (values.succeeded && hold.count > 0 &&
        !process_.environment.recorder.believes(self.owner, locks_[lock].id, mode)) {
      hold_of(self, lock, mode).is_outlived = false;
      begin_belief(self, lock, mode);  // its validity had run out meanwhile
    }
    if (values.succeeded) {
      Recorder& recorder = process_.environment.recorder;
      checker::AskedLease asked{self.owner,   locks_[lock].id, mode,
                                self.invoked, recorder.now(),  prepared.step->lease_ns.value_or(0)};
      if (values.details.valid_until_ms) {
        asked.told_until_ns = true_time_of(*values.details.valid_until_ms);
      }
      recorder.add(asked);
    }
    if (!values.succeeded && !hold.has_validity) on_loss_reported(thread, locks_[lock].id, mode);
  }
}

bool Workload::is_in_call(const Thread& thread) {
  return thread.fiber && !thread.has_turn && thread.sleep == sim::TimerId{} &&
         thread.access == Access::none;
}

/// Whether all that was done for the thread's owner is over, and known.
bool Workload::holds_are_certain(const Thread& thread) const {
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    const Thread& other = threads_[i];
    if (other.owner != thread.owner) continue;
    if (operations_.has_unknown(i)) return false;
    if (&other != &thread && is_in_call(other)) return false;
  }
  return true;
}

void Workload::check_hold(Thread& thread, std::uint32_t lock, checker::HoldMode mode,
                          const TrueHold& truth) {
  if (!holds_are_certain(thread) || truth.was_changed_elsewhere) return;
  Recorder& recorder = process_.environment.recorder;
  const std::int64_t believed = hold_of(thread, lock, mode).believed;
  // A list of readers may have each of them once, or each hold.
  const bool is_listed =
      mode == checker::HoldMode::shared && !process_.runtime.package.readers_key.empty();
  const std::int64_t most = is_listed ? std::max<std::int64_t>(truth.count, 1) : 1;
  recorder.add(checker::HoldCheck{
      .owner = thread.owner,
      .lock = locks_[lock].id,
      .at = recorder.now(),
      .believed_count = client_counts_holds() ? std::min(believed, most) : believed,
      .true_count = truth.count,
      .mode = mode});
}

void Workload::begin_belief(Thread& thread, std::uint32_t lock, checker::HoldMode mode) {
  const std::int64_t permits = counts_permits() ? hold_of(thread, lock, mode).count : 1;
  process_.environment.recorder.begin_belief(thread.actor, thread.owner, locks_[lock].id, mode,
                                             permits);
}

void Workload::end_belief(Thread& thread, std::uint32_t lock, checker::HoldMode mode,
                          checker::BeliefEnd why) {
  Hold& hold = hold_of(thread, lock, mode);
  process_.host.cancel_timer(hold.validity);
  hold.validity = {};
  hold.has_validity = false;
  process_.environment.recorder.end_belief(thread.owner, locks_[lock].id, mode, why);
}

void Workload::on_loss_reported(std::uint32_t thread, checker::NameId lock,
                                std::optional<checker::HoldMode> mode) {
  Thread& self = threads_[thread];
  for (std::uint32_t i = 0; i < locks_.size(); ++i) {
    if (locks_[i].id != lock) continue;
    for (const auto each : {checker::HoldMode::exclusive, checker::HoldMode::shared}) {
      if (mode && *mode != each) continue;
      Hold& hold = hold_of(self, i, each);
      hold.count = 0;
      hold.believed = 0;
      end_belief(self, i, each, checker::BeliefEnd::told);
    }
  }
}

/// Of a reading of the client's monotonic clock.
sim::TimeNs Workload::true_time_of(std::int64_t monotonic_ms) const {
  return process_.host.monotonic_clock().true_time_of(monotonic_ms * sim::millisecond_ns);
}

// A validity ends a belief only; it keeps no run alive that is at rest otherwise.
void Workload::watch_validity(std::uint32_t thread, std::uint32_t lock, checker::HoldMode mode,
                              std::int64_t valid_until_ms) {
  Hold& hold = hold_of(threads_[thread], lock, mode);
  process_.host.cancel_timer(hold.validity);
  const std::int64_t left_ns = valid_until_ms * sim::millisecond_ns - process_.host.monotonic_ns();
  const auto hold_index = 2 * std::size_t{lock} + static_cast<std::size_t>(mode);
  hold.has_validity = true;
  threads_[thread].tells_validity = true;
  hold.validity =
      process_.start_timer(std::max<std::int64_t>(left_ns, 0), TimerUse::validity,
                           (std::size_t{thread} << hold_bits) | hold_index, sim::EventKind::daemon);
}

void Workload::on_validity_over(std::uint32_t thread_and_hold) {
  const std::uint32_t hold = thread_and_hold & hold_mask;
  Thread& thread = threads_[thread_and_hold >> hold_bits];
  const auto mode = static_cast<checker::HoldMode>(hold % 2);
  end_belief(thread, hold / 2, mode, checker::BeliefEnd::validity);
  Hold& outlived = hold_of(thread, hold / 2, mode);
  outlived.is_outlived = outlived.count > 0;
}

// Waiting, as it is reported for the liveness of the lock; what sets permits and counts; latches.

/// For how long a step is ready to wait; none: for ever.
std::optional<sim::DurationNs> Workload::limit_of(const PreparedStep& prepared) {
  if (prepared.step->wait_ns) return prepared.step->wait_ns;
  if (prepared.form->word.starts_with("try_")) return 0;
  return std::nullopt;
}

void Workload::begin_waits(std::uint32_t thread) {
  Thread& self = threads_[thread];
  const PreparedStep& prepared = current(self);
  for (const std::uint32_t lock : prepared.locks) {
    checker::Wait wait{.owner = self.owner,
                       .lock = locks_[lock].id,
                       .from = {},
                       .until = {},
                       .mode = prepared.form->mode,
                       .permits = counts_permits() ? prepared.step->amount : 1,
                       .limit_ns = limit_of(prepared),
                       .thread = self.owner == self.name ? checker::no_name : self.name};
    self.waits.push_back(process_.environment.recorder.begin_wait(wait));
  }
}

void Workload::end_waits(Thread& thread, checker::WaitEnd end) {
  for (const std::size_t wait : thread.waits) process_.environment.recorder.end_wait(wait, end);
  thread.waits.clear();
}

void Workload::on_permits_set(std::uint32_t thread, bool succeeded) {
  Thread& self = threads_[thread];
  const PreparedStep& prepared = current(self);
  Recorder& recorder = process_.environment.recorder;
  const checker::NameId lock = locks_[prepared.locks.front()].id;
  complete_step(self, succeeded ? "ok" : "fail", {});
  if (prepared.step->kind == scenario::StepKind::try_set_permits) {
    // When it took effect isn't known: others may have taken some before this one was told.
    const auto outcome = succeeded ? checker::SetOutcome::accepted : checker::SetOutcome::refused;
    recorder.add(checker::PermitsSet{lock, self.invoked, prepared.step->amount, outcome});
  } else if (succeeded) {
    recorder.add(checker::LatchEvent{.kind = checker::LatchEventKind::set,
                                     .owner = self.name,
                                     .lock = lock,
                                     .invoked = self.invoked,
                                     .at = recorder.now(),
                                     .count = prepared.step->amount});
  }
}

/// A step whose outcome is unknown may have set permits, which others may then have, or a count.
void Workload::on_permits_possibly_set(const Thread& thread) {
  const PreparedStep& prepared = current(thread);
  if (prepared.step->kind == scenario::StepKind::try_set_count) {
    Recorder& recorder = process_.environment.recorder;
    recorder.add(checker::LatchEvent{.kind = checker::LatchEventKind::may_be_set,
                                     .owner = thread.name,
                                     .lock = locks_[prepared.locks.front()].id,
                                     .invoked = thread.invoked,
                                     .at = recorder.now(),
                                     .count = prepared.step->amount});
  }
  if (prepared.step->kind != scenario::StepKind::try_set_permits) return;
  process_.environment.recorder.add(checker::PermitsSet{locks_[prepared.locks.front()].id,
                                                        thread.invoked, prepared.step->amount,
                                                        checker::SetOutcome::unknown});
}

void Workload::on_died_in_step(const Thread& thread) {
  on_permits_possibly_set(thread);
  const PreparedStep& prepared = current(thread);
  if (prepared.form->role != scenario::StepRole::gives_back) return;
  for (const std::uint32_t lock : prepared.locks) {
    process_.environment.recorder.died_releasing(thread.owner, locks_[lock].id,
                                                 prepared.form->mode);
  }
}

void Workload::passed(std::uint32_t thread) {
  Thread& self = threads_[thread];
  const PreparedStep& prepared = current(self);
  Recorder& recorder = process_.environment.recorder;
  end_waits(self, checker::WaitEnd::granted);
  complete_step(self, "ok", {});
  recorder.add(checker::LatchEvent{.kind = checker::LatchEventKind::passed,
                                   .owner = self.name,
                                   .lock = locks_[prepared.locks.front()].id,
                                   .invoked = self.invoked,
                                   .at = recorder.now()});
}

}  // namespace lockstep::model
