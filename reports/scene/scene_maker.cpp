// Makes a scene, event by event: each part draws the events that it knows.
#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "checker/evidence.h"
#include "checker/kept_run.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "model/trace_vocabulary.h"
#include "reports/scene/scene_clients.h"
#include "reports/scene/scene_commands.h"
#include "reports/scene/scene_draft.h"
#include "reports/scene/scene_failover.h"
#include "reports/scene/scene_faults.h"
#include "reports/scene/scene_locks.h"
#include "reports/scene/scene_node_keys.h"
#include "reports/scene/scene_processes.h"
#include "reports/scene/scene_quorum.h"
#include "reports/scene/scene_resource.h"
#include "reports/scene/scene_verdicts.h"
#include "reports/text.h"
#include "search/runs/run_record.h"

namespace lockstep::reports {
namespace {

constexpr std::size_t joined_characters_max = 40;
constexpr std::string_view replication_name = "replication";

/// Messages that leave and arrive together are drawn as one.
void join_pipelines(SceneDraft& draft) {
  std::map<std::array<std::int64_t, 5>, std::size_t> first;
  std::vector<Flight> joined;
  for (Flight& flight : draft.scene.flights) {
    const std::array<std::int64_t, 5> journey{
        static_cast<std::int64_t>(flight.from), static_cast<std::int64_t>(flight.to),
        draft.trace.events[flight.sent].at, draft.trace.events[flight.ended].at,
        static_cast<std::int64_t>(flight.fate)};
    const auto [known, is_new] = first.emplace(journey, joined.size());
    if (is_new || flight.fate == Fate::under_way) {
      joined.push_back(std::move(flight));
      continue;
    }
    Flight& together = joined[known->second];
    if (flight.label != together.label) {
      together.label = shortened(together.label + " + " + flight.label, joined_characters_max);
    }
    together.description += "; " + flight.description;
    together.importance = std::max(together.importance, flight.importance);
  }
  draft.scene.flights = std::move(joined);
}

/// Without what became of it: "release lost".
std::string_view name_of(const Flight& flight) {
  return std::string_view(flight.label).substr(0, flight.label.find_first_of(" ,"));
}

/// Either end of it has a row of its own.
void keep(SceneDraft& draft, Flight& flight) {
  flight.importance = Importance::essential;
  draft.scene.kept.push_back(draft.trace.events[flight.sent].at);
  draft.scene.kept.push_back(draft.trace.events[flight.ended].at);
}

/// What overcomes a fault is never folded: a request that was lost and is sent again, and the write
/// that a replica has which is promoted.
void keep_what_overcomes_faults(SceneDraft& draft) {
  constexpr std::size_t kept_max = 3;
  std::vector<Flight>& flights = draft.scene.flights;
  std::size_t kept = 0;
  for (const Flight& lost : flights) {
    const std::string_view name = name_of(lost);
    if (lost.fate != Fate::lost || lost.is_reply || name == replication_name) continue;
    const auto again = std::ranges::find_if(flights, [&](const Flight& each) {
      return each.sent > lost.sent && each.from == lost.from && each.to == lost.to &&
             name_of(each) == name && each.fate == Fate::arrived;
    });
    if (again != flights.end()) keep(draft, *again);
    if (++kept == kept_max) break;
  }
  for (EventIndex index = 0; index < draft.trace.events.size(); ++index) {
    const model::RecordedEvent& event = draft.trace.events[index];
    if (event.kind != model::trace_kind::node_promoted) continue;
    for (const LaneIndex lane : draft.lane_map.lanes_of(event.actor)) {
      const auto last = std::find_if(flights.rbegin(), flights.rend(), [&](const Flight& each) {
        return each.to == lane && name_of(each) == replication_name && each.fate == Fate::arrived &&
               each.ended < index;
      });
      if (last != flights.rend()) keep(draft, *last);
    }
  }
}

/// Nor is the election of the sentinel that has a replica promoted.
void keep_who_promotes(SceneDraft& draft) {
  constexpr std::size_t kept_max = 3;
  std::optional<sim::TimeNs> elected;
  std::size_t kept = 0;
  for (const model::RecordedEvent& event : draft.trace.events) {
    if (is_election(event)) elected = event.at;
    if (event.kind != model::trace_kind::node_promoted || !elected || kept == kept_max) continue;
    draft.scene.kept.push_back(*std::exchange(elected, std::nullopt));
    ++kept;
  }
}

/// Nor is what comes out of order: a request that arrives after one that its owner sent later.
void keep_what_is_overtaken(SceneDraft& draft) {
  constexpr std::size_t kept_max = 4;
  std::vector<Flight>& flights = draft.scene.flights;  // in the order of their sending
  const auto arrives = [](const Flight& flight) {
    return flight.fate == Fate::arrived || flight.fate == Fate::waits;
  };
  std::map<std::pair<LaneIndex, LaneIndex>, std::size_t>
      earliest;                                                // from, to → of those sent later
  std::vector<std::pair<std::size_t, std::size_t>> overtaken;  // and by which; the last first
  for (std::size_t i = flights.size(); i-- > 0;) {
    const Flight& flight = flights[i];
    const bool is_request = arrives(flight) && !flight.is_reply &&
                            draft.lane_map.lanes()[flight.from].kind == LaneKind::client_thread;
    if (!is_request) continue;
    const auto [place, is_new] = earliest.emplace(std::pair(flight.from, flight.to), i);
    if (is_new) continue;
    if (flights[place->second].ended < flight.ended) {
      overtaken.emplace_back(i, place->second);
    } else {
      place->second = i;
    }
  }
  const std::size_t kept = std::min(kept_max, overtaken.size());
  for (auto each = overtaken.rbegin();
       each != overtaken.rbegin() + static_cast<std::ptrdiff_t>(kept); ++each) {
    keep(draft, flights[each->first]);
    keep(draft, flights[each->second]);
  }
}

/// The last belief of this lane that began by then.
const Bar* belief_by(const Scene& scene, const model::RecordedTrace& trace, LaneIndex lane,
                     sim::TimeNs at) {
  const Bar* found = nullptr;
  for (const Bar& bar : scene.bars) {
    const bool is_meant =
        bar.kind == BarKind::belief && bar.lane == lane && trace.events[bar.from].at <= at;
    if (is_meant) found = &bar;
  }
  return found;
}

/// Nor are the calls that took the holds of which the verdicts tell, and that extended them last:
/// they say which lease was wanted.
void keep_what_took_the_holds(SceneDraft& draft, const search::RunRecord& example) {
  constexpr std::size_t evidence_kept_max = 4;
  constexpr std::size_t steps_kept_max = 6;
  std::set<sim::TimeNs> steps;
  const auto keep_last_step = [&](LaneIndex lane, EventIndex after, EventIndex before,
                                  std::string_view verb) {
    for (EventIndex index = before; index-- > after;) {
      const model::RecordedEvent& event = draft.trace.events[index];
      const bool is_meant = event.kind == model::trace_kind::step_invoked &&
                            draft.lane_map.lane_of(event.actor) == lane &&
                            event.text("step").starts_with(verb);
      if (!is_meant) continue;
      if (steps.size() < steps_kept_max) steps.insert(event.at);
      return;
    }
  };
  for (const checker::Verdict& verdict : example.verdicts) {
    if (verdict.kind != checker::VerdictKind::violated) continue;
    for (std::size_t i = 0; i < std::min(verdict.evidence.size(), evidence_kept_max); ++i) {
      const checker::Evidence& evidence = verdict.evidence[i];
      if (evidence.who == checker::no_name) continue;
      for (const LaneIndex lane :
           draft.lane_map.lanes_of(example.judged->names.text(evidence.who))) {
        const Bar* const belief = belief_by(draft.scene, draft.trace, lane, evidence.from.at_ns);
        if (belief == nullptr) continue;
        keep_last_step(lane, 0, belief->from, "");
        keep_last_step(lane, belief->from, belief->until.value_or(draft.trace.events.size()),
                       "extend");
      }
    }
  }
  draft.scene.kept.insert(draft.scene.kept.end(), steps.begin(), steps.end());
}

/// Whether something broke because a lease was over, or seemed not to be.
bool turns_on_a_lease(const search::RunRecord& example) {
  return std::ranges::any_of(example.verdicts, [](const checker::Verdict& verdict) {
    using checker::Property;
    return verdict.kind == checker::VerdictKind::violated &&
           (verdict.property == Property::mutual_exclusion ||
            verdict.property == Property::valid_grant ||
            verdict.property == Property::lease_linearizability);
  });
}

class SceneMaker {
 public:
  explicit SceneMaker(const search::RunRecord& example)
      : draft_(example.trace), quorum_keys_(draft_.trace, draft_.lane_map), example_(example) {}

  Scene make() {
    for (EventIndex index = 0; index < draft_.trace.events.size(); ++index) see(index);
    faults_.finish();
    commands_.note_replies();
    SceneVerdicts(draft_, example_).mark_all();
    keep_what_overcomes_faults(draft_);
    keep_who_promotes(draft_);
    keep_what_is_overtaken(draft_);
    keep_what_took_the_holds(draft_, example_);
    join_pipelines(draft_);
    std::stable_sort(draft_.scene.notes.begin(), draft_.scene.notes.end(),
                     [](const Note& one, const Note& other) { return one.event < other.event; });
    draft_.scene.messages_left_out = commands_.messages_left_out();
    return std::move(draft_.scene);
  }

 private:
  void see(EventIndex index) {
    const model::RecordedEvent& event = draft_.trace.events[index];
    faults_.see(index, event);
    processes_.see(index, event);
    failover_.see(index, event);
    clients_.see(index, event);
    commands_.see(index, event);
    locks_.see(index, event);
    resource_.see(index, event);
    for (const NodeKeyChange& change : quorum_keys_.see(event)) node_keys_.move(index, change);
  }

  SceneDraft draft_;
  QuorumKeys quorum_keys_;
  const search::RunRecord& example_;
  SceneFaults faults_{draft_};
  SceneProcesses processes_{draft_};
  SceneFailover failover_{draft_};
  SceneClients clients_{draft_, turns_on_a_lease(example_)};
  SceneCommands commands_{draft_, clients_, quorum_keys_};
  SceneLocks locks_{draft_, clients_, quorum_keys_, commands_};
  SceneNodeKeys node_keys_{draft_, commands_};
  SceneResource resource_{draft_};
};

}  // namespace

sim::TimeNs end_of(const Bar& bar, const model::RecordedTrace& trace) {
  return bar.until_ns >= 0 ? bar.until_ns : trace.events[*bar.until].at;
}

bool is_unlike_others(const Scene& scene, LaneIndex lane) {
  const Lane& one = scene.lanes[lane];
  return !one.remark.empty() && std::ranges::any_of(scene.lanes, [&](const Lane& other) {
    return other.kind == one.kind && other.remark != one.remark;
  });
}

Scene make_scene(const search::RunRecord& example) { return SceneMaker(example).make(); }

}  // namespace lockstep::reports
