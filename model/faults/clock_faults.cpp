#include "model/faults/clock_faults.h"

#include <algorithm>

#include "model/observers/lock_observer.h"
#include "model/trace_vocabulary.h"
#include "scenario/faults/fault_spec.h"
#include "sim/network.h"

namespace lockstep::model {
namespace {

bool is_wall(scenario::ClockChoice clock) { return clock != scenario::ClockChoice::monotonic; }
bool is_monotonic(scenario::ClockChoice clock) { return clock != scenario::ClockChoice::wall; }

}  // namespace

void ClockFaults::start_run() {
  strobes_.clear();
  frozen_.clear();
  drifts_.clear();
  rates_.clear();
}

void ClockFaults::step(const Strike& strike) {
  change_time(environment_.host(strike.spec.target), strike.spec.by_ns, strike.spec.clock);
}

void ClockFaults::drift(const Strike& strike) {
  const scenario::FaultSpec& fault = strike.spec;
  sim::Host& host = environment_.host(fault.target);
  const sim::HostId id = environment_.host_id(fault.target);
  rates_.emplace(id, host.wall_clock().drift_ppm());
  drifts_.push_back({id, fault.drift_ppm, fault.clock, fault.stays});
  change_rate(host, fault.drift_ppm, fault.clock);
}

void ClockFaults::start_strobe(const Strike& strike) {
  const scenario::FaultSpec& fault = strike.spec;
  strobes_.push_back(
      {strike.number, environment_.host_id(fault.target), fault.by_ns, fault.strobe_ns, {}});
  flip(strobes_.back());
  plan(strobes_.size() - 1);
}

void ClockFaults::end_strobe(const Strike& strike, StrikeEnd /*why*/) {
  for (Strobe& strobe : strobes_) {
    if (strobe.strike != strike.number) continue;
    environment_.queue.cancel(strobe.next);
    if (strobe.is_off) flip(strobe);
    return;
  }
}

void ClockFaults::heal() {
  const auto is_healed = [this](sim::HostId host) {
    return std::any_of(drifts_.begin(), drifts_.end(),
                       [host](const Drift& each) { return each.host == host && !each.stays; });
  };
  for (const auto& [id, drift_ppm] : rates_) {
    if (!is_healed(id)) continue;
    sim::Host& host = environment_.network.host(id);
    change_rate(host, drift_ppm, scenario::ClockChoice::both);
    for (const Drift& each : drifts_) {
      if (each.host == id && each.stays) change_rate(host, each.rate_ppm, each.clock);
    }
  }
}

void ClockFaults::change_time(sim::Host& host, sim::DurationNs by_ns, scenario::ClockChoice clock) {
  const sim::TimeNs now = environment_.queue.now();
  if (is_wall(clock)) host.wall_clock().step(now, by_ns);
  environment_.trace.emit(now, trace_kind::clock_changed, host.actor(), {{"by_ns", by_ns}});
  notify_clock_changed(host);
  if (is_monotonic(clock)) host.step_monotonic(by_ns);
}

void ClockFaults::change_rate(sim::Host& host, std::int64_t drift_ppm,
                              scenario::ClockChoice clock) {
  const sim::TimeNs now = environment_.queue.now();
  if (is_wall(clock)) host.wall_clock().set_drift(now, drift_ppm);
  if (is_monotonic(clock)) host.set_monotonic_drift(drift_ppm);
  environment_.trace.emit(now, trace_kind::clock_changed, host.actor(), {{"drift_ppm", drift_ppm}});
  notify_clock_changed(host);
}

void ClockFaults::freeze(const Strike& strike) {
  sim::Host& host = environment_.host(strike.spec.target);
  const scenario::ClockChoice clock = strike.spec.clock;
  const sim::TimeNs now = environment_.queue.now();
  Frozen& frozen = frozen_[environment_.host_id(host.name())];
  if (is_wall(clock) && frozen.wall++ == 0) host.wall_clock().freeze(now);
  if (is_monotonic(clock) && frozen.monotonic++ == 0) host.freeze_monotonic();
  environment_.trace.emit(now, trace_kind::clock_changed, host.actor(), {{"frozen", 1}});
  notify_clock_changed(host);
}

void ClockFaults::thaw(const Strike& strike, StrikeEnd /*why*/) {
  sim::Host& host = environment_.host(strike.spec.target);
  const scenario::ClockChoice clock = strike.spec.clock;
  const sim::TimeNs now = environment_.queue.now();
  Frozen& frozen = frozen_[environment_.host_id(host.name())];
  if (is_wall(clock) && --frozen.wall == 0) host.wall_clock().thaw(now);
  if (is_monotonic(clock) && --frozen.monotonic == 0) host.thaw_monotonic();
  environment_.trace.emit(now, trace_kind::clock_changed, host.actor(), {{"frozen", 0}});
  notify_clock_changed(host);
}

void ClockFaults::flip(Strobe& strobe) {
  strobe.is_off = !strobe.is_off;
  change_time(environment_.network.host(strobe.host), strobe.is_off ? strobe.by_ns : -strobe.by_ns,
              scenario::ClockChoice::wall);
}

void ClockFaults::plan(std::size_t strobe) {
  strobes_[strobe].next =
      environment_.queue.schedule(environment_.queue.now() + strobes_[strobe].every_ns, *this, 0,
                                  strobe, sim::EventKind::daemon);
}

void ClockFaults::on_event(std::uint32_t /*code*/, std::uint64_t strobe) {
  flip(strobes_[strobe]);
  plan(strobe);
}

void ClockFaults::notify_clock_changed(sim::Host& host) {
  host.wall_clock_was_changed();
  environment_.observer.on_clock_changed();
}

}  // namespace lockstep::model
