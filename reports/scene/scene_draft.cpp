#include "reports/scene/scene_draft.h"

#include <algorithm>

#include "reports/text.h"

namespace lockstep::reports {
namespace {

constexpr std::size_t note_characters_max = 120;

}  // namespace

/// Finds all locks in the order in which they are asked for, so that texts can tell one from many.
SceneDraft::SceneDraft(const model::RecordedTrace& recorded)
    : trace(recorded), lane_map(recorded.actors) {
  scene.lanes = lane_map.lanes();
  for (const model::RecordedEvent& event : trace.events) {
    const std::string_view lock = event.text("lock");
    if (!lock.empty()) static_cast<void>(lock_index(lock));
  }
}

Note& SceneDraft::add_note(LaneIndex lane, EventIndex event, std::string_view text, Tone tone,
                           Importance importance) {
  scene.notes.push_back({lane, event, shortened(text, note_characters_max), {}, tone, importance});
  if (tone == Tone::fault) scene.notes.back().kind = NoteKind::fault;
  if (tone == Tone::bad) scene.notes.back().kind = NoteKind::wrong;
  return scene.notes.back();
}

void SceneDraft::add_notes(EventIndex event, const std::string& text, Tone tone,
                           Importance importance) {
  for (const LaneIndex lane : lane_map.lanes_of(trace.events[event].actor)) {
    add_note(lane, event, text, tone, importance);
  }
}

void SceneDraft::open_span(SpanKind kind, LaneIndex lane, EventIndex event) {
  const auto [open, is_new] = open_spans_.emplace(std::pair(kind, lane), scene.spans.size());
  if (is_new) scene.spans.push_back({kind, lane, event, std::nullopt});
}

void SceneDraft::close_span(SpanKind kind, LaneIndex lane, EventIndex event) {
  const auto open = open_spans_.find(std::pair(kind, lane));
  if (open == open_spans_.end()) return;
  scene.spans[open->second].until = event;
  open_spans_.erase(open);
}

bool SceneDraft::is_open(SpanKind kind, LaneIndex lane) const {
  return open_spans_.contains({kind, lane});
}

std::size_t SceneDraft::lock_index(std::string_view name) {
  const auto found = std::find(scene.locks.begin(), scene.locks.end(), name);
  const auto index = static_cast<std::size_t>(found - scene.locks.begin());
  if (found == scene.locks.end()) {
    scene.locks.emplace_back(name);
    locks.emplace_back();
  }
  return index;
}

std::string SceneDraft::at_lock(std::size_t lock) const {
  if (scene.locks.size() == 1) return "the lock";
  return "\u201C" + brief(scene.locks[lock], 24) + "\u201D";
}

}  // namespace lockstep::reports
