// Faults, and what they do to links.
#include <algorithm>

#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/scene/scene_maker.h"
#include "reports/text.h"
#include "sim/trace_kinds.h"

namespace lockstep::reports {
namespace {

constexpr std::size_t what_characters_max = 120;

/// Calls with each name of "a n1 n2".
template <typename Visitor>
void visit_names(std::string_view names, Visitor visit) {
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(' '), names.size());
    visit(names.substr(0, end));
    names.remove_prefix(std::min(end + 1, names.size()));
  }
}

}  // namespace

// -- faults --

void SceneMaker::on_fault_struck(EventIndex index, const Event& event) {
  const auto lane = lane_map_.lane_of(event.actor);
  if (!lane) return;
  add_note(*lane, index, brief(event.text("what"), what_characters_max), Tone::fault,
           Importance::essential);
  const bool lasts = event.number("lasts") != 0;
  visit_names(event.text("target"), [&](std::string_view name) {
    for (const LaneIndex target : lane_map_.lanes_of(name)) {
      scene_.fault_marks.push_back({index, *lane, target});
      if (!lasts) continue;
      open_strikes_[event.number("fault")].push_back(scene_.spans.size());
      scene_.spans.push_back({SpanKind::struck, target, index, std::nullopt});
    }
  });
}

/// Ends the spans of its oldest strike that is open.
void SceneMaker::on_fault_ended(EventIndex index, const Event& event) {
  std::vector<std::size_t>& open = open_strikes_[event.number("fault")];
  if (open.empty()) return;
  const EventIndex struck = scene_.spans[open.front()].from;
  std::erase_if(open, [&](std::size_t span) {
    if (scene_.spans[span].from != struck) return false;
    scene_.spans[span].until = index;
    return true;
  });
  if (const auto lane = lane_map_.lane_of(event.actor)) ends_.push_back({*lane, index, struck});
}

/// Where the lane shows already what the fault did (it is paused, it is cut off), nothing is said
/// twice; else the end is told where the fault was.
void SceneMaker::note_ends_of_faults() {
  const auto is_shown_already = [this](const Span& struck) {
    return std::any_of(scene_.spans.begin(), scene_.spans.end(), [&](const Span& other) {
      return other.kind != SpanKind::struck && other.lane == struck.lane &&
             trace_.events[other.from].at == trace_.events[struck.from].at;
    });
  };
  std::erase_if(scene_.spans, [&](const Span& span) {
    return span.kind == SpanKind::struck && is_shown_already(span);
  });
  for (const FaultEnd& end : ends_) {
    const bool is_shown = std::any_of(
        scene_.spans.begin(), scene_.spans.end(),
        [&](const Span& span) { return span.kind == SpanKind::struck && span.from == end.struck; });
    if (!is_shown) continue;
    add_note(end.lane, end.event,
             "over: " + brief(trace_.events[end.event].text("what"), what_characters_max),
             Tone::fault, Importance::essential);
  }
}

// -- links --

void SceneMaker::note_of_host(EventIndex event, const std::string& host, std::string_view before,
                              std::string_view name, std::string_view after) {
  for (const LaneIndex lane : lane_map_.lanes_of(host)) {
    ToldOfLinks& told = told_of_links_[{lane, std::string(before) + std::string(after)}];
    const bool goes_on =
        told.note && trace_.events[scene_.notes[*told.note].event].at == trace_.events[event].at;
    if (goes_on) {
      told.names += ", " + brief(name);
    } else {
      add_note(lane, event, {}, Tone::fault, Importance::essential);
      told = {scene_.notes.size() - 1, brief(name)};
    }
    std::string text(before);
    text.append(told.names).append(after);
    scene_.notes[*told.note].text = shortened(text, what_characters_max);
  }
}

/// So many more directions are cut between the host and others.
void SceneMaker::count_cuts(EventIndex event, const std::string& host, int more) {
  int& cuts = cuts_[host];
  cuts = std::max(cuts + more, 0);
  for (const LaneIndex lane : lane_map_.lanes_of(host)) {
    if (more > 0) open_span(SpanKind::cut_off, lane, event);
    if (cuts == 0) close_span(SpanKind::cut_off, lane, event);
  }
}

void SceneMaker::on_cut(EventIndex index, const Event& event) {
  const std::string one(event.text("one"));
  const std::string other(event.text("other"));
  for (const auto& [at, from] : {std::pair(one, other), std::pair(other, one)}) {
    note_of_host(index, at, "cut off from ", from, "");
    count_cuts(index, at, 2);
  }
}

void SceneMaker::on_healed(EventIndex index, const Event& event) {
  const std::string one(event.text("one"));
  const std::string other(event.text("other"));
  for (const auto& [at, from] : {std::pair(one, other), std::pair(other, one)}) {
    note_of_host(index, at, "reaches ", from, " again");
    count_cuts(index, at, -2);
  }
}

void SceneMaker::on_direction_cut(EventIndex index, const Event& event) {
  const std::string from(event.text("from"));
  const std::string to(event.text("to"));
  note_of_host(index, from, "not heard by ", to, "");
  note_of_host(index, to, "hears nothing from ", from, "");
  count_cuts(index, from, 1);
  count_cuts(index, to, 1);
}

void SceneMaker::on_direction_healed(EventIndex index, const Event& event) {
  const std::string from(event.text("from"));
  const std::string to(event.text("to"));
  note_of_host(index, from, "heard again by ", to, "");
  note_of_host(index, to, "hears ", from, " again");
  count_cuts(index, from, -1);
  count_cuts(index, to, -1);
}

void SceneMaker::on_link_slowed(EventIndex index, const Event& event) {
  const std::string one(event.text("one"));
  const std::string other(event.text("other"));
  const std::int64_t by_ns = event.number("by_ns");
  const std::string how =
      by_ns == 0 ? "as fast as ever: " : checker::milliseconds(by_ns) + " longer: ";
  for (const auto& [at, from] : {std::pair(one, other), std::pair(other, one)}) {
    note_of_host(index, at, how + "to and from ", from, "");
  }
}

void SceneMaker::note_of_process(EventIndex index, const Event& event, const std::string& text) {
  for (const LaneIndex lane : lane_map_.lanes_of(event.actor)) {
    add_note(lane, index, text, Tone::fault, Importance::essential);
  }
}

void SceneMaker::on_listening_stopped(EventIndex index, const Event& event) {
  note_of_process(index, event, "refuses connections");
}

void SceneMaker::on_listening_again(EventIndex index, const Event& event) {
  note_of_process(index, event, "accepts connections again");
}

void SceneMaker::on_slowed(EventIndex index, const Event& event) {
  const std::int64_t by_ns = event.number("by_ns");
  note_of_process(index, event,
                  by_ns == 0 ? std::string("as fast as ever")
                             : "takes " + checker::milliseconds(by_ns) + " for each thing");
}

}  // namespace lockstep::reports
