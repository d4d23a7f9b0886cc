// What sentinels do, and what clients hear of it.
#include <array>

#include "reports/scene/scene_maker.h"
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

}  // namespace

void SceneMaker::on_sentinel_event(EventIndex index, const Event& event) {
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
  if (name == "+switch-master") {
    text += " \u2192 ";
    text += brief(event.text("more"));
  }
  for (const LaneIndex lane : lane_map_.lanes_of(event.actor)) {
    Note& note = add_note(lane, index, text, Tone::plain, importance);
    note.detail = brief(event.text("more"));
    note.kind = NoteKind::watch;
  }
}

void SceneMaker::on_master_learnt(EventIndex index, const Event& event) {
  for (const LaneIndex lane : lane_map_.lanes_of(event.actor)) {
    add_note(lane, index, "hears that " + brief(event.text("master")) + " is master", Tone::quiet,
             Importance::essential);
  }
}

}  // namespace lockstep::reports
