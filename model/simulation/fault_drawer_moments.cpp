// When a drawn fault strikes.
#include <algorithm>

#include "model/scenario/fault_forms.h"
#include "model/simulation/fault_drawer.h"

namespace lockstep::model {
namespace {

/// How often a moment is drawn: those at which holds begin and end more often.
std::size_t weight_of(const SeenMilestone& moment) {
  switch (moment.milestone) {
    case Milestone::acquired:
      return 4;
    case Milestone::releasing:
    case Milestone::executed:
    case Milestone::sent:
      return 2;
    default:
      return 1;
  }
}

}  // namespace

void FaultDrawer::weigh_moments() {
  for (std::size_t i = 0; i < moments_.moments().size(); ++i) {
    const SeenMilestone& moment = moments_.moments()[i];
    weighed_.insert(weighed_.end(), weight_of(moment), i);
    if (moment.milestone != Milestone::acquired) continue;
    const std::string& holder = actor_name(moment.actor);
    const bool is_known = std::find(holders_.begin(), holders_.end(), holder) != holders_.end();
    if (!is_known) holders_.push_back(holder);
  }
}

/// The client's name where it has one thread only: "a acquired".
const std::string& FaultDrawer::actor_name(const std::string& thread) const {
  const auto single = std::find(single_threads_.begin(), single_threads_.end(), thread);
  if (single == single_threads_.end()) return thread;
  const std::string client = thread.substr(0, thread.rfind('/'));
  return *std::find(names_.clients.begin(), names_.clients.end(), client);
}

void FaultDrawer::draw_trigger(FaultPlace& place, FaultSpec& fault) const {
  Trigger& trigger = fault.trigger;
  const std::size_t form = place.moment(16);
  const bool counts_messages =
      form_of(fault.kind).theme == Theme::message || fault.kind == FaultKind::postpone;
  // These name their moment already, by the message or callback that they strike.
  if (counts_messages && form < 12) return;
  if (form < 11 && !weighed_.empty()) return draw_moment(place, trigger);
  if (form < 13 && !holders_.empty()) return draw_lease_end(place, trigger);
  if (form == 13 && !moments_.messages().empty()) return draw_message_moment(place, trigger);
  const sim::DurationNs run_ns = std::max<sim::DurationNs>(moments_.ended_ns(), unit_ns_);
  trigger.after_ns =
      std::min(place.after_ns(2 * run_ns), scenario_.horizon_ns - sim::millisecond_ns);
}

void FaultDrawer::draw_moment(FaultPlace& place, Trigger& trigger) const {
  const SeenMilestone& moment = moments_.moments()[weighed_[place.moment(weighed_.size())]];
  Trigger::When when{};
  when.actor = actor_name(moment.actor);
  when.milestone = moment.milestone;
  when.detail = moment.detail;
  // The scenario's own lock goes without saying.
  if (when.detail == scenario_.lock_name && lock_names_.size() == 1) when.detail.clear();
  when.nth = place.nth(moment.times);
  trigger.when = when;
  trigger.after_ns = place.after_ns(2 * unit_ns_);
}

void FaultDrawer::draw_lease_end(FaultPlace& place, Trigger& trigger) const {
  Trigger::When when{};
  when.kind = Trigger::When::Kind::lease_end;
  when.actor = holders_[place.moment(holders_.size())];
  trigger.when = when;
  const bool is_before = place.moment(2) == 0;
  const sim::DurationNs distance_ns = place.after_ns(unit_ns_);
  trigger.after_ns = is_before ? -distance_ns : distance_ns;
}

void FaultDrawer::draw_message_moment(FaultPlace& place, Trigger& trigger) const {
  const auto& messages = moments_.messages();
  const SentMessage& message = messages[place.moment(messages.size())];
  Trigger::When when{};
  when.kind = Trigger::When::Kind::message;
  when.actor = message.from;
  when.to = message.to;
  when.detail = message.label;
  when.nth = place.nth(message.times);
  trigger.when = when;
}

}  // namespace lockstep::model
