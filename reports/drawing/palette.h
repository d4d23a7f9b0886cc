// The colours of a timeline: Okabe and Ito's palette ("Color Universal Design", 2008), which people
// with any common colour blindness can tell apart, and darker shades of it for text on white.
#pragma once

#include <array>
#include <cstddef>

#include "reports/drawing/picture.h"

namespace lockstep::reports::palette {

inline constexpr Colour white = "#ffffff";
inline constexpr Colour ink = "#1a1a1a";
inline constexpr Colour quiet_ink = "#5f5f5f";
inline constexpr Colour lane = "#b8b8b8";
inline constexpr Colour row = "#fafafa";
inline constexpr Colour guide = "#e2e2e2";
inline constexpr Colour fold = "#f1f1f1";
inline constexpr Colour out_of_order = "#e4e4e4";
inline constexpr Colour hatch = "#8c8c8c";
inline constexpr Colour cut_off = "#f4e9f0";
inline constexpr Colour cut_off_other = "#e6f1ee";  // the other side of a partition
inline constexpr Colour cut_off_other_edge = "#2a6f5e";
inline constexpr Colour crashed = "#bdbdbd";

inline constexpr Colour bad = "#d55e00";        // vermilion: for nothing but what went wrong
inline constexpr Colour bad_ink = "#a84300";    // its shade for text
inline constexpr Colour bad_light = "#fdeadd";  // its tint for areas
// Of the time in which two owners believe in the same lock.
inline constexpr Colour overlap = bad;
inline constexpr Colour overlap_ink = bad_ink;
inline constexpr Colour overlap_area = bad_light;
inline constexpr Colour good_ink = "#00694e";
inline constexpr Colour fault_ink = "#8a3a6b";      // a shade of reddish purple
inline constexpr Colour unknown_owner = "#7f7f7f";  // of an owner without a lane

/// Of clients: blue, orange, bluish green, sky blue, reddish purple, yellow.
inline constexpr std::array<Colour, 6> clients{"#0072b2", "#e69f00", "#009e73",
                                               "#56b4e9", "#cc79a7", "#f0e442"};

}  // namespace lockstep::reports::palette
