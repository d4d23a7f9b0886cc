// What the nodes of a cluster find out and do. Each knows and says so for itself: what a reviewer
// needs is who took over, which old master heard of it when, and which master stopped serving.
#include "model/cluster/cluster_trace.h"
#include "reports/scene/scene_maker.h"
#include "reports/text.h"

namespace lockstep::reports {
namespace {

namespace kind = model::trace_kind;

struct ClusterStep {
  std::string text;
  Importance importance = Importance::routine;
  Tone tone = Tone::plain;
};

ClusterStep step_of(const model::RecordedEvent& event, std::string_view own_name) {
  const auto text = [&](std::string_view field) { return brief(event.text(field)); };
  const std::string epoch = " in epoch " + std::to_string(event.number("epoch"));
  if (event.kind == kind::cluster_suspected) return {"suspects " + text("node")};
  if (event.kind == kind::cluster_failed) return {text("node") + " counts as failed"};
  if (event.kind == kind::cluster_recovered) return {text("node") + " is back"};
  if (event.kind == kind::cluster_hindered) {
    return {"too long without " + text("master") + " to stand", Importance::essential, Tone::bad};
  }
  if (event.kind == kind::cluster_vote_requested) return {"asks for votes" + epoch};
  if (event.kind == kind::cluster_voted) return {"votes for " + text("for") + epoch};
  if (event.kind == kind::cluster_elected) {
    return {"elected in place of " + text("in_place_of"), Importance::essential};
  }
  if (event.kind == kind::cluster_slots_moved) {
    const bool was_own = event.text("from") == own_name;
    return {"hears that " + text("to") + " has " + (was_own ? "its slots" : "the slots"),
            was_own ? Importance::essential : Importance::routine};
  }
  const bool is_up = event.text("state") == "ok";
  return {is_up ? "serves requests" : "the cluster is down: serves nothing"};
}

}  // namespace

void SceneMaker::on_cluster_step(EventIndex index, const Event& event) {
  for (const LaneIndex lane : lane_map_.lanes_of(event.actor)) {
    const ClusterStep step = step_of(event, lane_map_.lanes()[lane].name);
    add_note(lane, index, step.text, step.tone, step.importance).kind = NoteKind::watch;
  }
}

}  // namespace lockstep::reports
