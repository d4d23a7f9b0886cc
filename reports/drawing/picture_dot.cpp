#include "reports/drawing/picture_dot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

#include "reports/drawing/boxes.h"
#include "reports/text.h"
#include "scenario/text/in_quotes.h"

namespace lockstep::reports {
namespace {

/// "12.3" points; negative numbers too.
std::string points(Tenths tenths) {
  const int size = tenths < 0 ? -tenths : tenths;
  std::string text = fmt::format("{}{}", tenths < 0 ? "-" : "", size / 10);
  if (size % 10 != 0) text += fmt::format(".{}", size % 10);
  return text;
}

/// Inches with enough digits: a point is 1/72 inch.
std::string inches(Tenths tenths) {
  const std::int64_t millionths = std::int64_t{tenths} * 1'000'000 / 720;
  return fmt::format("{}.{:06}", millionths / 1'000'000, millionths % 1'000'000);
}

/// Sanitized text inside a quoted string that Graphviz reads as an escString: backslashes and
/// quotation marks escaped, "&" as the entity that it would otherwise begin.
std::string in_quotes(std::string_view sanitized_text) {
  std::string result = "\"";
  for (const char character : sanitized_text) {
    switch (character) {
      case '\\':
        result += "\\\\";
        break;
      case '"':
        result += "\\\"";
        break;
      case '&':
        result += "&amp;";
        break;
      default:
        result += character;
    }
  }
  return result + "\"";
}

class DotWriter {
 public:
  explicit DotWriter(const Picture& picture) : picture_(picture) {}

  std::string write() {
    begin();
    // Without these the picture would be cropped to what is drawn.
    write_end({0, 0});
    write_end({picture_.width, picture_.height});
    // Nodes must stand before the edges that join them, so that they keep their order.
    for (const Dot& dot : picture_.dots) write_dot(dot);
    for (const Arrow& arrow : picture_.arrows) write_ends(arrow);
    for (const Text& text : picture_.texts) write_text(text);
    for (const Arrow& arrow : picture_.arrows) write_arrow(arrow);
    out_ += "}\n";
    return std::move(out_);
  }

 private:
  void begin();
  std::string background() const;
  void add(const Area& area, std::string& xdot) const;
  void add(const Line& line, std::string& xdot) const;
  void write_dot(const Dot& dot);
  void write_ends(const Arrow& arrow);
  void write_end(Point at);
  void write_text(const Text& text);
  [[nodiscard]] std::string spline_of(std::vector<Point> path, bool has_head) const;
  void write_arrow(const Arrow& arrow);

  [[nodiscard]] std::string x(Tenths x) const { return points(x); }
  [[nodiscard]] std::string y(Tenths y) const { return points(picture_.height - y); }
  [[nodiscard]] std::string at(Point point) const { return x(point.x) + "," + y(point.y); }
  [[nodiscard]] std::string xdot_at(Point point) const { return x(point.x) + " " + y(point.y); }

  /// A name that no node has yet: the words, numbered where they were used before.
  std::string name(std::string_view words) {
    std::string candidate(words);
    for (int number = 2; !names_.insert(candidate).second; ++number) {
      candidate = fmt::format("{} ({})", words, number);
    }
    return in_quotes(candidate);
  }

  const Picture& picture_;
  std::string out_;
  std::set<std::string> names_;
  std::map<std::pair<Tenths, Tenths>, std::string> ends_;  // by place: the node's quoted name
};

void DotWriter::begin() {
  out_ += fmt::format("digraph {} {{\n", name(picture_.title));
  out_ += fmt::format(
      "  graph [bb=\"0,0,{},{}\", bgcolor=\"#ffffff\", margin=0, pad=0, splines=line, "
      "outputorder=edgesfirst, _background=\"{}\"];\n",
      points(picture_.width), points(picture_.height), background());
  out_ +=
      "  node [shape=box, fixedsize=true, margin=0, penwidth=0, fontname=\"Helvetica\", "
      "height=0.1];\n"
      "  edge [arrowsize=0.6, penwidth=0.9];\n";
}

// -- the background --

std::string DotWriter::background() const {
  std::string xdot;
  for (const auto& shape : picture_.background) {
    std::visit([&](const auto& each) { add(each, xdot); }, shape);
  }
  return xdot;
}

void DotWriter::add(const Area& area, std::string& xdot) const {
  assert(area.corners.size() >= 3);
  const auto polygon = [&](char operation) {
    xdot += fmt::format("{} {}", operation, area.corners.size());
    for (const Point& corner : area.corners) xdot += " " + xdot_at(corner);
    xdot += " ";
  };
  const Colour frame = area.frame.empty() ? area.fill : area.frame;
  const std::string width =
      fmt::format("setlinewidth({})", points(area.frame.empty() ? 0 : area.frame_width));
  xdot += fmt::format("S {} -{} c {} -{} ", width.size(), width, frame.size(), frame);
  if (!area.fill.empty()) {
    xdot += fmt::format("C {} -{} ", area.fill.size(), area.fill);
    polygon('P');
  } else {
    polygon('p');
  }
}

void DotWriter::add(const Line& line, std::string& xdot) const {
  const std::string width = fmt::format("setlinewidth({})", points(line.width));
  const std::string_view stroke = line.stroke == Stroke::dashed   ? "dashed"
                                  : line.stroke == Stroke::dotted ? "dotted"
                                                                  : "solid";
  xdot += fmt::format("S {} -{} S {} -{} c {} -{} L 2 {} {} ", stroke.size(), stroke, width.size(),
                      width, line.colour.size(), line.colour, xdot_at(line.from), xdot_at(line.to));
}

// -- nodes --

void DotWriter::write_dot(const Dot& dot) {
  const std::string node = name(dot.description);
  ends_.emplace(std::pair(dot.at.x, dot.at.y), node);
  out_ += fmt::format(
      "  {} [pos=\"{}\", shape=circle, style=filled, fillcolor=\"{}\", width=0.055, height=0.055, "
      "label=\"\"];\n",
      node, at(dot.at), dot.colour);
}

void DotWriter::write_end(Point at_point) {
  const auto place = std::pair(at_point.x, at_point.y);
  if (ends_.contains(place)) return;
  const std::string node = name("a point");
  ends_.emplace(place, node);
  out_ += fmt::format("  {} [pos=\"{}\", style=invis, width=0.01, height=0.01, label=\"\"];\n",
                      node, at(at_point));
}

void DotWriter::write_ends(const Arrow& arrow) {
  assert(arrow.points.size() >= 2);
  write_end(arrow.points.front());
  write_end(arrow.points.back());
}

void DotWriter::write_text(const Text& text) {
  const bool is_boxed = !text.background.empty();
  const Tenths tight = boxed_width(text.text, text.size, text.weight);
  // A node without a box may be wider than its text in any font: its end stays where it belongs.
  // It must not reach over the picture's edge, or the picture would grow.
  const Tenths wide = text.size * static_cast<Tenths>(text.text.size() + 2);
  Tenths width = is_boxed ? tight : wide;
  Point middle = text.at;
  std::string_view ending;
  if (text.align == Align::left) {
    width = std::max(tight, std::min(width, picture_.width - text.at.x));
    middle.x += width / 2;
    ending = "\\l";
  } else if (text.align == Align::right) {
    width = std::max(tight, std::min(width, text.at.x));
    middle.x -= width / 2;
    ending = "\\r";
  } else {
    width = tight;
  }
  std::string label = in_quotes(text.text);
  label.insert(label.size() - 1, ending);
  out_ +=
      fmt::format("  {} [pos=\"{}\", width={}, height={}, label={}, fontsize={}, fontcolor=\"{}\"",
                  name(text.text), at(middle), inches(width), inches(text.size + 20), label,
                  points(text.size), text.colour);
  if (text.weight == Weight::bold) out_ += ", fontname=\"Helvetica-Bold\"";
  if (is_boxed) out_ += fmt::format(", style=filled, fillcolor=\"{}\"", text.background);
  out_ += "];\n";
}

// -- edges --

/// "e,x,y …" of one path. B-splines whose control points lie on its straight pieces; the arrow's
/// head begins a little before the end.
std::string DotWriter::spline_of(std::vector<Point> path, bool has_head) const {
  constexpr Tenths head = 60;
  const Point tip = path.back();
  std::string spline;
  if (has_head) {
    Point& last = path.back();
    const Point before = path[path.size() - 2];
    const Tenths dx = tip.x - before.x;
    const Tenths dy = tip.y - before.y;
    const Tenths longer = std::max(std::abs(dx), std::abs(dy));
    if (longer > head) {
      last.x -= static_cast<Tenths>(std::int64_t{dx} * head / longer);
      last.y -= static_cast<Tenths>(std::int64_t{dy} * head / longer);
    }
    spline = "e," + at(tip) + " ";
  }
  spline += at(path.front());
  for (std::size_t i = 1; i < path.size(); ++i) {
    const Point from = path[i - 1];
    const Point to = path[i];
    const Point third{from.x + (to.x - from.x) / 3, from.y + (to.y - from.y) / 3};
    const Point two_thirds{from.x + (to.x - from.x) * 2 / 3, from.y + (to.y - from.y) * 2 / 3};
    spline += " " + at(third) + " " + at(two_thirds) + " " + at(to);
  }
  return spline;
}

void DotWriter::write_arrow(const Arrow& arrow) {
  std::string splines;
  const std::vector<std::vector<Point>> paths = drawn_paths(arrow);
  for (const std::vector<Point>& path : paths) {
    const bool ends =
        path.back().x == arrow.points.back().x && path.back().y == arrow.points.back().y;
    splines += (splines.empty() ? "" : ";") + spline_of(path, arrow.has_head && ends);
  }
  const auto end_name = [&](Point point) { return ends_.at(std::pair(point.x, point.y)); };
  out_ += fmt::format("  {} -> {} [pos=\"{}\", color=\"{}\"", end_name(arrow.points.front()),
                      end_name(arrow.points.back()), splines, arrow.colour);
  if (arrow.stroke == Stroke::dashed) out_ += ", style=dashed";
  if (arrow.stroke == Stroke::dotted) out_ += ", style=dotted";
  if (!arrow.has_head) out_ += ", arrowhead=none";
  if (!arrow.description.empty()) out_ += ", tooltip=" + in_quotes(arrow.description);
  out_ += "];\n";
}

}  // namespace

Tenths boxed_width(std::string_view words, Tenths size, Weight weight) {
  // Fonts differ from one reader to the next: where there is no Helvetica, text is wider.
  return text_width(words, size) * (weight == Weight::bold ? 135 : 118) / 100 + 40;
}

std::string dot_of(const Picture& picture) { return DotWriter(picture).write(); }

}  // namespace lockstep::reports
