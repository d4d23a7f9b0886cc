// Finds what a person would see at once in a picture: texts that lie on each other.
#pragma once

#include <string>

#include "reports/drawing/picture.h"

namespace lockstep::reports::test {

/// Pairs of texts that cover more of each other than a little, a line each; empty: none. As wide as
/// Helvetica draws them.
[[nodiscard]] std::string overlapping_texts(const Picture& picture);

}  // namespace lockstep::reports::test
