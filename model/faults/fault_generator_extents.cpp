// The target of a drawn fault, its amount, and its duration.
#include <algorithm>
#include <array>

#include "model/faults/fault_generator.h"
#include "scenario/faults/fault_forms.h"
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

}  // namespace lockstep::model
