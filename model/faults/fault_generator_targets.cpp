// Whom a drawn fault strikes, by how much, for how long.
#include <algorithm>
#include <array>

#include "model/faults/fault_generator.h"
#include "scenario/faults/fault_forms.h"

namespace lockstep::model {
namespace {

constexpr std::array<std::int64_t, 5> drifts_ppm = {200, 1'000, 20'000, 100'000, 500'000};

constexpr std::uint32_t connections_max = 4;

bool is_of_replication(scenario::FaultKind kind) {
  return scenario::form_of(kind).theme == scenario::Theme::replication;
}

}  // namespace

/// Those of whom a fault of the kind strikes one; null: it strikes something else.
const std::vector<std::string>* FaultGenerator::targets_of(scenario::FaultKind kind) const {
  if (is_of_replication(kind)) return &names_.replicas;
  switch (kind) {
    case scenario::FaultKind::pause:
    case scenario::FaultKind::crash:
    case scenario::FaultKind::clock_step:
    case scenario::FaultKind::clock_drift:
    case scenario::FaultKind::clock_freeze:
    case scenario::FaultKind::clock_strobe:
    case scenario::FaultKind::clock_leap:
      return &names_.processes;
    case scenario::FaultKind::power_loss:
    case scenario::FaultKind::shutdown:
    case scenario::FaultKind::script_flush:
    case scenario::FaultKind::busy:
    case scenario::FaultKind::max_clients:
      return &names_.nodes;
    case scenario::FaultKind::flush_all:
    case scenario::FaultKind::delete_key:
    case scenario::FaultKind::evict:
      return &names_.masters;
    case scenario::FaultKind::restart:
    case scenario::FaultKind::refuse:
      return &names_.servers;
    case scenario::FaultKind::interrupt:
    case scenario::FaultKind::abandon:
      return &names_.threads;
    case scenario::FaultKind::slow:
    case scenario::FaultKind::isolate:
      return &names_.hosts;
    default:
      return nullptr;
  }
}

bool FaultGenerator::can_draw(scenario::FaultKind kind) const {
  if (const auto* const targets = targets_of(kind)) {
    if (targets->empty()) return false;
    if (kind == scenario::FaultKind::restart) {
      const scenario::OpenFaults& open = *scenario_.open_faults;
      return open.allows(scenario::FaultKind::crash) ||
             open.allows(scenario::FaultKind::power_loss);
    }
    const bool is_key =
        kind == scenario::FaultKind::delete_key || kind == scenario::FaultKind::evict;
    return !(is_key && lock_names_.empty());
  }
  switch (kind) {
    case scenario::FaultKind::postpone:
      return !run_profile_.callbacks().empty();
    case scenario::FaultKind::ring:
      return names_.nodes.size() >= 3 &&
             (names_.nodes.size() == 1 + scenario_.redis.replicas ||
              scenario_.redis.topology == scenario::TopologyKind::cluster);
    case scenario::FaultKind::swizzle:
      return names_.nodes.size() >= 2;
    default:
      return !run_profile_.pairs().empty();
  }
}

void FaultGenerator::draw_extent(FaultChoices& place, scenario::FaultSpec& fault) const {
  draw_targets(place, fault);
  if (scenario::lasts(scenario::form_of(fault.kind))) fault.for_ns = place.lasting_ns(unit_ns_);
  switch (fault.kind) {
    case scenario::FaultKind::delay:
    case scenario::FaultKind::reorder:
    case scenario::FaultKind::postpone:
    case scenario::FaultKind::clog:
    case scenario::FaultKind::lag:
      fault.by_ns = place.lasting_ns(unit_ns_);
      return;
    case scenario::FaultKind::slow:
      fault.by_ns = place.lasting_ns(std::max<sim::DurationNs>(unit_ns_ / 64, 1));
      return;
    case scenario::FaultKind::max_clients:
      if (const auto limit = place.extent(connections_max); limit > 0) {
        fault.limit = static_cast<std::uint32_t>(limit - 1);
      }
      return;
    default:
      return draw_clock(place, fault);
  }
}

void FaultGenerator::draw_targets(FaultChoices& place, scenario::FaultSpec& fault) const {
  if (const auto* const targets = targets_of(fault.kind)) {
    fault.target = place.one_of(*targets);
    if (fault.kind == scenario::FaultKind::delete_key || fault.kind == scenario::FaultKind::evict) {
      draw_key(place, fault);
    }
    return;
  }
  switch (fault.kind) {
    case scenario::FaultKind::partition:
    case scenario::FaultKind::ring:
    case scenario::FaultKind::swizzle:
      return draw_groups(place, fault);
    case scenario::FaultKind::drop:
    case scenario::FaultKind::delay:
    case scenario::FaultKind::reset:
    case scenario::FaultKind::reorder:
      return draw_message(place, fault);
    case scenario::FaultKind::postpone:
      return draw_callback(place, fault);
    default:
      return draw_pair(place, fault);
  }
}

void FaultGenerator::draw_pair(FaultChoices& place, scenario::FaultSpec& fault) const {
  const auto& [one, other] = place.one_of(run_profile_.pairs());
  const bool is_turned = place.extent(2) == 1;
  fault.target = is_turned ? other : one;
  fault.other = is_turned ? one : other;
}

void FaultGenerator::draw_groups(FaultChoices& place, scenario::FaultSpec& fault) const {
  if (fault.kind != scenario::FaultKind::partition) {
    fault.groups = {names_.nodes};
    return;
  }
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
  if (fault.kind != scenario::FaultKind::reorder) return;
  std::vector<std::string> behind;
  for (const SentMessage& each : run_profile_.messages()) {
    if (each.from == message.from && each.label != message.label) behind.push_back(each.label);
  }
  fault.behind_label = behind.empty() ? message.label : place.one_of(behind);
}

void FaultGenerator::draw_clock(FaultChoices& place, scenario::FaultSpec& fault) const {
  switch (fault.kind) {
    case scenario::FaultKind::clock_step:
      fault.by_ns = place.lasting_ns(unit_ns_);
      if (place.extent(2) == 1) fault.by_ns = -fault.by_ns;
      return;
    case scenario::FaultKind::clock_drift: {
      fault.drift_ppm = drifts_ppm[place.extent(drifts_ppm.size())];
      if (place.extent(2) == 1) fault.drift_ppm = -fault.drift_ppm;
      fault.clock = scenario::ClockChoice::both;
      return;
    }
    case scenario::FaultKind::clock_freeze:
      fault.clock = scenario::ClockChoice::both;
      return;
    case scenario::FaultKind::clock_strobe:
      fault.by_ns = place.lasting_ns(unit_ns_);
      fault.strobe_ns = std::max<sim::DurationNs>(
          readable_ns(std::min(fault.by_ns, *fault.for_ns) / 8), sim::millisecond_ns);
      return;
    case scenario::FaultKind::clock_leap:
      fault.by_ns = -sim::second_ns;
      return;
    default:
      return;
  }
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
