#include "reports/scene/scene_view.h"

#include <algorithm>

namespace lockstep::reports {
namespace {

bool is_named(const Lane& lane, const std::string& name) {
  return lane.name == name || (lane.kind == LaneKind::client_thread && lane.group == name);
}

class Narrower {
 public:
  Narrower(Scene& scene, const model::RecordedTrace& trace, const SceneView& view)
      : scene_(scene), trace_(trace), from_(view.from_ns.value_or(0)) {
    if (view.until_ns) until_ = *view.until_ns;
    for (const Lane& lane : scene.lanes) {
      is_in_view_.push_back(view.lanes.empty() ||
                            std::any_of(view.lanes.begin(), view.lanes.end(),
                                        [&](const auto& name) { return is_named(lane, name); }));
    }
  }

  void narrow() {
    for (LaneIndex lane = 0; lane < scene_.lanes.size(); ++lane) {
      if (!is_in_view_[lane]) scene_.lanes[lane].remark.clear();
    }
    scene_.view_from_ns = from_;
    scene_.view_until_ns = until_;
    std::erase_if(scene_.notes, [&](const Note& note) {
      return !is_in_view_[note.lane] || !is_in_time(at(note.event));
    });
    std::erase_if(scene_.flights, [&](const Flight& flight) {
      return !is_in_view_[flight.from] || !is_in_view_[flight.to] ||
             (!is_in_time(at(flight.sent)) && !is_in_time(at(flight.ended)));
    });
    std::erase_if(scene_.fault_marks, [&](const FaultMark& strike) {
      return !is_in_view_[strike.faults] || !is_in_view_[strike.target] ||
             !is_in_time(at(strike.event));
    });
    cut(scene_.bars);
    cut(scene_.spans);
    std::erase_if(scene_.violation_spans, [&](ViolationSpan& wrong) {
      return !is_in_view_[wrong.lane] || !clamp(wrong.from_ns, wrong.until_ns);
    });
    const auto is_out_of_view = [&](Overlap& overlap) {
      const bool is_seen = is_in_view_[overlap.one] && is_in_view_[overlap.other];
      return !is_seen || !clamp(overlap.from_ns, overlap.until_ns);
    };
    if (scene_.overlap && is_out_of_view(*scene_.overlap)) scene_.overlap.reset();
    std::erase_if(scene_.other_overlaps, is_out_of_view);
  }

 private:
  [[nodiscard]] sim::TimeNs at(EventIndex event) const { return trace_.events[event].at; }
  [[nodiscard]] bool is_in_time(sim::TimeNs time) const { return time >= from_ && time <= until_; }

  /// False where nothing of it is in view.
  [[nodiscard]] bool clamp(sim::TimeNs& from, sim::TimeNs& until) const {
    if (until < from_ || from > until_) return false;
    from = std::max(from, from_);
    until = std::min(until, until_);
    return true;
  }

  /// What goes on beyond the view goes on to its end.
  template <typename Lasting>
  void cut(std::vector<Lasting>& all) {
    std::erase_if(all, [&](Lasting& each) {
      const bool is_over = each.until && at(*each.until) < from_;
      if (!is_in_view_[each.lane] || is_over || at(each.from) > until_) return true;
      if (each.until && at(*each.until) > until_) each.until.reset();
      return false;
    });
  }

  Scene& scene_;
  const model::RecordedTrace& trace_;
  sim::TimeNs from_;
  sim::TimeNs until_ = sim::never_ns;
  std::vector<bool> is_in_view_;  // by lane
};

}  // namespace

std::optional<std::string> unknown_lane(const Scene& scene, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const bool is_known = std::any_of(scene.lanes.begin(), scene.lanes.end(),
                                      [&](const Lane& lane) { return is_named(lane, name); });
    if (!is_known) return name;
  }
  return std::nullopt;
}

std::vector<std::string> lane_names(const Scene& scene) {
  std::vector<std::string> names;
  for (const Lane& lane : scene.lanes) {
    if (lane.kind == LaneKind::client_thread &&
        std::find(names.begin(), names.end(), lane.group) == names.end()) {
      names.push_back(lane.group);
    }
    names.push_back(lane.name);
  }
  return names;
}

void narrow(Scene& scene, const model::RecordedTrace& trace, const SceneView& view) {
  Narrower(scene, trace, view).narrow();
}

}  // namespace lockstep::reports
