// What is written at the messages of a timeline: once where several say the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/recorded_trace.h"
#include "reports/drawing/boxes.h"
#include "reports/drawing/picture.h"
#include "reports/scene/scene.h"
#include "reports/timeline/rows.h"

namespace lockstep::reports {

/// By flight. Requests that one sender makes of several nodes in a row share a label ("set to 5
/// nodes"), and so do arrows that lie on each other; the others of them have none.
[[nodiscard]] std::vector<std::string> labels_of(const Scene& scene,
                                                 const model::RecordedTrace& trace,
                                                 const Rows& rows);

/// What stands at a message that never arrives, or at any other. REQUIRES: its label.
[[nodiscard]] std::string flight_words(const Flight& flight, const std::string& label);

/// A place for a label of this width on the arrow's slope or close to it, as near to its sender as
/// there is one that nothing but the owner's arrows takes. Its middle; none: there is none.
[[nodiscard]] std::optional<Point> place_on_slope(Point from, Point to, Tenths width, Tenths height,
                                                  const Obstacles& taken, std::int64_t owner);

/// Lines of these words that are at most so wide, as far as they can be broken.
[[nodiscard]] std::vector<std::string> wrapped_to_width(const std::string& words, Tenths width,
                                                        Tenths size, Weight weight);

}  // namespace lockstep::reports
