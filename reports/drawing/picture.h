// A drawing as a list of shapes with coordinates: what the timeline's layout makes and Graphviz
// draws.
//
// The unit is the point (1/72 inch); x grows to the right, y downwards, the origin is the upper
// left corner. Coordinates are whole tenths of a point (`Tenths`), so that no floating point enters
// a picture and every build writes the same bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lockstep::reports {

/// Tenths of a point.
using Tenths = std::int32_t;

struct Point {
  Tenths x = 0;
  Tenths y = 0;
};

struct Box {
  Tenths left = 0;
  Tenths top = 0;
  Tenths right = 0;
  Tenths bottom = 0;
};

/// "#rrggbb"; a literal. Empty: none.
using Colour = std::string_view;

enum class Stroke : std::uint8_t { solid, dashed, dotted };

/// A straight line.
struct Line {
  Point from;
  Point to;
  Colour colour;
  Tenths width = 10;
  Stroke stroke = Stroke::solid;
};

enum class Ground : std::uint8_t {
  solid,
  tint,  ///< so light that text on it reads as well as beside it
};

/// A filled or framed area, drawn in the background.
struct Area {
  std::vector<Point> corners;  ///< at least three
  Colour fill;                 ///< empty: only the frame
  Colour frame;                ///< empty: only filled
  Tenths frame_width = 10;
  Ground ground = Ground::solid;
};

/// A message: an arrow of straight pieces, or a line that ends in nothing.
struct Arrow {
  std::vector<Point> points;  ///< at least two
  Colour colour;
  Stroke stroke = Stroke::solid;
  bool has_head = true;
  std::string description;     ///< sanitized text: what a screen reader says and a mouse shows
  std::vector<Box> gaps = {};  ///< where it is not drawn, since its label stands there
};

enum class Align : std::uint8_t { left, middle, right };
enum class Weight : std::uint8_t { normal, bold };

/// One line of text, selectable. REQUIRES: sanitized text (reports/text.h).
struct Text {
  Point at;  ///< the middle of the line's height, at its left, middle or right end
  Align align = Align::left;
  std::string text;
  Colour colour;
  Tenths size = 85;
  Weight weight = Weight::normal;
  Colour background;  ///< a box around it; empty: none
};

/// A spot on a lane.
struct Dot {
  Point at;
  Colour colour;
  std::string description;  ///< sanitized text: what a screen reader says and a mouse shows
};

/// Drawn in the order of its lists, each in its order.
struct Picture {
  std::string title;  ///< of the whole picture, for screen readers
  Tenths width = 0;
  Tenths height = 0;
  std::vector<std::variant<Area, Line>> background;
  std::vector<Arrow> arrows;
  std::vector<Dot> dots;
  std::vector<Text> texts;
};

}  // namespace lockstep::reports
