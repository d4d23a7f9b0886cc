#include "search/runs/other_targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "scenario/faults/fault_forms.h"
#include "scenario/faults/fault_kind.h"
#include "scenario/faults/fault_spec.h"
#include "scenario/milestones.h"
#include "scenario/participants.h"
#include "scenario/scenario.h"
#include "scenario/step_forms.h"
#include "scenario/steps.h"

namespace lockstep::search {
namespace {

using scenario::Trigger;

bool is_aside(const scenario::Scenario& scenario, const std::string& host) {
  const bool is_sentinel = scenario.redis.topology == scenario::TopologyKind::sentinel &&
                           host.size() == 2 && host.front() == 's';
  return is_sentinel || host.find("-replica-") != std::string::npos;
}

bool takes_a_lock(const scenario::ClientSpec& client) {
  bool takes = false;
  for (const scenario::ThreadSpec& thread : client.threads) {
    scenario::visit_possible_steps(thread, [&takes](const scenario::Step& step) {
      takes |= scenario::form_of(step.kind).role == scenario::StepRole::takes;
    });
  }
  return takes;
}

/// What the line stands for, of a fault that waits for a time, or for a milestone and some more.
std::string_view in_place_of(const scenario::FaultSpec& fault) {
  if (!fault.trigger.when) return "in place of at";
  return fault.trigger.after_ns == 0 ? "while it has the lock" : "in place of after";
}

/// It is what an operator does when a master has died.
bool follows_an_end(const scenario::Scenario& scenario, const scenario::FaultSpec& fault) {
  if (fault.kind != scenario::FaultKind::promote && fault.kind != scenario::FaultKind::restart) {
    return false;
  }
  const std::string_view master = std::string_view(fault.target).substr(0, fault.target.find('-'));
  return std::any_of(
      scenario.faults.begin(), scenario.faults.end(),
      [&](const scenario::FaultSpec& each) { return ends_master(each) && each.target == master; });
}

}  // namespace

void retarget(scenario::Scenario& changed, std::size_t fault, const std::string& other) {
  const std::string before = std::exchange(changed.faults[fault].target, other);
  for (scenario::FaultSpec& each : changed.faults) {
    if (each.trigger.when && each.trigger.when->actor == before) each.trigger.when->actor = other;
  }
}

std::vector<LikelyChange> changes_to_masters(const scenario::Scenario& scenario, std::size_t index,
                                             const std::string& of_fault) {
  constexpr std::uint32_t masters_max = 6;
  std::vector<LikelyChange> changes;
  const scenario::FaultSpec& fault = scenario.faults[index];
  const scenario::FaultForm& form = scenario::form_of(fault.kind);
  const bool is_pair = !fault.other.empty();
  if (form.target.kind == scenario::TargetKind::replica) return changes;
  const bool is_of_shard = is_pair && scenario.redis.topology == scenario::TopologyKind::cluster;
  if (!is_of_shard && !is_aside(scenario, is_pair ? fault.other : fault.target)) return changes;
  for (std::uint32_t n = 1; n <= std::min(scenario.redis.masters, masters_max); ++n) {
    const std::string master = fmt::format("n{}", n);
    if (is_pair && (fault.target == master || fault.other == master)) continue;
    const std::string value = is_pair ? fmt::format("[\"{}\", \"{}\"]", fault.target, master)
                                      : fmt::format("\"{}\"", master);
    changes.push_back({LikelyChange::Part::target, index,
                       fmt::format("{} = {}  # {}a master", form.word, value, of_fault),
                       [index, master, is_pair](scenario::Scenario& changed) {
                         if (!is_pair) return retarget(changed, index, master);
                         changed.faults[index].other = master;
                       }});
  }
  return changes;
}

std::optional<std::size_t> struck_client(const scenario::Scenario& scenario,
                                         const scenario::FaultSpec& fault) {
  const scenario::Participants participants(scenario.redis, scenario.clients);
  for (const std::string* name : {&fault.target, &fault.other}) {
    const scenario::Participant* const found = participants.find(*name);
    if (found == nullptr || found->role != scenario::ParticipantKind::client) continue;
    if (takes_a_lock(scenario.clients[found->number])) return found->number;
  }
  return std::nullopt;
}

std::optional<Trigger> as_it_acquires(const scenario::Scenario& scenario, std::size_t client) {
  if (!takes_a_lock(scenario.clients[client])) return std::nullopt;
  Trigger trigger;
  trigger.when = Trigger::When{scenario.clients[client].name, scenario::Milestone::acquired, {}};
  return trigger;
}

std::vector<LikelyChange> changes_to_moment(const scenario::Scenario& scenario, std::size_t fault,
                                            const std::string& of_fault) {
  std::vector<LikelyChange> changes;
  const scenario::FaultSpec& struck = scenario.faults[fault];
  const bool needs_one =
      scenario::form_of(struck.kind).timing.onset == scenario::DefaultOnset::must_be_given;
  const std::optional<std::size_t> client = struck_client(scenario, struck);
  if (!needs_one || follows_an_end(scenario, struck) || (struck.trigger.when && !client))
    return changes;
  const auto add = [&](std::size_t of_client) {
    const std::optional<Trigger> trigger = as_it_acquires(scenario, of_client);
    if (!trigger || trigger == struck.trigger) return;
    changes.push_back({LikelyChange::Part::moment, fault,
                       fmt::format("when = \"{} acquired\"  # {}{}", trigger->when->actor, of_fault,
                                   in_place_of(struck)),
                       [fault, trigger](scenario::Scenario& changed) {
                         scenario::FaultSpec& moved = changed.faults[fault];
                         std::erase_if(moved.open, [](const scenario::OpenDuration& each) {
                           return each.what == scenario::OpenDuration::What::after;
                         });
                         moved.trigger = *trigger;
                       }});
  };
  if (client) add(*client);
  if (client != 0 && !struck.trigger.when) add(0);
  return changes;
}

}  // namespace lockstep::search
