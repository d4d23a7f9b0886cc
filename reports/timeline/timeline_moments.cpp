// What happens in an instant: notes, messages, faults that strike.
#include <algorithm>

#include "checker/text.h"
#include "reports/drawing/palette.h"
#include "reports/drawing/picture_dot.h"
#include "reports/text.h"
#include "reports/timeline/timeline_labels.h"
#include "reports/timeline/timeline_marks.h"
#include "reports/timeline/timeline_painter.h"

namespace lockstep::reports {
namespace {

constexpr Tenths cross_half = 35;
constexpr Tenths before_lane = 170;
constexpr std::size_t description_characters_max = 400;
constexpr std::ptrdiff_t strikes_drawn_max = 2;

bool is_unseen(const Flight& flight) {
  return flight.fate == Fate::lost || flight.fate == Fate::under_way;
}

}  // namespace

void TimelinePainter::paint() {
  paint_rows();
  paint_overlap();
  if (grid_.row_count() > 0) {
    for (const Span& span : scene_.spans) paint_span(span);
  }
  paint_heads();
  if (grid_.row_count() == 0) return;
  for (const Bar& bar : scene_.bars) paint_bar(bar);
  for (const ViolationSpan& wrong : scene_.violation_spans) paint_violation_span(wrong);
  paint_overlap_label();
  for (const FaultMark& strike : scene_.fault_marks) paint_fault_mark(strike);
  // What never arrived has its words where it was lost: those of others give way.
  for (const bool ends_unseen : {true, false}) {
    for (const Flight& flight : scene_.flights) {
      if (is_unseen(flight) == ends_unseen) paint_flight(flight);
    }
  }
  for (LaneIndex lane = 0; lane < scene_.lanes.size(); ++lane) {
    for (std::size_t row = 0; row < grid_.row_count(); ++row) paint_cell(lane, row);
  }
}

void TimelinePainter::paint_fault_mark(const FaultMark& strike) {
  if (grid_.is_folded(strike.event) || !grid_.column(strike.target).is_shown) return;
  // Where it strikes many, each of them says so: arrows to all would only cross the words.
  const auto [first, last] = std::equal_range(
      scene_.fault_marks.begin(), scene_.fault_marks.end(), strike,
      [](const FaultMark& one, const FaultMark& other) { return one.event < other.event; });
  const auto together = last - first;
  if (together > strikes_drawn_max) return;
  const Tenths y = grid_.y_of(strike.event);
  Tenths end_x = grid_.column(strike.target).line - bar_half - 20;
  if (has_text_on_left(scene_.lanes[strike.target].kind)) {
    const std::vector<CellLine>& lines = grid_.lines_at(strike.target, strike.event);
    if (!lines.empty()) end_x -= width_of(lines.front()) + 40;
  }
  picture_.arrows.push_back({.points = {{grid_.column(strike.faults).line, y}, {end_x, y}},
                             .colour = palette::fault_ink,
                             .stroke = Stroke::dotted,
                             .has_head = true,
                             .description = "strikes " + scene_.lanes[strike.target].shown});
}

// -- messages --

void TimelinePainter::paint_label(const Flight& flight, Point from, Point to) {
  const std::string& words = grid_.label_of(flight);
  if (words.empty()) return;
  const Tenths width = boxed_width(words, label_size, Weight::normal);
  const Tenths height = label_size + 20;
  // Among so many no place is free, and to look for one takes too long.
  constexpr std::size_t placed_max = 1'000;
  const bool is_full = taken_.size() > placed_max;
  const Point at = place_on_slope(from, to, width, height, is_full ? std::vector<Box>{} : taken_);
  taken_.push_back({at.x - width / 2, at.y - height / 2, at.x + width / 2, at.y + height / 2});
  text(at, Align::middle, words, palette::ink, label_size, Weight::normal, palette::white);
}

// A message runs level to the free strip between the two sides, slants across it, and runs level
// again: so it crosses no text but that of its own rows.
void TimelinePainter::paint_flight(const Flight& flight) {
  const bool ends_unseen = is_unseen(flight);
  const bool is_folded =
      grid_.is_folded(flight.sent) || (!ends_unseen && grid_.is_folded(flight.ended));
  if (is_folded) return;
  const Tenths parallel_offset = ends_unseen ? 0 : grid_.parallel_offset(flight);
  const Point begin{grid_.column(flight.from).line,
                    grid_.y_of(flight.sent) + grid_.leaves_below(flight) + parallel_offset};
  const Tenths to_x = grid_.column(flight.to).line;
  const bool rightwards = to_x > begin.x;
  Tenths left = grid_.corridor_left();
  Tenths right = grid_.corridor_right();
  const Tenths low = std::min(begin.x, to_x);
  const Tenths high = std::max(begin.x, to_x);
  if (low > left || high < right) {  // between two lanes of one side
    right = high - before_lane;
    left = std::max(low + bar_half, right - grid_.slope_room(flight));
  }
  const Tenths slope_from = rightwards ? left : right;
  const Tenths slope_to = rightwards ? right : left;
  if (ends_unseen) return paint_lost(flight, begin, slope_from, slope_to);
  const Tenths end_y = grid_.y_of(flight.ended) + parallel_offset;
  picture_.arrows.push_back(
      {.points = {begin, {slope_from, begin.y}, {slope_to, end_y}, {to_x, end_y}},
       .colour = flight.is_reply ? palette::quiet_ink : palette::ink,
       .stroke = Stroke::solid,
       .has_head = true,
       .description = flight.description});
  paint_label(flight, {slope_from, begin.y}, {slope_to, end_y});
}

/// A message that never arrived ends on the way: crossed where it was lost.
void TimelinePainter::paint_lost(const Flight& flight, Point begin, Tenths slope_from,
                                 Tenths slope_to) {
  const bool is_lost = flight.fate == Fate::lost;
  const Tenths direction = slope_to > slope_from ? 1 : -1;
  const Point end{slope_from + (slope_to - slope_from) / 5, begin.y + 50};
  picture_.arrows.push_back({.points = {begin, {slope_from, begin.y}, end},
                             .colour = palette::fault_ink,
                             .stroke = is_lost ? Stroke::solid : Stroke::dotted,
                             .has_head = false,
                             .description = flight.description});
  if (is_lost) {
    for (const Tenths slant : {-1, 1}) {
      line({end.x - cross_half, end.y - slant * cross_half},
           {end.x + cross_half, end.y + slant * cross_half}, palette::fault_ink, 18);
    }
  }
  const std::string& label = grid_.label_of(flight);
  if (label.empty()) return;
  const std::string words = is_lost ? label : label + " does not arrive";
  const Tenths near = end.x + direction * (cross_half + 30);
  const Tenths far = near + direction * boxed_width(words, label_size, Weight::bold);
  const Tenths half = label_size / 2 + 10;
  taken_.push_back({std::min(near, far), end.y - half, std::max(near, far), end.y + half});
  text({near, end.y}, direction > 0 ? Align::left : Align::right, words, palette::fault_ink,
       label_size, Weight::bold);
}

// -- notes --

/// Whether a level piece of an arrow runs through the box.
bool TimelinePainter::is_crossed(const Box& box) const {
  return std::any_of(picture_.arrows.begin(), picture_.arrows.end(), [&](const Arrow& arrow) {
    for (std::size_t i = 1; i < arrow.points.size(); ++i) {
      const Point from = arrow.points[i - 1];
      const Point to = arrow.points[i];
      const bool is_level = from.y == to.y && from.y > box.top && from.y < box.bottom;
      const bool overlaps = std::min(from.x, to.x) < box.right && std::max(from.x, to.x) > box.left;
      if (is_level && overlaps) return true;
    }
    return false;
  });
}

void TimelinePainter::paint_cell(LaneIndex lane, std::size_t row) {
  const Cell& cell = grid_.cell(lane, row);
  const Column& column = grid_.column(lane);
  if (!cell.has_dot || !column.is_shown || rows_.all()[row].folded > 0) return;
  const RowPlace& place = grid_.row(row);
  std::string description =
      scene_.lanes[lane].shown + " at " + checker::milliseconds(rows_.all()[row].from_ns);
  if (!cell.description.empty()) description += ": " + cell.description;
  picture_.dots.push_back({{column.line, place.line},
                           palette::ink,
                           shortened(description, description_characters_max)});
  const bool on_left = has_text_on_left(scene_.lanes[lane].kind);
  const Tenths aside = bar_half + 50 + (on_left ? grid_.bars_offset(lane) : 0);
  Tenths y = place.line;
  for (const CellLine& written : cell.lines) {
    const Weight weight = stands_out(written.tone) ? Weight::bold : Weight::normal;
    const Tenths x = on_left ? column.line - aside : column.line + aside;
    const Tenths width = text_width(written.text, text_size);
    const Box room{on_left ? x - width : x, y - text_size / 2, on_left ? x : x + width,
                   y + text_size / 2};
    text({x, y}, on_left ? Align::right : Align::left, written.text, ink_of(written.tone),
         text_size, weight, is_crossed(room) ? palette::white : Colour{});
    y += line_height;
  }
}

}  // namespace lockstep::reports
