#include "model/simulation/sometimes_watch.h"

#include <algorithm>

namespace lockstep::model {

SometimesWatch::SometimesWatch(const std::vector<Sometimes>& watched, const Recorder& recorder,
                               const sim::Trace& trace, MilestoneListener& next)
    : watched_(watched),
      recorder_(recorder),
      trace_(trace),
      next_(next),
      matched_(watched.size()),
      seen_(watched.size()) {}

void SometimesWatch::start_run() {
  std::fill(matched_.begin(), matched_.end(), 0U);
  std::fill(seen_.begin(), seen_.end(), 0U);
}

bool SometimesWatch::watches_sending() const {
  return std::any_of(watched_.begin(), watched_.end(),
                     [](const Sometimes& each) { return each.when.milestone == Milestone::sent; });
}

bool SometimesWatch::somebody_believes(const Sometimes& sometimes) const {
  return recorder_.any_belief([&](sim::ActorId thread, checker::NameId lock) {
    return is_or_belongs_to(trace_.actor(thread), sometimes.believer) &&
           (sometimes.believed_lock.empty() ||
            sometimes.believed_lock == recorder_.names().text(lock));
  });
}

void SometimesWatch::on_struck(std::size_t fault) {
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    const auto& faults = watched_[i].faults;
    if (std::find(faults.begin(), faults.end(), fault) != faults.end()) count(i);
  }
}

/// Its moment has come: whether that is the one, and who believes.
void SometimesWatch::count(std::size_t index) {
  const Sometimes& sometimes = watched_[index];
  if (!sometimes.believer.empty() && !somebody_believes(sometimes)) return;
  ++matched_[index];
  const std::uint32_t nth = sometimes.when.nth;
  if (matched_[index] == nth || (nth == 1 && matched_[index] > 1)) ++seen_[index];
}

void SometimesWatch::on_milestone(Milestone milestone, sim::ActorId actor,
                                  std::string_view detail) {
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    const Sometimes& each = watched_[i];
    const Trigger::When& when = each.when;
    if (!each.faults.empty() || when.milestone != milestone || actor == sim::no_actor) continue;
    if (!is_or_belongs_to(trace_.actor(actor), when.actor)) continue;
    if (!when.detail.empty() && when.detail != detail) continue;
    count(i);
  }
  next_.on_milestone(milestone, actor, detail);
}

}  // namespace lockstep::model
