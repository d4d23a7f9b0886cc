#include "model/simulation/message_faults.h"

#include <algorithm>

#include "model/scenario/fault_forms.h"

namespace lockstep::model {

MessageFaults::MessageFaults(const std::vector<FaultSpec>& faults,
                             const FaultEnvironment& environment, StrikeListener& listener)
    : faults_(faults), environment_(environment), listener_(listener), states_(faults.size()) {
  watches_messages_ = std::any_of(faults.begin(), faults.end(), [](const FaultSpec& fault) {
    return form_of(fault.kind).theme == Theme::message;
  });
}

void MessageFaults::start_run() { std::fill(states_.begin(), states_.end(), State{}); }

void MessageFaults::arm(std::size_t fault) { states_[fault].is_armed = true; }

void MessageFaults::disarm(std::size_t fault) { states_[fault].is_armed = false; }

sim::Verdict MessageFaults::on_send(const sim::MessageInfo& message) {
  if (!watches_messages_) return {};
  for (std::size_t i = 0; i < faults_.size(); ++i) {
    if (!strikes(i, message)) continue;
    ++states_[i].strikes;
    listener_.on_message_struck(i);
    return verdict_of(i);
  }
  return {};
}

bool MessageFaults::strikes(std::size_t fault, const sim::MessageInfo& message) {
  State& state = states_[fault];
  const FaultSpec& spec = faults_[fault];
  if (!state.is_armed || state.strikes > 0) return false;
  if (spec.message_label != message.label) return false;
  if (!is_at(spec.message_from, message.from, message)) return false;
  if (!is_at(spec.message_to, message.to, message)) return false;
  return ++state.messages_seen == spec.nth;
}

bool MessageFaults::is_at(const std::string& name, sim::HostId host,
                          const sim::MessageInfo& message) const {
  return name.empty() || environment_.network.host(host).name() == name ||
         (message.on_behalf_of != sim::no_actor &&
          environment_.trace.actor(message.on_behalf_of).name == name);
}

sim::Verdict MessageFaults::verdict_of(std::size_t fault) {
  const FaultSpec& spec = faults_[fault];
  switch (spec.kind) {
    case FaultKind::drop:
      return {.kind = sim::Verdict::Kind::drop};
    case FaultKind::reset:
      return {.kind = sim::Verdict::Kind::reset};
    default:
      environment_.queue.schedule(environment_.queue.now() + spec.by_ns, *this, 0, fault,
                                  sim::EventKind::daemon);
      return {.kind = sim::Verdict::Kind::delay, .extra_delay_ns = spec.by_ns};
  }
}

/// A delayed message is there by now.
void MessageFaults::on_event(std::uint32_t /*code*/, std::uint64_t /*fault*/) {
  environment_.recorder.set_healed();
}

}  // namespace lockstep::model
