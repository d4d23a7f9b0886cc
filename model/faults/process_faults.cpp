#include "model/faults/process_faults.h"

#include <cassert>

namespace lockstep::model {

void ProcessFaults::start_run(sim::ChoiceSource& /*choices*/) {
  pauses_.clear();
  slowness_.clear();
}

bool ProcessFaults::can_strike(const scenario::FaultSpec& spec) const {
  const bool has_died = environment_.host(spec.target).state() == sim::HostState::crashed;
  if (spec.kind == scenario::FaultKind::slow) return true;  // it keeps that for its next start
  return has_died == (spec.kind == scenario::FaultKind::restart);
}

void ProcessFaults::strike(const Strike& strike) {
  const scenario::FaultSpec& fault = strike.spec;
  switch (fault.kind) {
    case scenario::FaultKind::pause:
      return pause(strike);
    case scenario::FaultKind::slow:
      return slow_down(fault, fault.by_ns);
    case scenario::FaultKind::crash: {
      sim::Host& crashed = environment_.host(fault.target);
      crashed.crash();
      return after_crash(crashed);
    }
    case scenario::FaultKind::power_loss: {
      RedisNode& failed = environment_.node(fault.target);
      failed.lose_power();
      return after_crash(failed);
    }
    case scenario::FaultKind::shutdown:
      return environment_.node(fault.target).shut_down();
    case scenario::FaultKind::restart: {
      sim::Host& restarted = environment_.host(fault.target);
      restarted.restart();
      environment_.observer.on_failover();
      return environment_.recorder.milestone(scenario::Milestone::restarted, restarted.actor(), {});
    }
    default:
      assert(false && "no fault of a process");
  }
}

void ProcessFaults::end(const Strike& strike, StrikeEnd why) {
  if (strike.spec.kind == scenario::FaultKind::pause) end_pause(strike, why);
  if (strike.spec.kind == scenario::FaultKind::slow) slow_down(strike.spec, -strike.spec.by_ns);
}

// -- pauses, slow processes --

void ProcessFaults::pause(const Strike& strike) {
  sim::Host& paused = environment_.host(strike.spec.target);
  pauses_[strike.number] = paused.pause(strike.spec.for_ns.value_or(sim::never_ns));
  set_stopped(paused.name(), true);
  environment_.recorder.milestone(scenario::Milestone::paused, paused.actor(), {});
}

/// One that ends in time is over already: the host sees to that.
void ProcessFaults::end_pause(const Strike& strike, StrikeEnd why) {
  sim::Host& resumed = environment_.host(strike.spec.target);
  const auto own = pauses_.extract(strike.number);
  assert(!own.empty());
  if (why == StrikeEnd::healed) resumed.end_pause(own.mapped());
  if (resumed.state() != sim::HostState::running) return;
  set_stopped(resumed.name(), false);
  environment_.recorder.milestone(scenario::Milestone::resumed, resumed.actor(), {});
}

void ProcessFaults::slow_down(const scenario::FaultSpec& fault, sim::DurationNs by_ns) {
  sim::DelaySum& slowness = slowness_[environment_.host_id(fault.target)];
  slowness.add(by_ns);
  environment_.host(fault.target).set_slowness(slowness.value());
}

/// Nodes have no waiters; where the host is one, nothing happens.
void ProcessFaults::set_stopped(std::string_view host_name, bool is_stopped) {
  for (const Client* client : environment_.clients) {
    if (client->name() != host_name) continue;
    for (std::size_t thread = 0; thread < client->thread_count(); ++thread) {
      if (is_stopped) {
        environment_.recorder.begin_stop(client->owner(thread));
      } else {
        environment_.recorder.end_stop(client->owner(thread));
      }
    }
  }
}

// -- crashes --

void ProcessFaults::after_crash(sim::Host& crashed) {
  environment_.network.drop_connections_of(environment_.host_id(crashed.name()));
  environment_.observer.on_failover();
  environment_.recorder.milestone(scenario::Milestone::crashed, crashed.actor(), {});
}

}  // namespace lockstep::model
