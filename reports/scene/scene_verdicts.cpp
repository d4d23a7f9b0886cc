#include "reports/scene/scene_verdicts.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "checker/evidence.h"
#include "checker/kept_run.h"
#include "checker/property.h"
#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/scene/verdict_words.h"
#include "reports/text.h"
#include "search/runs/run_record.h"

namespace lockstep::reports {
namespace {

/// The last event of this moment's instant. None in an empty trace.
std::optional<EventIndex> last_event_at(const model::RecordedTrace& trace,
                                        const checker::Moment& moment) {
  const auto after = std::upper_bound(
      trace.events.begin(), trace.events.end(), moment.at_ns,
      [](sim::TimeNs at, const model::RecordedEvent& event) { return at < event.at; });
  if (after == trace.events.begin()) return std::nullopt;
  return static_cast<EventIndex>(after - trace.events.begin()) - 1;
}

}  // namespace

std::optional<LaneIndex> SceneVerdicts::lane_before(const checker::Moment& moment) const {
  const std::uint64_t end = std::min<std::uint64_t>(moment.order, draft_.trace.events.size());
  for (auto index = static_cast<EventIndex>(end); index-- > 0;) {
    if (draft_.trace.events[index].at != moment.at_ns) break;
    if (const auto lane = draft_.lane_map.lane_of(draft_.trace.events[index].actor)) return lane;
  }
  return std::nullopt;
}

/// At the write itself, where the resource has one of that instant.
bool SceneVerdicts::mark_harm(LaneIndex writer, EventIndex last, const checker::Verdict& verdict) {
  const std::string_view by = draft_.lane_map.lanes()[writer].name;
  for (EventIndex index = last + 1; index-- > 0;) {
    const model::RecordedEvent& event = draft_.trace.events[index];
    if (event.at != draft_.trace.events[last].at) break;
    const auto lane = draft_.lane_map.lane_of(event.actor);
    const bool is_meant =
        event.kind == model::trace_kind::resource_written && lane && event.text("by") == by;
    if (!is_meant) continue;
    const std::string mark = mark_in_words(verdict, example_.judged->names);
    const std::string summary = brief(verdict.summary, 300);
    for (Note& note : draft_.scene.notes) {  // what it lost has been said already
      if (note.event != index || note.tone != Tone::bad) continue;
      constexpr std::string_view cross = "\u2717 ";
      if (note.text.starts_with(cross)) note.text.erase(0, cross.size());
      note.text = mark + ": " + note.text;
      note.detail = summary;
      return true;
    }
    draft_.add_note(*lane, index, mark, Tone::bad, Importance::essential).detail = summary;
    return true;
  }
  return false;
}

void SceneVerdicts::mark_wait(const checker::Verdict& verdict) {
  using checker::Property;
  const bool is_wait = verdict.property == Property::no_deadlock ||
                       verdict.property == Property::no_lost_wakeup ||
                       verdict.property == Property::no_starvation;
  for (const checker::Evidence& evidence : verdict.evidence) {
    if (!is_wait || !evidence.until || evidence.who == checker::no_name) continue;
    const auto lane = draft_.lane_map.lane_named(example_.judged->names.text(evidence.who));
    const auto event = last_event_at(draft_.trace, *evidence.until);
    if (!lane || !event) continue;
    draft_.scene.violation_spans.push_back({*lane, evidence.from.at_ns, evidence.until->at_ns});
    draft_.add_note(*lane, *event,
                    "waited " + checker::milliseconds(evidence.until->at_ns - evidence.from.at_ns),
                    Tone::bad, Importance::essential);
  }
}

/// Where each piece of evidence broke the property by itself: the others, as the first.
void SceneVerdicts::mark_others(const checker::Verdict& verdict) {
  using checker::Property;
  const bool is_each_by_itself = verdict.property == Property::valid_grant ||
                                 verdict.property == Property::truthful_answers ||
                                 verdict.property == Property::hold_count;
  if (!is_each_by_itself) return;
  for (std::size_t i = 1; i < verdict.evidence.size(); ++i) {
    checker::Verdict one = verdict;
    one.evidence = {verdict.evidence[i]};
    const checker::Evidence& evidence = one.evidence.front();
    if (evidence.who == checker::no_name) continue;
    const auto lane = draft_.lane_map.lane_named(example_.judged->names.text(evidence.who));
    const auto event = last_event_at(draft_.trace, evidence.until.value_or(evidence.from));
    if (!lane || !event) continue;
    draft_
        .add_note(*lane, *event, mark_in_words(one, example_.judged->names), Tone::bad,
                  Importance::essential)
        .detail = brief(evidence.what, 300);
  }
}

std::size_t SceneVerdicts::lock_believed_by_both(const Overlap& overlap) const {
  const auto is_believed = [&](LaneIndex lane, std::size_t lock) {
    return std::any_of(draft_.scene.bars.begin(), draft_.scene.bars.end(), [&](const Bar& bar) {
      const auto& events = draft_.trace.events;
      return bar.kind == BarKind::belief && bar.lane == lane && bar.lock == lock &&
             events[bar.from].at <= overlap.from_ns &&
             (!bar.until || events[*bar.until].at >= overlap.until_ns);
    });
  };
  for (std::size_t lock = 0; lock < draft_.scene.locks.size(); ++lock) {
    if (is_believed(overlap.one, lock) && is_believed(overlap.other, lock)) return lock;
  }
  return 0;
}

void SceneVerdicts::find_other_overlaps(const checker::Verdict& verdict) {
  const auto& events = draft_.trace.events;
  const std::vector<Lane>& lanes = draft_.lane_map.lanes();
  const std::string& who = example_.judged->names.text(verdict.evidence.front().who);
  const bool are_owners_threads =
      std::any_of(lanes.begin(), lanes.end(), [&](const Lane& lane) { return lane.name == who; });
  const auto owner = [&](const Bar* bar) -> const std::string& {
    return are_owners_threads ? lanes[bar->lane].name : lanes[bar->lane].group;
  };
  const auto reads = [&](const Bar* bar) { return events[bar->from].text("mode") == "shared"; };
  std::vector<const Bar*> under_way;  // bars are in order of their beginnings
  for (const Bar& later : draft_.scene.bars) {
    if (later.kind != BarKind::belief) continue;
    std::erase_if(under_way,
                  [&](const Bar* bar) { return bar->until && *bar->until < later.from; });
    for (const Bar* const earlier : under_way) {
      const bool is_allowed = earlier->lock != later.lock || owner(earlier) == owner(&later) ||
                              (reads(earlier) && reads(&later));
      if (is_allowed) continue;
      const EventIndex last = events.size() - 1;
      const EventIndex until = std::min(earlier->until.value_or(last), later.until.value_or(last));
      const Overlap overlap{.one = earlier->lane,
                            .other = later.lane,
                            .from_ns = events[later.from].at,
                            .until_ns = events[until].at,
                            .lock = later.lock};
      const std::optional<Overlap>& told = draft_.scene.overlap;
      const bool is_told = told && told->one == overlap.one && told->other == overlap.other &&
                           told->from_ns == overlap.from_ns && told->lock == overlap.lock;
      if (!is_told) draft_.scene.other_overlaps.push_back(overlap);
    }
    under_way.push_back(&later);
  }
}

void SceneVerdicts::mark_all() {
  for (const checker::Verdict& verdict : example_.verdicts) {
    if (verdict.kind != checker::VerdictKind::violated || verdict.evidence.empty()) continue;
    // What goes wrong again and again is told by its first times and their number.
    constexpr std::size_t evidence_kept_max = 4;
    for (std::size_t i = 0; i < std::min(verdict.evidence.size(), evidence_kept_max); ++i) {
      const checker::Evidence& evidence = verdict.evidence[i];
      draft_.scene.kept.push_back(evidence.from.at_ns);
      if (evidence.until) draft_.scene.kept.push_back(evidence.until->at_ns);
    }
    const auto lane_of = [&](std::size_t evidence) -> std::optional<LaneIndex> {
      const checker::NameId who = verdict.evidence[evidence].who;
      if (who == checker::no_name) return lane_before(verdict.evidence[evidence].from);
      return draft_.lane_map.lane_named(example_.judged->names.text(who));
    };
    if (verdict.overlap_from_ns && verdict.overlap_until_ns && verdict.evidence.size() >= 2) {
      const auto one = lane_of(0);
      const auto other = lane_of(1);
      if (one && other && !draft_.scene.overlap) {
        draft_.scene.overlap =
            Overlap{*one, *other, *verdict.overlap_from_ns, *verdict.overlap_until_ns};
        draft_.scene.overlap->lock = lock_believed_by_both(*draft_.scene.overlap);
      }
      if (verdict.property == checker::Property::mutual_exclusion) find_other_overlaps(verdict);
      continue;
    }
    // Of these the second is what did it (the write, the passage); of the others the first broke.
    const bool is_second = verdict.property == checker::Property::harm ||
                           verdict.property == checker::Property::latch ||
                           verdict.property == checker::Property::fencing;
    const std::size_t which = is_second ? std::min<std::size_t>(1, verdict.evidence.size() - 1) : 0;
    const auto lane = lane_of(which);
    const checker::Evidence& evidence = verdict.evidence[which];
    const auto event = last_event_at(draft_.trace, evidence.until.value_or(evidence.from));
    if (!lane || !event) continue;
    if (verdict.property == checker::Property::harm && mark_harm(*lane, *event, verdict)) continue;
    draft_
        .add_note(*lane, *event, mark_in_words(verdict, example_.judged->names), Tone::bad,
                  Importance::essential)
        .detail = brief(verdict.summary, 300);
    mark_wait(verdict);
    mark_others(verdict);
  }
}

std::vector<Overlap> all_overlaps(const Scene& scene) {
  std::vector<Overlap> all = scene.other_overlaps;
  if (scene.overlap) all.push_back(*scene.overlap);
  std::ranges::stable_sort(all, {}, &Overlap::from_ns);
  return all;
}

std::vector<ContestedBelief> contested_beliefs(const Scene& scene) {
  std::vector<ContestedBelief> parts;
  for (const Overlap& each : all_overlaps(scene)) {
    for (const LaneIndex lane : {each.one, each.other}) {
      parts.push_back({lane, each.lock, each.from_ns, each.until_ns});
    }
  }
  std::ranges::stable_sort(
      parts, {}, [](const auto& part) { return std::tuple(part.lane, part.lock, part.from_ns); });
  std::vector<ContestedBelief> joined;
  for (const ContestedBelief& part : parts) {
    const bool goes_on = !joined.empty() && joined.back().lane == part.lane &&
                         joined.back().lock == part.lock && part.from_ns <= joined.back().until_ns;
    if (goes_on) {
      joined.back().until_ns = std::max(joined.back().until_ns, part.until_ns);
    } else {
      joined.push_back(part);
    }
  }
  return joined;
}

}  // namespace lockstep::reports
