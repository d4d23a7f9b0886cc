// What happens in an instant: notes, messages, faults that strike.
#include <algorithm>
#include <cstdlib>

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
constexpr std::size_t description_characters_max = 400;

bool is_unseen(const Flight& flight) {
  return flight.fate == Fate::lost || flight.fate == Fate::under_way;
}

}  // namespace

void TimelinePainter::paint(const std::optional<TimelineMark>& mark) {
  paint_rows();
  if (mark) paint_mark(*mark);
  paint_overlap();
  if (grid_.row_count() > 0) {
    for (const Span& span : scene_.spans) paint_span(span);
  }
  paint_heads();
  if (grid_.row_count() == 0) return;
  for (const Bar& bar : scene_.bars) paint_bar(bar);
  for (const ViolationSpan& wrong : scene_.violation_spans) paint_violation_span(wrong);
  paint_contested();
  paint_overlap_label();
  for (const FaultMark& strike : scene_.fault_marks) paint_fault_mark(strike);
  for (const Flight& flight : scene_.flights) paint_flight(flight);
  for (LaneIndex lane = 0; lane < scene_.lanes.size(); ++lane) {
    for (std::size_t row = 0; row < grid_.row_count(); ++row) paint_cell(lane, row);
  }
  paint_labels();
}

void TimelinePainter::paint_fault_mark(const FaultMark& strike) {
  if (!grid_.is_strike_drawn(strike)) return;
  const Tenths y = grid_.y_of(strike.event);
  picture_.arrows.push_back(
      {.points = {{grid_.column(strike.faults).line, y}, {grid_.strike_end(strike), y}},
       .colour = palette::fault_ink,
       .stroke = Stroke::dotted,
       .has_head = true,
       .description = "strikes " + scene_.lanes[strike.target].shown});
}

// -- messages --

/// All that is painted so far, so that labels lie on none of it.
void TimelinePainter::take(const Picture& picture) {
  for (const auto& shape : picture.background) {
    if (const auto* const each = std::get_if<Line>(&shape)) taken_.add(segment_of(*each));
    const auto* const each = std::get_if<Area>(&shape);
    if (each != nullptr && each->ground == Ground::solid) taken_.add(box_of(*each));
  }
  std::map<std::size_t, std::int64_t> owners;  // by arrow
  for (const auto& [flight, unlabelled] : unlabelled_) {
    owners.emplace(unlabelled.arrow, unlabelled.owner);
  }
  for (std::size_t arrow = 0; arrow < picture.arrows.size(); ++arrow) {
    const auto owner = owners.find(arrow);
    for (const Segment& each : segments_of(picture.arrows[arrow])) {
      taken_.add(each, owner == owners.end() ? -1 : owner->second);
    }
  }
  for (const Dot& dot : picture.dots) {
    taken_.add(Box{dot.at.x - 20, dot.at.y - 20, dot.at.x + 20, dot.at.y + 20});
  }
  for (const Text& each : picture.texts) taken_.add(text_box(each));
}

void TimelinePainter::paint_labels() {
  take(picture_);
  for (const Flight& flight : scene_.flights) paint_label(flight);
}

/// Where no place is free, only pointing at the arrow tells its label.
void TimelinePainter::paint_label(const Flight& flight) {
  const auto found = unlabelled_.find(&flight);
  const std::string& words = grid_.label_of(flight);
  if (words.empty() || found == unlabelled_.end()) return;
  const Tenths width = boxed_width(words, label_size, Weight::normal);
  const Tenths height = label_size + 20;
  const Unlabelled& arrow = found->second;
  std::optional<Point> at;
  for (const auto& [from, to] : arrow.places) {
    if (!at && std::abs(to.x - from.x) >= width) {
      at = place_on_slope(from, to, width, height, taken_, arrow.owner);
    }
  }
  if (!at) {
    ++labels_left_out_;
    return;
  }
  const Box box{at->x - width / 2, at->y - height / 2, at->x + width / 2, at->y + height / 2};
  taken_.add(box);
  for (const auto& [other, unlabelled] : unlabelled_) {
    if (unlabelled.owner == arrow.owner) picture_.arrows[unlabelled.arrow].gaps.push_back(box);
  }
  text(*at, Align::middle, words, palette::ink, label_size);
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
  const Strip slope = grid_.slope_of(flight);
  const bool rightwards = to_x > begin.x;
  const Tenths slope_from = rightwards ? slope.left : slope.right;
  const Tenths slope_to = rightwards ? slope.right : slope.left;
  if (ends_unseen) return paint_lost(flight, begin, slope_from, slope_to);
  const Tenths end_y = grid_.y_of(flight.ended) + parallel_offset;
  picture_.arrows.push_back(
      {.points = {begin, {slope_from, begin.y}, {slope_to, end_y}, {to_x, end_y}},
       .colour = flight.is_reply ? palette::quiet_ink : palette::ink,
       .stroke = Stroke::solid,
       .has_head = true,
       .description = flight.description});
  const Strip labels = grid_.labels_of_flight(flight);
  const Tenths sent_x = rightwards ? labels.left : labels.right;
  const Tenths arrival_x = rightwards ? labels.right : labels.left;
  unlabelled_.emplace(&flight, Unlabelled{picture_.arrows.size() - 1,
                                          {{{sent_x, begin.y}, {slope_from, begin.y}},
                                           {{slope_from, begin.y}, {slope_to, end_y}},
                                           {{slope_to, end_y}, {arrival_x, end_y}}},
                                          owner_of(flight)});
}

/// The same for messages that leave together and say the same: one label is for all of them.
std::int64_t TimelinePainter::owner_of(const Flight& flight) {
  const auto key =
      std::tuple(flight.from, trace_.events[flight.sent].at, flight.fate, flight.label);
  return static_cast<std::int64_t>(owners_.emplace(key, owners_.size()).first->second);
}

/// A message that never arrived ends on the way, crossed: dotted where it was still under way as
/// the run ended.
void TimelinePainter::paint_lost(const Flight& flight, Point begin, Tenths slope_from,
                                 Tenths slope_to) {
  const bool is_lost = flight.fate == Fate::lost;
  const Tenths direction = slope_to > slope_from ? 1 : -1;
  constexpr Tenths lost_run = 120;
  const Point end{slope_from + direction * std::min(std::abs(slope_to - slope_from) / 5, lost_run),
                  begin.y + 50};
  picture_.arrows.push_back({.points = {begin, {slope_from, begin.y}, end},
                             .colour = palette::fault_ink,
                             .stroke = is_lost ? Stroke::solid : Stroke::dotted,
                             .has_head = false,
                             .description = flight.description});
  for (const Tenths slant : {-1, 1}) {
    line({end.x - cross_half, end.y - slant * cross_half},
         {end.x + cross_half, end.y + slant * cross_half}, palette::fault_ink, 18);
  }
}

// -- notes --

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
  const Tenths aside = text_aside + (on_left ? grid_.bars_offset(lane) : 0);
  Tenths y = place.line + grid_.text_below(lane, row);
  for (const CellLine& written : cell.lines) {
    const Weight weight = stands_out(written.tone) ? Weight::bold : Weight::normal;
    text({on_left ? column.line - aside : column.line + aside, y},
         on_left ? Align::right : Align::left, written.text, ink_of(written.tone), text_size,
         weight);
    y += line_height;
  }
}

}  // namespace lockstep::reports
