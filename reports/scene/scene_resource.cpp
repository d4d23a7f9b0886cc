#include "reports/scene/scene_resource.h"

#include <fmt/format.h>

#include "model/trace_vocabulary.h"
#include "reports/text.h"

namespace lockstep::reports {

void SceneResource::see(EventIndex index, const Event& event) {
  namespace model_kind = model::trace_kind;
  static const Handlers<SceneResource> handlers{
      {model_kind::resource_read, &SceneResource::on_read},
      {model_kind::resource_written, &SceneResource::on_written},
      {model_kind::resource_refused, &SceneResource::on_refused},
  };
  dispatch(*this, handlers, index, event);
}

void SceneResource::on_read(EventIndex index, const Event& event) {
  const auto lane = draft_.lane_map.lane_of(event.actor);
  if (!lane) return;
  draft_
      .add_note(
          *lane, index,
          fmt::format("{} reads version {}", brief(event.text("by")), event.number("version")),
          Tone::plain, Importance::routine)
      .kind = NoteKind::read;
}

void SceneResource::on_written(EventIndex index, const Event& event) {
  const auto lane = draft_.lane_map.lane_of(event.actor);
  if (!lane) return;
  const std::int64_t based_on = event.number("based_on");
  const std::int64_t version = event.number("version");
  const bool loses_an_update = based_on + 1 < version;
  std::string text = fmt::format("{} writes version {}", brief(event.text("by")), version);
  if (event.number("token", -1) >= 0) text += fmt::format(", token {}", event.number("token"));
  draft_.add_note(*lane, index, std::move(text), Tone::plain, Importance::essential).kind =
      NoteKind::write;
  if (loses_an_update) {
    draft_.add_note(*lane, index,
                    fmt::format("\u2717 based on {}, version {} is lost", based_on, version - 1),
                    Tone::bad, Importance::essential);
  }
}

void SceneResource::on_refused(EventIndex index, const Event& event) {
  const auto lane = draft_.lane_map.lane_of(event.actor);
  if (!lane) return;
  draft_
      .add_note(*lane, index,
                fmt::format("refuses {}: token {} < {}", brief(event.text("by")),
                            event.number("token"), event.number("highest_token")),
                Tone::good, Importance::essential)
      .kind = NoteKind::write;
}

}  // namespace lockstep::reports
