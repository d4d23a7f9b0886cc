// What lasts: beliefs and holds, pauses, crashes, cuts, and the overlap of two beliefs.
#include <algorithm>

#include "checker/text.h"
#include "reports/drawing/palette.h"
#include "reports/timeline/timeline_marks.h"
#include "reports/timeline/timeline_painter.h"

namespace lockstep::reports {
namespace {

constexpr Tenths bar_height_min = 40;
constexpr Tenths told_height_min = 60;  // within a fold: else the daily round would be a ladder
constexpr Tenths span_half = 100;

}  // namespace

void TimelinePainter::hatch(const Box& box, Colour colour, Tenths step, Tenths width) {
  for (const Line& each : hatching(box, colour, step, width)) {
    picture_.background.emplace_back(each);
  }
}

// -- holds --

Box TimelinePainter::bar_box(const Bar& bar) const {
  const Column& column = grid_.column(bar.lane);
  const Tenths line_x = column.line - grid_.bar_offset(bar.lane, bar.lock);
  const Tenths top = grid_.y_at(trace_.events[bar.from].at);
  const Tenths bottom = std::max(bar.until ? grid_.y_at(end_of(bar, trace_)) : grid_.lanes_bottom(),
                                 top + bar_height_min);
  if (scene_.lanes[bar.lane].kind != LaneKind::client_thread) {
    return {line_x - bar_half / 2, top, line_x + bar_half / 2, bottom};
  }
  if (bar.kind == BarKind::belief) return {line_x - bar_half, top, line_x, bottom};
  return {line_x, top, line_x + bar_half, bottom};
}

void TimelinePainter::paint_bar(const Bar& bar) {
  const std::size_t row = rows_.row_at(trace_.events[bar.from].at);
  const bool is_within_a_fold =
      bar.until && rows_.all()[row].folded > 0 && rows_.row_at(end_of(bar, trace_)) == row;
  const Box box = bar_box(bar);
  if (is_within_a_fold && box.bottom - box.top < told_height_min) return;
  const Colour colour = owner_colour(scene_, bar.owner);
  const bool is_belief = bar.kind == BarKind::belief;
  area(box, is_belief ? colour : palette::white, colour, is_belief ? 8 : 14);
}

// -- the overlap --

void TimelinePainter::paint_overlap() {
  if (!scene_.overlap || grid_.row_count() == 0) return;
  const Overlap& overlap = *scene_.overlap;
  const Tenths one = grid_.column(overlap.one).line - grid_.bar_offset(overlap.one, overlap.lock);
  const Tenths other =
      grid_.column(overlap.other).line - grid_.bar_offset(overlap.other, overlap.lock);
  const Tenths top = grid_.y_at(overlap.from_ns);
  const Tenths bottom = std::max(grid_.y_at(overlap.until_ns), top + bar_height_min);
  area({std::min(one, other) - bar_half - 40, top, std::max(one, other) + bar_half + 40, bottom},
       palette::overlap_area, {}, 10, Ground::tint);
}

void TimelinePainter::paint_contested() {
  for (const ContestedBelief& part : contested_beliefs(scene_)) {
    const Tenths x = grid_.column(part.lane).line - grid_.bar_offset(part.lane, part.lock);
    const Tenths top = grid_.y_at(part.from_ns);
    const Tenths bottom = std::max(grid_.y_at(part.until_ns), top + bar_height_min);
    const std::size_t row = rows_.row_at(part.from_ns);
    const bool is_within_a_fold = rows_.all()[row].folded > 0 && rows_.row_at(part.until_ns) == row;
    if (is_within_a_fold && bottom - top < told_height_min) continue;
    hatch({x - bar_half, top, x, bottom}, palette::overlap, 50, 15);
    area({x - bar_half, top, x, bottom}, {}, palette::overlap, 10);
  }
}

void TimelinePainter::paint_overlap_label() {
  if (!scene_.overlap || grid_.row_count() == 0) return;
  const Overlap& overlap = *scene_.overlap;
  const Tenths top = grid_.y_at(overlap.from_ns);
  const Tenths bottom = std::max(grid_.y_at(overlap.until_ns), top + bar_height_min);
  for (const LaneIndex lane : {overlap.one, overlap.other}) {
    const Tenths x = grid_.column(lane).line - grid_.bar_offset(lane, overlap.lock);
    area({x - bar_half, top, x, bottom}, {}, palette::overlap, 20);
  }
  if (!grid_.overlap_label()) return;
  Point at = *grid_.overlap_label();
  for (const std::string& words : grid_.overlap_words()) {
    text(at, Align::middle, words, palette::white, overlap_label_size, Weight::bold,
         palette::overlap_ink);
    at.y += overlap_line;
  }
}

// -- waits in vain --

/// Beside the lane, with a tick at either end.
void TimelinePainter::paint_violation_span(const ViolationSpan& wrong) {
  const Column& column = grid_.column(wrong.lane);
  if (!column.is_shown || grid_.row_count() == 0) return;
  const Tenths x = column.line + bar_half + 15;
  const Tenths top = grid_.y_at(wrong.from_ns);
  const Tenths bottom = std::max(grid_.y_at(wrong.until_ns), top + bar_height_min);
  line({x, top}, {x, bottom}, palette::bad, 30);
  for (const Tenths y : {top, bottom}) line({x - 25, y}, {x + 25, y}, palette::bad, 15);
}

// -- out of order --

void TimelinePainter::paint_span(const Span& span) {
  const Column& column = grid_.column(span.lane);
  if (!column.is_shown) return;
  const Tenths top = grid_.y_at(trace_.events[span.from].at);
  const Tenths bottom =
      std::max(span.until ? grid_.y_at(trace_.events[*span.until].at) : grid_.lanes_bottom(),
               top + bar_height_min);
  const Box box{column.line - span_half, top, column.line + span_half, bottom};
  const Tenths edge = span.kind == SpanKind::struck ? box.left - 20 : box.left;
  paint_out_of_order(picture_, span, box, {edge, top}, {edge, bottom});
}

}  // namespace lockstep::reports
