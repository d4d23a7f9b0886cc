#include "reports/timeline/side_by_side.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "checker/verdict.h"
#include "model/trace_vocabulary.h"
#include "reports/text.h"
#include "search/runs/run_record.h"

namespace lockstep::reports {
namespace {

constexpr Tenths side_by_side_gap = 200;

bool same(const model::RecordedEvent& one, const model::RecordedEvent& other) {
  return one.at == other.at && one.kind == other.kind && one.actor == other.actor &&
         one.fields == other.fields;
}

std::string event_in_words(const model::RecordedTrace& trace, std::size_t index) {
  if (index >= trace.events.size()) return "the run is over";
  const model::RecordedEvent& event = trace.events[index];
  if (event.kind == model::trace_kind::fault_struck) return brief(event.text("what"));
  std::string words = event.kind;
  std::replace(words.begin(), words.end(), '-', ' ');
  const auto actor = static_cast<std::size_t>(event.actor);
  if (actor < trace.actors.size()) words += " at " + trace.actors[actor].name;
  if (!event.text("label").empty()) words += fmt::format(" ({})", event.text("label"));
  return brief(words);
}

sim::TimeNs time_of_event(const model::RecordedTrace& trace, std::size_t index) {
  if (trace.events.empty()) return 0;
  return trace.events[std::min(index, trace.events.size() - 1)].at;
}

void shift(Point& point, Tenths by) { point.x += by; }

void shift(Picture& picture, Tenths by) {
  for (auto& shape : picture.background) {
    if (Area* const area = std::get_if<Area>(&shape)) {
      for (Point& corner : area->corners) shift(corner, by);
    } else if (Line* const line = std::get_if<Line>(&shape)) {
      shift(line->from, by);
      shift(line->to, by);
    }
  }
  for (Arrow& arrow : picture.arrows) {
    for (Point& point : arrow.points) shift(point, by);
    for (Box& gap : arrow.gaps) {
      gap.left += by;
      gap.right += by;
    }
  }
  for (Dot& dot : picture.dots) shift(dot.at, by);
  for (Text& text : picture.texts) shift(text.at, by);
}

template <typename Shape>
void append(std::vector<Shape>& to, std::vector<Shape>&& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

bool fails(const TimelineSubject& subject) {
  const auto& verdicts = subject.example->verdicts;
  return std::any_of(verdicts.begin(), verdicts.end(), [](const auto& verdict) {
    return verdict.kind == checker::VerdictKind::violated;
  });
}

}  // namespace

std::optional<Difference> first_difference(const model::RecordedTrace& left,
                                           const model::RecordedTrace& right) {
  const std::size_t shared = std::min(left.events.size(), right.events.size());
  std::size_t index = 0;
  while (index < shared && same(left.events[index], right.events[index])) ++index;
  if (index == left.events.size() && index == right.events.size()) return std::nullopt;
  return Difference{time_of_event(left, index), time_of_event(right, index),
                    event_in_words(left, index), event_in_words(right, index)};
}

Timeline side_by_side_layout(const TimelineSubject& left, const TimelineSubject& right,
                             const TimelineOptions& options) {
  TimelineSubject subjects[] = {left, right};
  TimelineOptions of_each[] = {options, options};
  const auto difference = first_difference(left.example->trace, right.example->trace);
  for (TimelineSubject& subject : subjects) {
    subject.title = (fails(subject) ? "\u2717 " : "\u2713 ") + subject.title;
  }
  if (difference) {
    of_each[0].mark = {difference->left_ns, "first difference: " + difference->left};
    of_each[1].mark = {difference->right_ns, "first difference: " + difference->right};
  }
  // The lanes of both begin at the same height.
  Timeline timeline = layout(subjects[0], of_each[0]);
  Timeline other = layout(subjects[1], of_each[1]);
  const Tenths heads_top = std::max(timeline.heads_top, other.heads_top);
  for (TimelineOptions& each : of_each) each.heads_top_min = heads_top;
  timeline = layout(subjects[0], of_each[0]);
  other = layout(subjects[1], of_each[1]);

  Picture& picture = timeline.picture;
  const Tenths seam = picture.width + side_by_side_gap / 2;
  shift(other.picture, picture.width + side_by_side_gap);
  picture.height = std::max(picture.height, other.picture.height);
  picture.width += side_by_side_gap + other.picture.width;
  picture.title = brief(picture.title + " / " + other.picture.title, 250);
  picture.background.emplace_back(
      Line{{seam, 0}, {seam, picture.height}, "#1a1a1a", 10, Stroke::solid});
  append(picture.background, std::move(other.picture.background));
  append(picture.arrows, std::move(other.picture.arrows));
  append(picture.dots, std::move(other.picture.dots));
  append(picture.texts, std::move(other.picture.texts));
  timeline.description += " Beside it: " + other.description;
  if (difference) {
    timeline.description += fmt::format(" The first difference: {} instead of {}.",
                                        difference->left, difference->right);
  }
  timeline.rows = std::max(timeline.rows, other.rows);
  timeline.rows_folded += other.rows_folded;
  return timeline;
}

}  // namespace lockstep::reports
