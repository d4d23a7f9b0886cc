#include "reports/scene/scene_node_keys.h"

#include "checker/text.h"
#include "reports/text.h"
#include "sim/trace_kinds.h"

namespace lockstep::reports {

void SceneNodeKeys::move(EventIndex index, const NodeKeyChange& change) {
  std::string text =
      brief(change.began) + (change.is_renewal ? " keeps this node" : " has this node");
  if (change.lease_ends_ns >= 0) text += " until " + checker::milliseconds(change.lease_ends_ns);
  if (change.is_renewal) {
    Note& note = commands_.note_node_key(index, change.node, std::move(text));
    note.kind = NoteKind::renewal;
    note.actor = brief(change.began);
    commands_.note_effect(index, change.began, CommandEffect::renewed);
    return;
  }
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
  Note& note = commands_.note_node_key(index, change.node, std::move(text));
  note.kind = NoteKind::node_grant;
  note.actor = brief(change.began);
  commands_.note_effect(index, change.began, CommandEffect::granted);
}

/// Its bar ends, which says enough; a fold counts it.
void SceneNodeKeys::note_end(EventIndex index, const NodeKeyChange& change) {
  Executed* const executed = commands_.executed_at(change.node, index);
  if (executed == nullptr) {
    Note& note = draft_.add_note(change.node, index, {}, Tone::plain, Importance::essential);
    note.kind = draft_.trace.events[index].kind == sim::trace_kind::process_crashed
                    ? NoteKind::fault
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
