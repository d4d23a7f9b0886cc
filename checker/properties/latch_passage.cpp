#include "checker/properties/latch_passage.h"

#include <fmt/format.h>

#include <algorithm>

#include "checker/check.h"
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
}

void LatchPassage::load(const Run& run) {
  sets_.clear();
  invoked_.clear();
  over_.clear();
  passages_.clear();
  for (const LatchEvent& event : run.observations.latch_events) {
    switch (event.kind) {
      case LatchEventKind::set:
        sets_.push_back(&event);
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
