#include "reports/timeline/hero.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "checker/property.h"
#include "checker/text.h"
#include "checker/verdict.h"
#include "reports/drawing/palette.h"
#include "reports/drawing/picture_dot.h"
#include "reports/text.h"
#include "reports/timeline/rows.h"
#include "reports/timeline/timeline_grid.h"
#include "reports/timeline/timeline_marks.h"
#include "reports/timeline/timeline_scene.h"
#include "search/runs/run_record.h"

namespace lockstep::reports {
namespace {

constexpr Tenths hero_margin = 140;
constexpr Tenths hero_text_size = 90;
constexpr Tenths hero_line = 105;
constexpr Tenths hero_title_size = 150;
constexpr Tenths hero_head_size = 110;
constexpr Tenths hero_bar = 70;        // how thick a bar is
constexpr Tenths hero_span = 20;       // beyond the bars
constexpr Tenths hero_gap = 200;       // between two moments
constexpr Tenths hero_channel = -60;   // from a moment: where messages run
constexpr Tenths hero_aside = 25;      // … and what is written at it
constexpr Tenths hero_strip = 95;      // below a lane's bars: the words of messages and overlaps
constexpr Tenths hero_lane_gap = 200;  // below a lane's bars, to the next lane's words
constexpr Tenths hero_overlap_size = 100;
constexpr std::size_t hero_characters_max = 22;
constexpr std::size_t hero_lines_max = 4;
constexpr sim::DurationNs hero_skip_min_ns = 50 * sim::millisecond_ns;

Tenths hero_width(std::string_view words, bool is_bold = false) {
  return boxed_width(words, hero_text_size, is_bold ? Weight::bold : Weight::normal);
}

struct HeroLane {
  LaneIndex lane;
  Tenths top = 0;
  Tenths line = 0;  ///< where its bars are and its messages end
  std::size_t lines = 0;
  std::vector<std::vector<CellLine>> cells;  // by moment
};

class Hero {
 public:
  Hero(const TimelineSubject& subject, const TimelineOptions& options)
      : subject_(subject),
        options_(options),
        trace_(subject.example->trace),
        scene_(scene_of(subject, options)),
        moments_(chosen_moments(scene_, trace_, hero_moments_max)) {
    find_lanes();
    place_lanes();
    place_moments();
  }

  Timeline make() {
    paint_title();
    paint_times();
    paint_overlap();
    for (const Span& span : scene_.spans) paint_span(span);
    for (const HeroLane& lane : lanes_) paint_lane(lane);
    for (const Bar& bar : scene_.bars) paint_bar(bar);
    for (const ViolationSpan& wrong : scene_.violation_spans) paint_violation_span(wrong);
    paint_contested();
    paint_overlap_label();
    for (const Flight& flight : scene_.flights) paint_flight(flight);
    for (const HeroLane& lane : lanes_) paint_cells(lane);
    picture_.width = right_ + hero_margin;
    picture_.height = bottom_ + hero_margin;
    picture_.title = brief(subject_.title, 120);
    Timeline timeline;
    timeline.picture = std::move(picture_);
    timeline.description = description_of(*subject_.example);
    timeline.rows = moments_.size();
    return timeline;
  }

 private:
  [[nodiscard]] sim::TimeNs at(EventIndex event) const { return trace_.events[event].at; }

  [[nodiscard]] std::optional<std::size_t> moment_at(sim::TimeNs time) const {
    const auto found = std::lower_bound(moments_.begin(), moments_.end(), time);
    if (found == moments_.end() || *found != time) return std::nullopt;
    return static_cast<std::size_t>(found - moments_.begin());
  }

  /// Where an instant lies, also one that is not shown: between its neighbours.
  [[nodiscard]] Tenths x_at(sim::TimeNs time) const {
    const auto after = std::lower_bound(moments_.begin(), moments_.end(), time);
    const auto index = static_cast<std::size_t>(after - moments_.begin());
    if (after == moments_.end()) return right_;
    if (*after == time) return xs_[index];
    const Tenths before = index == 0 ? left_ : xs_[index - 1];
    return (before + xs_[index]) / 2;
  }

  [[nodiscard]] const HeroLane* find(LaneIndex lane) const {
    for (const HeroLane& each : lanes_) {
      if (each.lane == lane) return &each;
    }
    return nullptr;
  }

  void find_lanes();
  void place_lanes();
  void place_moments();
  void paint_title();
  void paint_lane(const HeroLane& lane);
  void paint_times();
  void paint_overlap();
  void paint_contested();
  void paint_overlap_label();
  void paint_span(const Span& span);
  void paint_bar(const Bar& bar);
  void paint_violation_span(const ViolationSpan& wrong);
  void paint_flight(const Flight& flight);
  void paint_cross(Point at);
  [[nodiscard]] const HeroLane* above(const HeroLane& lane) const;
  [[nodiscard]] std::optional<std::size_t> moment_of(const Flight& flight) const;
  [[nodiscard]] std::optional<std::size_t> moment_of_overlap() const;
  [[nodiscard]] std::string overlap_words() const;
  void paint_cells(const HeroLane& lane);

  void area(const Box& box, Colour fill, Colour frame, Tenths frame_width = 10,
            Ground ground = Ground::solid) {
    picture_.background.emplace_back(area_of(box, fill, frame, frame_width));
    std::get<Area>(picture_.background.back()).ground = ground;
  }
  void line(Point from, Point to, Colour colour, Tenths width, Stroke stroke = Stroke::solid) {
    picture_.background.emplace_back(Line{from, to, colour, width, stroke});
  }
  void hatch(const Box& box, Colour colour, Tenths step, Tenths width) {
    for (const Line& each : hatching(box, colour, step, width)) {
      picture_.background.emplace_back(each);
    }
  }
  void text(Point where, Align align, std::string words, Colour colour, Tenths size,
            Weight weight = Weight::normal, Colour background = {}) {
    if (words.empty()) return;
    picture_.texts.push_back({where, align, std::move(words), colour, size, weight, background});
  }

  const TimelineSubject& subject_;
  const TimelineOptions& options_;
  const model::RecordedTrace& trace_;
  Scene scene_;
  std::vector<sim::TimeNs> moments_;
  std::vector<Tenths> xs_;  // by moment
  std::vector<HeroLane> lanes_;
  std::set<std::pair<LaneIndex, std::size_t>> taken_;  // strips below lanes, by moment
  Picture picture_;
  Tenths left_ = 0;
  Tenths right_ = 0;
  Tenths top_ = 0;
  Tenths bottom_ = 0;
};

void Hero::find_lanes() {
  std::vector<std::vector<std::vector<CellLine>>> cells(
      scene_.lanes.size(), std::vector<std::vector<CellLine>>(moments_.size()));
  std::vector<bool> is_shown(scene_.lanes.size(), false);
  for (const Note& note : scene_.notes) {
    const auto moment = moment_at(at(note.event));
    const bool is_told = moment && !note.text.empty() && note.tone != Tone::quiet;
    if (!is_told) continue;
    for (std::string& words : wrapped(note.text, hero_characters_max)) {
      std::vector<CellLine>& lines = cells[note.lane][*moment];
      if (lines.size() < hero_lines_max) lines.push_back({std::move(words), note.tone});
    }
    is_shown[note.lane] = true;
  }
  for (const Bar& bar : scene_.bars) is_shown[bar.lane] = true;
  const auto add = [&](LaneKind kind) {
    for (LaneIndex lane = 0; lane < scene_.lanes.size(); ++lane) {
      if (scene_.lanes[lane].kind != kind || !is_shown[lane]) continue;
      HeroLane shown{.lane = lane, .cells = std::move(cells[lane])};
      for (const auto& lines : shown.cells) shown.lines = std::max(shown.lines, lines.size());
      lanes_.push_back(std::move(shown));
    }
  };
  for (const LaneKind kind : {LaneKind::faults, LaneKind::client_thread, LaneKind::redis,
                              LaneKind::sentinel, LaneKind::resource}) {
    add(kind);
  }
}

void Hero::place_lanes() {
  top_ = hero_margin + hero_title_size + 60;
  for (const checker::Verdict& verdict : subject_.example->verdicts) {
    if (verdict.kind == checker::VerdictKind::violated) {
      top_ += 130;
      break;
    }
  }
  Tenths y = top_;
  for (HeroLane& lane : lanes_) {
    lane.top = y;
    y += hero_line * static_cast<Tenths>(std::max<std::size_t>(lane.lines, 1)) + 45;
    lane.line = y + hero_bar;
    y = lane.line + hero_bar + hero_lane_gap;
  }
  bottom_ = y + 120;
}

void Hero::place_moments() {
  Tenths heads = 0;
  for (const HeroLane& lane : lanes_) {
    const Lane& head = scene_.lanes[lane.lane];
    heads = std::max(
        {heads, boxed_width(head.shown, hero_head_size, Weight::bold), hero_width(head.title)});
  }
  left_ = hero_margin + heads + 160;
  Tenths x = left_;
  for (std::size_t moment = 0; moment < moments_.size(); ++moment) {
    Tenths width = hero_width(milliseconds_number(moments_[moment]) + " ms");
    for (const HeroLane& lane : lanes_) {
      for (const CellLine& each : lane.cells[moment]) {
        width = std::max(width, hero_width(each.text, stands_out(each.tone)));
      }
    }
    for (const Flight& flight : scene_.flights) {
      if (moment_of(flight) == moment) width = std::max(width, hero_width(flight.label, true));
    }
    if (moment_of_overlap() == moment) {
      width = std::max(width, boxed_width(overlap_words(), hero_overlap_size, Weight::bold));
    }
    xs_.push_back(x);
    x += width + hero_aside + hero_gap;
  }
  right_ = std::max(x, left_ + 2'000);
}

void Hero::paint_title() {
  Tenths y = hero_margin + hero_title_size / 2;
  text({hero_margin, y}, Align::left, brief(subject_.title, 100), palette::ink, hero_title_size,
       Weight::bold);
  y += hero_title_size + 20;
  for (const checker::Verdict& verdict : subject_.example->verdicts) {
    if (verdict.kind != checker::VerdictKind::violated) continue;
    const auto room = static_cast<std::size_t>(
        std::max(40, (right_ - hero_margin) / text_width("n", hero_text_size)));
    text(
        {hero_margin, y}, Align::left,
        "\u2717 " +
            brief(std::string(checker::to_string(verdict.property)) + ": " + verdict.summary, room),
        palette::bad_ink, hero_text_size);
    break;
  }
  if (lanes_.empty()) {
    text({hero_margin, top_}, Align::left, nothing_in_words(options_), palette::quiet_ink,
         hero_text_size);
  }
}

void Hero::paint_lane(const HeroLane& lane) {
  const Lane& head = scene_.lanes[lane.lane];
  text({hero_margin, lane.line - 55}, Align::left, head.shown, palette::ink, hero_head_size,
       Weight::bold);
  text({hero_margin, lane.line + 55}, Align::left, head.title, palette::quiet_ink, hero_text_size);
  line({left_ - 60, lane.line}, {right_, lane.line}, palette::lane, 8);
}

void Hero::paint_times() {
  const Tenths y = bottom_ - 60;
  if (moments_.empty()) return;
  text({hero_margin, y}, Align::left, "virtual ms", palette::quiet_ink, hero_text_size);
  for (std::size_t moment = 0; moment < moments_.size(); ++moment) {
    line({xs_[moment], top_}, {xs_[moment], y - 80}, palette::guide, 5);
    text({xs_[moment], y}, Align::left, milliseconds_number(moments_[moment]), palette::ink,
         hero_text_size);
    if (moment == 0 || moments_[moment] - moments_[moment - 1] < hero_skip_min_ns) continue;
    for (const Tenths apart : {-150, -125}) {
      line({xs_[moment] + apart, top_}, {xs_[moment] + apart, y - 80}, palette::lane, 6,
           Stroke::dotted);
    }
  }
}

void Hero::paint_overlap() {
  if (!scene_.overlap) return;
  const HeroLane* const one = find(scene_.overlap->one);
  const HeroLane* const other = find(scene_.overlap->other);
  if (one == nullptr || other == nullptr) return;
  area({x_at(scene_.overlap->from_ns), std::min(one->line, other->line) - hero_bar - 40,
        std::max(x_at(scene_.overlap->until_ns), x_at(scene_.overlap->from_ns) + 40),
        std::max(one->line, other->line) + hero_bar + 40},
       palette::overlap_area, {}, 10, Ground::tint);
}

std::string Hero::overlap_words() const {
  return "both believe: " + checker::milliseconds(scene_.overlap->whole_ns);
}

/// The first from its beginning on, else the last.
std::optional<std::size_t> Hero::moment_of_overlap() const {
  if (!scene_.overlap || moments_.empty()) return std::nullopt;
  const auto found = std::lower_bound(moments_.begin(), moments_.end(), scene_.overlap->from_ns);
  return static_cast<std::size_t>(found == moments_.end()
                                      ? moments_.size() - 1
                                      : static_cast<std::size_t>(found - moments_.begin()));
}

void Hero::paint_contested() {
  for (const ContestedBelief& part : contested_beliefs(scene_)) {
    const HeroLane* const lane = find(part.lane);
    if (lane == nullptr) continue;
    const Tenths from = x_at(part.from_ns);
    const Box box{from, lane->line - hero_bar, std::max(x_at(part.until_ns), from + 40),
                  lane->line};
    hatch(box, palette::overlap, 50, 15);
    area(box, {}, palette::overlap, 10);
  }
}

void Hero::paint_overlap_label() {
  if (!scene_.overlap) return;
  const Overlap& overlap = *scene_.overlap;
  const HeroLane* const one = find(overlap.one);
  const HeroLane* const other = find(overlap.other);
  if (one == nullptr || other == nullptr) return;
  const Tenths from = x_at(overlap.from_ns);
  const Tenths until = std::max(x_at(overlap.until_ns), from + 40);
  for (const HeroLane* lane : {one, other}) {
    const Box box{from, lane->line - hero_bar, until, lane->line};
    area(box, {}, palette::overlap, 20);
  }
  const HeroLane& upper = one->line < other->line ? *one : *other;
  const std::optional<std::size_t> moment = moment_of_overlap();
  if (!moment) return;
  taken_.emplace(upper.lane, *moment);
  text({xs_[*moment] + hero_aside, upper.line + hero_bar + hero_strip}, Align::left,
       overlap_words(), palette::white, hero_overlap_size, Weight::bold, palette::overlap_ink);
}

void Hero::paint_span(const Span& span) {
  const HeroLane* const lane = find(span.lane);
  if (lane == nullptr) return;
  const Tenths from = x_at(at(span.from));
  const Tenths until = std::max(span.until ? x_at(at(*span.until)) : right_, from + 40);
  const Box box{from, lane->line - hero_bar - hero_span, until, lane->line + hero_bar + hero_span};
  paint_out_of_order(picture_, span, box, {from, box.bottom}, {until, box.bottom});
}

/// A belief above the lane's line, a truth below it.
void Hero::paint_bar(const Bar& bar) {
  const HeroLane* const lane = find(bar.lane);
  if (lane == nullptr) return;
  const Tenths from = x_at(at(bar.from));
  const Tenths until = std::max(bar.until ? x_at(end_of(bar, trace_)) : right_, from + 40);
  const Colour colour = owner_colour(scene_, bar.owner);
  if (bar.kind == BarKind::belief) {
    area({from, lane->line - hero_bar, until, lane->line}, colour, colour, 8);
  } else {
    area({from, lane->line, until, lane->line + hero_bar}, palette::white, colour, 14);
  }
}

void Hero::paint_violation_span(const ViolationSpan& wrong) {
  const HeroLane* const lane = find(wrong.lane);
  if (lane == nullptr) return;
  const Tenths y = lane->line + hero_bar + 12;
  line({x_at(wrong.from_ns), y}, {x_at(wrong.until_ns), y}, palette::bad, 24);
}

/// Where it is drawn: as it arrives, or as it was sent where it never does. Replies tell nothing
/// that what comes of them does not.
std::optional<std::size_t> Hero::moment_of(const Flight& flight) const {
  if (find(flight.from) == nullptr || find(flight.to) == nullptr) return std::nullopt;
  if (flight.from == flight.to || (flight.is_reply && flight.fate == Fate::arrived)) {
    return std::nullopt;
  }
  const bool arrives = flight.fate == Fate::arrived || flight.fate == Fate::waits;
  return moment_at(at(arrives ? flight.ended : flight.sent));
}

const HeroLane* Hero::above(const HeroLane& lane) const {
  const HeroLane* found = nullptr;
  for (const HeroLane& each : lanes_) {
    if (each.line < lane.line) found = &each;
  }
  return found;
}

void Hero::paint_cross(Point at) {
  for (const Tenths slant : {-1, 1}) {
    line({at.x - 35, at.y - slant * 35}, {at.x + 35, at.y + slant * 35}, palette::fault_ink, 18);
  }
}

/// Beside its moment, where no words are; what it says stands below the upper of its two lanes.
void Hero::paint_flight(const Flight& flight) {
  constexpr Tenths lost_run = 100;
  const std::optional<std::size_t> moment = moment_of(flight);
  if (!moment) return;
  const HeroLane& from = *find(flight.from);
  const HeroLane& to = *find(flight.to);
  const bool downwards = to.line > from.line;
  const Tenths down = downwards ? hero_bar + hero_span : -hero_bar - hero_span;
  const Tenths x = xs_[*moment] + hero_channel;
  const bool arrives = flight.fate == Fate::arrived || flight.fate == Fate::waits;
  const Point begin{x, from.line + down};
  const Point end{x, arrives ? to.line - down : begin.y + (downwards ? lost_run : -lost_run)};
  picture_.arrows.push_back({.points = {begin, end},
                             .colour = !arrives          ? palette::fault_ink
                                       : flight.is_reply ? palette::quiet_ink
                                                         : palette::ink,
                             .stroke = arrives ? Stroke::solid : Stroke::dashed,
                             .has_head = arrives,
                             .description = flight.description});
  if (!arrives) paint_cross(end);
  const HeroLane* const strip = downwards ? &from : arrives ? &to : above(from);
  if (strip == nullptr || !taken_.emplace(strip->lane, *moment).second) return;
  text({xs_[*moment] + hero_aside, strip->line + hero_bar + hero_strip}, Align::left, flight.label,
       arrives ? palette::ink : palette::fault_ink, arrives ? label_size : hero_text_size,
       arrives ? Weight::normal : Weight::bold);
}

void Hero::paint_cells(const HeroLane& lane) {
  for (std::size_t moment = 0; moment < moments_.size(); ++moment) {
    const std::vector<CellLine>& lines = lane.cells[moment];
    if (lines.empty()) continue;
    Tenths y =
        lane.line - hero_bar - hero_span - 60 - hero_line * static_cast<Tenths>(lines.size() - 1);
    std::string description =
        scene_.lanes[lane.lane].shown + " at " + checker::milliseconds(moments_[moment]) + ":";
    for (const CellLine& written : lines) {
      text({xs_[moment] + hero_aside, y}, Align::left, written.text, ink_of(written.tone),
           hero_text_size, stands_out(written.tone) ? Weight::bold : Weight::normal);
      description += " " + written.text;
      y += hero_line;
    }
    picture_.dots.push_back({{xs_[moment], lane.line}, palette::ink, std::move(description)});
  }
}

}  // namespace

Timeline hero_layout(const TimelineSubject& subject, const TimelineOptions& options) {
  return Hero(subject, options).make();
}

}  // namespace lockstep::reports
