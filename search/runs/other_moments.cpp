#include "search/runs/other_moments.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "scenario/faults/fault_forms.h"
#include "scenario/faults/fault_spec.h"
#include "scenario/milestones.h"
#include "scenario/participants.h"
#include "scenario/scenario.h"
#include "scenario/step_forms.h"
#include "scenario/steps.h"

namespace lockstep::search {
namespace {

using scenario::Trigger;

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

}  // namespace

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
  trigger.when =
      Trigger::When{scenario.clients[client].name, scenario::Milestone::acquired, {}};
  return trigger;
}

std::vector<LikelyChange> changes_to_moment(const scenario::Scenario& scenario, std::size_t fault,
                                            const std::string& of_fault) {
  std::vector<LikelyChange> changes;
  const scenario::FaultSpec& struck = scenario.faults[fault];
  const bool needs_one =
      scenario::form_of(struck.kind).timing.onset == scenario::DefaultOnset::must_be_given;
  const std::optional<std::size_t> client = struck_client(scenario, struck);
  if (!needs_one || (struck.trigger.when && !client)) return changes;
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
