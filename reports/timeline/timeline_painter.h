// Paints the parts of a timeline onto a picture, where the grid says.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "reports/drawing/picture.h"
#include "reports/scene/scene.h"
#include "reports/timeline/timeline.h"
#include "reports/timeline/timeline_grid.h"

namespace lockstep::reports {

class TimelinePainter {
 public:
  TimelinePainter(const Scene& scene, const model::RecordedTrace& trace, const Rows& rows,
                  const Grid& grid, Picture& picture)
      : scene_(scene), trace_(trace), rows_(rows), grid_(grid), picture_(picture) {}

  void paint();
  /// A line across all lanes, above the row of an instant.
  void paint_mark(const TimelineMark& mark);
  /// What the marks that occur mean, in lines that are at most this wide; the y below it.
  Tenths paint_legend(Tenths left, Tenths right, Tenths top);

 private:
  // timeline_frame.cpp: what stays the same whatever happened
  void paint_rows();
  void paint_time(std::size_t row);
  void paint_skip(std::size_t row);
  [[nodiscard]] std::string time_of(std::size_t row) const;
  void paint_heads();
  void paint_head(LaneIndex lane);

  // timeline_bars_and_overlaps.cpp: what lasts
  void paint_overlap();
  void paint_overlap_label();
  void paint_span(const Span& span);
  void paint_violation_span(const ViolationSpan& wrong);
  void paint_bar(const Bar& bar);
  void hatch(const Box& box, Colour colour, Tenths step, Tenths width);
  [[nodiscard]] Box bar_box(const Bar& bar) const;

  // timeline_moments.cpp: what happens in an instant
  void paint_fault_mark(const FaultMark& strike);
  void paint_flight(const Flight& flight);
  void paint_lost(const Flight& flight, Point begin, Tenths slope_from, Tenths slope_to);
  void paint_cell(LaneIndex lane, std::size_t row);

  /// On the slope between the two points.
  void paint_label(const Flight& flight, Point from, Point to);
  [[nodiscard]] bool is_crossed(const Box& box) const;

  void area(const Box& box, Colour fill, Colour frame, Tenths frame_width = 10);
  void line(Point from, Point to, Colour colour, Tenths width, Stroke stroke = Stroke::solid);
  void text(Point at, Align align, std::string words, Colour colour, Tenths size,
            Weight weight = Weight::normal, Colour background = {});

  const Scene& scene_;
  const model::RecordedTrace& trace_;
  const Rows& rows_;
  const Grid& grid_;
  Picture& picture_;
  std::vector<Box> taken_;  // by labels of messages, and by what folds say
};

}  // namespace lockstep::reports
