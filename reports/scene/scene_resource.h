// Draws what happens to the protected resource.
#pragma once

#include "reports/scene/scene_draft.h"

namespace lockstep::reports {

class SceneResource {
 public:
  explicit SceneResource(SceneDraft& draft) : draft_(draft) {}
  void see(EventIndex index, const model::RecordedEvent& event);

 private:
  using Event = model::RecordedEvent;

  void on_read(EventIndex index, const Event& event);
  void on_written(EventIndex index, const Event& event);
  void on_refused(EventIndex index, const Event& event);

  SceneDraft& draft_;
};

}  // namespace lockstep::reports
