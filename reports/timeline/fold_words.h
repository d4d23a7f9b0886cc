// What a row of a timeline says of the moments that are folded into it.
#pragma once

#include <cstdint>
#include <string>

#include "reports/timeline/rows.h"

namespace lockstep::reports {

/// "6 refused tries of b/1, 4 renewals of a/1 (45 moments, until 8,005.7 ms)". Without effect on
/// the lock are only those of which nothing else is said. REQUIRES: a row that is folded.
/// In few words it says neither how many moments, nor until when, which the next row does.
enum class FoldWords : std::uint8_t { all, few };
[[nodiscard]] std::string folded_in_words(const Row& row, FoldWords words = FoldWords::all);

}  // namespace lockstep::reports
