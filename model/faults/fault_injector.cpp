#include "model/faults/fault_injector.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include "model/client/client.h"
#include "model/faults/slow_network.h"
#include "model/node/redis_node.h"
#include "model/observers/lock_observer.h"
#include "model/recorder.h"
#include "model/trace_vocabulary.h"
#include "scenario/faults/fault_spec.h"
#include "scenario/participants.h"
#include "scenario/scenario.h"
#include "scenario/text/durations.h"

namespace lockstep::model {
namespace {

using Kind = scenario::Trigger::When::Kind;

bool waits_for_sending(const scenario::FaultSpec& fault) {
  const auto& when = fault.trigger.when;
  return when && (when->kind == Kind::any ||
                  (when->kind == Kind::milestone && when->milestone == scenario::Milestone::sent));
}

/// Whoever brings about its moment is in the midst of its work then.
bool strikes_once_it_is_done(const scenario::FaultSpec& fault) {
  const auto& when = fault.trigger.when;
  return waits_for_sending(fault) ||
         (when && when->kind == Kind::milestone && when->milestone == scenario::Milestone::logged);
}

bool waits_for_message(const scenario::FaultSpec& fault) {
  return fault.trigger.when && fault.trigger.when->kind == Kind::message;
}

}  // namespace

FaultInjector::FaultInjector(std::vector<scenario::FaultSpec> faults,
                             const FaultEnvironment& environment,
                             std::optional<sim::TimeNs> heal_at_ns)
    : environment_(environment),
      heal_at_ns_(heal_at_ns),
      message_faults_(drawn_, environment_, *this),
      lease_triggers_(faults_, environment_, *this) {
  set_faults(std::move(faults));
}

void FaultInjector::set_faults(std::vector<scenario::FaultSpec> faults) {
  faults_ = std::move(faults);
  faults_set_ = faults_.size();
  drawn_ = faults_;
  states_.assign(faults_.size(), {});
  strikes_.assign(faults_.size(), 0);
  descriptions_.clear();
  milestone_of_sending_ = false;
  for (const scenario::FaultSpec& fault : faults_) {
    descriptions_.push_back(fault.describe());
    milestone_of_sending_ |= waits_for_sending(fault) || waits_for_message(fault);
  }
  message_faults_.watch();
  lease_triggers_.watch();
  environment_.observer.set_lease_listener(lease_triggers_.any() ? &lease_triggers_ : nullptr);
}

/// Only of those that strike_now added: the others stay as they are.
void FaultInjector::forget_faults_of_run() {
  if (faults_.size() == faults_set_) return;
  faults_.resize(faults_set_, scenario::FaultSpec{});
  drawn_.resize(faults_set_, scenario::FaultSpec{});
  descriptions_.resize(faults_set_);
  states_.resize(faults_set_);
  strikes_.resize(faults_set_);
  message_faults_.watch();
}

void FaultInjector::start_run(sim::ChoiceSource& choices) {
  forget_faults_of_run();
  std::fill(states_.begin(), states_.end(), State{});
  std::fill(strikes_.begin(), strikes_.end(), 0U);
  spans_.clear();
  lasting_.clear();
  message_faults_.start_run();
  handlers_.start_run(choices);
  lease_triggers_.start_run();
  choices_ = &choices;
  is_healed_ = false;
  depth_ = 0;
  strikes_so_far_ = 0;
  stays_down_.clear();
  if (heal_at_ns_) environment_.queue.schedule(*heal_at_ns_, *this, heal_code, 0);
  for (std::size_t i = 0; i < faults_.size(); ++i) start_fault(i);
}

void FaultInjector::strike_now(scenario::FaultSpec fault) {
  fault.trigger = {};
  fault.trigger.after_ns = environment_.queue.now();
  descriptions_.push_back(fault.describe());
  drawn_.push_back(fault);
  faults_.push_back(std::move(fault));
  states_.emplace_back();
  strikes_.push_back(0);
  message_faults_.watch_another();
  arm_or_strike(faults_.size() - 1);
}

void FaultInjector::start_fault(std::size_t fault) {
  const auto& when = faults_[fault].trigger.when;
  states_[fault].times_left = draw_strikes(fault);
  if (!when) return trigger(fault, Instant::at_once);
  states_[fault].drawn_match = when->kind == Kind::any ? draw_moment(fault) : when->nth;
}

// -- when --

bool FaultInjector::counts(std::size_t fault) {
  State& state = states_[fault];
  const scenario::Trigger& trigger = faults_[fault].trigger;
  ++state.trigger_matches;
  const bool strikes_again = faults_[fault].most_strikes() > 1 && trigger.every_ns == 0;
  return strikes_again ? state.trigger_matches >= state.drawn_match
                       : state.trigger_matches == state.drawn_match;
}

void FaultInjector::on_lease_trigger(std::size_t fault) {
  if (states_[fault].times_left > 0) trigger(fault, Instant::at_once);
}

void FaultInjector::trigger(std::size_t fault, Instant instant) {
  State& state = states_[fault];
  if (state.times_left == 0 || is_over(fault)) return;
  // With `every` the moment begins it, and comes no more.
  if (faults_[fault].trigger.every_ns > 0 && faults_[fault].trigger.when) {
    if (std::exchange(state.is_begun, true)) return;
  }
  if (state.times_left != scenario::Trigger::always) --state.times_left;
  draw_delay(fault);
  // Before a lease ends: that moment is now.
  const sim::DurationNs after_ns = std::max<sim::DurationNs>(drawn_[fault].trigger.after_ns, 0);
  if (after_ns == 0 && (instant == Instant::once_it_is_done || depth_ == depth_max)) {
    // At this instant, but after what happens now: the sender is in the midst of its work, or
    // faults bring about each other's triggers and shall not go deeper.
    environment_.queue.schedule(environment_.queue.now(), *this, strike_code, fault);
  } else if (after_ns == 0) {
    arm_or_strike(fault);
  } else {
    // A fault that still lies ahead does not keep a run alive that has come to rest.
    environment_.queue.schedule(environment_.queue.now() + after_ns, *this, strike_code, fault,
                                sim::EventKind::daemon);
  }
}

bool FaultInjector::matches(const scenario::FaultSpec& fault, scenario::Milestone milestone,
                            sim::ActorId actor, std::string_view detail,
                            sim::ActorId requested_by) const {
  if (!fault.trigger.when || actor == sim::no_actor) return false;
  const scenario::Trigger::When& when = *fault.trigger.when;
  if (when.kind == Kind::any) return true;
  if (when.kind != Kind::milestone || when.milestone != milestone) return false;
  if (!scenario::is_or_belongs_to(environment_.trace.actor(actor), when.actor)) return false;
  return (when.detail.empty() || when.detail == detail) &&
         scenario::is_asked_by(environment_.trace, requested_by, when.requested_by);
}

void FaultInjector::on_milestone(scenario::Milestone milestone, sim::ActorId actor,
                                 std::string_view detail, sim::ActorId requested_by) {
  if (run_profile_ != nullptr) run_profile_->note(milestone, actor, detail);
  for (std::size_t i = 0; i < faults_.size(); ++i) {
    if (states_[i].times_left == 0 ||
        !matches(faults_[i], milestone, actor, detail, requested_by)) {
      continue;
    }
    if (!counts(i)) continue;
    trigger(i, strikes_once_it_is_done(faults_[i]) ? Instant::once_it_is_done : Instant::at_once);
  }
}

sim::SendDecision FaultInjector::on_send(const sim::MessageInfo& message) {
  if (run_profile_ != nullptr) {
    run_profile_->note(environment_.network.host(message.from).name(),
                       environment_.network.host(message.to).name(), message.label);
  }
  if (milestone_of_sending_ || others_wait_for_sending_) {
    environment_.recorder.milestone(scenario::Milestone::sent,
                                    environment_.network.host(message.from).actor(), message.label);
    for (std::size_t i = 0; i < faults_.size(); ++i) {
      if (states_[i].times_left == 0 || !waits_for_message(faults_[i])) continue;
      const scenario::Trigger::When& when = *faults_[i].trigger.when;
      if (!when.detail.empty() && when.detail != message.label) continue;
      if (!message_faults_.is_at(when.actor, message.from, message)) continue;
      if (!message_faults_.is_at(when.to, message.to, message)) continue;
      if (counts(i)) trigger(i, Instant::once_it_is_done);
    }
  }
  message_ = &message;
  sim::SendDecision decision = message_faults_.on_send(message);
  message_ = nullptr;
  handlers_.replication.on_send(message, decision);
  return decision;
}

void FaultInjector::on_refused(sim::HostId listener) {
  for (const Lasting& each : lasting_) {
    const bool refuses = each.spec.kind == scenario::FaultKind::refuse ||
                         each.spec.kind == scenario::FaultKind::max_clients;
    if (!refuses || each.is_over || each.span == no_span) continue;
    if (environment_.host_id(each.spec.target) == listener) spans_[each.span].has_refused = true;
  }
}

void FaultInjector::on_event(std::uint32_t code, std::uint64_t argument) {
  if (code == strike_code) {
    arm_or_strike(argument);
  } else if (code == heal_code) {
    heal();
  } else {
    end(lasting_[argument], StrikeEnd::in_time);
  }
}

// -- what --

void FaultInjector::arm_or_strike(std::size_t fault) {
  if (is_over(fault)) return;
  draw_what(fault);
  plan_repetition(fault);
  if (scenario::form_of(faults_[fault].kind).theme == scenario::Theme::message) {
    message_faults_.arm(fault);
  } else {
    strike(fault);
  }
}

void FaultInjector::plan_repetition(std::size_t fault) {
  const sim::DurationNs every_ns = faults_[fault].trigger.every_ns;
  State& state = states_[fault];
  if (every_ns == 0 || state.times_left == 0) return;
  if (state.times_left != scenario::Trigger::always) --state.times_left;
  environment_.queue.schedule(environment_.queue.now() + every_ns, *this, strike_code, fault,
                              sim::EventKind::daemon);
}

void FaultInjector::strike(std::size_t fault) {
  const scenario::FaultSpec spec = drawn_[fault];  // its own milestones may draw it anew
  note_who_stays_down(spec);
  const scenario::FaultForm& form = scenario::form_of(spec.kind);
  if (!can_strike(spec, environment_)) return;
  const std::uint64_t number = ++strikes_so_far_;
  ++depth_;
  // What a client is to do is noted when it does it.
  if (form.theme != scenario::Theme::client) note(fault);
  const bool has_span = !spans_.empty() && spans_.back().fault == fault;
  const std::size_t span = has_span ? spans_.size() - 1 : no_span;
  begin_strike({fault, spec, number}, handlers_);
  --depth_;
  if (!scenario::lasts(form)) return;
  Lasting& lasting = lasting_.emplace_back(Lasting{fault, spec, number, span, {}});
  // Scheduled after the handler's own events, so that those of the same instant have come by then.
  if (!spec.for_ns) return;
  lasting.end_event = environment_.queue.schedule(environment_.queue.now() + *spec.for_ns, *this,
                                                  end_code, lasting_.size() - 1);
}

/// A process that is down already stays so, too.
void FaultInjector::note_who_stays_down(const scenario::FaultSpec& spec) {
  const scenario::FaultForm& form = scenario::form_of(spec.kind);
  if (scenario::ends_process(form) && spec.stays) stays_down_.insert(spec.target);
  if (form.milestone == scenario::Milestone::restarted) stays_down_.erase(spec.target);
}

void FaultInjector::end(Lasting& lasting, StrikeEnd why) {
  if (lasting.is_over) return;
  lasting.is_over = true;
  if (lasting.span != no_span) spans_[lasting.span].until_ns = environment_.queue.now();
  environment_.queue.cancel(lasting.end_event);
  end_strike({lasting.fault, lasting.spec, lasting.number}, why, handlers_);
  tell(trace_kind::fault_ended, lasting.fault, lasting.spec);
  environment_.recorder.set_healed();
}

void FaultInjector::note(std::size_t fault) {
  ++strikes_[fault];
  if (strikes_[fault] <= spans_max) add_span(fault);
  environment_.recorder.set_healed();
  tell(trace_kind::fault_struck, fault, drawn_[fault]);
  if (struck_listener_ != nullptr) struck_listener_->on_struck(fault);
}

// -- duration and target --

void FaultInjector::add_span(std::size_t fault) {
  const scenario::FaultSpec& spec = drawn_[fault];
  const scenario::FaultForm& form = scenario::form_of(spec.kind);
  const sim::TimeNs now = environment_.queue.now();
  const bool is_late = spec.kind == scenario::FaultKind::delay ||
                       spec.kind == scenario::FaultKind::reorder ||
                       spec.kind == scenario::FaultKind::postpone;
  const bool stays = scenario::lasts(form) || form.theme == scenario::Theme::clock ||
                     form.theme == scenario::Theme::by_operator ||
                     spec.kind == scenario::FaultKind::half_open;
  StrikeSpan span{fault, spec.kind, now, now};
  span.by_ns = spec.by_ns;
  span.drift_ppm = spec.drift_ppm;
  span.is_wall_only = spec.clock == scenario::ClockChoice::wall;
  if (is_late) span.until_ns = now + spec.by_ns;
  if (stays) span.until_ns = sim::never_ns;  // until end(), where there is one
  name_struck(spec, span);
  span.is_of_call = message_ != nullptr && message_->on_behalf_of != sim::no_actor;
  span.is_of_question =
      span.is_of_call &&
      std::any_of(environment_.clients.begin(), environment_.clients.end(),
                  [this](const Client* client) {
                    return client->is_of_question(message_->on_behalf_of, message_->label);
                  });
  spans_.push_back(span);
}

StrikeSpan FaultInjector::whole_run(const SlowPart& part, std::size_t place) const {
  const scenario::FaultSpec fault = part.as_fault();
  StrikeSpan span{place, fault.kind, 0, sim::never_ns};
  span.by_ns = fault.by_ns;
  span.is_of_network = true;
  name_struck(fault, span);
  return span;
}

void FaultInjector::name_struck(const scenario::FaultSpec& spec, StrikeSpan& span) const {
  const auto name = [&](std::string_view host) {
    const std::uint64_t client = client_bit_of(host);
    const std::uint64_t server = server_bit_of(host);
    span.clients |= client;
    span.servers |= server;
    span.is_of_resource |= host == scenario::resource_name;
    span.is_of_sentinel |= client == 0 && server == 0 && host != scenario::resource_name;
  };
  if (message_ != nullptr) {
    for (const sim::HostId end : {message_->from, message_->to}) {
      name(environment_.network.host(end).name());
    }
    return;
  }
  for (const std::string_view host : spec.struck()) name(host);
  const bool is_cut_off = spec.kind == scenario::FaultKind::isolate && span.clients != 0;
  if (is_cut_off) span.servers = ~std::uint64_t{0};
}

/// Of the client with that name, or of the client whose thread has it; 0: of none.
std::uint64_t FaultInjector::client_bit_of(std::string_view name) const {
  for (std::size_t i = 0; i < environment_.clients.size(); ++i) {
    const std::string& client = environment_.clients[i]->name();
    const bool is_its_thread =
        name.size() > client.size() && name.starts_with(client) && name[client.size()] == '/';
    if (name == client || is_its_thread) return StrikeEffects::bit_of(i);
  }
  return 0;
}

/// Of the node with that name; 0: of none.
std::uint64_t FaultInjector::server_bit_of(std::string_view name) const {
  for (std::size_t i = 0; i < environment_.nodes.size(); ++i) {
    if (environment_.nodes[i]->name() == name) return StrikeEffects::bit_of(i);
  }
  return 0;
}

void FaultInjector::tell(std::string_view kind, std::size_t fault,
                         const scenario::FaultSpec& spec) {
  std::string struck;
  for (const std::string_view name : spec.struck()) {
    if (!struck.empty()) struck += ' ';
    struck += name;
  }
  const auto number = static_cast<std::int64_t>(fault);
  if (kind == trace_kind::fault_struck && scenario::lasts(scenario::form_of(spec.kind))) {
    environment_.trace.emit(
        environment_.queue.now(), kind, environment_.actor,
        {{"fault", number}, {"what", descriptions_[fault]}, {"target", struck}, {"lasts", 1}});
  } else {
    environment_.trace.emit(
        environment_.queue.now(), kind, environment_.actor,
        {{"fault", number}, {"what", descriptions_[fault]}, {"target", struck}});
  }
}

// What a scenario leaves open of its faults, drawn with Purpose::fault and the fault's place: how
// often it strikes as the run begins, the moment and the delay when a fault is triggered, the rest
// when it strikes.

std::uint32_t FaultInjector::draw_strikes(std::size_t fault) {
  const scenario::OpenDuration* const open =
      faults_[fault].find_open(scenario::OpenDuration::What::strikes);
  if (open == nullptr) return faults_[fault].trigger.times;
  const sim::Stream stream{sim::Purpose::fault, static_cast<std::uint32_t>(fault)};
  const auto strikes =
      static_cast<std::uint32_t>(choices_->between(stream, open->min_ns, open->max_ns));
  drawn_[fault].trigger.times = strikes;
  return strikes;
}

void FaultInjector::draw_delay(std::size_t fault) {
  if (faults_[fault].open.empty()) return;
  const scenario::OpenDuration* const open =
      faults_[fault].find_open(scenario::OpenDuration::What::after);
  if (open == nullptr) return;
  const sim::Stream stream{sim::Purpose::fault, static_cast<std::uint32_t>(fault)};
  drawn_[fault].trigger.after_ns = choices_->between(stream, open->min_ns, open->max_ns);
}

void FaultInjector::draw_what(std::size_t fault) {
  const scenario::FaultSpec& spec = faults_[fault];
  if (!spec.is_open()) return;
  const sim::Stream stream{sim::Purpose::fault, static_cast<std::uint32_t>(fault)};
  scenario::FaultSpec& drawn = drawn_[fault];
  if (!spec.targets.empty()) {
    drawn.target = spec.targets[choices_->choose(stream, spec.targets.size())];
  }
  for (const scenario::OpenDuration& open : spec.open) {
    const bool is_drawn_before = open.what == scenario::OpenDuration::What::after ||
                                 open.what == scenario::OpenDuration::What::strikes;
    if (is_drawn_before) continue;
    scenario::set_open(drawn, open.what, choices_->between(stream, open.min_ns, open.max_ns));
  }
  drawn.open.clear();
  drawn.targets.clear();
  descriptions_[fault] = drawn.describe();
}

/// Nobody knows how many moments a run has: early ones, of which every run has some, come as often
/// as late ones.
std::uint32_t FaultInjector::draw_moment(std::size_t fault) {
  constexpr std::uint64_t doublings = 8;
  const sim::Stream stream{sim::Purpose::fault, static_cast<std::uint32_t>(fault)};
  const std::uint64_t up_to = std::uint64_t{1} << choices_->choose(stream, doublings);
  return static_cast<std::uint32_t>(1 + choices_->choose(stream, up_to));
}

std::string SlowPart::describe() const {
  const std::string latency = scenario::format_duration(by_ns);
  return is_link() ? fmt::format("the latency of {} from {} to {}", latency, from, to)
                   : fmt::format("the latency of {} of {}", latency, from);
}

std::string_view SlowPart::replica() const {
  for (const std::string* end : {&from, &to}) {
    if (end->find("-replica-") != std::string::npos) return *end;
  }
  return {};
}

std::string_view SlowPart::mattered() const {
  return replica().empty()
             ? "a call for the lock takes a tenth of its timeout or lease or more, and another "
               "wants it then"
             : "the replica becomes the master before it has everything";
}

scenario::FaultSpec SlowPart::as_fault() const {
  scenario::FaultSpec fault =
      scenario::fault_of(is_link() ? scenario::FaultKind::clog : scenario::FaultKind::slow);
  fault.target = from;
  fault.other = to;
  fault.by_ns = by_ns;
  return fault;
}

std::vector<SlowPart> slow_parts(const scenario::Scenario& scenario) {
  std::vector<SlowPart> parts;
  if (!scenario.faults.empty() || scenario.open_faults) return parts;
  for (const scenario::LinkSpec& link : scenario.links) {
    parts.push_back({link.from, link.to, link.latency.delay_ns_max});
  }
  for (const scenario::NodeSpec& node : scenario.redis.nodes) {
    if (node.latency) parts.push_back({node.name, {}, node.latency->delay_ns_max});
  }
  return parts;
}

}  // namespace lockstep::model
