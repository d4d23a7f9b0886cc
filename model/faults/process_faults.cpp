#include "model/faults/process_faults.h"

#include <cassert>

#include "checker/history.h"
#include "model/client/client.h"
#include "model/node/redis_node.h"
#include "model/observers/lock_observer.h"
#include "model/recorder.h"
#include "scenario/faults/fault_spec.h"
#include "scenario/milestones.h"
#include "sim/delay_sum.h"
#include "sim/network.h"

namespace lockstep::model {

void ProcessFaults::start_run() {
  pauses_.clear();
  slowness_.clear();
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

void ProcessFaults::slow_down(const Strike& strike) {
  add_slowness(strike.spec, strike.spec.by_ns);
}

void ProcessFaults::end_slowness(const Strike& strike, StrikeEnd /*why*/) {
  add_slowness(strike.spec, -strike.spec.by_ns);
}

void ProcessFaults::add_slowness(const scenario::FaultSpec& fault, sim::DurationNs by_ns) {
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
        environment_.recorder.begin_stop(client->name_of(thread));
      } else {
        environment_.recorder.end_stop(client->name_of(thread));
      }
    }
  }
}

// -- ends and starts --

void ProcessFaults::crash(const Strike& strike) {
  sim::Host& crashed = environment_.host(strike.spec.target);
  crashed.crash();
  after_crash(crashed);
}

void ProcessFaults::lose_power(const Strike& strike) {
  RedisNode& failed = environment_.node(strike.spec.target);
  failed.lose_power();
  environment_.network.lose_what_cuts_caught(failed.host_id());
  after_crash(failed);
}

void ProcessFaults::shut_down(const Strike& strike) {
  environment_.node(strike.spec.target).shut_down();
}

void ProcessFaults::restart(const Strike& strike) {
  sim::Host& restarted = environment_.host(strike.spec.target);
  restarted.restart();
  environment_.tell_of_restart(restarted);
  environment_.recorder.milestone(scenario::Milestone::restarted, restarted.actor(), {});
}

void ProcessFaults::after_crash(sim::Host& crashed) {
  environment_.network.drop_connections_of(environment_.host_id(crashed.name()));
  environment_.observer.on_failover();
  environment_.recorder.milestone(scenario::Milestone::crashed, crashed.actor(), {});
}

}  // namespace lockstep::model
