// Marks that both layouts of a timeline have in common.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/drawing/picture.h"
#include "reports/scene/scene.h"

namespace lockstep::search {
struct RunRecord;
}  // namespace lockstep::search

namespace lockstep::reports {

[[nodiscard]] Area area_of(const Box& box, Colour fill, Colour frame, Tenths frame_width);

/// Lines from the lower left to the upper right, cut off at the box.
[[nodiscard]] std::vector<Line> hatching(const Box& box, Colour colour, Tenths step, Tenths width);

/// The time for which a lane is out of order: filled, and marked by a line at its edge.
void paint_out_of_order(Picture& picture, const Span& span, const Box& box, Point edge_from,
                        Point edge_to);
/// Of those who are cut off, by their side of a partition.
[[nodiscard]] Colour side_colour(std::optional<std::size_t> side);
[[nodiscard]] Colour side_edge(std::optional<std::size_t> side);

/// Of an owner's bars; none: a stranger.
[[nodiscard]] Colour owner_colour(const Scene& scene, std::optional<LaneIndex> owner);
[[nodiscard]] Colour ink_of(Tone tone);

/// The cause, all sentences of it.
[[nodiscard]] std::string why_in_words(const search::RunRecord& example);
/// What went wrong and why, for those who can't see it.
[[nodiscard]] std::string description_of(const search::RunRecord& example);

}  // namespace lockstep::reports
