// The frame of a timeline: lanes and their heads, rows and their times, the legend.
#include <algorithm>
#include <functional>

#include "reports/drawing/palette.h"
#include "reports/drawing/picture_dot.h"
#include "reports/text.h"
#include "reports/timeline/fold_words.h"
#include "reports/timeline/timeline_marks.h"
#include "reports/timeline/timeline_painter.h"

namespace lockstep::reports {
namespace {

constexpr Tenths head_size = 95;

}  // namespace

void TimelinePainter::area(const Box& box, Colour fill, Colour frame, Tenths frame_width,
                           Ground ground) {
  picture_.background.emplace_back(Area{
      {{box.left, box.top}, {box.right, box.top}, {box.right, box.bottom}, {box.left, box.bottom}},
      fill,
      frame,
      frame_width,
      ground});
}

void TimelinePainter::line(Point from, Point to, Colour colour, Tenths width, Stroke stroke) {
  picture_.background.emplace_back(Line{from, to, colour, width, stroke});
}

void TimelinePainter::text(Point at, Align align, std::string words, Colour colour, Tenths size,
                           Weight weight, Colour background) {
  if (words.empty()) return;
  picture_.texts.push_back({at, align, std::move(words), colour, size, weight, background});
}

// -- rows --

/// With so many decimals that it differs from its neighbours'.
std::string TimelinePainter::time_of(std::size_t row) const {
  const std::vector<Row>& rows = rows_.all();
  const auto looks_like = [&](std::size_t other, int decimals) {
    return milliseconds_number(rows[other].from_ns, decimals) ==
           milliseconds_number(rows[row].from_ns, decimals);
  };
  int decimals = 1;
  const auto is_ambiguous = [&] {
    return (row > 0 && looks_like(row - 1, decimals)) ||
           (row + 1 < rows.size() && looks_like(row + 1, decimals));
  };
  while (decimals < 6 && is_ambiguous()) ++decimals;
  return milliseconds_number(rows[row].from_ns, decimals);
}

void TimelinePainter::paint_time(std::size_t row) {
  text({grid_.times_right(), grid_.row(row).line}, Align::right, time_of(row),
       rows_.all()[row].folded > 0 ? palette::quiet_ink : palette::ink, text_size);
}

void TimelinePainter::paint_skip(std::size_t row) {
  const RowPlace& place = grid_.row(row);
  if (!place.skip) return;
  const Tenths right = grid_.times_right();
  for (const Tenths apart : {-15, 15}) {
    line({right + 60, *place.skip + apart}, {grid_.right(), *place.skip + apart}, palette::lane, 6,
         Stroke::dotted);
  }
  text({right, *place.skip}, Align::right, grid_.skipped_in_words(row), palette::quiet_ink,
       label_size);
}

void TimelinePainter::paint_rows() {
  for (std::size_t row = 0; row < grid_.row_count(); ++row) {
    const RowPlace& place = grid_.row(row);
    const Row& shown = rows_.all()[row];
    const Tenths left = grid_.times_right() + 60;
    if (shown.folded > 0) {
      area({left, place.top + 15, grid_.right(), place.bottom - 15}, palette::fold, {}, 10,
           Ground::tint);
      Point at{grid_.widest_strip().middle(), place.line};
      for (const std::string& words : place.folded) {
        text(at, Align::middle, words, palette::quiet_ink, label_size);
        at.y += line_height;
      }
    } else if (row % 2 == 1) {
      area({left, place.top, grid_.right(), place.bottom}, palette::row, {}, 10, Ground::tint);
    }
    paint_skip(row);
    paint_time(row);
  }
}

void TimelinePainter::paint_mark(const TimelineMark& mark) {
  if (grid_.row_count() == 0) return;
  const RowPlace& place = grid_.row(rows_.row_at(mark.at_ns));
  line({grid_.times_right() + 60, place.top}, {grid_.right(), place.top}, palette::bad, 16,
       Stroke::dashed);
  if (!place.mark) return;
  Point at{grid_.widest_strip().middle(), *place.mark};
  for (const std::string& words : grid_.mark_words()) {
    text(at, Align::middle, words, palette::bad_ink, label_size, Weight::bold);
    at.y += mark_line;
  }
}

// -- heads --

void TimelinePainter::paint_head(LaneIndex lane) {
  const Column& column = grid_.column(lane);
  if (!column.is_shown) return;
  const Lane& head = scene_.lanes[lane];
  const bool on_left = has_text_on_left(head.kind);
  const Align align = on_left ? Align::right : Align::left;
  const Tenths x = on_left ? column.line + bar_half : column.line - bar_half;
  text({x, grid_.heads_top() + 80}, align, head.shown, palette::ink, head_size, Weight::bold);
  text({x, grid_.heads_top() + 190}, align, head.title, palette::quiet_ink, label_size);
  text({x, grid_.heads_top() + 285}, align, grid_.head_remark(lane), palette::quiet_ink,
       label_size);
  line({column.line, grid_.lanes_top() - 30}, {column.line, grid_.lanes_bottom()}, palette::lane,
       8);
}

void TimelinePainter::paint_heads() {
  text({grid_.times_right(), grid_.heads_top() + 80}, Align::right, "time", palette::ink, head_size,
       Weight::bold);
  text({grid_.times_right(), grid_.heads_top() + 190}, Align::right, "virtual ms",
       palette::quiet_ink, label_size);
  for (LaneIndex lane = 0; lane < scene_.lanes.size(); ++lane) paint_head(lane);
}

// -- the legend --

Tenths TimelinePainter::paint_legend(Tenths left, Tenths right, Tenths top) {
  constexpr Tenths sample = 160;
  constexpr Tenths height = 130;
  Tenths x = left;
  Tenths y = top + height / 2;
  const auto entry = [&](const std::string& words, const auto& paint_sample) {
    const Tenths width = sample + 60 + text_width(words, label_size) * 11 / 10 + 160;
    if (x > left && x + width > right) {
      x = left;
      y += height;
    }
    paint_sample(Box{x, y - 40, x + sample, y + 40});
    text({x + sample + 60, y}, Align::left, words, palette::quiet_ink, label_size);
    x += width;
  };
  const auto has_bar = [&](BarKind kind) {
    return std::any_of(scene_.bars.begin(), scene_.bars.end(),
                       [&](const Bar& bar) { return bar.kind == kind; });
  };
  const auto has_span = [&](SpanKind kind) {
    return std::any_of(scene_.spans.begin(), scene_.spans.end(),
                       [&](const Span& span) { return span.kind == kind; });
  };
  std::size_t named = 0;
  for (LaneIndex lane = 0; lane < scene_.lanes.size(); ++lane) {
    constexpr std::size_t named_max = 12;
    const bool is_owner = std::any_of(scene_.bars.begin(), scene_.bars.end(), [&](const Bar& bar) {
      return bar.owner == std::optional(lane);
    });
    if (!is_owner || ++named > named_max) continue;
    const Colour own = owner_colour(scene_, lane);
    entry(scene_.lanes[lane].shown, [&](const Box& box) { area(box, own, own); });
  }
  const Colour colour = palette::hatch;
  if (has_bar(BarKind::belief)) {
    entry("believes it holds the lock", [&](const Box& box) { area(box, colour, colour); });
  }
  if (has_bar(BarKind::truth)) {
    entry("truly holds it", [&](const Box& box) { area(box, palette::white, colour, 12); });
  }
  if (scene_.overlap || !scene_.other_overlaps.empty()) {
    entry("two believe at once", [&](const Box& box) {
      area(box, palette::bad_light, palette::bad);
      hatch(box, palette::bad, 45, 12);
    });
  }
  if (!scene_.violation_spans.empty()) {
    entry("waits in vain", [&](const Box& box) {
      line({box.left, (box.top + box.bottom) / 2}, {box.right, (box.top + box.bottom) / 2},
           palette::bad, 30);
    });
  }
  if (has_span(SpanKind::paused)) {
    entry("paused", [&](const Box& box) {
      area(box, palette::out_of_order, {});
      hatch(box, palette::hatch, 45, 5);
    });
  }
  if (has_span(SpanKind::crashed)) {
    entry("crashed", [&](const Box& box) { area(box, palette::crashed, {}); });
  }
  const auto cut_off = [&](const std::string& words, std::optional<std::size_t> side) {
    entry(words, [&](const Box& box) {
      area(box, side_colour(side), {});
      line({box.left, (box.top + box.bottom) / 2}, {box.right, (box.top + box.bottom) / 2},
           side_edge(side), 20, Stroke::dashed);
    });
  };
  const bool is_cut_alone =
      std::any_of(scene_.spans.begin(), scene_.spans.end(),
                  [](const Span& span) { return span.kind == SpanKind::cut_off && !span.side; });
  if (is_cut_alone) cut_off("cut off", std::nullopt);
  for (std::size_t side = 0; side < scene_.sides.size(); ++side) {
    cut_off(brief("cut off, " + scene_.sides[side].name + ": " + scene_.sides[side].hosts, 70),
            side);
  }
  if (has_span(SpanKind::struck)) {
    entry("under a fault", [&](const Box& box) {
      line({box.left, (box.top + box.bottom) / 2}, {box.right, (box.top + box.bottom) / 2},
           palette::fault_ink, 14, Stroke::dotted);
    });
  }
  return y + height / 2;
}

}  // namespace lockstep::reports
