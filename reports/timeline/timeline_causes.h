// Marks in a scene where the cause of what broke happened: the lease that was cut, the key that a
// replica never had, the place in the queue that was lost.
#pragma once

#include "reports/scene/scene.h"

namespace lockstep::reports {

/// Adds a note for each of the first causes, at the lane where it happened.
void mark_causes(Scene& scene, const search::RunRecord& example);

}  // namespace lockstep::reports
