// Folds lanes that have no part in the story to the edge: one lane for all of them.
//
// A lane has a part where it holds or loses the lock, answers or asks for it, crashes, is promoted,
// is paused, is struck alone, or is named by what went wrong. Sentinels, replicas and nodes that
// only look on, or that a partition cuts off together with others, have none.
#pragma once

#include <string>
#include <vector>

#include "model/recorded_trace.h"
#include "reports/scene/scene.h"

namespace lockstep::reports {

/// The names of the lanes that were folded, as they are shown; empty: each has a part.
std::vector<std::string> fold_lanes(Scene& scene, const model::RecordedTrace& trace);

}  // namespace lockstep::reports
