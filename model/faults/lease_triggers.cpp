#include "model/faults/lease_triggers.h"

#include <algorithm>

#include "checker/history.h"
#include "model/observers/lock_state.h"
#include "scenario/faults/fault_spec.h"

namespace lockstep::model {

void LeaseTriggers::watch() {
  watches_.clear();
  for (std::size_t i = 0; i < faults_.size(); ++i) {
    const auto& when = faults_[i].trigger.when;
    if (!when || when->kind != scenario::Trigger::When::Kind::lease_end) continue;
    watches_.push_back({i, {}, 0, {}, 0, 0});
  }
}

void LeaseTriggers::start_run() {
  for (Watch& watch : watches_) watch = {watch.fault, {}, 0, {}, 0, 0};
}

void LeaseTriggers::on_leases(std::string_view lock, std::span<const StateHold> holds) {
  for (std::size_t i = 0; i < watches_.size(); ++i) {
    const std::string& wanted = faults_[watches_[i].fault].trigger.when->detail;
    const std::string& followed = watches_[i].lock;
    if (!wanted.empty() && wanted != lock) continue;
    if (!followed.empty() && followed != lock) continue;
    follow(watches_[i], i, lock, holds);
  }
}

/// The hold of an actor: a thread, or any thread of a client.
const StateHold* LeaseTriggers::hold_of(const std::string& actor,
                                        std::span<const StateHold> holds) const {
  for (const StateHold& hold : holds) {
    if (hold.owner == checker::no_name) continue;
    const std::string_view owner = environment_.recorder.names().text(hold.owner);
    if (owner == actor || owner.substr(0, owner.rfind('/')) == actor) return &hold;
  }
  return nullptr;
}

void LeaseTriggers::follow(Watch& watch, std::uint64_t index, std::string_view lock,
                           std::span<const StateHold> holds) {
  const scenario::Trigger& trigger = faults_[watch.fault].trigger;
  const StateHold* const hold = hold_of(trigger.when->actor, holds);
  const sim::TimeNs now = environment_.queue.now();
  const bool has_ended = !watch.lock.empty() && watch.ends_ns <= now;
  if (has_ended) {
    watch.lock.clear();  // what is planned for after it stays so
    watch.moment = {};
    if (hold == nullptr) return;
  }
  if (hold != nullptr && !watch.lock.empty() && hold->lease_ends_ns == watch.ends_ns) return;
  environment_.queue.cancel(watch.moment);
  watch.moment = {};
  watch.lock.clear();
  if (hold == nullptr || hold->lease_ends_ns == sim::never_ns) return;
  watch.lock = lock;
  watch.ends_ns = hold->lease_ends_ns;
  const sim::DurationNs before_ns = std::max<sim::DurationNs>(-trigger.after_ns, 0);
  if (before_ns > 0) {
    plan(watch, index, std::max(watch.ends_ns - before_ns, now), before_end);
  } else {
    plan(watch, index, std::max(watch.ends_ns, now), at_end);
  }
}

/// An event's argument: which of the watch's plans it is, and the watch's index.
void LeaseTriggers::plan(Watch& watch, std::uint64_t index, sim::TimeNs at, std::uint32_t code) {
  const std::uint64_t argument = (std::uint64_t{++watch.plans} << 32U) | index;
  watch.moment = environment_.queue.schedule(at, *this, code, argument, sim::EventKind::daemon);
}

void LeaseTriggers::on_event(std::uint32_t code, std::uint64_t argument) {
  const std::uint64_t index = argument & UINT32_MAX;
  Watch& watch = watches_[index];
  const scenario::Trigger& trigger = faults_[watch.fault].trigger;
  const bool is_wanted = watch.ends_seen + 1 >= trigger.when->nth;
  // Else the watch follows the next lease already, which began as this one ended.
  if (argument >> 32U == watch.plans) watch.moment = {};
  if (code == before_end) {
    plan(watch, index, std::max(watch.ends_ns, environment_.queue.now()), at_end);
    if (is_wanted) listener_.on_lease_trigger(watch.fault);
    return;
  }
  ++watch.ends_seen;
  if (is_wanted && trigger.after_ns >= 0) listener_.on_lease_trigger(watch.fault);
}

}  // namespace lockstep::model
