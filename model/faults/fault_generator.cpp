#include "model/faults/fault_generator.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenario/faults/fault_forms.h"
#include "scenario/faults/fault_spec.h"
#include "scenario/scenario.h"
#include "scenario/text/input_error.h"
#include "scenario/text/suggest.h"
#include "scenario/workload_spec.h"

namespace lockstep::model {
namespace {

/// Of a lock whose leases nobody has seen.
constexpr sim::DurationNs unit_ns_otherwise = 10 * sim::second_ns;

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

}  // namespace

FaultGenerator::FaultGenerator(const scenario::Scenario& scenario, const RunProfile& profile,
                               std::vector<std::string> key_patterns,
                               const std::vector<sim::DurationNs>& own_times)
    : scenario_(scenario),
      run_profile_(profile),
      key_patterns_(std::move(key_patterns)),
      unit_ns_(profile.longest_lease_ns() > 0 ? profile.longest_lease_ns() : unit_ns_otherwise),
      units_{unit_ns_} {
  for (const sim::DurationNs time_ns : own_times) {
    if (time_ns / FaultChoices::units_reached > unit_ns_) units_.push_back(time_ns);
  }
  collect_names(scenario::Participants(scenario.redis, scenario.clients));
  weigh_milestones();
  for (const scenario::FaultKind kind : scenario.open_faults->kinds) {
    if (!scenario.open_faults->allows(kind)) continue;
    if (!can_draw(kind)) {
      if (!scenario.open_faults->any) refuse(kind);
      continue;
    }
    kinds_.insert(kinds_.end(), scenario::form_of(kind).search.weight, kind);
  }
  if (kinds_.empty()) {
    throw scenario::InputError(
        scenario.open_faults->place,
        "none of these faults can strike here: the scenario has nobody for them");
  }
}

void FaultGenerator::refuse(scenario::FaultKind kind) const {
  const bool ends_nobody = kind == scenario::FaultKind::restart && targets_of(kind) != nullptr &&
                           !targets_of(kind)->empty();
  throw scenario::InputError(
      scenario_.open_faults->place,
      fmt::format("no {} can strike here: {}", scenario::form_of(kind).word,
                  ends_nobody ? "nobody restarts who has not ended; allow crash or power_loss too"
                              : "the scenario has nobody for it"));
}

void FaultGenerator::collect_names(const scenario::Participants& participants) {
  for (const scenario::Participant& member : participants.members()) {
    switch (member.role) {
      case scenario::ParticipantKind::client:
        names_.clients.push_back(member.name);
        break;
      case scenario::ParticipantKind::thread:
        names_.threads.push_back(member.name);
        continue;
      case scenario::ParticipantKind::master:
      case scenario::ParticipantKind::replica:
        (member.role == scenario::ParticipantKind::master ? names_.masters : names_.replicas)
            .push_back(member.name);
        names_.nodes.push_back(member.name);
        names_.servers.push_back(member.name);
        break;
      case scenario::ParticipantKind::sentinel:
        names_.servers.push_back(member.name);
        break;
      case scenario::ParticipantKind::resource:
        names_.hosts.push_back(member.name);
        continue;
    }
    names_.processes.push_back(member.name);
    names_.hosts.push_back(member.name);
  }
  for (const scenario::ClientSpec& client : scenario_.clients) {
    for (std::size_t i = 0; i < client.threads.size(); ++i) {
      scenario::visit_possible_steps(client.threads[i], [this](const scenario::Step& step) {
        for (const std::string& name : step.lock_names) add_once(lock_names_, name);
      });
    }
    if (client.threads.size() == 1) single_threads_.push_back(client.name + "/1");
  }
}

bool FaultGenerator::may_add(scenario::FaultKind kind) const {
  const scenario::OpenFaults& open = *scenario_.open_faults;
  const auto index = static_cast<std::size_t>(kind);
  return open.allows(kind) && drawn_[index] < open.at_most_of[index] &&
         drawn_in_all_ < open.at_most;
}

void FaultGenerator::add(scenario::FaultSpec fault, std::vector<scenario::FaultSpec>& faults) {
  ++drawn_[static_cast<std::size_t>(fault.kind)];
  ++drawn_in_all_;
  faults.push_back(std::move(fault));
}

void FaultGenerator::draw(sim::ChoiceSource& choices, std::vector<scenario::FaultSpec>& faults) {
  drawn_.fill(0);
  drawn_in_all_ = 0;
  continues_series_ = false;
  const std::uint32_t at_most = scenario_.open_faults->at_most;
  const auto wanted = 1 + FaultChoices(choices, UINT32_MAX).kind(at_most);
  for (std::uint32_t place = 0; place < at_most && drawn_in_all_ < wanted; ++place) {
    draw_one(FaultChoices(choices, place), faults);
  }
}

void FaultGenerator::draw_one(FaultChoices place, std::vector<scenario::FaultSpec>& faults) {
  // What strikes one of several equals is worth trying on more of them: quorums are lost so.
  const std::size_t alike_odds = continues_series_ ? 2 : 1;
  continues_series_ =
      drawn_in_all_ > 0 && place.kind(3) < alike_odds && try_draw_same_on_peer(place, faults);
  if (continues_series_) return;
  const std::optional<scenario::FaultKind> kind = draw_kind(place);
  if (!kind) return;
  scenario::FaultSpec fault = scenario::fault_of(*kind);
  if (fault.kind == scenario::FaultKind::restart) {
    // Nobody restarts who has not ended.
    const bool may_crash = may_add(scenario::FaultKind::crash);
    const bool may_lose_power = may_add(scenario::FaultKind::power_loss);
    if (!may_crash && !may_lose_power) return;
    const bool loses_power = may_lose_power && (!may_crash || place.kind(2) == 0);
    fault = scenario::fault_of(loses_power ? scenario::FaultKind::power_loss
                                           : scenario::FaultKind::crash);
    fault.target = place.one_of(loses_power ? names_.nodes : names_.servers);
  } else {
    draw_extent(place, fault);
  }
  draw_trigger(place, fault);
  last_drawn_ = faults.size();
  add(std::move(fault), faults);
  draw_follow_up(place, *kind == scenario::FaultKind::restart ? FollowUp::restart : FollowUp::any,
                 faults);
}

std::optional<scenario::FaultKind> FaultGenerator::draw_kind(FaultChoices& place) {
  // Another is tried where the budget of one is spent: few are, so a handful of tries do.
  for (int tries = 0; tries < 8; ++tries) {
    const scenario::FaultKind kind = kinds_[place.kind(kinds_.size())];
    if (may_add(kind)) return kind;
  }
  return std::nullopt;
}

/// Does to another what the last fault that is no sequel does. REQUIRES: there is one.
bool FaultGenerator::try_draw_same_on_peer(FaultChoices place,
                                           std::vector<scenario::FaultSpec>& faults) {
  scenario::FaultSpec fault = faults[last_drawn_];
  if (!may_add(fault.kind)) return false;
  if (!draw_same_on_peer(place, faults, fault)) return false;
  // Most often at the same moment.
  if (place.moment(4) == 0) {
    fault.trigger = {};
    draw_trigger(place, fault);
  }
  // Who started again after the one does so after the other.
  const std::size_t next = last_drawn_ + 1;
  const bool has_restarted =
      next < faults.size() && faults[next].kind == scenario::FaultKind::restart;
  last_drawn_ = faults.size();
  add(std::move(fault), faults);
  draw_follow_up(place, has_restarted ? FollowUp::restart : FollowUp::any, faults);
  return true;
}

/// Who has ended starts again, or is replaced; or neither.
void FaultGenerator::draw_follow_up(FaultChoices place, FollowUp wanted,
                                    std::vector<scenario::FaultSpec>& faults) {
  if (faults.empty()) return;
  const scenario::FaultSpec& ended = faults.back();
  if (!scenario::ends_process(scenario::form_of(ended.kind))) return;
  const auto is_among = [&ended](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), ended.target) != names.end();
  };
  scenario::FaultSpec sequel{};
  const std::size_t what = wanted == FollowUp::restart ? 0 : place.kind(3);
  if (what == 0 && is_among(names_.servers) && may_add(scenario::FaultKind::restart)) {
    sequel = scenario::fault_of(scenario::FaultKind::restart);
    sequel.target = ended.target;
  } else if (what == 1 && is_among(names_.masters) && !names_.replicas.empty() &&
             may_add(scenario::FaultKind::promote)) {
    std::vector<std::string> heirs;
    for (const std::string& replica : names_.replicas) {
      if (replica.starts_with(ended.target + "-")) heirs.push_back(replica);
    }
    sequel = scenario::fault_of(scenario::FaultKind::promote);
    sequel.target = place.one_of(heirs);
  } else {
    return;
  }
  scenario::Trigger::When when{};
  when.actor = ended.target;
  when.milestone = *scenario::form_of(ended.kind).milestone;
  sequel.trigger.when = when;
  sequel.trigger.after_ns = place.after_ns(unit_ns_);
  add(std::move(sequel), faults);
}

// The same fault to another, who is an equal: of the same role, or at the other end of the same
// links.

namespace {

bool is_one_of_them(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool strikes_the_same(const scenario::FaultSpec& one, const scenario::FaultSpec& other) {
  return one.kind == other.kind && one.target == other.target && one.other == other.other &&
         one.message_label == other.message_label && one.message_from == other.message_from &&
         one.message_to == other.message_to;
}

}  // namespace

bool FaultGenerator::draw_same_on_peer(FaultChoices& place,
                                       const std::vector<scenario::FaultSpec>& faults,
                                       scenario::FaultSpec& fault) const {
  std::vector<scenario::FaultSpec> equals = peer_variants_of(fault);
  std::erase_if(equals, [&faults](const scenario::FaultSpec& equal) {
    return std::any_of(faults.begin(), faults.end(), [&equal](const scenario::FaultSpec& each) {
      return strikes_the_same(each, equal);
    });
  });
  if (equals.empty()) return false;
  fault = place.one_of(equals);
  return true;
}

std::vector<scenario::FaultSpec> FaultGenerator::peer_variants_of(
    const scenario::FaultSpec& fault) const {
  std::vector<scenario::FaultSpec> equals;
  switch (scenario::form_of(fault.kind).target.kind) {
    case scenario::TargetKind::process:
    case scenario::TargetKind::server:
    case scenario::TargetKind::listener:
    case scenario::TargetKind::node:
    case scenario::TargetKind::master:
    case scenario::TargetKind::lock_key:
    case scenario::TargetKind::host:
    case scenario::TargetKind::replica:
    case scenario::TargetKind::thread:
      add_peer_targets(fault, equals);
      break;
    case scenario::TargetKind::message:
      add_peer_messages(fault, equals);
      break;
    case scenario::TargetKind::pair:
    case scenario::TargetKind::directed_pair:
      add_peer_pairs(fault, equals);
      break;
    case scenario::TargetKind::callback:
    case scenario::TargetKind::groups:
    case scenario::TargetKind::ring:
    case scenario::TargetKind::sequence:
      break;
  }
  return equals;
}

void FaultGenerator::add_peer_targets(const scenario::FaultSpec& fault,
                                      std::vector<scenario::FaultSpec>& equals) const {
  const std::vector<std::string>* names = targets_of(fault.kind);
  for (const auto* role : {&names_.clients, &names_.masters, &names_.replicas}) {
    if (is_one_of_them(*role, fault.target) && role->size() > 1) names = role;
  }
  for (const std::string& name : *names) {
    equals.push_back(fault);
    equals.back().target = name;
  }
}

/// The same message between one of the two and another: "set" from a to n2 for that to n1.
void FaultGenerator::add_peer_messages(const scenario::FaultSpec& fault,
                                       std::vector<scenario::FaultSpec>& equals) const {
  for (const SentMessage& message : run_profile_.messages()) {
    const bool is_same_end = message.from == fault.message_from || message.to == fault.message_to;
    if (message.label != fault.message_label || !is_same_end) continue;
    equals.push_back(fault);
    equals.back().message_from = message.from;
    equals.back().message_to = message.to;
  }
}

/// The way between one of the two and another.
void FaultGenerator::add_peer_pairs(const scenario::FaultSpec& fault,
                                    std::vector<scenario::FaultSpec>& equals) const {
  for (const auto& [one, other] : run_profile_.pairs()) {
    for (const bool is_turned : {false, true}) {
      const std::string& target = is_turned ? other : one;
      const std::string& peer = is_turned ? one : other;
      if (target != fault.target && peer != fault.other) continue;
      equals.push_back(fault);
      equals.back().target = target;
      equals.back().other = peer;
    }
  }
}

}  // namespace lockstep::model
