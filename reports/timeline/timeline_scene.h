// What a timeline of a subject shows, as its options say.
#pragma once

#include <cstddef>
#include <string>

#include "reports/scene/scene.h"
#include "reports/timeline/timeline.h"

namespace lockstep::reports {

/// Fewer rows tell no story.
inline constexpr std::size_t rows_least = 5;

/// The scene of the part that the options name. Throws scenario::InputError where they name a lane
/// that there is none, a time in which nothing happened, or a violation and nothing is violated.
[[nodiscard]] Scene scene_of(const TimelineSubject& subject, const TimelineOptions& options);

/// Where there is nothing to draw: that nothing happened in the run, or in the part that is shown.
[[nodiscard]] std::string nothing_in_words(const TimelineOptions& options);

/// How many rows the options allow, focused ones fewer.
[[nodiscard]] std::size_t rows_max_of(const TimelineOptions& options);

}  // namespace lockstep::reports
