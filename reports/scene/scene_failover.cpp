#include "reports/scene/scene_failover.h"

#include <array>

#include "model/cluster/cluster_trace.h"
#include "model/trace_vocabulary.h"
#include "reports/text.h"

namespace lockstep::reports {
namespace {

struct ToldEvent {
  std::string_view event;
  Importance importance;
};

/// The steps that a reviewer asks for; the others are details of these.
constexpr std::array<ToldEvent, 12> told_events{{{"+sdown", Importance::routine},
                                                 {"-sdown", Importance::routine},
                                                 {"+odown", Importance::routine},
                                                 {"+vote-for-leader", Importance::routine},
                                                 {"+elected-leader", Importance::essential},
                                                 {"+selected-slave", Importance::routine},
                                                 {"+promoted-slave", Importance::routine},
                                                 {"+switch-master", Importance::essential},
                                                 {"+convert-to-slave", Importance::essential},
                                                 {"+tilt", Importance::essential},
                                                 {"-tilt", Importance::essential},
                                                 {"+fix-slave-config", Importance::essential}}};

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

bool is_election(const model::RecordedEvent& event) {
  return event.kind == model::trace_kind::sentinel_event &&
         event.text("event") == "+elected-leader";
}

void SceneFailover::see(EventIndex index, const Event& event) {
  namespace model_kind = model::trace_kind;
  static const Handlers<SceneFailover> handlers{
      {model_kind::sentinel_event, &SceneFailover::on_sentinel_event},
      {model_kind::master_learnt, &SceneFailover::on_master_learnt},
      {model_kind::cluster_suspected, &SceneFailover::on_cluster_step},
      {model_kind::cluster_failed, &SceneFailover::on_cluster_step},
      {model_kind::cluster_recovered, &SceneFailover::on_cluster_step},
      {model_kind::cluster_hindered, &SceneFailover::on_cluster_step},
      {model_kind::cluster_vote_requested, &SceneFailover::on_cluster_step},
      {model_kind::cluster_voted, &SceneFailover::on_cluster_step},
      {model_kind::cluster_elected, &SceneFailover::on_cluster_step},
      {model_kind::cluster_slots_moved, &SceneFailover::on_cluster_step},
      {model_kind::cluster_state, &SceneFailover::on_cluster_step},
  };
  dispatch(*this, handlers, index, event);
}

void SceneFailover::on_sentinel_event(EventIndex index, const Event& event) {
  const std::string_view name = event.text("event");
  const ToldEvent* found = nullptr;
  for (const ToldEvent& each : told_events) {
    if (each.event == name) found = &each;
  }
  const bool is_abort = name.starts_with("-failover-abort");
  if (found == nullptr && !is_abort) return;
  const Importance importance = is_abort ? Importance::essential : found->importance;
  std::string text = brief(name);
  const bool has_about = !event.text("about").empty() && name != "+elected-leader";
  if (has_about) text += " " + brief(event.text("about"));
  if (is_election(event)) text = "is elected: leads the failover";
  if (name == "+switch-master") {
    text += " \u2192 ";
    text += brief(event.text("more"));
  }
  for (const LaneIndex lane : draft_.lane_map.lanes_of(event.actor)) {
    Note& note = draft_.add_note(lane, index, text, Tone::plain, importance);
    note.detail = brief(event.text("more"));
    note.kind = NoteKind::watch;
  }
}

void SceneFailover::on_master_learnt(EventIndex index, const Event& event) {
  for (const LaneIndex lane : draft_.lane_map.lanes_of(event.actor)) {
    draft_.add_note(lane, index, "hears that " + brief(event.text("master")) + " is master",
                    Tone::quiet, Importance::essential);
  }
}

void SceneFailover::on_cluster_step(EventIndex index, const Event& event) {
  for (const LaneIndex lane : draft_.lane_map.lanes_of(event.actor)) {
    const ClusterStep step = step_of(event, draft_.lane_map.lanes()[lane].name);
    draft_.add_note(lane, index, step.text, step.tone, step.importance).kind = NoteKind::watch;
  }
}

}  // namespace lockstep::reports
