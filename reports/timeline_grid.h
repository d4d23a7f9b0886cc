// Where the lanes and the rows of a timeline lie.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "reports/picture.h"
#include "reports/rows.h"
#include "reports/scene.h"

namespace lockstep::reports {

/// A line of a cell.
struct CellLine {
  std::string text;
  Tone tone;
};

/// What stands out is bold, and needs more room.
[[nodiscard]] bool stands_out(Tone tone);
/// How wide it may get in whatever font a reader has.
[[nodiscard]] Tenths width_of(const CellLine& line);

/// "… 1,250.3 ms later": what is written where time was skipped.
[[nodiscard]] std::string skipped_in_words(sim::DurationNs skipped_ns);

/// What is written at a lane in a row.
struct Cell {
  std::vector<CellLine> lines;
  std::string description;  ///< all of it, for those who point at the dot
  bool has_dot = false;
};

/// On which side of its line a lane's text stands: to the left where messages leave to the right.
[[nodiscard]] bool has_text_on_left(LaneKind kind);

/// Half the width of what stands on a lane's line: a belief's bar at the left, a truth's at the
/// right.
inline constexpr Tenths bar_half = 90;
/// How far the bars of another lock are moved aside.
inline constexpr Tenths bar_step = 210;

struct Column {
  bool is_shown = false;
  Tenths left = 0;
  Tenths line = 0;
  Tenths right = 0;
};

struct RowPlace {
  Tenths top = 0;
  Tenths line = 0;  ///< the middle of its first line of text, and of its dots
  Tenths bottom = 0;
  std::optional<Tenths> skip;  ///< where the mark for skipped time before it stands
};

class Grid {
 public:
  /// `top`: where the lanes' heads begin.
  Grid(const Scene& scene, const model::RecordedTrace& trace, const Rows& rows, Tenths top);

  [[nodiscard]] const Cell& cell(LaneIndex lane, std::size_t row) const {
    return cells_[lane][row];
  }
  /// What is written at the lane in the event's row.
  [[nodiscard]] const std::vector<CellLine>& lines_at(LaneIndex lane, EventIndex event) const {
    return cells_[lane][row_of(event)].lines;
  }
  [[nodiscard]] const Column& column(LaneIndex lane) const { return columns_[lane]; }
  [[nodiscard]] const RowPlace& row(std::size_t row) const { return places_[row]; }
  [[nodiscard]] std::size_t row_count() const { return places_.size(); }
  /// The line of the row that shows this event.
  [[nodiscard]] Tenths y_of(EventIndex event) const;
  /// Whether the event's row is folded away.
  [[nodiscard]] bool is_folded(EventIndex event) const;
  /// How far aside of the lane's line the bars of this lock stand: those of several do not overlap.
  [[nodiscard]] Tenths bar_aside(LaneIndex lane, std::size_t lock) const;
  /// … and those of the lock that is furthest aside.
  [[nodiscard]] Tenths bars_aside(LaneIndex lane) const;
  /// What a lane's head says below its title: what is wrong with its clock, which bar is which
  /// lock's. Often empty.
  [[nodiscard]] std::string head_remark(LaneIndex lane) const;
  /// Room before a server's lane for the labels of messages from other servers.
  [[nodiscard]] Tenths label_room(LaneIndex lane) const;
  /// The middle of the strip that names the overlap.
  [[nodiscard]] std::optional<Tenths> overlap_label() const { return overlap_label_; }
  /// Where messages between clients and servers cross: the free strip between them.
  [[nodiscard]] Tenths corridor_left() const { return corridor_left_; }
  [[nodiscard]] Tenths corridor_right() const { return corridor_right_; }
  [[nodiscard]] Tenths heads_top() const { return heads_top_; }
  [[nodiscard]] Tenths lanes_top() const { return lanes_top_; }
  [[nodiscard]] Tenths lanes_bottom() const { return lanes_bottom_; }
  [[nodiscard]] Tenths times_right() const;
  [[nodiscard]] Tenths right() const { return right_; }

 private:
  void find_locks();
  void fill_cells();
  void measure_times();
  void place_columns();
  void place_rows();
  [[nodiscard]] Tenths text_room(LaneIndex lane) const;
  [[nodiscard]] Tenths corridor_room() const;
  [[nodiscard]] std::size_t row_of(EventIndex event) const;

  const Scene& scene_;
  const model::RecordedTrace& trace_;
  const Rows& rows_;
  std::vector<std::vector<std::size_t>> locks_;  // by lane: the locks that have bars there
  std::vector<std::vector<Cell>> cells_;         // by lane and row
  std::vector<Column> columns_;
  std::vector<RowPlace> places_;
  std::optional<Tenths> overlap_label_;
  Tenths heads_top_;
  Tenths lanes_top_ = 0;
  Tenths lanes_bottom_ = 0;
  Tenths corridor_left_ = 0;
  Tenths corridor_right_ = 0;
  Tenths right_ = 0;
  Tenths times_width_ = 0;
  sim::DurationNs skip_from_ns_ = 0;  // a time this long between two rows gets a mark
};

inline constexpr Tenths text_size = 85;
inline constexpr Tenths label_size = 75;
inline constexpr Tenths line_height = 100;

}  // namespace lockstep::reports
