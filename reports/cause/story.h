// What tells two causes apart: the words of an explanation without its names and numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::checker {
enum class Property : std::uint8_t;
}  // namespace lockstep::checker

namespace lockstep::search {
struct RunRecord;
}  // namespace lockstep::search

namespace lockstep::reports {

/// Of the first sentence, which is the story: "a/1 slept for 5 s" and "b/2 slept for 7 s" are
/// alike.
[[nodiscard]] std::string skeleton_of(const std::vector<std::string>& cause);

/// Of the first clause of why this property broke: what a run tells before it was made small is
/// full of circumstances. Empty where nothing is known.
[[nodiscard]] std::string story_of(const search::RunRecord& example, checker::Property property);

}  // namespace lockstep::reports
