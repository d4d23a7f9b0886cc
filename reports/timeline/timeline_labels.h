// What is written at the messages of a timeline: once where several say the same.
#pragma once

#include <string>
#include <vector>

#include "model/recorded_trace.h"
#include "reports/drawing/picture.h"
#include "reports/scene/scene.h"
#include "reports/timeline/rows.h"

namespace lockstep::reports {

/// By flight. Requests that one sender makes of several nodes in one row share a label ("set to 5
/// nodes"), and so do arrows that lie on each other; the others of them have none.
[[nodiscard]] std::vector<std::string> labels_of(const Scene& scene,
                                                 const model::RecordedTrace& trace,
                                                 const Rows& rows);

/// A place for a label of this width on the arrow's slope, as near to its sender as it finds one
/// that none of the boxes takes; else where they take least of it. Its middle.
[[nodiscard]] Point place_on_slope(Point from, Point to, Tenths width, Tenths height,
                                   const std::vector<Box>& taken);

/// The area that two boxes have in common, in square tenths.
[[nodiscard]] std::int64_t common_area(const Box& one, const Box& other);

}  // namespace lockstep::reports
