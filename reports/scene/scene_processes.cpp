#include "reports/scene/scene_processes.h"

#include <fmt/format.h>

#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/text.h"
#include "sim/trace_kinds.h"

namespace lockstep::reports {
namespace {

/// "1 key", of what was saved or restored.
std::string keys_in(const model::RecordedEvent& event) {
  return fmt::format("{} {}", event.number("keys"), event.number("keys") == 1 ? "key" : "keys");
}

}  // namespace

void SceneProcesses::see(EventIndex index, const Event& event) {
  namespace model_kind = model::trace_kind;
  namespace sim_kind = sim::trace_kind;
  static const Handlers<SceneProcesses> handlers{
      {sim_kind::process_paused, &SceneProcesses::on_paused},
      {sim_kind::process_resumed, &SceneProcesses::on_resumed},
      {sim_kind::process_crashed, &SceneProcesses::on_crashed},
      {sim_kind::process_restarted, &SceneProcesses::on_restarted},
      {model_kind::clock_changed, &SceneProcesses::on_clock_changed},
      {model_kind::node_promoted, &SceneProcesses::on_node_promoted},
      {model_kind::dataset_saved, &SceneProcesses::on_dataset_saved},
      {model_kind::dataset_restored, &SceneProcesses::on_dataset_restored},
      {model_kind::disk_lost, &SceneProcesses::on_disk_lost},
  };
  dispatch(*this, handlers, index, event);
}

void SceneProcesses::on_paused(EventIndex index, const Event& event) {
  const std::int64_t for_ns = event.number("for_ns");
  const std::string text = for_ns < 0 ? "paused" : "paused for " + checker::milliseconds(for_ns);
  for (const LaneIndex lane : draft_.lane_map.lanes_of(event.actor)) {
    draft_.add_note(lane, index, text, Tone::fault, Importance::essential);
    draft_.open_span(SpanKind::paused, lane, index);
  }
}

void SceneProcesses::on_resumed(EventIndex index, const Event& event) {
  for (const LaneIndex lane : draft_.lane_map.lanes_of(event.actor)) {
    draft_.add_note(lane, index, "goes on", Tone::fault, Importance::essential);
    draft_.close_span(SpanKind::paused, lane, index);
  }
}

void SceneProcesses::on_crashed(EventIndex index, const Event& event) {
  const bool was_asked_to =
      index > 0 && draft_.trace.events[index - 1].actor == event.actor &&
      draft_.trace.events[index - 1].kind == model::trace_kind::node_shut_down;
  for (const LaneIndex lane : draft_.lane_map.lanes_of(event.actor)) {
    draft_.add_note(lane, index, was_asked_to ? "shut down" : "crashed", Tone::fault,
                    Importance::essential);
    draft_.close_span(SpanKind::paused, lane, index);
    draft_.open_span(SpanKind::crashed, lane, index);
  }
}

void SceneProcesses::on_restarted(EventIndex index, const Event& event) {
  for (const LaneIndex lane : draft_.lane_map.lanes_of(event.actor)) {
    draft_.add_note(lane, index, "restarted", Tone::fault, Importance::essential);
    draft_.close_span(SpanKind::crashed, lane, index);
  }
}

void SceneProcesses::on_clock_changed(EventIndex index, const Event& event) {
  const std::int64_t by_ns = event.number("by_ns");
  const std::string text =
      by_ns != 0
          ? fmt::format("clock steps by {}{}", by_ns > 0 ? "+" : "", checker::milliseconds(by_ns))
          : fmt::format("clocks run {:+} ppm", event.number("drift_ppm"));
  draft_.add_notes(index, text, Tone::fault);
}

void SceneProcesses::on_node_promoted(EventIndex index, const Event& event) {
  draft_.add_notes(index, "becomes master in place of " + brief(event.text("in_place_of")),
                   Tone::fault);
}

void SceneProcesses::on_dataset_saved(EventIndex index, const Event& event) {
  draft_.add_notes(index, "saves a snapshot: " + keys_in(event), Tone::plain);
}

void SceneProcesses::on_dataset_restored(EventIndex index, const Event& event) {
  const std::string_view from = event.text("from");
  std::string text = "finds nothing on its disk";
  if (from != "nothing") {
    text = keys_in(event);
    text += " from its ";
    text += brief(from);
  }
  draft_.add_notes(index, text, Tone::fault);
}

void SceneProcesses::on_disk_lost(EventIndex index, const Event& event) {
  std::string text = "lost what was not synced: ";
  text += std::to_string(event.number("bytes"));
  text += " bytes";
  draft_.add_notes(index, text, Tone::fault);
}

}  // namespace lockstep::reports
