// A scene in the making, and what the parts that draw it share.
//
// Each part draws one kind of event and keeps what it must remember of earlier ones to itself.
// Invariant: open_spans_ has the spans of Scene::spans without an end, but for those of faults.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/scene/scene.h"
#include "reports/scene/scene_lane_map.h"
#include "reports/trace/lock_state.h"

namespace lockstep::reports {

/// A lock's true state.
struct LockState {
  std::vector<Holder> holders;
  std::int64_t lease_ends_ns = 0;
};

class SceneDraft {
 public:
  /// REQUIRES: the trace outlives it.
  explicit SceneDraft(const model::RecordedTrace& recorded);

  Note& add_note(LaneIndex lane, EventIndex event, std::string_view text, Tone tone,
                 Importance importance);
  /// At each of the lanes of the event's actor.
  void add_notes(EventIndex event, const std::string& text, Tone tone,
                 Importance importance = Importance::essential);
  void open_span(SpanKind kind, LaneIndex lane, EventIndex event);
  void close_span(SpanKind kind, LaneIndex lane, EventIndex event);
  [[nodiscard]] bool is_open(SpanKind kind, LaneIndex lane) const;
  [[nodiscard]] std::size_t lock_index(std::string_view name);
  /// "the lock", or its name where there are several.
  [[nodiscard]] std::string at_lock(std::size_t lock) const;

  const model::RecordedTrace& trace;
  const LaneMap lane_map;
  Scene scene;
  std::vector<LockState> locks;  ///< by Scene::locks, after the events drawn so far

 private:
  std::map<std::pair<SpanKind, LaneIndex>, std::size_t> open_spans_;
};

/// A part's handlers, by kind of event.
template <typename Part>
using Handlers =
    std::map<std::string_view, void (Part::*)(EventIndex, const model::RecordedEvent&)>;

/// Passes over events of other kinds.
template <typename Part>
void dispatch(Part& part, const Handlers<Part>& handlers, EventIndex index,
              const model::RecordedEvent& event) {
  const auto handler = handlers.find(event.kind);
  if (handler != handlers.end()) (part.*handler->second)(index, event);
}

}  // namespace lockstep::reports
