// What the shapes of a picture cover: for layouts that leave text alone, and for the test that they
// do.
//
// Whole numbers only. Of text, the room that it takes in whatever font a reader has; a line and an
// arrow are straight pieces with a width.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "reports/drawing/picture.h"

namespace lockstep::reports {

[[nodiscard]] Box text_box(const Text& text);

/// A straight piece of a line.
struct Segment {
  Point from;
  Point to;
  Tenths half_width;
};
/// Whether any of it lies in the box.
[[nodiscard]] bool crosses(const Segment& segment, const Box& box);

/// What is left of an arrow's path beside its gaps: each piece in order, at least two points.
[[nodiscard]] std::vector<std::vector<Point>> drawn_paths(const Arrow& arrow);
[[nodiscard]] std::vector<Segment> segments_of(const Arrow& arrow);
[[nodiscard]] Segment segment_of(const Line& line);

[[nodiscard]] bool overlap(const Box& one, const Box& other);
[[nodiscard]] Box box_of(const Area& area);

/// Boxes and segments that nothing else may cover, found by their height.
class Obstacles {
 public:
  /// `owner`: what may lie on it all the same; −1: nothing.
  void add(const Box& box, std::int64_t owner = -1);
  void add(const Segment& segment, std::int64_t owner = -1);
  /// Whether nothing but what the owner owns lies in the box.
  [[nodiscard]] bool is_free(const Box& box, std::int64_t owner = -1) const;

 private:
  struct Taken {
    Segment segment;
    Box box;
    bool is_box;
    std::int64_t owner;
  };
  void add(const Taken& taken, Tenths top, Tenths bottom);

  std::vector<Taken> all_;
  std::map<Tenths, std::vector<std::size_t>> by_stripe_;
};

}  // namespace lockstep::reports
