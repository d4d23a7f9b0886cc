// The target of a drawn fault, its amount, and its duration.
#include <algorithm>
#include <array>

#include "model/faults/fault_generator.h"
#include "scenario/faults/fault_forms.h"
#include "scenario/faults/fault_spec.h"
#include "scenario/scenario.h"
#include "scenario/topology_kind.h"

namespace lockstep::model {
namespace {

using scenario::TargetKind;

constexpr std::array<std::int64_t, 5> drifts_ppm = {200, 1'000, 20'000, 100'000, 500'000};

constexpr std::uint32_t connections_max = 4;

}  // namespace

/// The hosts of which a fault of the kind strikes one; null if its target is not a host.
const std::vector<std::string>* FaultGenerator::targets_of(scenario::FaultKind kind) const {
  switch (scenario::form_of(kind).target.kind) {
    case TargetKind::process:
      return &names_.processes;
    case TargetKind::server:
    case TargetKind::listener:
      return &names_.servers;
    case TargetKind::node:
      return &names_.nodes;
    case TargetKind::master:
    case TargetKind::lock_key:
      return &names_.masters;
    case TargetKind::host:
      return &names_.hosts;
    case TargetKind::replica:
      return &names_.replicas;
    case TargetKind::thread:
      return &names_.threads;
    case TargetKind::callback:
    case TargetKind::pair:
    case TargetKind::directed_pair:
    case TargetKind::groups:
    case TargetKind::ring:
    case TargetKind::sequence:
    case TargetKind::message:
      return nullptr;
  }
  return nullptr;
}

bool FaultGenerator::can_draw(scenario::FaultKind kind) const {
  const scenario::FaultForm::Target& target = scenario::form_of(kind).target;
  if (target.state == scenario::TargetState::down && !may_draw_end()) return false;
  if (const auto* const targets = targets_of(kind); targets != nullptr && targets->empty()) {
    return false;
  }
  switch (target.kind) {
    case TargetKind::process:
    case TargetKind::server:
    case TargetKind::listener:
    case TargetKind::node:
    case TargetKind::master:
    case TargetKind::host:
    case TargetKind::replica:
    case TargetKind::thread:
      return true;
    case TargetKind::lock_key:
      return !lock_names_.empty();
    case TargetKind::callback:
      return !run_profile_.callbacks().empty();
    case TargetKind::ring:
      return names_.nodes.size() >= 3 &&
             (names_.nodes.size() == 1 + scenario_.redis.replicas ||
              scenario_.redis.topology == scenario::TopologyKind::cluster);
    case TargetKind::sequence:
      return names_.nodes.size() >= 2;
    case TargetKind::pair:
    case TargetKind::directed_pair:
    case TargetKind::groups:
    case TargetKind::message:
      return !run_profile_.pairs().empty();
  }
  return false;
}

/// Whether a process may end that is to start again.
bool FaultGenerator::may_draw_end() const {
  const scenario::OpenFaults& open = *scenario_.open_faults;
  return open.allows(scenario::FaultKind::crash) || open.allows(scenario::FaultKind::power_loss);
}

void FaultGenerator::draw_extent(FaultChoices& place, scenario::FaultSpec& fault) const {
  const scenario::FaultForm& form = scenario::form_of(fault.kind);
  draw_targets(place, fault);
  if (scenario::lasts(form)) fault.for_ns = place.lasting_ns(draw_unit_ns(place));
  draw_amount(place, form.amount, fault);
}

sim::DurationNs FaultGenerator::draw_unit_ns(FaultChoices& place) const {
  // Most that matters is about the lease.
  constexpr std::size_t leases_of_all = 4;
  if (units_.size() == 1 || place.extent(leases_of_all) != 0) return unit_ns_;
  return units_[1 + place.extent(units_.size() - 1)];
}

void FaultGenerator::draw_amount(FaultChoices& place, scenario::Amount amount,
                                 scenario::FaultSpec& fault) const {
  switch (amount) {
    case scenario::Amount::none:
    case scenario::Amount::leap_second:
      return;
    case scenario::Amount::duration:
      fault.by_ns = place.lasting_ns(draw_unit_ns(place));
      return;
    case scenario::Amount::short_duration:
      fault.by_ns = place.lasting_ns(std::max<sim::DurationNs>(unit_ns_ / 64, 1));
      return;
    case scenario::Amount::step:
      fault.by_ns = place.lasting_ns(draw_unit_ns(place));
      if (place.extent(2) == 1) fault.by_ns = -fault.by_ns;
      return;
    case scenario::Amount::strobe:
      fault.by_ns = place.lasting_ns(draw_unit_ns(place));
      fault.strobe_ns = std::max<sim::DurationNs>(
          readable_ns(std::min(fault.by_ns, *fault.for_ns) / 8), sim::millisecond_ns);
      return;
    case scenario::Amount::rate:
      fault.drift_ppm = drifts_ppm[place.extent(drifts_ppm.size())];
      if (place.extent(2) == 1) fault.drift_ppm = -fault.drift_ppm;
      return;
    case scenario::Amount::connections:
      if (const auto limit = place.extent(connections_max); limit > 0) {
        fault.limit = static_cast<std::uint32_t>(limit - 1);
      }
      return;
  }
}

void FaultGenerator::draw_targets(FaultChoices& place, scenario::FaultSpec& fault) const {
  if (const auto* const targets = targets_of(fault.kind)) fault.target = place.one_of(*targets);
  switch (scenario::form_of(fault.kind).target.kind) {
    case TargetKind::process:
    case TargetKind::server:
    case TargetKind::listener:
    case TargetKind::node:
    case TargetKind::master:
    case TargetKind::host:
    case TargetKind::replica:
    case TargetKind::thread:
      return;
    case TargetKind::lock_key:
      return draw_key(place, fault);
    case TargetKind::callback:
      return draw_callback(place, fault);
    case TargetKind::groups:
      return draw_groups(place, fault);
    case TargetKind::ring:
    case TargetKind::sequence:
      fault.groups = {names_.nodes};
      return;
    case TargetKind::pair:
    case TargetKind::directed_pair:
      return draw_pair(place, fault);
    case TargetKind::message:
      return draw_message(place, fault);
  }
}

void FaultGenerator::draw_pair(FaultChoices& place, scenario::FaultSpec& fault) const {
  const auto& [one, other] = place.one_of(run_profile_.pairs());
  const bool is_turned = place.extent(2) == 1;
  fault.target = is_turned ? other : one;
  fault.other = is_turned ? one : other;
}

void FaultGenerator::draw_groups(FaultChoices& place, scenario::FaultSpec& fault) const {
  // Two that talk are parted for certain, the others as chance says.
  const auto& [one, other] = place.one_of(run_profile_.pairs());
  fault.groups = {{one}, {other}};
  for (const std::string& host : names_.hosts) {
    if (host == one || host == other) continue;
    fault.groups[place.extent(2)].push_back(host);
  }
}

void FaultGenerator::draw_message(FaultChoices& place, scenario::FaultSpec& fault) const {
  const SentMessage& message = place.one_of(run_profile_.messages());
  fault.message_label = message.label;
  fault.message_from = message.from;
  fault.message_to = message.to;
  fault.nth = place.nth(message.times);
  if (!scenario::form_of(fault.kind).keys.contain("behind")) return;
  std::vector<std::string> behind;
  for (const SentMessage& each : run_profile_.messages()) {
    if (each.from == message.from && each.label != message.label) behind.push_back(each.label);
  }
  fault.behind_label = behind.empty() ? message.label : place.one_of(behind);
}

void FaultGenerator::draw_key(FaultChoices& place, scenario::FaultSpec& fault) const {
  fault.lock_name = place.one_of(lock_names_);
  const std::size_t which = place.extent(1 + key_patterns_.size());
  if (which > 0) fault.key_pattern = key_patterns_[which - 1];
}

void FaultGenerator::draw_callback(FaultChoices& place, scenario::FaultSpec& fault) const {
  const DueCallback& callback = place.one_of(run_profile_.callbacks());
  fault.target = callback.client;
  fault.callback = callback.kind;
  fault.callback_name = callback.name;
  fault.nth = place.nth(callback.times);
}

// When a drawn fault strikes.

namespace {

/// How often a moment is drawn: those at which holds begin and end more often.
std::size_t weight_of(const SeenMilestone& moment) {
  switch (moment.milestone) {
    case scenario::Milestone::acquired:
      return 4;
    case scenario::Milestone::releasing:
    case scenario::Milestone::executed:
    case scenario::Milestone::sent:
      return 2;
    case scenario::Milestone::refused:
    case scenario::Milestone::released:
    case scenario::Milestone::read:
    case scenario::Milestone::wrote:
    case scenario::Milestone::finished:
    case scenario::Milestone::paused:
    case scenario::Milestone::resumed:
    case scenario::Milestone::crashed:
    case scenario::Milestone::restarted:
    case scenario::Milestone::promoted:
    case scenario::Milestone::stopped:
    case scenario::Milestone::subjectively_down:
    case scenario::Milestone::objectively_down:
    case scenario::Milestone::elected:
    case scenario::Milestone::switched:
    case scenario::Milestone::logged:
      return 1;
  }
  return 1;
}

}  // namespace

void FaultGenerator::weigh_milestones() {
  for (std::size_t i = 0; i < run_profile_.milestones().size(); ++i) {
    const SeenMilestone& moment = run_profile_.milestones()[i];
    weighted_milestones_.insert(weighted_milestones_.end(), weight_of(moment), i);
    if (moment.milestone != scenario::Milestone::acquired) continue;
    const std::string& holder = actor_name(moment.actor);
    const bool is_known = std::find(holders_.begin(), holders_.end(), holder) != holders_.end();
    if (!is_known) holders_.push_back(holder);
  }
}

/// The client's name where it has one thread only: "a acquired".
const std::string& FaultGenerator::actor_name(const std::string& thread) const {
  const auto single = std::find(single_threads_.begin(), single_threads_.end(), thread);
  if (single == single_threads_.end()) return thread;
  const std::string client = thread.substr(0, thread.rfind('/'));
  return *std::find(names_.clients.begin(), names_.clients.end(), client);
}

void FaultGenerator::draw_trigger(FaultChoices& place, scenario::FaultSpec& fault) const {
  scenario::Trigger& trigger = fault.trigger;
  const std::size_t form = place.moment(16);
  const scenario::TargetKind target = scenario::form_of(fault.kind).target.kind;
  const bool counts_messages =
      target == scenario::TargetKind::message || target == scenario::TargetKind::callback;
  // These name their moment already, by the message or callback that they strike.
  if (counts_messages && form < 12) return;
  if (form < 11 && !weighted_milestones_.empty()) return draw_moment(place, trigger);
  if (form < 13 && !holders_.empty()) return draw_lease_end(place, trigger);
  if (form == 13 && !run_profile_.messages().empty()) return draw_message_moment(place, trigger);
  const sim::DurationNs run_ns = std::max<sim::DurationNs>(run_profile_.ended_ns(), unit_ns_);
  trigger.after_ns =
      std::min(place.after_ns(2 * run_ns), scenario_.horizon_ns - sim::millisecond_ns);
}

void FaultGenerator::draw_moment(FaultChoices& place, scenario::Trigger& trigger) const {
  const SeenMilestone& moment =
      run_profile_.milestones()[weighted_milestones_[place.moment(weighted_milestones_.size())]];
  scenario::Trigger::When when{};
  when.actor = actor_name(moment.actor);
  when.milestone = moment.milestone;
  when.detail = moment.detail;
  // The scenario's own lock goes without saying.
  if (when.detail == scenario_.lock_name && lock_names_.size() == 1) when.detail.clear();
  when.nth = place.nth(moment.times);
  trigger.when = when;
  trigger.after_ns = place.after_ns(2 * unit_ns_);
}

void FaultGenerator::draw_lease_end(FaultChoices& place, scenario::Trigger& trigger) const {
  scenario::Trigger::When when{};
  when.kind = scenario::Trigger::When::Kind::lease_end;
  when.actor = holders_[place.moment(holders_.size())];
  trigger.when = when;
  const bool is_before = place.moment(2) == 0;
  const sim::DurationNs distance_ns = place.after_ns(unit_ns_);
  trigger.after_ns = is_before ? -distance_ns : distance_ns;
}

void FaultGenerator::draw_message_moment(FaultChoices& place, scenario::Trigger& trigger) const {
  const auto& messages = run_profile_.messages();
  const SentMessage& message = messages[place.moment(messages.size())];
  scenario::Trigger::When when{};
  when.kind = scenario::Trigger::When::Kind::message;
  when.actor = message.from;
  when.to = message.to;
  when.detail = message.label;
  when.nth = place.nth(message.times);
  trigger.when = when;
}

}  // namespace lockstep::model
