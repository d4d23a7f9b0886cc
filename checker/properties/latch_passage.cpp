#include "checker/properties/latch_passage.h"

#include <fmt/format.h>

#include <algorithm>

#include "checker/check.h"
#include "checker/evidence.h"
#include "checker/liveness_bounds.h"
#include "checker/text.h"
#include "checker/verdict.h"

namespace lockstep::checker {

void LatchPassage::judge(const Run& run, Verdict& verdict) {
  load(run);
  std::size_t violations = 0;
  for (const LatchEvent* passage : passages_) {
    const LatchEvent* set = set_before(*passage);
    if (set == nullptr) continue;
    const std::int64_t count = counted_down(*set, *passage);
    if (count >= set->count) continue;
    if (++violations <= evidence_max / 2) add_violation(run, *set, *passage, count, verdict);
  }
  verdict.summary += in_all(violations, "passages too early");
  judge_waits(run, verdict);
}

void LatchPassage::load(const Run& run) {
  sets_.clear();
  invoked_.clear();
  over_.clear();
  passages_.clear();
  unsure_.clear();
  for (const LatchEvent& event : run.observations.latch_events) {
    switch (event.kind) {
      case LatchEventKind::set:
        sets_.push_back(&event);
        break;
      case LatchEventKind::may_be_set:
        unsure_.push_back(event.lock);
        break;
      case LatchEventKind::counted_down:
        invoked_.emplace_back(event.lock, event.invoked.order);
        over_.emplace_back(event.lock, event.at.order);
        break;
      case LatchEventKind::passed:
        passages_.push_back(&event);
        break;
    }
  }
  std::sort(invoked_.begin(), invoked_.end());
  std::sort(over_.begin(), over_.end());
  std::sort(sets_.begin(), sets_.end(), [](const LatchEvent* a, const LatchEvent* b) {
    return EventPosition(a->lock, a->at.order) < EventPosition(b->lock, b->at.order);
  });
  std::sort(passages_.begin(), passages_.end(), [](const LatchEvent* a, const LatchEvent* b) {
    return a->at == b->at ? a < b : a->at < b->at;
  });
}

/// The last set of the latch that was over when the passage was asked for, if any.
const LatchEvent* LatchPassage::set_before(const LatchEvent& passage) const {
  const auto after = std::partition_point(sets_.begin(), sets_.end(), [&](const LatchEvent* set) {
    return EventPosition(set->lock, set->at.order) <
           EventPosition(passage.lock, passage.invoked.order);
  });
  if (after == sets_.begin() || (*(after - 1))->lock != passage.lock) return nullptr;
  return *(after - 1);
}

std::int64_t LatchPassage::counted_down(const LatchEvent& set, const LatchEvent& passage) const {
  const auto before = [](const std::vector<EventPosition>& places, NameId lock,
                         const Moment& moment) {
    return std::lower_bound(places.begin(), places.end(), EventPosition(lock, moment.order)) -
           places.begin();
  };
  // Both counts include the latches that sort before this one: as many count_downs either way.
  return before(invoked_, passage.lock, passage.at) - before(over_, set.lock, set.invoked);
}

/// None where two overlap: either may have been the last to take effect.
const LatchEvent* LatchPassage::last_set(NameId lock) const {
  const auto after = std::partition_point(sets_.begin(), sets_.end(),
                                          [&](const LatchEvent* set) { return set->lock <= lock; });
  if (after == sets_.begin() || (*(after - 1))->lock != lock) return nullptr;
  const auto last = after - 1;
  const bool has_earlier = last != sets_.begin() && (*(last - 1))->lock == lock;
  const bool is_certain = !has_earlier || (*(last - 1))->at < (*last)->invoked;
  return is_certain ? *last : nullptr;
}

/// When as many as were set had been counted down by calls that were invoked after the set.
std::optional<Moment> LatchPassage::due_at(const Observations& observations,
                                           const LatchEvent& set) {
  returned_.clear();
  for (const LatchEvent& event : observations.latch_events) {
    const bool counts = event.kind == LatchEventKind::counted_down && event.lock == set.lock &&
                        set.at < event.invoked && !(observations.ended < event.at);
    if (counts) returned_.push_back(event.at);
  }
  const auto count = static_cast<std::size_t>(std::max<std::int64_t>(set.count, 1));
  if (returned_.size() < count) return std::nullopt;
  std::sort(returned_.begin(), returned_.end());
  return returned_[count - 1];
}

/// That nobody counted on, at that moment, in true state.
bool LatchPassage::is_closed_at(const Observations& observations, NameId lock, const Moment& at) {
  const auto last =
      std::find_if(observations.availability.rbegin(), observations.availability.rend(),
                   [&](const Availability& each) { return each.lock == lock && !(at < each.at); });
  return last != observations.availability.rend() && last->exclusive <= 0;
}

/// Whether the wait ended in vain, or will: at rest nothing comes any more, and otherwise it went
/// on for longer than a waiter may sleep.
bool LatchPassage::is_in_vain(const Run& run, const Wait& wait, const Moment& due) {
  const bool is_left = wait.end == WaitEnd::run_over;
  if (!(due < wait.until)) return false;
  if (is_left && run.observations.came_to_rest) return true;
  const Moment since = later_of(later_of(due, wait.from), run.observations.healed);
  return wait.until.at_ns - since.at_ns > run.liveness.wakeup_ns;
}

void LatchPassage::judge_waits(const Run& run, Verdict& verdict) {
  const Observations& observations = run.observations;
  for (const Wait& wait : observations.waits) {
    const bool was_served = wait.end != WaitEnd::run_over && wait.end != WaitEnd::refused;
    if (wait.is_hopeless || was_served) continue;  // most: what follows looks at all events
    const LatchEvent* set = last_set(wait.lock);
    if (set == nullptr || std::count(unsure_.begin(), unsure_.end(), wait.lock) > 0) continue;
    const bool is_stopped =
        std::any_of(observations.stops.begin(), observations.stops.end(), [&](const Stop& stop) {
          return stop.owner == thread_of(wait) && !(stop.until < observations.ended);
        });
    const std::optional<Moment> due = due_at(observations, *set);
    if (is_stopped || !due || !is_in_vain(run, wait, *due)) continue;
    if (!is_closed_at(observations, wait.lock, wait.until)) continue;
    std::string what = fmt::format(
        "{} still waited for latch \"{}\" when {} at {}, and it was closed, though all of the {} "
        "that {} had set at {} had been counted down",
        name_of(run.names, thread_of(wait)), name_of(run.names, wait.lock),
        wait.end == WaitEnd::refused ? "its time was over"
        : observations.came_to_rest  ? "the run came to rest"
                                     : "the run was cut off",
        milliseconds(wait.until.at_ns), set->count, name_of(run.names, set->owner),
        milliseconds(set->at.at_ns));
    if (verdict.kind == VerdictKind::holds) verdict.summary = what;
    verdict.kind = VerdictKind::violated;
    if (verdict.evidence.size() >= evidence_max) continue;
    verdict.evidence.push_back({std::move(what), thread_of(wait), wait.from, wait.until});
  }
}

void LatchPassage::add_violation(const Run& run, const LatchEvent& set, const LatchEvent& passage,
                                 std::int64_t count, Verdict& verdict) {
  std::string what = fmt::format(
      "{} passed latch \"{}\" at {}, when of the count of {} that {} had set at {} only {} could "
      "have been counted down",
      name_of(run.names, passage.owner), name_of(run.names, passage.lock),
      milliseconds(passage.at.at_ns), set.count, name_of(run.names, set.owner),
      milliseconds(set.at.at_ns), count);
  if (verdict.kind == VerdictKind::holds) verdict.summary = what;
  verdict.kind = VerdictKind::violated;
  verdict.evidence.push_back(
      {fmt::format("{} set latch \"{}\" to {}", name_of(run.names, set.owner),
                   name_of(run.names, set.lock), set.count),
       set.owner, set.invoked, set.at});
  verdict.evidence.push_back({std::move(what), passage.owner, passage.invoked, passage.at});
}

}  // namespace lockstep::checker
