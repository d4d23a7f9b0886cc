#include "model/observers/sometimes_watch.h"

#include <algorithm>

#include "model/recorder.h"
#include "scenario/faults/fault_spec.h"
#include "scenario/milestones.h"
#include "scenario/sometimes.h"

namespace lockstep::model {

SometimesWatch::SometimesWatch(const std::vector<scenario::Sometimes>& watched,
                               const Recorder& recorder, const sim::Trace& trace,
                               scenario::MilestoneListener& next)
    : watched_(watched),
      recorder_(recorder),
      trace_(trace),
      next_(next),
      before_(watched.size()),
      matched_(watched.size()),
      seen_(watched.size()) {}

void SometimesWatch::start_run() {
  std::fill(before_.begin(), before_.end(), 0U);
  std::fill(matched_.begin(), matched_.end(), 0U);
  std::fill(seen_.begin(), seen_.end(), 0U);
}

bool SometimesWatch::watches_sending() const {
  return std::any_of(watched_.begin(), watched_.end(), [](const scenario::Sometimes& each) {
    return each.moment.when.milestone == scenario::Milestone::sent ||
           (each.after && each.after->when.milestone == scenario::Milestone::sent);
  });
}

bool SometimesWatch::somebody_believes(const scenario::Sometimes& sometimes) const {
  return recorder_.any_belief([&](sim::ActorId thread, checker::NameId lock) {
    return scenario::is_or_belongs_to(trace_.actor(thread), sometimes.believer) &&
           (sometimes.believed_lock.empty() ||
            sometimes.believed_lock == recorder_.names().text(lock));
  });
}

/// Its moment has come: whether that is the one, what came before, and who believes.
void SometimesWatch::count(std::size_t index) {
  const scenario::Sometimes& sometimes = watched_[index];
  if (sometimes.after && before_[index] < sometimes.after->when.nth) return;
  if (!sometimes.believer.empty() && !somebody_believes(sometimes)) return;
  ++matched_[index];
  const std::uint32_t nth = sometimes.moment.when.nth;
  if (matched_[index] == nth || (nth == 1 && matched_[index] > 1)) ++seen_[index];
}

// No moment comes after itself: what is waited for is looked at first.
void SometimesWatch::on_struck(std::size_t fault) {
  const auto is_one = [fault](const scenario::Occurrence& moment) {
    return std::find(moment.faults.begin(), moment.faults.end(), fault) != moment.faults.end();
  };
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    const scenario::Sometimes& each = watched_[i];
    if (is_one(each.moment)) count(i);
    if (each.after && is_one(*each.after)) ++before_[i];
  }
}

void SometimesWatch::on_milestone(scenario::Milestone milestone, sim::ActorId actor,
                                  std::string_view detail, sim::ActorId requested_by) {
  const auto is_one = [&](const scenario::Occurrence& moment) {
    const scenario::Trigger::When& when = moment.when;
    return moment.faults.empty() && when.milestone == milestone && actor != sim::no_actor &&
           scenario::is_or_belongs_to(trace_.actor(actor), when.actor) &&
           (when.detail.empty() || when.detail == detail) &&
           scenario::is_asked_by(trace_, requested_by, when.requested_by);
  };
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    const scenario::Sometimes& each = watched_[i];
    if (is_one(each.moment)) count(i);
    if (each.after && is_one(*each.after)) ++before_[i];
  }
  next_.on_milestone(milestone, actor, detail, requested_by);
}

}  // namespace lockstep::model
