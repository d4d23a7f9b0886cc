#include "search/explore/fault_menu.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "model/faults/fault_choices.h"
#include "scenario/faults/fault_forms.h"
#include "scenario/participants.h"
#include "scenario/text/input_error.h"
#include "scenario/text/suggest.h"

namespace lockstep::search {
namespace {

using scenario::FaultKind;
using scenario::ParticipantKind;

constexpr std::array kinds_explored = {
    FaultKind::pause,      FaultKind::crash,      FaultKind::restart,      FaultKind::promote,
    FaultKind::cut,        FaultKind::drop,       FaultKind::delay,        FaultKind::reset,
    FaultKind::clock_step, FaultKind::delete_key, FaultKind::power_loss,   FaultKind::shutdown,
    FaultKind::evict,      FaultKind::flush_all,  FaultKind::script_flush, FaultKind::interrupt,
    FaultKind::half_open,  FaultKind::isolate,    FaultKind::lag,          FaultKind::stall,
    FaultKind::disconnect,
};

/// Of a lock whose leases nobody has seen.
constexpr sim::DurationNs lease_ns_otherwise = 10 * sim::second_ns;

bool is_explored(FaultKind kind) {
  return std::find(kinds_explored.begin(), kinds_explored.end(), kind) != kinds_explored.end();
}

bool is_node(ParticipantKind role) {
  return role == ParticipantKind::master || role == ParticipantKind::replica;
}

/// Whether a fault of the kind, which is about one host, can be about one of that role.
bool strikes_role(FaultKind kind, ParticipantKind role) {
  switch (kind) {
    case FaultKind::pause:
    case FaultKind::crash:
    case FaultKind::clock_step:
    case FaultKind::isolate:
      return role == ParticipantKind::client || is_node(role);
    case FaultKind::interrupt:
      return role == ParticipantKind::thread;
    case FaultKind::restart:
    case FaultKind::power_loss:
    case FaultKind::shutdown:
    case FaultKind::script_flush:
      return is_node(role);
    case FaultKind::promote:
    case FaultKind::lag:
    case FaultKind::stall:
    case FaultKind::disconnect:
      return role == ParticipantKind::replica;
    case FaultKind::delete_key:
    case FaultKind::evict:
    case FaultKind::flush_all:
      return role == ParticipantKind::master;
    default:
      return false;
  }
}

bool is_about_pairs(FaultKind kind) {
  return kind == FaultKind::cut || kind == FaultKind::half_open || kind == FaultKind::drop ||
         kind == FaultKind::delay || kind == FaultKind::reset;
}

bool is_of_message(FaultKind kind) {
  return scenario::form_of(kind).theme == scenario::Theme::message;
}

/// The client of the thread "a/1"; any other name as it is.
std::string host_of(const scenario::Participant& member) {
  return member.role == ParticipantKind::thread ? member.name.substr(0, member.name.rfind('/'))
                                                : member.name;
}

/// The master of "n1-replica-1".
std::string master_of(const std::string& replica) { return replica.substr(0, replica.find('-')); }

}  // namespace

std::span<const FaultKind> explored_kinds() { return kinds_explored; }

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
    for (const FaultKind each : kinds_explored) words.push_back(scenario::form_of(each).word);
    throw scenario::InputError(
        open.place,
        fmt::format("faults of the kind {} are not explored (these are: {})",
                    scenario::in_quotes(scenario::form_of(kind).word), scenario::listed(words)));
  }
}

void FaultMenu::add_kind(const scenario::Scenario& scenario, FaultKind kind) {
  if (is_about_pairs(kind)) {
    add_for_pairs(scenario, kind);
  } else {
    add_for_hosts(scenario, kind);
  }
}

void FaultMenu::add_for_hosts(const scenario::Scenario& scenario, FaultKind kind) {
  const scenario::Participants participants(scenario.redis, scenario.clients);
  for (const scenario::Participant& member : participants.members()) {
    if (!strikes_role(kind, member.role)) continue;
    Entry entry;
    entry.fault.kind = kind;
    entry.fault.target = member.name;
    entry.fault.place = scenario.open_faults->place;
    entry.hosts = {host_of(member)};
    entry.running = host_of(member);
    if (kind == FaultKind::promote) entry.hosts.push_back(master_of(member.name));
    if (kind == FaultKind::restart) {
      // Nothing happens at a host that is down.
      entry.hosts.clear();
      entry.running.clear();
      entry.down = member.name;
    }
    if (kind == FaultKind::delete_key || kind == FaultKind::evict) {
      entry.fault.lock_name = scenario.lock_name;
    }
    if (kind != FaultKind::clock_step) {
      add_lasting(entry);
      continue;
    }
    for (const sim::DurationNs by_ns : {long_ns_, -long_ns_}) {
      entry.fault.by_ns = by_ns;
      add(entry);
    }
  }
}

void FaultMenu::add_for_pairs(const scenario::Scenario& scenario, FaultKind kind) {
  const scenario::Participants participants(scenario.redis, scenario.clients);
  const auto is_host = [](const scenario::Participant& member) {
    return member.role != ParticipantKind::thread;
  };
  for (const scenario::Participant& one : participants.members()) {
    for (const scenario::Participant& other : participants.members()) {
      if (&one == &other || !is_host(one) || !is_host(other)) continue;
      if (!scenario::can_communicate(one, other)) continue;
      const bool is_directed = is_of_message(kind) || kind == FaultKind::half_open;
      if (!is_directed && &one > &other) continue;
      Entry entry;
      entry.fault.kind = kind;
      entry.fault.place = scenario.open_faults->place;
      entry.hosts = {one.name};
      if (is_of_message(kind)) {
        entry.fault.message_label = scenario::any_message;
        entry.fault.message_from = one.name;
        entry.fault.message_to = other.name;
        entry.running = one.name;
      } else {
        entry.fault.target = one.name;
        entry.fault.other = other.name;
        entry.hosts.push_back(other.name);
      }
      add_lasting(entry);
    }
  }
}

void FaultMenu::add(Entry entry) { entries_.push_back(std::move(entry)); }

/// Once for each duration, where it has one.
void FaultMenu::add_lasting(const Entry& entry) {
  const FaultKind kind = entry.fault.kind;
  const bool is_late = kind == FaultKind::delay || kind == FaultKind::lag;
  if (!is_late && !scenario::lasts(scenario::form_of(kind))) return add(entry);
  for (const sim::DurationNs duration_ns : {short_ns_, long_ns_}) {
    Entry lasting = entry;
    if (scenario::lasts(scenario::form_of(kind))) lasting.fault.for_ns = duration_ns;
    if (is_late) lasting.fault.by_ns = duration_ns;
    add(std::move(lasting));
  }
}

}  // namespace lockstep::search
