#include "reports/scene/scene_node_keys.h"

#include <algorithm>
#include <iterator>

#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/text.h"

namespace lockstep::reports {

namespace {

std::string with_lease(std::string words, const NodeKeyChange& change) {
  if (change.lease_ends_ns < 0) return words;
  return words + " until " + checker::milliseconds(change.lease_ends_ns);
}

/// The event that is nearest to this time. REQUIRES: the trace has events.
EventIndex event_near(const model::RecordedTrace& trace, sim::TimeNs at) {
  const auto after = std::ranges::lower_bound(trace.events, at, {}, &model::RecordedEvent::at);
  if (after == trace.events.begin()) return 0;
  const auto before = std::prev(after);
  const bool is_before = after == trace.events.end() || at - before->at < after->at - at;
  return static_cast<EventIndex>((is_before ? before : after) - trace.events.begin());
}

}  // namespace

void SceneNodeKeys::move(EventIndex index, const NodeKeyChange& change) {
  if (change.is_renewal) return note_lease(index, change);
  const std::pair place(change.node, change.key);
  const auto open = open_keys_.find(place);
  if (open != open_keys_.end()) {
    draft_.scene.bars[open->second].until = index;
    draft_.scene.bars[open->second].until_ns = change.ended_ns;
    open_keys_.erase(open);
  }
  if (change.by_clock) {
    draft_.add_note(change.node, index, brief(change.ended) + "'s key has expired by it", Tone::bad,
                    Importance::essential);
  }
  if (change.began.empty()) return note_end(index, change);
  const auto lock = draft_.lock_index(change.key);
  open_keys_[place] = draft_.scene.bars.size();
  draft_.scene.bars.push_back({BarKind::truth, change.node, lock,
                               draft_.lane_map.lane_named(change.began), index, std::nullopt});
  std::string text = with_lease(brief(change.began) + " has this node", change);
  Note& note = commands_.note_node_key(index, change.node, std::move(text));
  note.kind = NoteKind::node_grant;
  note.actor = brief(change.began);
  commands_.note_effect(index, change.began, CommandEffect::granted);
}

void SceneNodeKeys::note_lease(EventIndex index, const NodeKeyChange& change) {
  const std::string owner = brief(change.began);
  const bool is_own = change.by == change.began;
  std::string text = is_own
                         ? owner + " keeps this node"
                         : lease_set_by_another(change.by, change.began, change.is_shorter) + ":";
  Note& note = commands_.note_node_key(index, change.node, with_lease(std::move(text), change));
  note.kind = NoteKind::renewal;
  note.actor = brief(change.by);
  commands_.note_effect(index, change.by, CommandEffect::renewed);
  if (is_own) return;
  if (change.is_shorter) note.kind = NoteKind::lease_cut;
  if (change.is_shorter) note.tone = Tone::bad;
  Executed* const executed = commands_.executed_at(change.node, index);
  if (executed == nullptr) return;
  executed->answer.effect = CommandEffect::set_anothers_lease;
  executed->answer.taken_from = change.began;
}

/// Its bar ends, which says enough; a fold counts it.
void SceneNodeKeys::note_end(EventIndex index, const NodeKeyChange& change) {
  Executed* const executed = commands_.executed_at(change.node, index);
  if (executed == nullptr || change.ended_ns >= 0) {
    const EventIndex ended =
        change.ended_ns < 0 ? index : event_near(draft_.trace, change.ended_ns);
    Note& note = draft_.add_note(change.node, ended, {}, Tone::plain, Importance::essential);
    note.kind = draft_.trace.events[index].kind == model::trace_kind::dataset_restored
                    ? NoteKind::loss
                    : NoteKind::expiry;
    return;
  }
  const bool is_own = executed->by == change.ended;
  executed->answer.effect = is_own ? CommandEffect::released : CommandEffect::took_away;
  if (!is_own) executed->answer.taken_from = change.ended;
  draft_.scene.notes[executed->note].kind = is_own ? NoteKind::node_release : NoteKind::taking_away;
  draft_.scene.notes[executed->note].importance = Importance::essential;
  commands_.make_essential(change.node);
}

}  // namespace lockstep::reports
