// Draws what happens to processes, their clocks and their data.
#pragma once

#include "reports/scene/scene_draft.h"

namespace lockstep::reports {

class SceneProcesses {
 public:
  explicit SceneProcesses(SceneDraft& draft) : draft_(draft) {}
  void see(EventIndex index, const model::RecordedEvent& event);

 private:
  using Event = model::RecordedEvent;

  void on_paused(EventIndex index, const Event& event);
  void on_resumed(EventIndex index, const Event& event);
  void on_crashed(EventIndex index, const Event& event);
  void on_restarted(EventIndex index, const Event& event);
  void on_clock_changed(EventIndex index, const Event& event);
  void on_node_promoted(EventIndex index, const Event& event);
  void on_dataset_saved(EventIndex index, const Event& event);
  void on_dataset_restored(EventIndex index, const Event& event);
  void on_disk_lost(EventIndex index, const Event& event);

  SceneDraft& draft_;
};

}  // namespace lockstep::reports
