// Finds what a person would see at once in a picture: text that lies on something else.
#pragma once

#include <string>

#include "reports/drawing/picture.h"

namespace lockstep::reports::test {

/// Each text that lies on another, on a line, an arrow, a dot, or a bar that is not its own
/// background, a line each; empty: none. Texts are taken as wide as readers without Helvetica see
/// them.
[[nodiscard]] std::string overlaps_in(const Picture& picture);

}  // namespace lockstep::reports::test
