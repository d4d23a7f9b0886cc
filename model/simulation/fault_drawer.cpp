#include "model/simulation/fault_drawer.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/scenario/fault_forms.h"
#include "model/scenario/suggest.h"

namespace lockstep::model {
namespace {

/// Of a lock whose leases nobody has seen.
constexpr sim::DurationNs unit_ns_otherwise = 10 * sim::second_ns;

/// How often a kind is drawn: what strikes in practice, and what breaks locks, more often.
std::size_t weight_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::pause:
      return 6;
    case FaultKind::crash:
    case FaultKind::promote:
    case FaultKind::drop:
    case FaultKind::delay:
    case FaultKind::clock_step:
      return 4;
    case FaultKind::restart:
    case FaultKind::cut:
    case FaultKind::partition:
    case FaultKind::reorder:
    case FaultKind::postpone:
      return 3;
    case FaultKind::power_loss:
    case FaultKind::reset:
    case FaultKind::evict:
    case FaultKind::interrupt:
    case FaultKind::abandon:
    case FaultKind::slow:
    case FaultKind::clog:
    case FaultKind::isolate:
    case FaultKind::lag:
    case FaultKind::stall:
    case FaultKind::disconnect:
      return 2;
    default:
      return 1;
  }
}

bool ends_process(FaultKind kind) {
  return kind == FaultKind::crash || kind == FaultKind::power_loss || kind == FaultKind::shutdown;
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

}  // namespace

FaultDrawer::FaultDrawer(const Scenario& scenario, const Moments& moments,
                         std::vector<std::string> key_patterns)
    : scenario_(scenario),
      moments_(moments),
      key_patterns_(std::move(key_patterns)),
      unit_ns_(moments.longest_lease_ns() > 0 ? moments.longest_lease_ns() : unit_ns_otherwise) {
  collect_names(Cast(scenario.redis, scenario.clients));
  weigh_moments();
  for (const FaultKind kind : scenario.open_faults->kinds) {
    if (!scenario.open_faults->allows(kind)) continue;
    if (!can_draw(kind)) {
      if (!scenario.open_faults->any) refuse(kind);
      continue;
    }
    kinds_.insert(kinds_.end(), weight_of(kind), kind);
  }
  if (kinds_.empty()) {
    throw InputError(scenario.open_faults->place,
                     "none of these faults can strike here: the scenario has nobody for them");
  }
}

void FaultDrawer::refuse(FaultKind kind) const {
  const bool ends_nobody =
      kind == FaultKind::restart && targets_of(kind) != nullptr && !targets_of(kind)->empty();
  throw InputError(
      scenario_.open_faults->place,
      fmt::format("no {} can strike here: {}", form_of(kind).word,
                  ends_nobody ? "nobody restarts who has not ended; allow crash or power_loss too"
                              : "the scenario has nobody for it"));
}

void FaultDrawer::collect_names(const Cast& cast) {
  for (const CastMember& member : cast.members()) {
    switch (member.role) {
      case Role::client:
        names_.clients.push_back(member.name);
        break;
      case Role::thread:
        names_.threads.push_back(member.name);
        continue;
      case Role::master:
      case Role::replica:
        (member.role == Role::master ? names_.masters : names_.replicas).push_back(member.name);
        names_.nodes.push_back(member.name);
        names_.servers.push_back(member.name);
        break;
      case Role::sentinel:
        names_.servers.push_back(member.name);
        break;
      case Role::resource:
        names_.hosts.push_back(member.name);
        continue;
    }
    names_.processes.push_back(member.name);
    names_.hosts.push_back(member.name);
  }
  for (const ClientSpec& client : scenario_.clients) {
    for (std::size_t i = 0; i < client.threads.size(); ++i) {
      visit_possible_steps(client.threads[i], [this](const Step& step) {
        for (const std::string& name : step.lock_names) add_once(lock_names_, name);
      });
    }
    if (client.threads.size() == 1) single_threads_.push_back(client.name + "/1");
  }
}

bool FaultDrawer::may_add(FaultKind kind) const {
  const OpenFaults& open = *scenario_.open_faults;
  const auto index = static_cast<std::size_t>(kind);
  return open.allows(kind) && drawn_[index] < open.at_most_of[index] &&
         drawn_in_all_ < open.at_most;
}

void FaultDrawer::add(FaultSpec fault, std::vector<FaultSpec>& faults) {
  ++drawn_[static_cast<std::size_t>(fault.kind)];
  ++drawn_in_all_;
  faults.push_back(std::move(fault));
}

void FaultDrawer::draw(sim::ChoiceSource& choices, std::vector<FaultSpec>& faults) {
  drawn_.fill(0);
  drawn_in_all_ = 0;
  is_row_ = false;
  const std::uint32_t at_most = scenario_.open_faults->at_most;
  const auto wanted = 1 + FaultPlace(choices, UINT32_MAX).kind(at_most);
  for (std::uint32_t place = 0; place < at_most && drawn_in_all_ < wanted; ++place) {
    draw_one(FaultPlace(choices, place), faults);
  }
}

void FaultDrawer::draw_one(FaultPlace place, std::vector<FaultSpec>& faults) {
  // What strikes one of several equals is worth trying on more of them: quorums are lost so.
  const std::size_t alike_odds = is_row_ ? 2 : 1;
  is_row_ = drawn_in_all_ > 0 && place.kind(3) < alike_odds && draw_alike(place, faults);
  if (is_row_) return;
  const std::optional<FaultKind> kind = draw_kind(place);
  if (!kind) return;
  FaultSpec fault{};
  fault.kind = *kind;
  fault.place = scenario_.open_faults->place;
  if (fault.kind == FaultKind::restart) {
    // Nobody restarts who has not ended.
    const bool may_crash = may_add(FaultKind::crash);
    const bool may_lose_power = may_add(FaultKind::power_loss);
    if (!may_crash && !may_lose_power) return;
    const bool loses_power = may_lose_power && (!may_crash || place.kind(2) == 0);
    fault.kind = loses_power ? FaultKind::power_loss : FaultKind::crash;
    fault.target = place.one_of(loses_power ? names_.nodes : names_.servers);
  } else {
    draw_extent(place, fault);
  }
  draw_trigger(place, fault);
  last_drawn_ = faults.size();
  add(std::move(fault), faults);
  draw_sequel(place, *kind == FaultKind::restart ? Sequel::restart : Sequel::any, faults);
}

std::optional<FaultKind> FaultDrawer::draw_kind(FaultPlace& place) {
  // Another is tried where the budget of one is spent: few are, so a handful of tries do.
  for (int tries = 0; tries < 8; ++tries) {
    const FaultKind kind = kinds_[place.kind(kinds_.size())];
    if (may_add(kind)) return kind;
  }
  return std::nullopt;
}

/// Does to another what the last fault that is no sequel does. REQUIRES: there is one.
bool FaultDrawer::draw_alike(FaultPlace place, std::vector<FaultSpec>& faults) {
  FaultSpec fault = faults[last_drawn_];
  if (!may_add(fault.kind)) return false;
  if (!draw_equal(place, faults, fault)) return false;
  // Most often at the same moment.
  if (place.moment(4) == 0) {
    fault.trigger = {};
    draw_trigger(place, fault);
  }
  // Who started again after the one does so after the other.
  const std::size_t next = last_drawn_ + 1;
  const bool has_restarted = next < faults.size() && faults[next].kind == FaultKind::restart;
  last_drawn_ = faults.size();
  add(std::move(fault), faults);
  draw_sequel(place, has_restarted ? Sequel::restart : Sequel::any, faults);
  return true;
}

/// Who has ended starts again, or is replaced; or neither.
void FaultDrawer::draw_sequel(FaultPlace place, Sequel wanted, std::vector<FaultSpec>& faults) {
  if (faults.empty()) return;
  const FaultSpec& ended = faults.back();
  if (!ends_process(ended.kind)) return;
  const auto is_among = [&ended](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), ended.target) != names.end();
  };
  FaultSpec sequel{};
  sequel.place = ended.place;
  const std::size_t what = wanted == Sequel::restart ? 0 : place.kind(3);
  if (what == 0 && is_among(names_.servers) && may_add(FaultKind::restart)) {
    sequel.kind = FaultKind::restart;
    sequel.target = ended.target;
  } else if (what == 1 && is_among(names_.masters) && !names_.replicas.empty() &&
             may_add(FaultKind::promote)) {
    std::vector<std::string> heirs;
    for (const std::string& replica : names_.replicas) {
      if (replica.starts_with(ended.target + "-")) heirs.push_back(replica);
    }
    sequel.kind = FaultKind::promote;
    sequel.target = place.one_of(heirs);
  } else {
    return;
  }
  Trigger::When when{};
  when.actor = ended.target;
  when.milestone = ended.kind == FaultKind::shutdown ? Milestone::stopped : Milestone::crashed;
  sequel.trigger.when = when;
  sequel.trigger.after_ns = place.after_ns(unit_ns_);
  add(std::move(sequel), faults);
}

}  // namespace lockstep::model
