#include "reports/timeline/timeline_grid.h"

#include <algorithm>

#include "reports/text.h"
#include "reports/timeline/timeline_labels.h"

namespace lockstep::reports {
namespace {

constexpr Tenths grid_margin = 100;
constexpr Tenths times_width_min = 600;
constexpr Tenths head_height = 300;
constexpr Tenths head_remark_height = 95;
constexpr Tenths row_height = 135;
constexpr Tenths skip_height = 130;
constexpr Tenths fold_edge = 15;
constexpr Tenths overlap_label_height = 160;
constexpr Tenths times_gap = 120;     // between the times and the first lane
constexpr Tenths text_gap = 50;       // between a bar and the text beside it
constexpr Tenths corridor_min = 700;  // wide enough to tell the slope of an arrow

/// By squeeze.
struct LaneSizes {
  std::size_t server_characters;
  std::size_t bold_server_characters;
  std::size_t client_characters;
  std::size_t fault_characters;
  Tenths gap;  // between one lane's text and the next lane
};
constexpr std::array<LaneSizes, squeezes.size()> lane_sizes{
    {{34, 34, 34, 22, 120}, {22, 22, 30, 20, 100}, {15, 13, 24, 14, 30}}};

constexpr sim::DurationNs skipped_ns_min = 50 * sim::millisecond_ns;
constexpr sim::DurationNs skipped_ns_in_slow_runs = 1 * sim::second_ns;
// Fonts differ from one reader to the next: where there is no Helvetica, text is wider.
constexpr Tenths slack_percent = 118;
constexpr Tenths bold_slack_percent = 132;

bool is_client(LaneKind kind) { return kind == LaneKind::client_thread; }
bool is_server(LaneKind kind) { return !is_client(kind) && kind != LaneKind::faults; }

}  // namespace

bool has_text_on_left(LaneKind kind) { return !is_server(kind); }

bool stands_out(Tone tone) { return tone == Tone::bad || tone == Tone::fault; }

Tenths width_of(const CellLine& line) {
  const Tenths slack = stands_out(line.tone) ? bold_slack_percent : slack_percent;
  return text_width(line.text, text_size) * slack / 100;
}

std::string Grid::skipped_in_words(std::size_t row) const {
  const sim::DurationNs skipped_ns = rows_.all()[row].from_ns - rows_.all()[row - 1].until_ns;
  const std::string words = "\u2026 " + milliseconds_number(skipped_ns) + " ms";
  return squeeze_ == Squeeze::much ? words : words + " later";
}

Grid::Grid(const Scene& scene, const model::RecordedTrace& trace, const Rows& rows, Tenths top,
           Squeeze squeeze)
    : scene_(scene), trace_(trace), rows_(rows), squeeze_(squeeze), heads_top_(top) {
  find_locks();
  labels_ = labels_of(scene, trace, rows);
  find_arrivals();
  fill_cells();
  measure_times();
  measure_texts();
  place_columns();
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
  std::string remark = scene_.lanes[lane].clock;
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
  for (const Note& note : scene_.notes) {
    if (note.text.empty() && note.detail.empty()) continue;
    const std::size_t row = row_of(note.event);
    if (is_folded(note.event)) continue;
    Cell& cell = cells_[note.lane][row];
    if (!note.text.empty()) {
      for (std::string& line : wrapped(note.text, characters_at(note.lane, note.tone))) {
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
  for (const Flight& flight : scene_.flights) {
    const bool arrives = flight.fate == Fate::arrived || flight.fate == Fate::waits;
    if (is_folded(flight.sent) || (arrives && is_folded(flight.ended))) continue;
    cells_[flight.from][row_of(flight.sent)].has_dot = true;
    if (arrives) cells_[flight.to][row_of(flight.ended)].has_dot = true;
    columns_[flight.from].is_shown = true;
    columns_[flight.to].is_shown = true;
  }
  for (const Bar& bar : scene_.bars) columns_[bar.lane].is_shown = true;
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
  skip_from_ns_ = skips * 2 > rows.size() ? skipped_ns_in_slow_runs : skipped_ns_min;
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
  Tenths width = std::max(text_width(head.shown, 95), text_width(head.title, label_size)) *
                 slack_percent / 200;  // heads are centred on the line
  width = std::max(width, text_width(head_remark(lane), label_size) * slack_percent / 100);
  for (const Cell& cell : cells_[lane]) {
    for (const CellLine& line : cell.lines) width = std::max(width, width_of(line));
  }
  return width;
}

Tenths Grid::slope_room(const Flight& flight) const {
  constexpr Tenths cross_and_head = 300;
  constexpr Tenths cross_alone = 120;
  const std::string& label = label_of(flight);
  if (label.empty()) return flight.fate == Fate::lost ? cross_alone : cross_and_head;
  return text_width(label, label_size) * slack_percent / 100 + cross_and_head;
}

/// What the words at a lane leave free in the rows of a flight.
Tenths Grid::room_left(LaneIndex lane, const Flight& flight) const {
  constexpr std::size_t rows_looked_at = 4;
  const std::size_t first = row_of(flight.sent);
  const std::size_t last = flight.fate == Fate::lost ? first + 1 : row_of(flight.ended);
  if (last - first > rows_looked_at) return 0;
  Tenths taken = 0;
  for (std::size_t row = first; row <= std::min(last, rows_.all().size() - 1); ++row) {
    for (const CellLine& line : cells_[lane][row].lines) taken = std::max(taken, width_of(line));
  }
  return std::max(0, text_rooms_[lane] - taken);
}

Tenths Grid::label_room(LaneIndex lane) const {
  LaneIndex before = lane;  // the lane that is shown to the left
  while (before > 0 && (before == lane || !columns_[before].is_shown)) --before;
  Tenths width = 0;
  for (const Flight& flight : scene_.flights) {
    const LaneIndex right = std::max(flight.from, flight.to);
    const LaneIndex left = std::min(flight.from, flight.to);
    const bool is_meant = right == lane && is_server(scene_.lanes[left].kind) &&
                          !is_folded(flight.sent) &&
                          (flight.fate == Fate::lost || !is_folded(flight.ended));
    if (is_meant) width = std::max(width, slope_room(flight) - room_left(before, flight));
  }
  return width;
}

Tenths Grid::corridor_room() const {
  Tenths width = 0;
  for (const Flight& flight : scene_.flights) {
    const bool crosses =
        is_client(scene_.lanes[flight.from].kind) != is_client(scene_.lanes[flight.to].kind);
    if (!crosses) continue;
    const Tenths mark = flight.fate == Fate::lost ? 300 : 200;
    width = std::max({width, corridor_min,
                      text_width(label_of(flight), label_size) * slack_percent / 100 + mark});
  }
  return width;
}

void Grid::place_columns() {
  const Tenths gap = lane_gap();
  Tenths x = times_right() + times_gap;
  const auto place = [&](LaneIndex lane) {
    Column& column = columns_[lane];
    if (!column.is_shown) return;
    const Tenths text = text_rooms_[lane] + text_gap;
    const bool on_left = has_text_on_left(scene_.lanes[lane].kind);
    const Tenths head_half = text_width(scene_.lanes[lane].title, label_size) / 2;
    column.left = x + label_room(lane);
    column.line = column.left + bar_half + bars_offset(lane) + (on_left ? text : head_half / 2);
    column.right = column.line + bar_half + (on_left ? 0 : text);
    x = column.right + gap;
  };
  for (LaneIndex lane = 0; lane < columns_.size(); ++lane) {
    if (scene_.lanes[lane].kind == LaneKind::faults) place(lane);
  }
  for (LaneIndex lane = 0; lane < columns_.size(); ++lane) {
    if (is_client(scene_.lanes[lane].kind)) place(lane);
  }
  corridor_left_ = x - gap / 2;
  corridor_right_ = corridor_left_ + corridor_room();
  x = corridor_right_;
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
  for (std::size_t row = 0; row < rows.size(); ++row) {
    RowPlace place;
    if (row > 0 && rows[row].from_ns - rows[row - 1].until_ns >= skip_from_ns_) {
      place.skip = y + skip_height / 2;
      y += skip_height;
    }
    std::size_t lines = 1;
    for (const std::vector<Cell>& lane : cells_) lines = std::max(lines, lane[row].lines.size());
    place.top = y;
    place.line = y + row_height / 2;
    y += row_height + line_height * static_cast<Tenths>(lines - 1);
    place.bottom = y;
    places_.push_back(place);
    const bool begins_overlap =
        scene_.overlap && rows_.row_at(scene_.overlap->from_ns) == row && !overlap_label_;
    if (begins_overlap) {
      overlap_label_ = y + overlap_label_height / 2;
      y += overlap_label_height;
    }
  }
  lanes_bottom_ = y + row_height / 2;
}

}  // namespace lockstep::reports
