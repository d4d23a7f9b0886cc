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
#include "reports/timeline/timeline.h"

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
/// How far all that stands at a lane's line reaches to each side: no text is nearer.
inline constexpr Tenths zone_half = 130;
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
  Tenths line = 0;  ///< the middle of its dots, and of the text that no arrow passes
  Tenths bottom = 0;
  std::optional<Tenths> skip;       ///< where the mark for skipped time before it stands
  std::optional<Tenths> mark;       ///< the first line of the words of a mark before it
  std::vector<std::string> folded;  ///< what it says where it is folded, in lines
};

/// A strip between what stands at two lanes, where words about more than one of them find room.
struct Strip {
  Tenths left = 0;
  Tenths right = 0;
  [[nodiscard]] Tenths width() const { return right - left; }
  [[nodiscard]] Tenths middle() const { return (left + right) / 2; }
};

/// How much the lanes are squeezed: the words in them are wrapped sooner, and stand closer.
/// Whether messages run level for a while at the ends of the free strip, so that labels find room.
enum class LabelRoom : std::uint8_t { on_slopes, beside_slopes };

enum class Squeeze : std::uint8_t { none, some, more, much, most };
inline constexpr std::array<Squeeze, 5> squeezes{Squeeze::none, Squeeze::some, Squeeze::more,
                                                 Squeeze::much, Squeeze::most};

class Grid {
 public:
  /// `top`: where the lanes' heads begin. `mark`: room for its words is left before its row.
  Grid(const Scene& scene, const model::RecordedTrace& trace, const Rows& rows, Tenths top,
       Squeeze squeeze, LabelRoom label_room, const std::optional<TimelineMark>& mark);

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
  /// Where labels of a message may stand: of one that crosses the free strip also beside its slope.
  [[nodiscard]] Strip labels_of_flight(const Flight& flight) const;
  /// Where a message slants: it runs level to there, and on from there.
  [[nodiscard]] Strip slope_of(const Flight& flight) const;
  /// How far below its row's line a lane's text begins: where arrows of others pass, below them.
  [[nodiscard]] Tenths text_below(LaneIndex lane, std::size_t row) const;
  /// Where a fault's arrow ends.
  [[nodiscard]] Tenths strike_end(const FaultMark& strike) const;
  [[nodiscard]] bool is_strike_drawn(const FaultMark& strike) const;
  /// The words that name the overlap, and the middle of the first of them.
  [[nodiscard]] std::optional<Point> overlap_label() const { return overlap_label_; }
  [[nodiscard]] const std::vector<std::string>& overlap_words() const { return overlap_words_; }
  [[nodiscard]] const std::vector<std::string>& mark_words() const { return mark_words_; }
  /// The widest free strip of the rows that no message passes. REQUIRES: a lane.
  [[nodiscard]] Strip widest_strip() const;
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
  void tell_what_never_arrives();
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
  [[nodiscard]] Tenths slope_room(const Flight& flight) const;
  /// Before each lane, for the slopes of messages from other lanes of its side.
  void measure_slopes();
  [[nodiscard]] bool is_drawn(const Flight& flight) const;
  [[nodiscard]] bool crosses_corridor(const Flight& flight) const;
  [[nodiscard]] Tenths corridor_room();
  /// Free of all but text, between this lane and the one that is shown before it.
  [[nodiscard]] std::optional<Strip> strip_before(LaneIndex lane) const;
  [[nodiscard]] std::optional<LaneIndex> shown_before(LaneIndex lane) const;
  void find_level_pieces();
  void place_overlap_words();
  [[nodiscard]] std::string overlap_text() const;
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
  std::vector<Tenths> text_rooms_;   // by lane
  std::vector<Tenths> slope_rooms_;  // so too
  /// A level piece of an arrow in a row.
  struct LevelPiece {
    Tenths left;
    Tenths right;
    Tenths below;  // the row's line
  };
  std::vector<std::vector<LevelPiece>> level_pieces_;  // by row
  std::vector<Column> columns_;
  std::vector<RowPlace> places_;
  std::optional<Point> overlap_label_;
  std::vector<std::string> overlap_words_;
  const std::optional<TimelineMark>& mark_;
  std::vector<std::string> mark_words_;
  Tenths heads_top_;
  Tenths lanes_top_ = 0;
  Tenths lanes_bottom_ = 0;
  Tenths corridor_left_ = 0;
  Tenths corridor_right_ = 0;
  LabelRoom label_room_;
  Tenths room_of_requests_ = 0;  // beside the slopes
  Tenths room_of_replies_ = 0;
  Tenths right_ = 0;
  Tenths times_width_ = 0;
  sim::DurationNs skip_from_ns_ = 0;  // a time this long between two rows gets a mark
};

inline constexpr Tenths text_size = 85;
inline constexpr Tenths label_size = 85;
inline constexpr Tenths line_height = 100;
/// From a lane's line to the text beside it.
inline constexpr Tenths text_aside = zone_half + 20;
inline constexpr Tenths overlap_label_size = 90;
/// How high a line of a mark's words is.
inline constexpr Tenths mark_line = 110;
/// How high the box of the overlap's words is, each line of it.
inline constexpr Tenths overlap_line = 115;

}  // namespace lockstep::reports
