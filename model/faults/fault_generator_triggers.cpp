// When a drawn fault strikes.
#include <algorithm>

#include "model/faults/fault_generator.h"
#include "scenario/faults/fault_forms.h"
#include "scenario/faults/fault_spec.h"
#include "scenario/scenario.h"

namespace lockstep::model {
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
