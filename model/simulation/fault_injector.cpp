#include "model/simulation/fault_injector.h"

#include <algorithm>
#include <cassert>

#include "model/client/lock_package.h"
#include "model/trace_vocabulary.h"

namespace lockstep::model {
namespace {

enum EventCode : std::uint32_t { strike_code, heal_code, resumed_code, delayed_code };

bool is_message_fault(FaultKind kind) {
  return kind == FaultKind::drop || kind == FaultKind::delay || kind == FaultKind::reset;
}

}  // namespace

FaultInjector::FaultInjector(const std::vector<FaultSpec>& faults,
                             const FaultEnvironment& environment)
    : faults_(faults), environment_(environment), states_(faults.size()), strikes_(faults.size()) {
  for (const FaultSpec& fault : faults_) {
    descriptions_.push_back(fault.describe());
    watches_messages_ |= is_message_fault(fault.kind);
    milestone_of_sending_ |= fault.trigger.when && fault.trigger.when->milestone == Milestone::sent;
  }
}

void FaultInjector::start_run() {
  std::fill(states_.begin(), states_.end(), State{});
  std::fill(strikes_.begin(), strikes_.end(), 0U);
  for (std::size_t i = 0; i < faults_.size(); ++i) {
    if (!faults_[i].trigger.when) trigger(i);
  }
}

void FaultInjector::trigger(std::size_t fault) {
  states_[fault].triggered = true;
  const sim::DurationNs after_ns = faults_[fault].trigger.after_ns;
  const auto& when = faults_[fault].trigger.when;
  if (after_ns == 0 && when && when->milestone == Milestone::sent) {
    // The sender is in the midst of its work: strike at this instant, but once it is done.
    environment_.queue.schedule(environment_.queue.now(), *this, strike_code, fault);
  } else if (after_ns == 0) {
    arm_or_strike(fault);
  } else {
    // A fault that still lies ahead does not keep a run alive that has come to rest.
    environment_.queue.schedule(environment_.queue.now() + after_ns, *this, strike_code, fault,
                                sim::EventKind::daemon);
  }
}

void FaultInjector::arm_or_strike(std::size_t fault) {
  states_[fault].struck = true;  // from here on: armed, where it waits for its message
  if (!is_message_fault(faults_[fault].kind)) strike(fault);
}

void FaultInjector::on_event(std::uint32_t code, std::uint64_t argument) {
  if (code == strike_code) {
    arm_or_strike(argument);
  } else if (code == resumed_code) {
    const sim::Host& resumed = host(faults_[argument].target);
    if (resumed.state() == sim::HostState::running) {
      set_stopped(resumed.name(), false);
      environment_.recorder.set_healed();
      environment_.recorder.milestone(Milestone::resumed, resumed.actor(), {});
    }
  } else if (code == delayed_code) {
    environment_.recorder.set_healed();
  } else {
    const FaultSpec& fault = faults_[argument];
    environment_.network.heal(host_id(fault.target), host_id(fault.other));
    environment_.recorder.set_healed();
  }
}

bool FaultInjector::matches(const FaultSpec& fault, Milestone milestone, sim::ActorId actor,
                            std::string_view detail) const {
  if (!fault.trigger.when || actor == sim::no_actor) return false;
  const Trigger::When& when = *fault.trigger.when;
  if (when.milestone != milestone) return false;
  const sim::Actor& who = environment_.trace.actor(actor);
  if (who.name != when.actor && !(who.kind == "client-thread" && who.group == when.actor)) {
    return false;
  }
  return when.detail.empty() || when.detail == detail;
}

void FaultInjector::on_milestone(Milestone milestone, sim::ActorId actor, std::string_view detail) {
  for (std::size_t i = 0; i < faults_.size(); ++i) {
    if (states_[i].triggered || !matches(faults_[i], milestone, actor, detail)) continue;
    if (++states_[i].milestones_seen == faults_[i].trigger.when->nth) trigger(i);
  }
}

bool FaultInjector::strikes_message(std::size_t fault, const sim::MessageInfo& message) {
  const FaultSpec& spec = faults_[fault];
  State& state = states_[fault];
  if (!is_message_fault(spec.kind) || !state.struck || strikes_[fault] > 0) return false;
  if (spec.message_label != message.label) return false;
  const auto is_at = [&](const std::string& name, sim::HostId id) {
    return name.empty() || environment_.network.host(id).name() == name ||
           (message.on_behalf_of != sim::no_actor &&
            environment_.trace.actor(message.on_behalf_of).name == name);
  };
  if (!is_at(spec.message_from, message.from) || !is_at(spec.message_to, message.to)) return false;
  return ++state.messages_seen == spec.nth;
}

sim::Verdict FaultInjector::on_send(const sim::MessageInfo& message) {
  if (milestone_of_sending_) {
    environment_.recorder.milestone(Milestone::sent,
                                    environment_.network.host(message.from).actor(), message.label);
  }
  sim::Verdict verdict;
  if (!watches_messages_) return verdict;
  for (std::size_t i = 0; i < faults_.size(); ++i) {
    if (!strikes_message(i, message)) continue;
    note(i);
    if (faults_[i].kind == FaultKind::drop) verdict.kind = sim::Verdict::Kind::drop;
    if (faults_[i].kind == FaultKind::reset) verdict.kind = sim::Verdict::Kind::reset;
    if (faults_[i].kind == FaultKind::delay) {
      verdict.kind = sim::Verdict::Kind::delay;
      verdict.extra_delay_ns = faults_[i].by_ns;
      environment_.queue.schedule(environment_.queue.now() + faults_[i].by_ns, *this, delayed_code,
                                  i, sim::EventKind::daemon);
    }
    return verdict;
  }
  return verdict;
}

void FaultInjector::note(std::size_t fault) {
  ++strikes_[fault];
  environment_.recorder.set_healed();
  environment_.trace.emit(environment_.queue.now(), trace_kind::fault_struck, environment_.actor,
                          {{"fault", static_cast<std::int64_t>(fault)},
                           {"what", descriptions_[fault]},
                           {"target", faults_[fault].target}});
}

/// Nodes have no waiters; where the host is one, nothing happens.
void FaultInjector::set_stopped(std::string_view host_name, bool is_stopped) {
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

void FaultInjector::strike(std::size_t index) {
  const FaultSpec& fault = faults_[index];
  note(index);
  Recorder& recorder = environment_.recorder;
  switch (fault.kind) {
    case FaultKind::pause: {
      sim::Host& paused = host(fault.target);
      paused.pause(fault.for_ns.value_or(sim::never_ns));
      if (fault.for_ns) {  // scheduled after the host's own event, so that it has resumed by then
        environment_.queue.schedule(environment_.queue.now() + *fault.for_ns, *this, resumed_code,
                                    index);
      }
      set_stopped(paused.name(), true);
      recorder.milestone(Milestone::paused, paused.actor(), {});
      return;
    }
    case FaultKind::crash:
      crash(host(fault.target));
      return;
    case FaultKind::power_loss: {
      RedisNode& failed = node(fault.target);
      failed.lose_power();
      has_crashed(failed);
      return;
    }
    case FaultKind::shutdown:
      node(fault.target).shut_down();
      return;
    case FaultKind::restart: {
      sim::Host& restarted = host(fault.target);
      restarted.restart();
      environment_.observer.on_failover();
      recorder.milestone(Milestone::restarted, restarted.actor(), {});
      return;
    }
    case FaultKind::promote:
      environment_.masters.promote(node(fault.target));
      return;
    case FaultKind::cut:
      cut(fault, index);
      return;
    case FaultKind::clock_step:
      step_clock(fault, host(fault.target));
      return;
    case FaultKind::clock_drift: {
      sim::Host& drifting = host(fault.target);
      drifting.wall_clock().set_drift(environment_.queue.now(), fault.drift_ppm);
      drifting.set_monotonic_drift(fault.drift_ppm);
      environment_.trace.emit(environment_.queue.now(), trace_kind::clock_changed, drifting.actor(),
                              {{"drift_ppm", fault.drift_ppm}});
      environment_.observer.on_clock_changed();
      return;
    }
    case FaultKind::delete_key:
      node(fault.target)
          .delete_key(
              expand_pattern(fault.key_pattern.empty() ? environment_.state_key : fault.key_pattern,
                             fault.lock_name));
      return;
    case FaultKind::drop:
    case FaultKind::delay:
    case FaultKind::reset:
      return;  // these strike in on_send
  }
}

void FaultInjector::crash(sim::Host& crashed) {
  crashed.crash();
  has_crashed(crashed);
}

void FaultInjector::has_crashed(sim::Host& crashed) {
  environment_.network.drop_connections_of(host_id(crashed.name()));
  environment_.observer.on_failover();
  environment_.recorder.milestone(Milestone::crashed, crashed.actor(), {});
}

void FaultInjector::cut(const FaultSpec& fault, std::size_t index) {
  environment_.network.cut(host_id(fault.target), host_id(fault.other));
  if (fault.for_ns) {
    environment_.queue.schedule(environment_.queue.now() + *fault.for_ns, *this, heal_code, index);
  }
}

void FaultInjector::step_clock(const FaultSpec& fault, sim::Host& stepped) {
  stepped.wall_clock().step(environment_.queue.now(), fault.by_ns);
  environment_.trace.emit(environment_.queue.now(), trace_kind::clock_changed, stepped.actor(),
                          {{"by_ns", fault.by_ns}});
  environment_.observer.on_clock_changed();
}

sim::HostId FaultInjector::host_id(std::string_view name) const {
  for (std::uint32_t i = 0; i < environment_.network.host_count(); ++i) {
    if (environment_.network.host(sim::HostId{i}).name() == name) return sim::HostId{i};
  }
  assert(false && "a fault names a host that is not there");
  return sim::HostId{0};
}

sim::Host& FaultInjector::host(std::string_view name) {
  return environment_.network.host(host_id(name));
}

RedisNode& FaultInjector::node(std::string_view name) {
  const auto found = std::find_if(environment_.nodes.begin(), environment_.nodes.end(),
                                  [&](const RedisNode* node) { return node->name() == name; });
  assert(found != environment_.nodes.end());
  return **found;
}

}  // namespace lockstep::model
