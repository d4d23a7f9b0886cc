#include "reports/scene/scene_fold.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "model/trace_vocabulary.h"
#include "reports/scene/scene_failover.h"
#include "reports/text.h"
#include "sim/trace_kinds.h"

namespace lockstep::reports {
namespace {

constexpr std::size_t folded_lanes_min = 2;  // one lane takes no more room than the one for it
constexpr std::size_t folded_title_characters_max = 34;

class LaneFolder {
 public:
  LaneFolder(Scene& scene, const model::RecordedTrace& trace) : scene_(scene), trace_(trace) {}

  std::vector<std::string> fold() {
    find_parts();
    std::vector<std::string> names;
    for (LaneIndex lane = 0; lane < has_part_.size(); ++lane) {
      if (!has_part_[lane]) names.push_back(scene_.lanes[lane].shown);
    }
    if (names.size() < folded_lanes_min) return {};
    std::string title;
    for (const std::string& name : names) title += (title.empty() ? "" : ", ") + name;
    scene_.lanes.push_back({.name = {},
                            .shown = fmt::format("{} more", names.size()),
                            .title = shortened(title, folded_title_characters_max),
                            .remark = {},
                            .group = {},
                            .kind = LaneKind::other});
    move_all(scene_.lanes.size() - 1);
    return names;
  }

 private:
  void find_parts() {
    for (const Lane& lane : scene_.lanes) {
      has_part_.push_back(lane.kind == LaneKind::faults || lane.kind == LaneKind::client_thread ||
                          lane.kind == LaneKind::resource);
    }
    for (LaneIndex lane = 0; lane < scene_.lanes.size(); ++lane) {
      if (is_unlike_others(scene_, lane)) has_part_[lane] = true;
    }
    const auto is_client = [&](LaneIndex lane) {
      return scene_.lanes[lane].kind == LaneKind::client_thread;
    };
    for (const Bar& bar : scene_.bars) has_part_[bar.lane] = true;
    for (const Note& note : scene_.notes) {
      if (has_part(note)) has_part_[note.lane] = true;
    }
    for (const Flight& flight : scene_.flights) {
      if (flight.importance != Importance::essential) continue;
      if (is_client(flight.from)) has_part_[flight.to] = true;
      if (is_client(flight.to)) has_part_[flight.from] = true;
    }
    for (const Span& span : scene_.spans) {
      if (span.kind == SpanKind::paused || span.kind == SpanKind::crashed) {
        has_part_[span.lane] = true;
      }
    }
    for (const ViolationSpan& wrong : scene_.violation_spans) has_part_[wrong.lane] = true;
    for (const FaultMark& strike : scene_.fault_marks) {
      const auto together =
          std::count_if(scene_.fault_marks.begin(), scene_.fault_marks.end(),
                        [&](const FaultMark& other) { return other.event == strike.event; });
      if (together <= 2) has_part_[strike.target] = true;
    }
    if (!scene_.overlap) return;
    has_part_[scene_.overlap->one] = has_part_[scene_.overlap->other] = true;
  }

  /// Whether its lane has a part by it.
  [[nodiscard]] bool has_part(const Note& note) const {
    if (note.tone == Tone::bad) return true;
    if (note.tone == Tone::fault) {
      const std::string_view kind = trace_.events[note.event].kind;
      return kind != sim::trace_kind::network_cut && kind != sim::trace_kind::network_healed &&
             kind != sim::trace_kind::direction_cut && kind != sim::trace_kind::direction_healed;
    }
    return has_effect(note.kind) || decides(note);
  }

  /// Which replica becomes the master.
  [[nodiscard]] bool decides(const Note& note) const {
    const model::RecordedEvent& event = trace_.events[note.event];
    return is_election(event) && std::ranges::count(scene_.kept, event.at) > 0;
  }

  void move_all(LaneIndex edge) {
    std::erase_if(scene_.notes, [&](const Note& note) { return !has_part_[note.lane]; });
    const auto is_folded = [&](const Flight& flight) {
      return !has_part_[flight.from] || !has_part_[flight.to];
    };
    const auto left_out = std::count_if(scene_.flights.begin(), scene_.flights.end(), is_folded);
    scene_.messages_left_out += static_cast<std::size_t>(left_out);
    std::erase_if(scene_.flights, is_folded);
    std::erase_if(scene_.fault_marks,
                  [&](const FaultMark& strike) { return !has_part_[strike.target]; });
    std::erase_if(scene_.spans, [&](const Span& span) { return !has_part_[span.lane]; });
    has_part_.push_back(true);
    scene_.folded_lanes = edge;
  }

  Scene& scene_;
  const model::RecordedTrace& trace_;
  std::vector<bool> has_part_;  // by lane
};

}  // namespace

std::vector<std::string> fold_lanes(Scene& scene, const model::RecordedTrace& trace) {
  return LaneFolder(scene, trace).fold();
}

}  // namespace lockstep::reports
