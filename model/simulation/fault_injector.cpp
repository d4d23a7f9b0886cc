#include "model/simulation/fault_injector.h"

#include <algorithm>
#include <cassert>

#include "model/trace_vocabulary.h"

namespace lockstep::model {
namespace {

enum EventCode : std::uint32_t { strike_code, end_code };

}  // namespace

FaultInjector::FaultInjector(const std::vector<FaultSpec>& faults,
                             const FaultEnvironment& environment)
    : faults_(faults),
      environment_(environment),
      message_faults_(faults, environment_, *this),
      states_(faults.size()),
      strikes_(faults.size()) {
  const auto set = [this](Theme theme, FaultTheme& faults_of_it) {
    themes_[static_cast<std::size_t>(theme)] = &faults_of_it;
  };
  set(Theme::process, process_faults_);
  set(Theme::network, network_faults_);
  set(Theme::replication, replication_faults_);
  set(Theme::clock, clock_faults_);
  set(Theme::by_operator, operator_faults_);
  set(Theme::client, client_faults_);
  for (const FaultSpec& fault : faults_) {
    descriptions_.push_back(fault.describe());
    milestone_of_sending_ |= fault.trigger.when && fault.trigger.when->milestone == Milestone::sent;
  }
}

FaultTheme& FaultInjector::theme_of(FaultKind kind) {
  return *themes_[static_cast<std::size_t>(form_of(kind).theme)];
}

void FaultInjector::start_run(sim::ChoiceSource& choices) {
  std::fill(states_.begin(), states_.end(), State{});
  std::fill(strikes_.begin(), strikes_.end(), 0U);
  lasting_.clear();
  message_faults_.start_run();
  for (FaultTheme* theme : themes_) {
    if (theme != nullptr) theme->start_run(choices);
  }
  for (std::size_t i = 0; i < faults_.size(); ++i) {
    if (!faults_[i].trigger.when) trigger(i);
  }
}

// -- when --

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

sim::Verdict FaultInjector::on_send(const sim::MessageInfo& message) {
  if (milestone_of_sending_) {
    environment_.recorder.milestone(Milestone::sent,
                                    environment_.network.host(message.from).actor(), message.label);
  }
  return message_faults_.on_send(message);
}

void FaultInjector::on_event(std::uint32_t code, std::uint64_t argument) {
  if (code == strike_code) {
    arm_or_strike(argument);
  } else {
    end(lasting_[argument], StrikeEnd::in_time);
  }
}

// -- what --

void FaultInjector::arm_or_strike(std::size_t fault) {
  if (form_of(faults_[fault].kind).theme == Theme::message) {
    message_faults_.arm(fault);
  } else {
    strike(fault);
  }
}

void FaultInjector::strike(std::size_t fault) {
  const FaultSpec& spec = faults_[fault];
  // What a client is to do is noted when it does it.
  if (form_of(spec.kind).theme != Theme::client) note(fault);
  theme_of(spec.kind).strike({fault, spec});
  if (!lasts(form_of(spec.kind))) return;
  Lasting& lasting = lasting_.emplace_back(Lasting{fault, spec, {}});
  // Scheduled after the theme's own events, so that those of the same instant have come by then.
  if (!spec.for_ns) return;
  lasting.end_event = environment_.queue.schedule(environment_.queue.now() + *spec.for_ns, *this,
                                                  end_code, lasting_.size() - 1);
}

void FaultInjector::end(Lasting& lasting, StrikeEnd why) {
  if (lasting.is_over) return;
  lasting.is_over = true;
  environment_.queue.cancel(lasting.end_event);
  theme_of(lasting.spec.kind).end({lasting.fault, lasting.spec}, why);
  environment_.trace.emit(environment_.queue.now(), trace_kind::fault_ended, environment_.actor,
                          {{"fault", static_cast<std::int64_t>(lasting.fault)},
                           {"what", descriptions_[lasting.fault]},
                           {"target", lasting.spec.target}});
  environment_.recorder.set_healed();
}

void FaultInjector::note(std::size_t fault) {
  ++strikes_[fault];
  environment_.recorder.set_healed();
  environment_.trace.emit(environment_.queue.now(), trace_kind::fault_struck, environment_.actor,
                          {{"fault", static_cast<std::int64_t>(fault)},
                           {"what", descriptions_[fault]},
                           {"target", faults_[fault].target}});
}

}  // namespace lockstep::model
