#include "reports/scene/scene_faults.h"

#include <algorithm>

#include "checker/text.h"
#include "model/trace_vocabulary.h"
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

void SceneFaults::see(EventIndex index, const Event& event) {
  namespace model_kind = model::trace_kind;
  namespace sim_kind = sim::trace_kind;
  static const Handlers<SceneFaults> handlers{
      {sim_kind::network_cut, &SceneFaults::on_cut},
      {sim_kind::network_healed, &SceneFaults::on_healed},
      {sim_kind::direction_cut, &SceneFaults::on_direction_cut},
      {sim_kind::direction_healed, &SceneFaults::on_direction_healed},
      {sim_kind::link_slowed, &SceneFaults::on_link_slowed},
      {sim_kind::listening_stopped, &SceneFaults::on_listening_stopped},
      {sim_kind::listening_again, &SceneFaults::on_listening_again},
      {sim_kind::process_slowed, &SceneFaults::on_slowed},
      {model_kind::fault_struck, &SceneFaults::on_fault_struck},
      {model_kind::fault_ended, &SceneFaults::on_fault_ended},
  };
  dispatch(*this, handlers, index, event);
}

// -- faults --

void SceneFaults::on_fault_struck(EventIndex index, const Event& event) {
  const auto lane = draft_.lane_map.lane_of(event.actor);
  if (!lane) return;
  draft_.add_note(*lane, index, brief(event.text("what"), what_characters_max), Tone::fault,
                  Importance::essential);
  const bool lasts = event.number("lasts") != 0;
  visit_names(event.text("target"), [&](std::string_view name) {
    for (const LaneIndex target : draft_.lane_map.lanes_of(name)) {
      draft_.scene.fault_marks.push_back({index, *lane, target});
      if (!lasts) continue;
      open_strikes_[event.number("fault")].push_back(draft_.scene.spans.size());
      draft_.scene.spans.push_back({SpanKind::struck, target, index, std::nullopt});
    }
  });
}

/// Ends the spans of its oldest strike that is open.
void SceneFaults::on_fault_ended(EventIndex index, const Event& event) {
  std::vector<std::size_t>& open = open_strikes_[event.number("fault")];
  if (open.empty()) return;
  const EventIndex struck = draft_.scene.spans[open.front()].from;
  std::erase_if(open, [&](std::size_t span) {
    if (draft_.scene.spans[span].from != struck) return false;
    draft_.scene.spans[span].until = index;
    return true;
  });
  if (const auto lane = draft_.lane_map.lane_of(event.actor))
    ends_.push_back({*lane, index, struck});
}

/// Where the lane shows already what the fault did (it is paused, it is cut off), nothing is said
/// twice; else the end is told where the fault was.
void SceneFaults::note_ends() {
  const auto is_shown_already = [this](const Span& struck) {
    return std::any_of(
        draft_.scene.spans.begin(), draft_.scene.spans.end(), [&](const Span& other) {
          return other.kind != SpanKind::struck && other.lane == struck.lane &&
                 draft_.trace.events[other.from].at == draft_.trace.events[struck.from].at;
        });
  };
  std::erase_if(draft_.scene.spans, [&](const Span& span) {
    return span.kind == SpanKind::struck && is_shown_already(span);
  });
  for (const FaultEnd& end : ends_) {
    const bool is_shown = std::any_of(
        draft_.scene.spans.begin(), draft_.scene.spans.end(),
        [&](const Span& span) { return span.kind == SpanKind::struck && span.from == end.struck; });
    if (!is_shown) continue;
    draft_.add_note(
        end.lane, end.event,
        "over: " + brief(draft_.trace.events[end.event].text("what"), what_characters_max),
        Tone::fault, Importance::essential);
  }
}

// -- links --

void SceneFaults::note_of_host(EventIndex event, const std::string& host, std::string_view before,
                               std::string_view name, std::string_view after) {
  for (const LaneIndex lane : draft_.lane_map.lanes_of(host)) {
    ToldOfLinks& told = told_of_links_[{lane, std::string(before) + std::string(after)}];
    const bool goes_on =
        told.note && draft_.trace.events[draft_.scene.notes[*told.note].event].at ==
                         draft_.trace.events[event].at;
    if (goes_on) {
      told.names += ", " + brief(name);
    } else {
      draft_.add_note(lane, event, {}, Tone::fault, Importance::essential);
      told = {draft_.scene.notes.size() - 1, brief(name)};
    }
    std::string text(before);
    text.append(told.names).append(after);
    draft_.scene.notes[*told.note].text = shortened(text, what_characters_max);
  }
}

/// So many more directions are cut between the host and others.
void SceneFaults::count_cuts(EventIndex event, const std::string& host, int more) {
  int& cuts = cuts_[host];
  cuts = std::max(cuts + more, 0);
  for (const LaneIndex lane : draft_.lane_map.lanes_of(host)) {
    if (more > 0) draft_.open_span(SpanKind::cut_off, lane, event);
    if (cuts == 0) draft_.close_span(SpanKind::cut_off, lane, event);
  }
}

void SceneFaults::on_cut(EventIndex index, const Event& event) {
  const std::string one(event.text("one"));
  const std::string other(event.text("other"));
  for (const auto& [at, from] : {std::pair(one, other), std::pair(other, one)}) {
    note_of_host(index, at, "cut off from ", from, "");
    count_cuts(index, at, 2);
  }
}

void SceneFaults::on_healed(EventIndex index, const Event& event) {
  const std::string one(event.text("one"));
  const std::string other(event.text("other"));
  for (const auto& [at, from] : {std::pair(one, other), std::pair(other, one)}) {
    note_of_host(index, at, "reaches ", from, " again");
    count_cuts(index, at, -2);
  }
}

void SceneFaults::on_direction_cut(EventIndex index, const Event& event) {
  const std::string from(event.text("from"));
  const std::string to(event.text("to"));
  note_of_host(index, from, "not heard by ", to, "");
  note_of_host(index, to, "hears nothing from ", from, "");
  count_cuts(index, from, 1);
  count_cuts(index, to, 1);
}

void SceneFaults::on_direction_healed(EventIndex index, const Event& event) {
  const std::string from(event.text("from"));
  const std::string to(event.text("to"));
  note_of_host(index, from, "heard again by ", to, "");
  note_of_host(index, to, "hears ", from, " again");
  count_cuts(index, from, -1);
  count_cuts(index, to, -1);
}

void SceneFaults::on_link_slowed(EventIndex index, const Event& event) {
  const std::string one(event.text("one"));
  const std::string other(event.text("other"));
  const std::int64_t by_ns = event.number("by_ns");
  const std::string how =
      by_ns == 0 ? "as fast as ever: " : checker::milliseconds(by_ns) + " longer: ";
  for (const auto& [at, from] : {std::pair(one, other), std::pair(other, one)}) {
    note_of_host(index, at, how + "to and from ", from, "");
  }
}

void SceneFaults::on_listening_stopped(EventIndex index, const Event& /*event*/) {
  draft_.add_notes(index, "refuses connections", Tone::fault);
}

void SceneFaults::on_listening_again(EventIndex index, const Event& /*event*/) {
  draft_.add_notes(index, "accepts connections again", Tone::fault);
}

void SceneFaults::on_slowed(EventIndex index, const Event& event) {
  const std::int64_t by_ns = event.number("by_ns");
  draft_.add_notes(index,
                   by_ns == 0 ? std::string("as fast as ever")
                              : "takes " + checker::milliseconds(by_ns) + " for each thing",
                   Tone::fault);
}

}  // namespace lockstep::reports
