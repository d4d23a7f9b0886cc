// Paints the parts of a timeline onto a picture, where the grid says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "reports/drawing/boxes.h"
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

  void paint(const std::optional<TimelineMark>& mark);
  /// What the marks that occur mean, in lines that are at most this wide; the y below it.
  Tenths paint_legend(Tenths left, Tenths right, Tenths top);
  /// How many labels of messages found no place.
  [[nodiscard]] std::size_t labels_left_out() const { return labels_left_out_; }

 private:
  // timeline_frame.cpp: what stays the same whatever happened
  void paint_rows();
  /// A line across all lanes, above the row of an instant.
  void paint_mark(const TimelineMark& mark);
  void paint_time(std::size_t row);
  void paint_skip(std::size_t row);
  [[nodiscard]] std::string time_of(std::size_t row) const;
  void paint_heads();
  void paint_head(LaneIndex lane);

  // timeline_bars_and_overlaps.cpp: what lasts
  void paint_overlap();
  /// Wherever two believe at once, also where the verdict tells of another time.
  void paint_contested();
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

  /// Once all arrows and all else are painted: on the slope between the two points.
  void paint_labels();
  void paint_label(const Flight& flight);
  void take(const Picture& picture);

  void area(const Box& box, Colour fill, Colour frame, Tenths frame_width = 10,
            Ground ground = Ground::solid);
  void line(Point from, Point to, Colour colour, Tenths width, Stroke stroke = Stroke::solid);
  void text(Point at, Align align, std::string words, Colour colour, Tenths size,
            Weight weight = Weight::normal, Colour background = {});

  const Scene& scene_;
  const model::RecordedTrace& trace_;
  const Rows& rows_;
  const Grid& grid_;
  Picture& picture_;
  /// A message's arrow, whose label has no place yet.
  struct Unlabelled {
    std::size_t arrow;                            // in the picture
    std::vector<std::pair<Point, Point>> places;  // for its label, the best first
    std::int64_t owner;                           // the messages that share its label
  };
  [[nodiscard]] std::int64_t owner_of(const Flight& flight);
  std::map<const Flight*, Unlabelled> unlabelled_;
  std::map<std::tuple<LaneIndex, sim::TimeNs, Fate, std::string>, std::size_t> owners_;
  Obstacles taken_;
  std::size_t labels_left_out_ = 0;
};

}  // namespace lockstep::reports
