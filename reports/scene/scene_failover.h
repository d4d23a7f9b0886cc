// Draws what sentinels and the nodes of a cluster find out and do, and what clients hear of it.
//
// Each knows and says so for itself. What a reviewer needs is who took over, which old master heard
// of it when, and which master stopped serving.
#pragma once

#include "reports/scene/scene_draft.h"

namespace lockstep::reports {

/// Of the sentinel that leads a failover.
[[nodiscard]] bool is_election(const model::RecordedEvent& event);

class SceneFailover {
 public:
  explicit SceneFailover(SceneDraft& draft) : draft_(draft) {}
  void see(EventIndex index, const model::RecordedEvent& event);

 private:
  using Event = model::RecordedEvent;

  void on_sentinel_event(EventIndex index, const Event& event);
  void on_master_learnt(EventIndex index, const Event& event);
  void on_cluster_step(EventIndex index, const Event& event);

  SceneDraft& draft_;
};

}  // namespace lockstep::reports
