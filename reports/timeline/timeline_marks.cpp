#include "reports/timeline/timeline_marks.h"

#include <fmt/format.h>

#include <algorithm>

#include "checker/property.h"
#include "checker/verdict.h"
#include "reports/cause/cause.h"
#include "reports/drawing/palette.h"
#include "reports/text.h"
#include "search/runs/run_record.h"

namespace lockstep::reports {
namespace {

constexpr std::size_t spoken_characters_max = 600;  // of one paragraph

}  // namespace

Area area_of(const Box& box, Colour fill, Colour frame, Tenths frame_width) {
  return {
      {{box.left, box.top}, {box.right, box.top}, {box.right, box.bottom}, {box.left, box.bottom}},
      fill,
      frame,
      frame_width};
}

std::vector<Line> hatching(const Box& box, Colour colour, Tenths step, Tenths width) {
  std::vector<Line> lines;
  const Tenths box_width = box.right - box.left;
  const Tenths box_height = box.bottom - box.top;
  // Each line satisfies (x - left) + (y - top) = sum.
  for (Tenths sum = step; sum < box_width + box_height; sum += step) {
    const Tenths low_x = std::max(0, sum - box_height);
    const Tenths high_x = std::min(box_width, sum);
    if (low_x >= high_x) continue;
    lines.push_back({{box.left + low_x, box.top + sum - low_x},
                     {box.left + high_x, box.top + sum - high_x},
                     colour,
                     width,
                     Stroke::solid});
  }
  return lines;
}

Colour side_colour(std::optional<std::size_t> side) {
  return side && *side % 2 == 1 ? palette::cut_off_other : palette::cut_off;
}

Colour side_edge(std::optional<std::size_t> side) {
  return side && *side % 2 == 1 ? palette::cut_off_other_edge : palette::fault_ink;
}

void paint_out_of_order(Picture& picture, const Span& span, const Box& box, Point edge_from,
                        Point edge_to) {
  const auto fill = [&](Colour colour) {
    picture.background.emplace_back(area_of(box, colour, {}, 10));
  };
  const auto edge = [&](Tenths width, Stroke stroke) {
    picture.background.emplace_back(Line{edge_from, edge_to, side_edge(span.side), width, stroke});
  };
  switch (span.kind) {
    case SpanKind::paused:
      fill(palette::out_of_order);
      for (const Line& each : hatching(box, palette::hatch, 60, 5)) {
        picture.background.emplace_back(each);
      }
      return;
    case SpanKind::crashed:
      fill(palette::crashed);
      return;
    case SpanKind::cut_off:
      fill(side_colour(span.side));
      edge(20, Stroke::dashed);
      return;
    case SpanKind::struck:
      edge(14, Stroke::dotted);
      return;
  }
}

Colour owner_colour(const Scene& scene, std::optional<LaneIndex> owner) {
  if (!owner) return palette::unknown_owner;
  std::size_t number = 0;  // among the clients' lanes
  for (LaneIndex lane = 0; lane < *owner; ++lane) {
    if (scene.lanes[lane].kind == LaneKind::client_thread) ++number;
  }
  return palette::clients[number % palette::clients.size()];
}

Colour ink_of(Tone tone) {
  switch (tone) {
    case Tone::plain:
      return palette::ink;
    case Tone::quiet:
      return palette::quiet_ink;
    case Tone::good:
      return palette::good_ink;
    case Tone::bad:
      return palette::bad_ink;
    case Tone::fault:
      return palette::fault_ink;
  }
  return palette::ink;
}

std::string why_in_words(const search::RunRecord& example) {
  std::string why;
  for (const std::string& sentence : explain(example)) {
    why += (why.empty() ? "" : " ") + sentence;
  }
  return why;
}

std::string description_of(const search::RunRecord& example) {
  std::string words;
  for (const checker::Verdict& verdict : example.verdicts) {
    if (verdict.kind != checker::VerdictKind::violated) continue;
    words += fmt::format("Violated: {}: {}. ", checker::to_string(verdict.property),
                         brief(verdict.summary, spoken_characters_max));
  }
  if (words.empty()) words = "No property is violated. ";
  return words + brief(why_in_words(example), spoken_characters_max);
}

}  // namespace lockstep::reports
