// Mutates the recorded choices of a run, for a fuzzer that starts from corpus entries.
#pragma once

#include <cstdint>
#include <vector>

#include "search/runs/choice_tracks.h"

namespace lockstep::search {

/// Whether its values may be changed one by one. Tokens and random numbers that clients draw may
/// not: two that are equal because somebody made them so are no run that can happen.
[[nodiscard]] bool may_change(sim::Purpose purpose);

/// One to three changes, most of them of faults: a value becomes another, comes twice or goes; a
/// stream loses its end, or all, so that chance answers instead.
void change_tracks(std::vector<ChoiceTrack>& tracks, std::uint64_t seed);

/// Takes some streams over from others, each with all its values.
void mix_tracks(std::vector<ChoiceTrack>& tracks, const std::vector<ChoiceTrack>& others,
                std::uint64_t seed);

/// Whether the stream decides which faults there are, when they strike, and their targets.
[[nodiscard]] bool is_of_faults(sim::Purpose purpose);

}  // namespace lockstep::search
