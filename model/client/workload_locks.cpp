// What the threads believe of their locks, and how it is reported beside the truth.
#include <algorithm>
#include <lua.hpp>

#include "model/client/client_parts.h"
#include "model/client/workload.h"

namespace lockstep::model {
namespace {

/// A validity timer's owner: the thread above, the lock below.
constexpr std::uint32_t lock_bits = 16;
constexpr std::uint32_t lock_mask = (1U << lock_bits) - 1;

std::optional<std::int64_t> integer_field(lua_State* lua, int index, const char* field) {
  lua_pushstring(lua, field);
  const int type = lua_rawget(lua, index);
  const std::int64_t value = lua_tointeger(lua, -1);
  lua_pop(lua, 1);
  if (type == LUA_TNIL) return std::nullopt;
  return value;
}

}  // namespace

Workload::GrantDetails Workload::read_details(lua_State* lua, int index) const {
  GrantDetails details;
  if (!lua_istable(lua, index)) return details;
  const int absolute = lua_absindex(lua, index);
  const lua::Memory::Unlimited unlimited(client_.runtime.state.memory());
  details.token = integer_field(lua, absolute, "token").value_or(-1);
  details.valid_until_ms = integer_field(lua, absolute, "valid_until_ms");
  return details;
}

void Workload::granted(std::uint32_t thread, const GrantDetails& details) {
  Thread& self = threads_[thread];
  const PreparedStep& prepared = current(self);
  const std::uint32_t lock = prepared.lock;
  const checker::NameId lock_id = locks_[lock].id;
  Recorder& recorder = client_.environment.recorder;
  Hold& hold = self.holds[lock];
  ++hold.count;
  ++hold.believed;
  self.token = details.token;
  complete_step(self, "ok", {});
  if (!recorder.believes(self.owner, lock_id)) {
    recorder.begin_belief(self.actor, self.owner, lock_id);
  }
  const TrueHold truth = client_.environment.truth.hold_of(lock_id, self.owner);
  checker::Grant grant{.owner = self.owner,
                       .lock = lock_id,
                       .at = recorder.now(),
                       .truly_held = truth.count > 0,
                       .true_holder = truth.count > 0 ? checker::no_name : truth.holder,
                       .true_lease_ends_ns = truth.lease_ends_ns,
                       .reported_valid_until_ns = std::nullopt};
  if (details.valid_until_ms) {
    grant.reported_valid_until_ns =
        client_.host.monotonic_clock().true_time_of(*details.valid_until_ms * sim::millisecond_ns);
    watch_validity(thread, lock, *details.valid_until_ms);
  }
  recorder.add(grant);
  check_hold(self, lock, truth.count);
  recorder.milestone(Milestone::acquired, self.actor, prepared.step->lock_name);
}

void Workload::refused(std::uint32_t thread) {
  Thread& self = threads_[thread];
  const PreparedStep& prepared = current(self);
  complete_step(self, "fail", {}, Next::past_unlock);
  client_.environment.recorder.milestone(Milestone::refused, self.actor, prepared.step->lock_name);
}

void Workload::unlocked(std::uint32_t thread) {
  Thread& self = threads_[thread];
  const PreparedStep& prepared = current(self);
  Hold& hold = self.holds[prepared.lock];
  if (hold.believed > 0) --hold.believed;
  complete_step(self, "ok", {});
  const TrueHold truth = client_.environment.truth.hold_of(locks_[prepared.lock].id, self.owner);
  check_hold(self, prepared.lock, truth.count);
  client_.environment.recorder.milestone(Milestone::released, self.actor, prepared.step->lock_name);
}

void Workload::check_hold(const Thread& thread, std::uint32_t lock, std::int64_t true_count) {
  const auto index = static_cast<std::uint32_t>(&thread - threads_.data());
  if (client_.records.has_unknown(index)) return;
  Recorder& recorder = client_.environment.recorder;
  recorder.add(checker::HoldCheck{.owner = thread.owner,
                                  .lock = locks_[lock].id,
                                  .at = recorder.now(),
                                  .believed_count = thread.holds[lock].believed,
                                  .true_count = true_count});
}

void Workload::end_belief(Thread& thread, std::uint32_t lock, checker::BeliefEnd why) {
  client_.host.cancel_timer(thread.holds[lock].validity);
  thread.holds[lock].validity = {};
  client_.environment.recorder.end_belief(thread.actor, thread.owner, locks_[lock].id, why);
}

void Workload::told_of_loss(std::uint32_t thread, checker::NameId lock) {
  Thread& self = threads_[thread];
  for (std::uint32_t i = 0; i < locks_.size(); ++i) {
    if (locks_[i].id != lock) continue;
    self.holds[i].count = 0;
    self.holds[i].believed = 0;
    end_belief(self, i, checker::BeliefEnd::told);
  }
}

// A validity ends a belief only; it keeps no run alive that is at rest otherwise.
void Workload::watch_validity(std::uint32_t thread, std::uint32_t lock,
                              std::int64_t valid_until_ms) {
  Hold& hold = threads_[thread].holds[lock];
  client_.host.cancel_timer(hold.validity);
  const std::int64_t left_ns = valid_until_ms * sim::millisecond_ns - client_.host.monotonic_ns();
  hold.validity =
      client_.start_timer(std::max<std::int64_t>(left_ns, 0), TimerUse::validity,
                          (std::size_t{thread} << lock_bits) | lock, sim::EventKind::daemon);
}

void Workload::on_validity_over(std::uint32_t thread_and_lock) {
  end_belief(threads_[thread_and_lock >> lock_bits], thread_and_lock & lock_mask,
             checker::BeliefEnd::validity);
}

}  // namespace lockstep::model
