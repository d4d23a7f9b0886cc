// A part of a scene: some of its lanes, some of its time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/recorded_trace.h"
#include "reports/scene/scene.h"

namespace lockstep::reports {

struct SceneView {
  /// Names of lanes, or of clients for all of their threads. Empty: all lanes.
  std::vector<std::string> lanes;
  std::optional<sim::TimeNs> from_ns;
  std::optional<sim::TimeNs> until_ns;
};

/// The first name that no lane has; none: all are known.
[[nodiscard]] std::optional<std::string> unknown_lane(const Scene& scene,
                                                      const std::vector<std::string>& names);
/// What a reader may name: lanes and clients.
[[nodiscard]] std::vector<std::string> lane_names(const Scene& scene);

/// Leaves out what is not in view. What began before and lasts stays.
void narrow(Scene& scene, const model::RecordedTrace& trace, const SceneView& view);

}  // namespace lockstep::reports
