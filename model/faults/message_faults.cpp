#include "model/faults/message_faults.h"

#include <algorithm>

#include "model/faults/strikes.h"
#include "model/recorder.h"
#include "scenario/faults/fault_forms.h"
#include "scenario/faults/fault_spec.h"
#include "sim/network.h"

namespace lockstep::model {

void MessageFaults::watch() {
  states_.assign(faults_.size(), {});
  watches_messages_ = watches_overtaking_ = false;
  for (const scenario::FaultSpec& fault : faults_) watch(fault);
}

void MessageFaults::watch_another() {
  states_.emplace_back();
  watch(faults_.back());
}

void MessageFaults::watch(const scenario::FaultSpec& fault) {
  watches_messages_ |= scenario::form_of(fault.kind).theme == scenario::Theme::message;
  watches_overtaking_ |= !fault.behind_label.empty();
}

void MessageFaults::start_run() {
  std::fill(states_.begin(), states_.end(), State{});
  held_.clear();
}

void MessageFaults::arm(std::size_t fault) { states_[fault].is_armed = true; }

void MessageFaults::disarm(std::size_t fault) {
  states_[fault].is_armed = false;
  std::erase_if(held_, [&](const Held& held) {
    if (held.fault == fault) environment_.network.release_held(held.message);
    return held.fault == fault;
  });
}

sim::SendDecision MessageFaults::on_send(const sim::MessageInfo& message) {
  sim::SendDecision decision;
  if (!watches_messages_) return decision;
  for (std::size_t i = 0; i < faults_.size(); ++i) {
    if (!strikes(i, message)) continue;
    ++states_[i].strikes;
    listener_.on_struck(i);
    decision = decision_on(i, message);
    break;
  }
  if (watches_overtaking_) decision.report_arrival = may_overtake(message);
  return decision;
}

bool MessageFaults::strikes(std::size_t fault, const sim::MessageInfo& message) {
  State& state = states_[fault];
  const scenario::FaultSpec& spec = faults_[fault];
  if (!state.is_armed || state.strikes >= spec.times) return false;
  if (spec.message_label != scenario::any_message && spec.message_label != message.label)
    return false;
  if (!is_at(spec.message_from, message.from, message)) return false;
  if (!is_at(spec.message_to, message.to, message)) return false;
  return ++state.messages_seen >= spec.nth;
}

bool MessageFaults::is_at(const std::string& name, sim::HostId host,
                          const sim::MessageInfo& message) const {
  return name.empty() || environment_.network.host(host).name() == name ||
         (message.on_behalf_of != sim::no_actor &&
          environment_.trace.actor(message.on_behalf_of).name == name);
}

sim::SendDecision MessageFaults::decision_on(std::size_t fault, const sim::MessageInfo& message) {
  const scenario::FaultSpec& spec = faults_[fault];
  const sim::SendDecision decision = decision_on_message(spec);
  const bool waits = decision.kind == sim::SendDecision::Kind::delay ||
                     decision.kind == sim::SendDecision::Kind::hold;
  if (!waits) return decision;
  const sim::TimeNs until = environment_.queue.now() + spec.by_ns;
  environment_.queue.schedule(until, *this, 0, fault, sim::EventKind::daemon);
  held_.push_back({fault, message.message, message.from, message.connection, until, {}});
  return decision;
}

/// A delayed message is there by now, or one that was held back goes on.
void MessageFaults::on_event(std::uint32_t /*code*/, std::uint64_t /*fault*/) {
  const auto goes_on = [now = environment_.queue.now()](const Held& held) {
    return held.until <= now;
  };
  while (!held_.empty() && goes_on(held_.front())) held_.pop_front();
  // Where faults delay by different times.
  if (std::any_of(held_.begin(), held_.end(), goes_on)) std::erase_if(held_, goes_on);
  environment_.recorder.set_healed();
}

bool MessageFaults::may_overtake(const sim::MessageInfo& message) {
  bool may = false;
  for (Held& held : held_) {
    const scenario::FaultSpec& spec = faults_[held.fault];
    if (spec.behind_label.empty() || spec.behind_label != message.label) continue;
    if (held.from != message.from || held.connection == message.connection) continue;
    held.overtaking.push_back(message.message);
    may = true;
  }
  return may;
}

void MessageFaults::on_arrived(std::uint64_t message) {
  std::erase_if(held_, [&](const Held& held) {
    const bool is_overtaken =
        std::find(held.overtaking.begin(), held.overtaking.end(), message) != held.overtaking.end();
    if (is_overtaken) environment_.network.release_held(held.message);
    return is_overtaken;
  });
  environment_.recorder.set_healed();
}

}  // namespace lockstep::model
