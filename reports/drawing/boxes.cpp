#include "reports/drawing/boxes.h"

#include <algorithm>
#include <cstdlib>

#include "reports/drawing/picture_dot.h"

namespace lockstep::reports {
namespace {

constexpr Tenths stripe = 500;
constexpr Tenths arrow_half = 6;
constexpr Tenths gap_margin = 10;

Tenths stripe_of(Tenths y) { return y >= 0 ? y / stripe : -((stripe - 1 - y) / stripe); }

Box grown(const Box& box, Tenths by) {
  return {box.left - by, box.top - by, box.right + by, box.bottom + by};
}

/// A part of a way from one point to another, in 1/2^20 of it.
constexpr std::int64_t whole_way = std::int64_t{1} << 20;
struct WayPart {
  std::int64_t from = 0;
  std::int64_t until = whole_way;
};

/// Where one coordinate lies strictly between two bounds.
WayPart part_between(Tenths from, Tenths to, Tenths low, Tenths high) {
  if (from == to) return from > low && from < high ? WayPart{} : WayPart{whole_way, 0};
  const std::int64_t first = (std::int64_t{low} - from) * whole_way / (to - from);
  const std::int64_t second = (std::int64_t{high} - from) * whole_way / (to - from);
  return {std::max(std::int64_t{0}, std::min(first, second)),
          std::min(whole_way, std::max(first, second))};
}

Point point_on(Point from, Point to, std::int64_t way) {
  return {from.x + static_cast<Tenths>((std::int64_t{to.x} - from.x) * way / whole_way),
          from.y + static_cast<Tenths>((std::int64_t{to.y} - from.y) * way / whole_way)};
}

/// The parts of a straight way that lie beside all gaps, in order.
std::vector<WayPart> parts_beside(Point from, Point to, const std::vector<Box>& gaps) {
  std::vector<WayPart> parts{{}};
  for (const Box& gap : gaps) {
    const Box box = grown(gap, gap_margin);
    const WayPart x = part_between(from.x, to.x, box.left, box.right);
    const WayPart y = part_between(from.y, to.y, box.top, box.bottom);
    const WayPart in{std::max(x.from, y.from), std::min(x.until, y.until)};
    if (in.from >= in.until) continue;
    std::vector<WayPart> left;
    for (const WayPart& part : parts) {
      if (part.from < in.from) left.push_back({part.from, std::min(part.until, in.from)});
      if (part.until > in.until) left.push_back({std::max(part.from, in.until), part.until});
    }
    parts = std::move(left);
  }
  return parts;
}

}  // namespace

Box text_box(const Text& text) {
  const Tenths padding = text.background.empty() ? 40 : 0;
  const Tenths width = boxed_width(text.text, text.size, text.weight) - padding;
  const Tenths left = text.align == Align::left     ? text.at.x
                      : text.align == Align::middle ? text.at.x - width / 2
                                                    : text.at.x - width;
  const Tenths half = text.background.empty() ? text.size * 45 / 100 : text.size / 2 + 10;
  return {left, text.at.y - half, left + width, text.at.y + half};
}

bool overlap(const Box& one, const Box& other) {
  return one.left < other.right && other.left < one.right && one.top < other.bottom &&
         other.top < one.bottom;
}

bool crosses(const Segment& segment, const Box& box) {
  const Box wide = grown(box, segment.half_width);
  const Box around{std::min(segment.from.x, segment.to.x), std::min(segment.from.y, segment.to.y),
                   std::max(segment.from.x, segment.to.x), std::max(segment.from.y, segment.to.y)};
  const bool is_apart = around.right <= wide.left || around.left >= wide.right ||
                        around.bottom <= wide.top || around.top >= wide.bottom;
  if (is_apart) return false;
  // The line through it has corners of the box on both of its sides.
  const std::int64_t dx = segment.to.x - segment.from.x;
  const std::int64_t dy = segment.to.y - segment.from.y;
  const auto side = [&](Tenths x, Tenths y) {
    return dx * (y - segment.from.y) - dy * (x - segment.from.x);
  };
  const std::int64_t sides[] = {side(wide.left, wide.top), side(wide.right, wide.top),
                                side(wide.left, wide.bottom), side(wide.right, wide.bottom)};
  const auto [least, most] = std::minmax_element(std::begin(sides), std::end(sides));
  return *least <= 0 && *most >= 0;
}

std::vector<std::vector<Point>> drawn_paths(const Arrow& arrow) {
  if (arrow.gaps.empty()) return {arrow.points};
  std::vector<std::vector<Point>> paths(1);
  for (std::size_t i = 1; i < arrow.points.size(); ++i) {
    const Point from = arrow.points[i - 1];
    const Point to = arrow.points[i];
    for (const WayPart& part : parts_beside(from, to, arrow.gaps)) {
      std::vector<Point>& path = paths.back();
      const bool goes_on = part.from == 0 && !path.empty();
      if (path.empty()) {
        path.push_back(point_on(from, to, part.from));
      } else if (!goes_on) {
        paths.push_back({point_on(from, to, part.from)});
      }
      paths.back().push_back(point_on(from, to, part.until));
      if (part.until < whole_way) paths.emplace_back();
    }
    // The next piece goes on only where this one reached its end.
    const std::vector<Point>& last = paths.back();
    const bool reached = !last.empty() && last.back().x == to.x && last.back().y == to.y;
    if (!reached && !last.empty()) paths.emplace_back();
  }
  std::erase_if(paths, [](const std::vector<Point>& path) { return path.size() < 2; });
  return paths;
}

std::vector<Segment> segments_of(const Arrow& arrow) {
  std::vector<Segment> segments;
  for (const std::vector<Point>& path : drawn_paths(arrow)) {
    for (std::size_t i = 1; i < path.size(); ++i) {
      segments.push_back({path[i - 1], path[i], arrow_half});
    }
  }
  if (!arrow.has_head) return segments;
  constexpr Tenths head_length = 60;
  constexpr Tenths head_half = 22;
  const Point tip = arrow.points.back();
  const Point before = arrow.points[arrow.points.size() - 2];
  const Tenths longer = std::max({std::abs(tip.x - before.x), std::abs(tip.y - before.y), 1});
  const Tenths length = std::min(head_length, longer);
  segments.push_back(
      {{tip.x - (tip.x - before.x) * length / longer, tip.y - (tip.y - before.y) * length / longer},
       tip,
       head_half});
  return segments;
}

Segment segment_of(const Line& line) { return {line.from, line.to, line.width / 2}; }

Box box_of(const Area& area) {
  Box box{area.corners.front().x, area.corners.front().y, area.corners.front().x,
          area.corners.front().y};
  for (const Point& corner : area.corners) {
    box.left = std::min(box.left, corner.x);
    box.right = std::max(box.right, corner.x);
    box.top = std::min(box.top, corner.y);
    box.bottom = std::max(box.bottom, corner.y);
  }
  return grown(box, area.frame.empty() ? 0 : area.frame_width / 2);
}

void Obstacles::add(const Box& box, std::int64_t owner) {
  add(Taken{{}, box, true, owner}, box.top, box.bottom);
}

void Obstacles::add(const Segment& segment, std::int64_t owner) {
  add(Taken{segment, {}, false, owner}, std::min(segment.from.y, segment.to.y) - segment.half_width,
      std::max(segment.from.y, segment.to.y) + segment.half_width);
}

void Obstacles::add(const Taken& taken, Tenths top, Tenths bottom) {
  all_.push_back(taken);
  for (Tenths at = stripe_of(top); at <= stripe_of(bottom); ++at) {
    by_stripe_[at].push_back(all_.size() - 1);
  }
}

bool Obstacles::is_free(const Box& box, std::int64_t owner) const {
  const auto end = by_stripe_.upper_bound(stripe_of(box.bottom));
  for (auto at = by_stripe_.lower_bound(stripe_of(box.top)); at != end; ++at) {
    for (const std::size_t index : at->second) {
      const Taken& taken = all_[index];
      if (taken.owner >= 0 && taken.owner == owner) continue;
      if (taken.is_box ? overlap(taken.box, box) : crosses(taken.segment, box)) return false;
    }
  }
  return true;
}

}  // namespace lockstep::reports
