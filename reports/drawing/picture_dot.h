// A picture as DOT text: every shape with its position, for Graphviz to draw and not to place.
//
// Dots and texts are nodes, arrows are edges between nodes, the background is xdot operations in
// the graph's `_background`. No text of a user stands in the background, and in a name or label
// only sanitized text, escaped.
#pragma once

#include <string>
#include <string_view>

#include "reports/drawing/picture.h"

namespace lockstep::reports {

/// How wide the box around such a text is, in whatever font a reader has.
[[nodiscard]] Tenths boxed_width(std::string_view words, Tenths size, Weight weight);

[[nodiscard]] std::string dot_of(const Picture& picture);

}  // namespace lockstep::reports
