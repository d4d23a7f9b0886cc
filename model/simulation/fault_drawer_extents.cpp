// Whom a drawn fault strikes, by how much, for how long.
#include <algorithm>
#include <array>

#include "model/scenario/fault_forms.h"
#include "model/simulation/fault_drawer.h"

namespace lockstep::model {
namespace {

constexpr std::array<std::int64_t, 5> drifts_ppm = {200, 1'000, 20'000, 100'000, 500'000};

constexpr std::uint32_t connections_max = 4;

bool is_of_replication(FaultKind kind) { return form_of(kind).theme == Theme::replication; }

}  // namespace

/// Those of whom a fault of the kind strikes one; null: it strikes something else.
const std::vector<std::string>* FaultDrawer::targets_of(FaultKind kind) const {
  if (is_of_replication(kind)) return &names_.replicas;
  switch (kind) {
    case FaultKind::pause:
    case FaultKind::crash:
    case FaultKind::clock_step:
    case FaultKind::clock_drift:
    case FaultKind::clock_freeze:
    case FaultKind::clock_strobe:
    case FaultKind::clock_leap:
      return &names_.processes;
    case FaultKind::power_loss:
    case FaultKind::shutdown:
    case FaultKind::script_flush:
    case FaultKind::busy:
    case FaultKind::max_clients:
      return &names_.nodes;
    case FaultKind::flush_all:
    case FaultKind::delete_key:
    case FaultKind::evict:
      return &names_.masters;
    case FaultKind::restart:
    case FaultKind::refuse:
      return &names_.servers;
    case FaultKind::interrupt:
    case FaultKind::abandon:
      return &names_.threads;
    case FaultKind::slow:
    case FaultKind::isolate:
      return &names_.hosts;
    default:
      return nullptr;
  }
}

bool FaultDrawer::can_draw(FaultKind kind) const {
  if (const auto* const targets = targets_of(kind)) {
    if (targets->empty()) return false;
    if (kind == FaultKind::restart) {
      const OpenFaults& open = *scenario_.open_faults;
      return open.allows(FaultKind::crash) || open.allows(FaultKind::power_loss);
    }
    const bool is_key = kind == FaultKind::delete_key || kind == FaultKind::evict;
    return !(is_key && lock_names_.empty());
  }
  switch (kind) {
    case FaultKind::postpone:
      return !moments_.callbacks().empty();
    case FaultKind::ring:
      return names_.nodes.size() >= 3 && (names_.nodes.size() == 1 + scenario_.redis.replicas ||
                                          scenario_.redis.topology == TopologyKind::cluster);
    case FaultKind::swizzle:
      return names_.nodes.size() >= 2;
    default:
      return !moments_.pairs().empty();
  }
}

void FaultDrawer::draw_extent(FaultPlace& place, FaultSpec& fault) const {
  draw_targets(place, fault);
  if (lasts(form_of(fault.kind))) fault.for_ns = place.lasting_ns(unit_ns_);
  switch (fault.kind) {
    case FaultKind::delay:
    case FaultKind::reorder:
    case FaultKind::postpone:
    case FaultKind::clog:
    case FaultKind::lag:
      fault.by_ns = place.lasting_ns(unit_ns_);
      return;
    case FaultKind::slow:
      fault.by_ns = place.lasting_ns(std::max<sim::DurationNs>(unit_ns_ / 64, 1));
      return;
    case FaultKind::max_clients:
      if (const auto limit = place.extent(connections_max); limit > 0) {
        fault.limit = static_cast<std::uint32_t>(limit - 1);
      }
      return;
    default:
      return draw_clock(place, fault);
  }
}

void FaultDrawer::draw_targets(FaultPlace& place, FaultSpec& fault) const {
  if (const auto* const targets = targets_of(fault.kind)) {
    fault.target = place.one_of(*targets);
    if (fault.kind == FaultKind::delete_key || fault.kind == FaultKind::evict) {
      draw_key(place, fault);
    }
    return;
  }
  switch (fault.kind) {
    case FaultKind::partition:
    case FaultKind::ring:
    case FaultKind::swizzle:
      return draw_groups(place, fault);
    case FaultKind::drop:
    case FaultKind::delay:
    case FaultKind::reset:
    case FaultKind::reorder:
      return draw_message(place, fault);
    case FaultKind::postpone:
      return draw_callback(place, fault);
    default:
      return draw_pair(place, fault);
  }
}

void FaultDrawer::draw_pair(FaultPlace& place, FaultSpec& fault) const {
  const auto& [one, other] = place.one_of(moments_.pairs());
  const bool is_turned = place.extent(2) == 1;
  fault.target = is_turned ? other : one;
  fault.other = is_turned ? one : other;
}

void FaultDrawer::draw_groups(FaultPlace& place, FaultSpec& fault) const {
  if (fault.kind != FaultKind::partition) {
    fault.groups = {names_.nodes};
    return;
  }
  // Two that talk are parted for certain, the others as chance says.
  const auto& [one, other] = place.one_of(moments_.pairs());
  fault.groups = {{one}, {other}};
  for (const std::string& host : names_.hosts) {
    if (host == one || host == other) continue;
    fault.groups[place.extent(2)].push_back(host);
  }
}

void FaultDrawer::draw_message(FaultPlace& place, FaultSpec& fault) const {
  const SentMessage& message = place.one_of(moments_.messages());
  fault.message_label = message.label;
  fault.message_from = message.from;
  fault.message_to = message.to;
  fault.nth = place.nth(message.times);
  if (fault.kind != FaultKind::reorder) return;
  std::vector<std::string> behind;
  for (const SentMessage& each : moments_.messages()) {
    if (each.from == message.from && each.label != message.label) behind.push_back(each.label);
  }
  fault.behind_label = behind.empty() ? message.label : place.one_of(behind);
}

void FaultDrawer::draw_clock(FaultPlace& place, FaultSpec& fault) const {
  switch (fault.kind) {
    case FaultKind::clock_step:
      fault.by_ns = place.lasting_ns(unit_ns_);
      if (place.extent(2) == 1) fault.by_ns = -fault.by_ns;
      return;
    case FaultKind::clock_drift: {
      fault.drift_ppm = drifts_ppm[place.extent(drifts_ppm.size())];
      if (place.extent(2) == 1) fault.drift_ppm = -fault.drift_ppm;
      fault.clock = ClockChoice::both;
      return;
    }
    case FaultKind::clock_freeze:
      fault.clock = ClockChoice::both;
      return;
    case FaultKind::clock_strobe:
      fault.by_ns = place.lasting_ns(unit_ns_);
      fault.strobe_ns = std::max<sim::DurationNs>(
          readable_ns(std::min(fault.by_ns, *fault.for_ns) / 8), sim::millisecond_ns);
      return;
    case FaultKind::clock_leap:
      fault.by_ns = -sim::second_ns;
      return;
    default:
      return;
  }
}

void FaultDrawer::draw_key(FaultPlace& place, FaultSpec& fault) const {
  fault.lock_name = place.one_of(lock_names_);
  const std::size_t which = place.extent(1 + key_patterns_.size());
  if (which > 0) fault.key_pattern = key_patterns_[which - 1];
}

void FaultDrawer::draw_callback(FaultPlace& place, FaultSpec& fault) const {
  const DueCallback& callback = place.one_of(moments_.callbacks());
  fault.target = callback.client;
  fault.callback = callback.kind;
  fault.callback_name = callback.name;
  fault.nth = place.nth(callback.times);
}

}  // namespace lockstep::model
