// [heal]: everything that a fault began is over, and nothing strikes any more, but what stays.
//
// What lasts ends as if its time were over; processes that died start anew with what their disks
// have; clocks run at their own rate, though what they were set to they keep. Clients that died
// stay dead: nobody would know what to go on with.
#include <algorithm>

#include "model/faults/fault_injector.h"
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

}  // namespace lockstep::model
