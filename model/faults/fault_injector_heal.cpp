// [heal]: everything that a fault began is over, and nothing strikes any more, but what stays.
//
// What lasts ends as if its time were over; processes that died start anew with what their disks
// have; clocks run at their own rate, though what they were set to they keep. Clients that died
// stay dead: nobody would know what to go on with.
#include <algorithm>

#include "model/faults/fault_injector.h"
#include "model/node/redis_node.h"
#include "model/observers/lock_observer.h"
#include "model/recorder.h"
#include "model/trace_vocabulary.h"
#include "scenario/faults/fault_spec.h"

namespace lockstep::model {

void FaultInjector::heal() {
  const bool was_over = is_over();
  is_healed_ = true;
  environment_.trace.emit(environment_.queue.now(), trace_kind::faults_healed, environment_.actor,
                          {});
  for (std::size_t i = 0; i < lasting_.size(); ++i) {
    if (!lasting_[i].spec.stays) end(lasting_[i], StrikeEnd::healed);
  }
  for (std::size_t i = 0; i < faults_.size(); ++i) {
    if (faults_[i].stays) continue;
    const scenario::TargetKind target = scenario::form_of(faults_[i].kind).target.kind;
    if (target == scenario::TargetKind::message) message_faults_.disarm(i);
    if (target == scenario::TargetKind::callback) handlers_.client.cancel(i);
  }
  handlers_.clock.heal();
  const bool has_restarted = restart_processes();
  // Where all was over by itself, waiters have had their rights since then.
  if (!was_over || has_restarted) environment_.recorder.set_healed();
  environment_.recorder.set_healed_for_good();
}

bool FaultInjector::is_over() const {
  if (message_faults_.has_held_messages()) return false;
  for (const Lasting& lasting : lasting_) {
    if (!lasting.is_over && !lasting.spec.stays) return false;
  }
  for (std::size_t i = 0; i < faults_.size(); ++i) {
    const bool may_go_on =
        scenario::form_of(faults_[i].kind).timing.lasting == scenario::Lasting::unseen;
    if (may_go_on && strikes_[i] > 0 && !faults_[i].stays) return false;
  }
  return true;
}

bool FaultInjector::restart_processes() {
  bool has_restarted = false;
  for (std::uint32_t i = 0; i < environment_.network.host_count(); ++i) {
    sim::Host& host = environment_.network.host(sim::HostId{i});
    const bool is_client = std::any_of(environment_.clients.begin(), environment_.clients.end(),
                                       [&](const Client* client) { return client == &host; });
    if (is_client || host.state() != sim::HostState::crashed || stays_down_.contains(host.name()))
      continue;
    host.restart();
    environment_.tell_of_restart(host);
    environment_.recorder.milestone(scenario::Milestone::restarted, host.actor(), {});
    has_restarted = true;
  }
  return has_restarted;
}

// The faults in force at this instant, and the threads that they keep from their work.

void FaultInjector::tell_unhealed(UnhealedFaults& unhealed, sim::DurationNs slowness_max_ns) const {
  for (const Lasting& lasting : lasting_) {
    if (!lasting.is_over) tell_lasting(lasting.spec, unhealed, slowness_max_ns);
  }
  message_faults_.for_each_held(
      [&](sim::HostId from, sim::HostId to) { unhealed.keep_apart(from, to); });
  for (std::size_t i = 0; i < faults_.size(); ++i) {
    if (strikes_[i] == 0) continue;
    const scenario::FaultSpec& spec = drawn_[i];
    const bool is_of_messages = scenario::form_of(spec.kind).theme == scenario::Theme::message;
    const bool has_no_end =
        spec.times == scenario::unlimited_times && message_faults_.may_strike(i);
    if (is_of_messages && has_no_end && !is_over(i)) tell_of_messages(spec, unhealed);
    const bool is_held_back =
        environment_.recorder.observations().healed.at_ns + spec.by_ns > environment_.queue.now();
    if (spec.kind == scenario::FaultKind::postpone && is_held_back) {
      unhealed.keep_from_work(environment_.host_id(spec.target));
    }
  }
}

void FaultInjector::tell_lasting(const scenario::FaultSpec& spec, UnhealedFaults& unhealed,
                                 sim::DurationNs slowness_max_ns) const {
  using Kind = scenario::FaultKind;
  switch (spec.kind) {
    case Kind::slow:
      if (spec.by_ns > slowness_max_ns) unhealed.keep_from_work(environment_.host_id(spec.target));
      return;
    case Kind::clog:
      if (spec.by_ns > slowness_max_ns) {
        unhealed.keep_apart(environment_.host_id(spec.target), environment_.host_id(spec.other));
      }
      return;
    case Kind::busy:
    case Kind::max_clients:
    case Kind::refuse:
    case Kind::clock_strobe:
      return unhealed.keep_from_work(environment_.host_id(spec.target));
    case Kind::swizzle:
      for (const std::string& host : spec.groups.front()) {
        unhealed.keep_from_work(environment_.host_id(host));
      }
      return;
    case Kind::lag:
      if (spec.by_ns <= slowness_max_ns) return;
      return unhealed.keep_from_following(environment_.host_id(spec.target));
    case Kind::stall:
    case Kind::disconnect:
      return unhealed.keep_from_following(environment_.host_id(spec.target));
    // These show by themselves.
    case Kind::pause:
    case Kind::clock_freeze:
    case Kind::cut:
    case Kind::cut_one_way:
    case Kind::isolate:
    case Kind::partition:
    case Kind::ring:
    // These do not last.
    case Kind::crash:
    case Kind::restart:
    case Kind::promote:
    case Kind::drop:
    case Kind::delay:
    case Kind::reset:
    case Kind::clock_step:
    case Kind::clock_drift:
    case Kind::delete_key:
    case Kind::power_loss:
    case Kind::shutdown:
    case Kind::clock_leap:
    case Kind::evict:
    case Kind::flush_all:
    case Kind::script_flush:
    case Kind::interrupt:
    case Kind::abandon:
    case Kind::postpone:
    case Kind::half_open:
    case Kind::reorder:
      return;
  }
}

/// A message that is always struck is as good as a link that is cut, of whoever it is meant for.
void FaultInjector::tell_of_messages(const scenario::FaultSpec& spec,
                                     UnhealedFaults& unhealed) const {
  const auto is_named = [&](const std::string& name, sim::HostId host) {
    const std::string_view owner = environment_.network.host(host).name();
    return name.empty() || name == owner ||
           (name.starts_with(owner) && name.substr(owner.size()).starts_with("/"));
  };
  for (const Client* client : environment_.clients) {
    const sim::HostId here = environment_.host_id(client->name());
    for (const RedisNode* node : environment_.nodes) {
      const sim::HostId there = node->host_id();
      const bool is_sent = is_named(spec.message_from, here) && is_named(spec.message_to, there);
      const bool is_received =
          is_named(spec.message_from, there) && is_named(spec.message_to, here);
      if (is_sent || is_received) unhealed.keep_apart(here, there);
    }
  }
}

}  // namespace lockstep::model
