#include "reports/timeline/timeline_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "checker/text.h"
#include "reports/drawing/picture_dot.h"
#include "reports/text.h"
#include "reports/timeline/fold_words.h"
#include "reports/timeline/timeline_labels.h"

namespace lockstep::reports {
namespace {

constexpr Tenths grid_margin = 100;
constexpr Tenths times_width_min = 600;
constexpr Tenths head_height = 300;
constexpr Tenths head_remark_height = 95;
constexpr Tenths row_height = 125;
constexpr Tenths skip_height = 95;
constexpr Tenths fold_edge = 15;
constexpr Tenths times_gap = 120;     // between the times and the first lane
constexpr Tenths corridor_min = 700;  // wide enough to tell the slope of an arrow
constexpr std::ptrdiff_t strikes_drawn_max = 2;

/// By squeeze.
struct LaneSizes {
  std::size_t server_characters;
  std::size_t bold_server_characters;
  std::size_t client_characters;
  std::size_t fault_characters;
  Tenths gap;  // between one lane's text and the next lane
};
constexpr std::array<LaneSizes, squeezes.size()> lane_sizes{{{34, 34, 34, 22, 120},
                                                             {22, 22, 30, 20, 100},
                                                             {18, 17, 27, 17, 60},
                                                             {15, 13, 24, 14, 30},
                                                             {13, 12, 18, 13, 20}}};

constexpr sim::DurationNs skipped_ns_min = 50 * sim::millisecond_ns;
constexpr sim::DurationNs skipped_ns_in_slow_runs = 1 * sim::second_ns;
// Fonts differ from one reader to the next: where there is no Helvetica, text is wider.
constexpr Tenths slack_percent = 118;
constexpr Tenths bold_slack_percent = 135;

constexpr Tenths text_gap = 20;   // between what stands at a lane and the text beside it
constexpr Tenths slope_gap = 30;  // between slopes and what stands at the next lane

bool is_client(LaneKind kind) { return kind == LaneKind::client_thread; }
bool is_server(LaneKind kind) { return !is_client(kind) && kind != LaneKind::faults; }
bool is_left_of_corridor(LaneKind kind) { return !is_server(kind); }

}  // namespace

bool has_text_on_left(LaneKind kind) { return !is_server(kind); }

bool stands_out(Tone tone) { return tone == Tone::bad || tone == Tone::fault; }

Tenths width_of(const CellLine& line) {
  constexpr Tenths box_margins = 40;
  return boxed_width(line.text, text_size, stands_out(line.tone) ? Weight::bold : Weight::normal) -
         box_margins;
}

std::string Grid::skipped_in_words(std::size_t row) const {
  const sim::DurationNs skipped_ns = rows_.all()[row].from_ns - rows_.all()[row - 1].until_ns;
  const std::string words = "\u2026 " + milliseconds_number(skipped_ns) + " ms";
  return squeeze_ >= Squeeze::much ? words : words + " later";
}

Grid::Grid(const Scene& scene, const model::RecordedTrace& trace, const Rows& rows, Tenths top,
           Squeeze squeeze, LabelRoom label_room, const std::optional<TimelineMark>& mark)
    : scene_(scene),
      trace_(trace),
      rows_(rows),
      squeeze_(squeeze),
      mark_(mark),
      heads_top_(top),
      label_room_(label_room) {
  find_locks();
  labels_ = labels_of(scene, trace, rows);
  find_arrivals();
  fill_cells();
  measure_times();
  measure_texts();
  measure_slopes();
  place_columns();
  find_level_pieces();
  place_overlap_words();
  place_rows();
}

std::size_t Grid::row_of(EventIndex event) const { return rows_.row_at(trace_.events[event].at); }

Tenths Grid::y_of(EventIndex event) const { return places_[row_of(event)].line; }

namespace {

/// So far between two places as a time is between two others.
Tenths between_places(Tenths from, Tenths to, sim::DurationNs since, sim::DurationNs whole) {
  constexpr sim::DurationNs precise = 1'000'000'000;
  while (whole > precise) {  // times the distance it must fit
    whole /= 2;
    since /= 2;
  }
  return whole <= 0 ? from : from + static_cast<Tenths>(since * (to - from) / whole);
}

}  // namespace

/// Where a row's time begins and ends: a fold's near its edges, that of an instant in its line.
Tenths Grid::row_begin(std::size_t row) const {
  return rows_.all()[row].folded > 0 ? places_[row].top + fold_edge : places_[row].line;
}

Tenths Grid::row_end(std::size_t row) const {
  return rows_.all()[row].folded > 0 ? places_[row].bottom - fold_edge : places_[row].line;
}

Tenths Grid::y_at(sim::TimeNs at) const {
  const std::size_t index = rows_.row_at(at);
  const Row& row = rows_.all()[index];
  if (at <= row.from_ns) return row_begin(index);
  if (at <= row.until_ns) {
    return between_places(row_begin(index), row_end(index), at - row.from_ns,
                          row.until_ns - row.from_ns);
  }
  const bool is_last = index + 1 == places_.size();
  const sim::TimeNs next = is_last ? trace_.events.back().at : rows_.all()[index + 1].from_ns;
  const Tenths next_y = is_last ? lanes_bottom_ : row_begin(index + 1);
  return between_places(row_end(index), next_y, std::min(at, next) - row.until_ns,
                        next - row.until_ns);
}

bool Grid::is_folded(EventIndex event) const { return rows_.is_folded(trace_.events[event].at); }

Tenths Grid::times_right() const { return grid_margin + times_width_; }

// -- bars --

void Grid::find_locks() {
  locks_.resize(scene_.lanes.size());
  for (const Bar& bar : scene_.bars) {
    std::vector<std::size_t>& known = locks_[bar.lane];
    const auto place = std::lower_bound(known.begin(), known.end(), bar.lock);
    if (place == known.end() || *place != bar.lock) known.insert(place, bar.lock);
  }
}

Tenths Grid::bar_offset(LaneIndex lane, std::size_t lock) const {
  const auto place = std::lower_bound(locks_[lane].begin(), locks_[lane].end(), lock);
  return bar_step * static_cast<Tenths>(place - locks_[lane].begin());
}

Tenths Grid::bars_offset(LaneIndex lane) const {
  return locks_[lane].empty() ? 0 : bar_offset(lane, locks_[lane].back());
}

std::string Grid::head_remark(LaneIndex lane) const {
  constexpr std::size_t name_characters_max = 10;
  std::string remark = scene_.lanes[lane].remark;
  if (locks_[lane].size() < 2) return remark;
  if (!remark.empty()) remark += "; ";
  for (std::size_t i = locks_[lane].size(); i-- > 0;) {
    remark += brief(scene_.locks[locks_[lane][i]], name_characters_max);
    if (i > 0) remark += " | ";
  }
  return remark;
}

// -- messages --

void Grid::find_arrivals() {
  if (rows_.all().empty()) return;
  for (const Flight& flight : scene_.flights) {
    const bool arrives = flight.fate == Fate::arrived || flight.fate == Fate::waits;
    const bool is_seen = arrives && is_client(scene_.lanes[flight.to].kind) &&
                         !is_folded(flight.sent) && !is_folded(flight.ended);
    if (is_seen) arrivals_.emplace(flight.to, row_of(flight.ended));
    const std::optional<LaneIndex> client = client_of(flight);
    const bool is_drawn = arrives && !is_folded(flight.sent) && !is_folded(flight.ended);
    if (is_drawn && client) parallel_messages_[rows_of(flight)].insert(*client);
  }
}

Tenths Grid::leaves_below(const Flight& flight) const {
  constexpr Tenths below = 30;
  return arrivals_.contains({flight.from, row_of(flight.sent)}) ? below : 0;
}

/// The client's end; none where both ends are clients', or servers'.
std::optional<LaneIndex> Grid::client_of(const Flight& flight) const {
  const bool from_client = is_client(scene_.lanes[flight.from].kind);
  if (from_client == is_client(scene_.lanes[flight.to].kind)) return std::nullopt;
  return from_client ? flight.from : flight.to;
}

std::pair<std::size_t, std::size_t> Grid::rows_of(const Flight& flight) const {
  return {row_of(flight.sent), row_of(flight.ended)};
}

Tenths Grid::parallel_offset(const Flight& flight) const {
  constexpr Tenths step = 25;
  constexpr Tenths room = 75;  // with leaves_below, of half a row on each side
  const std::optional<LaneIndex> client = client_of(flight);
  const auto found = client ? parallel_messages_.find(rows_of(flight)) : parallel_messages_.end();
  if (found == parallel_messages_.end()) return 0;
  const std::set<LaneIndex>& together = found->second;
  const auto count = static_cast<Tenths>(together.size());
  const auto number =
      static_cast<Tenths>(std::distance(together.begin(), together.lower_bound(*client)));
  return (2 * number - (count - 1)) * std::min(step * count, room) / (2 * count);
}

// -- cells --

void Grid::fill_cells() {
  cells_.assign(scene_.lanes.size(), std::vector<Cell>(rows_.all().size()));
  columns_.resize(scene_.lanes.size());
  if (rows_.all().empty()) return;
  // By lane and row: what was said last there, how often, and its first line.
  std::map<std::pair<LaneIndex, std::size_t>, std::tuple<std::string, std::size_t, std::size_t>>
      said_last;
  for (const Note& note : scene_.notes) {
    if (note.text.empty() && note.detail.empty()) continue;
    const std::size_t row = row_of(note.event);
    if (is_folded(note.event)) continue;
    Cell& cell = cells_[note.lane][row];
    if (!note.text.empty()) {
      auto& [text, count, first] = said_last[{note.lane, row}];
      if (text != note.text)
        std::tie(text, count, first) = std::tuple(note.text, std::size_t{0}, cell.lines.size());
      cell.lines.resize(first);
      const std::string times = ++count == 1 ? "" : fmt::format(" ({} times)", count);
      for (std::string& line : wrapped(note.text + times, characters_at(note.lane, note.tone))) {
        cell.lines.push_back({std::move(line), note.tone});
      }
      cell.has_dot = true;
      columns_[note.lane].is_shown = true;
    }
    for (const std::string& words : {note.detail, note.text}) {
      if (words.empty()) continue;
      cell.description += (cell.description.empty() ? "" : "; ") + words;
    }
  }
  tell_what_never_arrives();
  for (const Flight& flight : scene_.flights) {
    const bool arrives = flight.fate == Fate::arrived || flight.fate == Fate::waits;
    if (is_folded(flight.sent) || (arrives && is_folded(flight.ended))) continue;
    cells_[flight.from][row_of(flight.sent)].has_dot = true;
    if (arrives) cells_[flight.to][row_of(flight.ended)].has_dot = true;
    columns_[flight.from].is_shown = true;
    columns_[flight.to].is_shown = true;
  }
  for (const Bar& bar : scene_.bars) columns_[bar.lane].is_shown = true;
  for (LaneIndex lane = 0; lane < columns_.size(); ++lane) {
    if (is_unlike_others(scene_, lane)) columns_[lane].is_shown = true;
  }
  if (scene_.folded_lanes) columns_[*scene_.folded_lanes].is_shown = true;
}

/// Beside its sender, where there is always room for words; its arrow has none.
void Grid::tell_what_never_arrives() {
  for (std::size_t i = 0; i < scene_.flights.size(); ++i) {
    const Flight& flight = scene_.flights[i];
    const bool ends_unseen = flight.fate == Fate::lost || flight.fate == Fate::under_way;
    if (!ends_unseen || labels_[i].empty()) continue;
    const std::string words = "\u2717 " + flight_words(flight, std::exchange(labels_[i], {}));
    Cell& cell = cells_[flight.from][row_of(flight.sent)];
    const std::vector<std::string> lines = wrapped(words, characters_at(flight.from, Tone::fault));
    const auto begins_so = [&](const CellLine& line) { return line.text == lines.front(); };
    if (std::any_of(cell.lines.begin(), cell.lines.end(), begins_so)) continue;
    for (const std::string& line : lines) cell.lines.push_back({line, Tone::fault});
  }
}

// -- columns --

std::size_t Grid::characters_at(LaneIndex lane, Tone tone) const {
  const LaneSizes& sizes = lane_sizes[static_cast<std::size_t>(squeeze_)];
  const LaneKind kind = scene_.lanes[lane].kind;
  if (kind == LaneKind::faults) return sizes.fault_characters;
  if (is_client(kind)) return sizes.client_characters;
  return stands_out(tone) ? sizes.bold_server_characters : sizes.server_characters;
}

Tenths Grid::lane_gap() const { return lane_sizes[static_cast<std::size_t>(squeeze_)].gap; }

void Grid::measure_times() {
  times_width_ = times_width_min;
  const std::vector<Row>& rows = rows_.all();
  // Where most rows are far apart, only the longest times are worth a mark.
  std::size_t skips = 0;
  for (std::size_t row = 1; row < rows.size(); ++row) {
    skips += rows[row].from_ns - rows[row - 1].until_ns >= skipped_ns_min ? 1 : 0;
  }
  const bool are_long_ones_enough = skips * 2 > rows.size() || rows_.are_tight();
  skip_from_ns_ = are_long_ones_enough ? skipped_ns_in_slow_runs : skipped_ns_min;
  for (std::size_t row = 1; row < rows.size(); ++row) {
    const sim::DurationNs skipped_ns = rows[row].from_ns - rows[row - 1].until_ns;
    if (skipped_ns < skip_from_ns_) continue;
    const Tenths width = text_width(skipped_in_words(row), label_size);
    times_width_ = std::max(times_width_, width * slack_percent / 100);
  }
}

void Grid::measure_texts() {
  text_rooms_.reserve(scene_.lanes.size());
  for (LaneIndex lane = 0; lane < scene_.lanes.size(); ++lane) {
    text_rooms_.push_back(text_width_at(lane));
  }
}

Tenths Grid::text_width_at(LaneIndex lane) const {
  const Lane& head = scene_.lanes[lane];
  // Heads begin at the other side of the lane's line.
  constexpr Tenths beside_text = bar_half + zone_half + text_gap;
  Tenths width = std::max({text_width(head.shown, 95) * bold_slack_percent / 100,
                           text_width(head.title, label_size) * slack_percent / 100,
                           text_width(head_remark(lane), label_size) * slack_percent / 100}) -
                 beside_text;
  for (const Cell& cell : cells_[lane]) {
    for (const CellLine& line : cell.lines) width = std::max(width, width_of(line));
  }
  const bool is_beside_overlap = scene_.overlap && squeeze_ < Squeeze::much &&
                                 lane == std::max(scene_.overlap->one, scene_.overlap->other);
  if (is_beside_overlap) {
    width = std::max(width, boxed_width(overlap_text(), overlap_label_size, Weight::bold) + 60);
  }
  return std::max(width, 0);
}

std::string Grid::overlap_text() const {
  return "both believe: " + checker::milliseconds(scene_.overlap->whole_ns);
}

// -- slopes --

bool Grid::is_drawn(const Flight& flight) const {
  const bool ends_unseen = flight.fate == Fate::lost || flight.fate == Fate::under_way;
  return !is_folded(flight.sent) && (ends_unseen || !is_folded(flight.ended));
}

bool Grid::crosses_corridor(const Flight& flight) const {
  return is_left_of_corridor(scene_.lanes[flight.from].kind) !=
         is_left_of_corridor(scene_.lanes[flight.to].kind);
}

Tenths Grid::slope_room(const Flight& flight) const {
  constexpr Tenths cross_and_head = 220;
  constexpr Tenths cross_alone = 200;
  const std::string& label = label_of(flight);
  if (label.empty()) return flight.fate == Fate::lost ? cross_alone : cross_and_head;
  return boxed_width(label, label_size, Weight::normal) + cross_and_head;
}

void Grid::measure_slopes() {
  slope_rooms_.assign(scene_.lanes.size(), 0);
  if (rows_.all().empty()) return;
  for (const Flight& flight : scene_.flights) {
    if (crosses_corridor(flight) || !is_drawn(flight)) continue;
    Tenths& room = slope_rooms_[std::max(flight.from, flight.to)];
    room = std::max(room, slope_room(flight));
  }
}

Tenths Grid::corridor_room() {
  Tenths width = 0;
  for (const Flight& flight : scene_.flights) {
    if (rows_.all().empty() || !crosses_corridor(flight) || !is_drawn(flight)) continue;
    width = std::max({width, corridor_min, slope_room(flight)});
    if (label_room_ == LabelRoom::on_slopes || label_of(flight).empty()) continue;
    const bool is_to_server = is_left_of_corridor(scene_.lanes[flight.from].kind);
    Tenths& beside = is_to_server ? room_of_requests_ : room_of_replies_;
    beside = std::max(beside, boxed_width(label_of(flight), label_size, Weight::normal) + 60);
  }
  return label_room_ == LabelRoom::on_slopes ? width
                                             : room_of_requests_ + corridor_min + room_of_replies_;
}

Strip Grid::labels_of_flight(const Flight& flight) const {
  return crosses_corridor(flight) ? Strip{corridor_left_, corridor_right_} : slope_of(flight);
}

Strip Grid::slope_of(const Flight& flight) const {
  if (crosses_corridor(flight)) {
    return {corridor_left_ + room_of_requests_, corridor_right_ - room_of_replies_};
  }
  const LaneIndex right = std::max(flight.from, flight.to);
  return {columns_[right].left - slope_rooms_[right], columns_[right].left - slope_gap};
}

// -- arrows that pass text --

bool Grid::is_strike_drawn(const FaultMark& strike) const {
  if (is_folded(strike.event) || !columns_[strike.target].is_shown) return false;
  // Where it strikes many, each of them says so: so many arrows only confuse.
  const auto [first, last] = std::equal_range(
      scene_.fault_marks.begin(), scene_.fault_marks.end(), strike,
      [](const FaultMark& one, const FaultMark& other) { return one.event < other.event; });
  return last - first <= strikes_drawn_max;
}

Tenths Grid::strike_end(const FaultMark& strike) const {
  const LaneIndex lane = strike.target;
  if (!has_text_on_left(scene_.lanes[lane].kind)) return columns_[lane].left;
  Tenths text = 0;
  for (const CellLine& line : lines_at(lane, strike.event)) text = std::max(text, width_of(line));
  return columns_[lane].line - zone_half - text_gap - bars_offset(lane) - text - 45;
}

void Grid::find_level_pieces() {
  level_pieces_.resize(rows_.all().size());
  if (rows_.all().empty()) return;
  const auto add = [&](EventIndex event, Tenths one, Tenths other, Tenths below) {
    level_pieces_[row_of(event)].push_back({std::min(one, other), std::max(one, other), below});
  };
  for (const Flight& flight : scene_.flights) {
    if (!is_drawn(flight)) continue;
    const Strip slope = slope_of(flight);
    const Tenths from = columns_[flight.from].line;
    const Tenths to = columns_[flight.to].line;
    const bool ends_unseen = flight.fate == Fate::lost || flight.fate == Fate::under_way;
    const Tenths offset = ends_unseen ? 0 : parallel_offset(flight);
    add(flight.sent, from, to > from ? slope.left : slope.right, offset + leaves_below(flight));
    if (!ends_unseen) add(flight.ended, to > from ? slope.right : slope.left, to, offset);
  }
  for (const FaultMark& strike : scene_.fault_marks) {
    if (is_strike_drawn(strike))
      add(strike.event, columns_[strike.faults].line, strike_end(strike), 0);
  }
}

Tenths Grid::text_below(LaneIndex lane, std::size_t row) const {
  constexpr Tenths clear_of_arrow = 60;  // of the middle of a line of text
  const Column& column = columns_[lane];
  const bool on_left = has_text_on_left(scene_.lanes[lane].kind);
  Tenths width = 0;
  for (const CellLine& line : cells_[lane][row].lines) width = std::max(width, width_of(line));
  if (width == 0) return 0;
  const Tenths near = on_left ? column.line - zone_half - text_gap - bars_offset(lane)
                              : column.line + zone_half + text_gap;
  const Tenths left = on_left ? near - width : near;
  std::optional<Tenths> lowest;
  for (const LevelPiece& piece : level_pieces_[row]) {
    if (piece.left >= left + width || piece.right <= left) continue;
    lowest = std::max(lowest.value_or(piece.below), piece.below);
  }
  return lowest ? std::max(*lowest + clear_of_arrow, 0) : 0;
}

// -- strips --

std::optional<LaneIndex> Grid::shown_before(LaneIndex lane) const {
  std::optional<LaneIndex> before;
  for (LaneIndex each = 0; each < columns_.size(); ++each) {
    const Column& column = columns_[each];
    if (!column.is_shown || column.line >= columns_[lane].line) continue;
    if (!before || column.line > columns_[*before].line) before = each;
  }
  return before;
}

std::optional<Strip> Grid::strip_before(LaneIndex lane) const {
  if (!columns_[lane].is_shown) return std::nullopt;
  const std::optional<LaneIndex> before = shown_before(lane);
  const bool on_left = is_left_of_corridor(scene_.lanes[lane].kind);
  Strip strip;
  strip.left = before ? columns_[*before].line + zone_half + text_gap : times_right() + 80;
  strip.right = on_left ? columns_[lane].line - zone_half - bars_offset(lane) - text_gap
                        : columns_[lane].left - text_gap;
  if (slope_rooms_[lane] > 0) strip.right = columns_[lane].left - slope_rooms_[lane] - text_gap;
  // The corridor is for messages.
  const bool is_across = before && is_left_of_corridor(scene_.lanes[*before].kind) != on_left;
  if (is_across) strip.left = std::max(strip.left, corridor_right_ + text_gap);
  if (!before && !on_left) strip.left = corridor_right_ + text_gap;
  return strip;
}

Strip Grid::widest_strip() const {
  Strip widest;
  for (LaneIndex lane = 0; lane < columns_.size(); ++lane) {
    const std::optional<Strip> strip = strip_before(lane);
    if (strip && strip->width() > widest.width()) widest = *strip;
  }
  // Beyond the last lane.
  for (LaneIndex lane = 0; lane < columns_.size(); ++lane) {
    const bool is_last = columns_[lane].is_shown && columns_[lane].right + lane_gap() >= right_ &&
                         !is_left_of_corridor(scene_.lanes[lane].kind);
    const Strip strip{columns_[lane].line + zone_half + text_gap, columns_[lane].right};
    if (is_last && strip.width() > widest.width()) widest = strip;
  }
  return widest;
}

void Grid::place_overlap_words() {
  if (!scene_.overlap || rows_.all().empty()) return;
  const bool is_first_left =
      columns_[scene_.overlap->one].line < columns_[scene_.overlap->other].line;
  const LaneIndex right = is_first_left ? scene_.overlap->other : scene_.overlap->one;
  if (scene_.overlap->one == scene_.overlap->other || !columns_[right].is_shown) return;
  const std::optional<Strip> strip = strip_before(right);
  if (!strip) return;
  overlap_label_ = Point{strip->middle(), 0};
  overlap_words_ =
      wrapped_to_width(overlap_text(), strip->width() - 40, overlap_label_size, Weight::bold);
}

void Grid::place_columns() {
  const Tenths gap = lane_gap();
  Tenths x = times_right() + times_gap;
  const auto place = [&](LaneIndex lane) {
    Column& column = columns_[lane];
    if (!column.is_shown) return;
    const Tenths text = text_rooms_[lane] + text_gap;
    const bool on_left = has_text_on_left(scene_.lanes[lane].kind);
    column.left = x + slope_rooms_[lane];
    column.line = column.left + zone_half + bars_offset(lane) + (on_left ? text : 0);
    column.right = column.line + zone_half + (on_left ? 0 : text);
    x = column.right + gap;
  };
  for (LaneIndex lane = 0; lane < columns_.size(); ++lane) {
    if (scene_.lanes[lane].kind == LaneKind::faults) place(lane);
  }
  for (LaneIndex lane = 0; lane < columns_.size(); ++lane) {
    if (is_client(scene_.lanes[lane].kind)) place(lane);
  }
  corridor_left_ = x;
  corridor_right_ = corridor_left_ + corridor_room();
  x = corridor_right_ + (corridor_right_ > corridor_left_ ? slope_gap : 0);
  for (LaneIndex lane = 0; lane < columns_.size(); ++lane) {
    if (is_server(scene_.lanes[lane].kind)) place(lane);
  }
  right_ = x;
}

// -- rows --

void Grid::place_rows() {
  lanes_top_ = heads_top_ + head_height;
  for (LaneIndex lane = 0; lane < columns_.size(); ++lane) {
    if (!columns_[lane].is_shown || head_remark(lane).empty()) continue;
    lanes_top_ = heads_top_ + head_height + head_remark_height;
  }
  Tenths y = lanes_top_;
  const std::vector<Row>& rows = rows_.all();
  const Strip free = widest_strip();
  const std::size_t marked = mark_ && !rows.empty() ? rows_.row_at(mark_->at_ns) : rows.size();
  if (mark_) mark_words_ = wrapped_to_width(mark_->words, free.width(), label_size, Weight::bold);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    RowPlace place;
    if (row > 0 && rows[row].from_ns - rows[row - 1].until_ns >= skip_from_ns_) {
      place.skip = y + skip_height / 2;
      y += skip_height;
    }
    if (row == marked) {
      place.mark = y + mark_line;
      y += mark_line * static_cast<Tenths>(mark_words_.size()) + mark_line / 2;
    }
    place.top = y;
    place.line = y + row_height / 2;
    if (rows[row].folded > 0) {
      const FoldWords few = squeeze_ >= Squeeze::more ? FoldWords::few : FoldWords::all;
      place.folded = wrapped_to_width(folded_in_words(rows[row], few), free.width(), label_size,
                                      Weight::normal);
      y += row_height + line_height * std::max(static_cast<Tenths>(place.folded.size()) - 1, 0);
    } else {
      Tenths below = 0;
      for (LaneIndex lane = 0; lane < cells_.size(); ++lane) {
        const auto lines = static_cast<Tenths>(cells_[lane][row].lines.size());
        if (lines > 0) below = std::max(below, text_below(lane, row) + line_height * (lines - 1));
      }
      for (const LevelPiece& piece : level_pieces_[row]) below = std::max(below, piece.below);
      y += row_height + below;
    }
    place.bottom = y;
    places_.push_back(std::move(place));
    const bool begins_overlap =
        overlap_label_ && overlap_label_->y == 0 && rows_.row_at(scene_.overlap->from_ns) == row;
    if (begins_overlap) {
      overlap_label_->y = y + overlap_line / 2;
      y += overlap_line * static_cast<Tenths>(overlap_words_.size()) + 25;
    }
  }
  lanes_bottom_ = y + row_height / 2;
}

}  // namespace lockstep::reports
