// Where the lanes and the rows of a timeline lie.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reports/drawing/picture.h"
#include "reports/scene/scene.h"
#include "reports/timeline/rows.h"

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

/// How much the lanes are squeezed: the words in them are wrapped sooner, and stand closer.
enum class Squeeze : std::uint8_t { none, some, much };
inline constexpr std::array<Squeeze, 3> squeezes{Squeeze::none, Squeeze::some, Squeeze::much};

class Grid {
 public:
  /// `top`: where the lanes' heads begin.
  Grid(const Scene& scene, const model::RecordedTrace& trace, const Rows& rows, Tenths top,
       Squeeze squeeze);

  [[nodiscard]] const Cell& cell(LaneIndex lane, std::size_t row) const {
    return cells_[lane][row];
  }
  /// What is written at the lane in the event's row.
  [[nodiscard]] const std::vector<CellLine>& lines_at(LaneIndex lane, EventIndex event) const {
    return cells_[lane][row_of(event)].lines;
  }
  /// "… 1,250.3 ms later": what is written where time was skipped before this row.
  [[nodiscard]] std::string skipped_in_words(std::size_t row) const;
  /// What is written at a flight; empty: nothing.
  [[nodiscard]] const std::string& label_of(const Flight& flight) const {
    return labels_[static_cast<std::size_t>(&flight - scene_.flights.data())];
  }
  /// How far below its row's line a message leaves: where another arrives there, so that the two
  /// don't look like one.
  [[nodiscard]] Tenths leaves_below(const Flight& flight) const;
  /// How far from its rows' lines a message between a client and a server is drawn: where messages
  /// of other clients are sent and arrive in the same rows, so that each can be followed.
  [[nodiscard]] Tenths parallel_offset(const Flight& flight) const;
  [[nodiscard]] const Column& column(LaneIndex lane) const { return columns_[lane]; }
  [[nodiscard]] const RowPlace& row(std::size_t row) const { return places_[row]; }
  [[nodiscard]] std::size_t row_count() const { return places_.size(); }
  /// The line of the row that shows this event.
  [[nodiscard]] Tenths y_of(EventIndex event) const;
  /// Where an instant lies: in its row, or between two as far from each as its time is.
  [[nodiscard]] Tenths y_at(sim::TimeNs at) const;
  /// Whether the event's row is folded away.
  [[nodiscard]] bool is_folded(EventIndex event) const;
  /// How far aside of the lane's line the bars of this lock stand: those of several do not overlap.
  [[nodiscard]] Tenths bar_offset(LaneIndex lane, std::size_t lock) const;
  /// … and those of the lock that is furthest aside.
  [[nodiscard]] Tenths bars_offset(LaneIndex lane) const;
  /// What a lane's head says below its title: what is wrong with its clock, which bar is which
  /// lock's. Often empty.
  [[nodiscard]] std::string head_remark(LaneIndex lane) const;
  /// How wide the slope of a message between two servers is, with its label.
  [[nodiscard]] Tenths slope_room(const Flight& flight) const;
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
  void find_arrivals();
  [[nodiscard]] std::optional<LaneIndex> client_of(const Flight& flight) const;
  [[nodiscard]] std::pair<std::size_t, std::size_t> rows_of(const Flight& flight) const;
  void measure_times();
  void place_columns();
  /// How long a line at a lane may be: shorter where many lanes must find room.
  [[nodiscard]] std::size_t characters_at(LaneIndex lane, Tone tone) const;
  [[nodiscard]] Tenths lane_gap() const;
  void place_rows();
  void measure_texts();
  [[nodiscard]] Tenths text_width_at(LaneIndex lane) const;
  /// Room before a server's lane for the labels of messages from other servers.
  [[nodiscard]] Tenths label_room(LaneIndex lane) const;
  [[nodiscard]] Tenths room_left(LaneIndex lane, const Flight& flight) const;
  [[nodiscard]] Tenths corridor_room() const;
  [[nodiscard]] std::size_t row_of(EventIndex event) const;
  [[nodiscard]] Tenths row_begin(std::size_t row) const;
  [[nodiscard]] Tenths row_end(std::size_t row) const;

  const Scene& scene_;
  const model::RecordedTrace& trace_;
  const Rows& rows_;
  Squeeze squeeze_;
  std::vector<std::vector<std::size_t>> locks_;           // by lane: the locks that have bars there
  std::vector<std::vector<Cell>> cells_;                  // by lane and row
  std::vector<std::string> labels_;                       // by flight
  std::set<std::pair<LaneIndex, std::size_t>> arrivals_;  // lanes of clients, and rows
  // By the rows where messages are sent and end: the clients' lanes that send or get them.
  std::map<std::pair<std::size_t, std::size_t>, std::set<LaneIndex>> parallel_messages_;
  std::vector<Tenths> text_rooms_;  // by lane
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
