#include "search/explore/fault_menu.h"

#include <fmt/format.h>

#include "model/faults/fault_choices.h"
#include "scenario/faults/fault_table.h"
#include "scenario/participants.h"
#include "scenario/scenario.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/input_error.h"
#include "scenario/text/suggest.h"

namespace lockstep::search {
namespace {

using scenario::FaultKind;
using scenario::ParticipantKind;
using scenario::TargetKind;

/// Of a lock whose leases nobody has seen.
constexpr sim::DurationNs lease_ns_otherwise = 10 * sim::second_ns;

bool is_explored(FaultKind kind) {
  return scenario::form_of(kind).search.explored == scenario::Explored::yes;
}

bool is_node(ParticipantKind role) {
  return role == ParticipantKind::master || role == ParticipantKind::replica;
}

/// Whether a target of that kind can be one of that role; none for what is not about one host.
/// Sentinels and the resource are left out.
bool strikes_role(TargetKind target, ParticipantKind role) {
  switch (target) {
    case TargetKind::process:
    case TargetKind::host:
      return role == ParticipantKind::client || is_node(role);
    case TargetKind::thread:
      return role == ParticipantKind::thread;
    case TargetKind::server:
    case TargetKind::listener:
    case TargetKind::node:
      return is_node(role);
    case TargetKind::replica:
      return role == ParticipantKind::replica;
    case TargetKind::master:
    case TargetKind::lock_key:
      return role == ParticipantKind::master;
    case TargetKind::callback:
    case TargetKind::pair:
    case TargetKind::directed_pair:
    case TargetKind::groups:
    case TargetKind::ring:
    case TargetKind::sequence:
    case TargetKind::message:
      return false;
  }
  return false;
}

/// The client of the thread "a/1"; any other name as it is.
std::string host_of(const scenario::Participant& member) {
  return member.role == ParticipantKind::thread ? member.name.substr(0, member.name.rfind('/'))
                                                : member.name;
}

/// The master of "n1-replica-1".
std::string master_of(const std::string& replica) { return replica.substr(0, replica.find('-')); }

/// Whether the menu knows how to draw up a fault of the kind.
consteval bool can_explore(const scenario::FaultForm& form) {
  switch (form.target.kind) {
    case TargetKind::process:
    case TargetKind::server:
    case TargetKind::listener:
    case TargetKind::node:
    case TargetKind::master:
    case TargetKind::lock_key:
    case TargetKind::host:
    case TargetKind::replica:
    case TargetKind::thread:
    case TargetKind::pair:
    case TargetKind::directed_pair:
    case TargetKind::message:
      break;
    case TargetKind::callback:
    case TargetKind::groups:
    case TargetKind::ring:
    case TargetKind::sequence:
      return false;  // too many to try
  }
  switch (form.amount) {
    case scenario::Amount::none:
    case scenario::Amount::duration:
    case scenario::Amount::step:
      return true;
    case scenario::Amount::short_duration:
    case scenario::Amount::strobe:
    case scenario::Amount::leap_second:
    case scenario::Amount::rate:
    case scenario::Amount::connections:
      return false;
  }
  return false;
}

consteval bool can_explore_what_is_explored() {
  for (const scenario::FaultForm& form : scenario::fault_table) {
    if (form.search.explored == scenario::Explored::yes && !can_explore(form)) return false;
  }
  return true;
}
static_assert(can_explore_what_is_explored());

}  // namespace

std::vector<FaultKind> explored_kinds() {
  std::vector<FaultKind> kinds;
  for (const scenario::FaultForm& form : scenario::fault_forms()) {
    if (form.search.explored == scenario::Explored::yes) kinds.push_back(form.kind);
  }
  return kinds;
}

bool is_timed(const scenario::FaultForm& form) {
  return scenario::lasts(form) || form.amount != scenario::Amount::none;
}

FaultMenu::FaultMenu(const scenario::Scenario& scenario, sim::DurationNs longest_lease_ns) {
  const sim::DurationNs lease_ns = longest_lease_ns > 0 ? longest_lease_ns : lease_ns_otherwise;
  short_ns_ = model::readable_ns(lease_ns / 2);
  long_ns_ = model::readable_ns(lease_ns + lease_ns / 4);
  if (!scenario.open_faults) return;
  const scenario::OpenFaults& open = *scenario.open_faults;
  for (const FaultKind kind : open.kinds) {
    if (!open.allows(kind)) continue;
    if (is_explored(kind)) {
      add_kind(scenario, kind);
      continue;
    }
    if (open.any) {
      left_out_.push_back(kind);
      continue;
    }
    std::vector<std::string_view> words;
    for (const FaultKind each : explored_kinds()) words.push_back(scenario::form_of(each).word);
    throw scenario::InputError(
        open.place,
        fmt::format("faults of the kind {} are not explored (these are: {})",
                    scenario::in_quotes(scenario::form_of(kind).word), scenario::listed(words)));
  }
}

void FaultMenu::add_kind(const scenario::Scenario& scenario, FaultKind kind) {
  add_for_hosts(scenario, kind);
  add_for_pairs(scenario, kind);
}

void FaultMenu::add_for_hosts(const scenario::Scenario& scenario, FaultKind kind) {
  const scenario::FaultForm::Target& target = scenario::form_of(kind).target;
  const scenario::Participants participants(scenario.redis, scenario.clients);
  for (const scenario::Participant& member : participants.members()) {
    if (!strikes_role(target.kind, member.role)) continue;
    Entry entry;
    entry.fault = scenario::fault_of(kind);
    entry.fault.target = member.name;
    if (target.kind == TargetKind::lock_key) entry.fault.lock_name = scenario.lock_name;
    if (target.state == scenario::TargetState::down) {
      // Nothing happens at a host that is down.
      entry.down = member.name;
    } else {
      entry.hosts = {host_of(member)};
      entry.running = host_of(member);
    }
    if (target.state == scenario::TargetState::replicating) {
      entry.hosts.push_back(master_of(member.name));
    }
    add_extents(entry);
  }
}

void FaultMenu::add_for_pairs(const scenario::Scenario& scenario, FaultKind kind) {
  const TargetKind target = scenario::form_of(kind).target.kind;
  const bool is_of_message = target == TargetKind::message;
  const bool is_of_pair = target == TargetKind::pair || target == TargetKind::directed_pair;
  if (!is_of_message && !is_of_pair) return;
  const scenario::Participants participants(scenario.redis, scenario.clients);
  const auto is_host = [](const scenario::Participant& member) {
    return member.role != ParticipantKind::thread;
  };
  for (const scenario::Participant& one : participants.members()) {
    for (const scenario::Participant& other : participants.members()) {
      if (&one == &other || !is_host(one) || !is_host(other)) continue;
      if (!scenario::can_communicate(one, other)) continue;
      if (target == TargetKind::pair && &one > &other) continue;
      Entry entry;
      entry.fault = scenario::fault_of(kind);
      entry.hosts = {one.name};
      if (is_of_message) {
        entry.fault.message_label = scenario::any_message;
        entry.fault.message_from = one.name;
        entry.fault.message_to = other.name;
        entry.running = one.name;
      } else {
        entry.fault.target = one.name;
        entry.fault.other = other.name;
        entry.hosts.push_back(other.name);
      }
      add_extents(entry);
    }
  }
}

/// Once for each duration, where it has one.
void FaultMenu::add_extents(const Entry& entry) {
  const scenario::FaultForm& form = scenario::form_of(entry.fault.kind);
  if (!is_timed(form)) return entries_.push_back(entry);
  const bool is_step = form.amount == scenario::Amount::step;
  for (const sim::DurationNs duration_ns :
       {is_step ? long_ns_ : short_ns_, is_step ? -long_ns_ : long_ns_}) {
    Entry& added = entries_.emplace_back(entry);
    if (scenario::lasts(form)) added.fault.for_ns = duration_ns;
    if (form.amount != scenario::Amount::none) added.fault.by_ns = duration_ns;
  }
}

}  // namespace lockstep::search
