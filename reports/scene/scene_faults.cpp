#include "reports/scene/scene_faults.h"

#include <algorithm>
#include <set>

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
  strikes_[event.number("fault")].push_back({draft_.scene.notes.size() - 1, index, *lane});
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

void SceneFaults::finish() {
  note_ends();
  join_strikes();
  join_likes();
  name_sides();
}

// -- what strikes again and again --

void SceneFaults::join_strikes() {
  constexpr std::size_t joined_min = 3;  // fewer are told one by one
  for (const auto& [fault, strikes] : strikes_) {
    if (strikes.size() >= joined_min) join_strikes(strikes);
  }
}

/// One note with a count, and one span from the first to the last. What the strikes did to others
/// is told where it happened.
void SceneFaults::join_strikes(const std::vector<Strike>& strikes) {
  Scene& scene = draft_.scene;
  const EventIndex first = strikes.front().event;
  const EventIndex last = strikes.back().event;
  scene.notes[strikes.front().note].text +=
      " (" + std::to_string(strikes.size()) + " times, until " +
      milliseconds_number(draft_.trace.events[last].at) + " ms)";
  std::set<EventIndex> later;
  for (const Strike& strike : strikes) {
    if (strike.event == first) continue;
    later.insert(strike.event);
    scene.notes[strike.note].text.clear();
  }
  std::erase_if(scene.fault_marks,
                [&](const FaultMark& mark) { return later.contains(mark.event); });
  for (Span& span : scene.spans) {  // the first at a lane goes on to the end of the last there
    if (span.kind != SpanKind::struck || span.from != first) continue;
    for (const Span& other : scene.spans) {
      const bool goes_on =
          other.kind == span.kind && other.lane == span.lane && later.contains(other.from);
      if (goes_on) span.until = other.until;
    }
  }
  std::erase_if(scene.spans, [&](const Span& span) {
    return span.kind == SpanKind::struck && later.contains(span.from);
  });
  scene.spans.push_back({SpanKind::struck, strikes.front().lane, first, last});
}

// -- faults that strike together --

namespace {

/// Notes of one instant whose texts differ in one word.
struct LikeNotes {
  std::size_t first;  // index into Scene::notes
  std::vector<std::string> words;
  std::optional<std::size_t> place;  // of the word in which they differ
  std::vector<std::string> differing;

  [[nodiscard]] std::string text() const {
    std::string joined;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (i > 0) joined += ' ';
      if (i != place) {
        joined += words[i];
        continue;
      }
      for (std::size_t k = 0; k < differing.size(); ++k) {
        if (k > 0) joined += k + 1 == differing.size() ? " and " : ", ";
        joined += differing[k];
      }
    }
    return joined;
  }

  /// False: it differs in more than that word.
  bool take(const std::vector<std::string>& others) {
    if (others.size() != words.size()) return false;
    std::optional<std::size_t> different;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] == others[i]) continue;
      if (different) return false;
      different = i;
    }
    if (!different || (place && place != different)) return false;
    if (!place) differing = {words[*different]};
    place = different;
    differing.push_back(others[*different]);
    return true;
  }
};

}  // namespace

/// "cut a off from n4 and n5": faults of one instant that differ in one word share a note.
void SceneFaults::join_likes() {
  std::map<std::pair<LaneIndex, sim::TimeNs>, std::vector<LikeNotes>> groups;
  for (std::size_t i = 0; i < draft_.scene.notes.size(); ++i) {
    Note& note = draft_.scene.notes[i];
    const bool is_strike = note.tone == Tone::fault && !note.text.empty() &&
                           draft_.scene.lanes[note.lane].kind == LaneKind::faults;
    if (!is_strike) continue;
    std::vector<LikeNotes>& together = groups[{note.lane, draft_.trace.events[note.event].at}];
    const std::vector<std::string_view> views = words_of(note.text);
    std::vector<std::string> words(views.begin(), views.end());
    const auto like =
        std::ranges::find_if(together, [&](LikeNotes& each) { return each.take(words); });
    if (like == together.end()) {
      together.push_back({i, std::move(words), std::nullopt, {}});
      continue;
    }
    draft_.scene.notes[like->first].text = shortened(like->text(), what_characters_max);
    note.text.clear();
  }
}

// -- partitions --

namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

/// The two sides into which these cuts divide all hosts between whom there are any: each of the one
/// is cut off from each of the other, but for clients, between whom nothing runs. None: they do
/// not.
std::optional<std::pair<std::set<std::string>, std::set<std::string>>> sides_of(
    const Pairs& pairs, const std::set<std::string>& clients) {
  std::set<std::string> one;
  std::set<std::string> other;
  std::set<std::pair<std::string, std::string>> known;
  for (const auto& [from, to] : pairs) known.insert(std::minmax(from, to));
  one.insert(pairs.front().first);
  for (bool has_grown = true; has_grown;) {
    has_grown = false;
    for (const auto& [from, to] : pairs) {
      if (one.contains(from) || other.contains(to)) {
        has_grown |= one.insert(from).second;
        has_grown |= other.insert(to).second;
      } else if (one.contains(to) || other.contains(from)) {
        has_grown |= one.insert(to).second;
        has_grown |= other.insert(from).second;
      }
    }
  }
  const bool are_apart = std::none_of(
      one.begin(), one.end(), [&](const std::string& host) { return other.contains(host); });
  if (!are_apart) return std::nullopt;
  for (const std::string& from : one) {
    for (const std::string& to : other) {
      const bool are_clients = clients.contains(from) && clients.contains(to);
      if (!are_clients && !known.contains(std::minmax(from, to))) return std::nullopt;
    }
  }
  return std::pair(one, other);
}

std::string joined(const std::set<std::string>& hosts) {
  std::string text;
  for (const std::string& host : hosts) text += (text.empty() ? "" : ", ") + brief(host);
  return text;
}

}  // namespace

void SceneFaults::name_sides() {
  constexpr std::size_t letters = 26;
  std::set<std::string> hosts;
  std::set<std::string> clients;
  for (const Lane& lane : draft_.scene.lanes) {
    if (lane.kind == LaneKind::client_thread) clients.insert(lane.group);
    const bool is_server = lane.kind == LaneKind::redis || lane.kind == LaneKind::sentinel;
    if (is_server) hosts.insert(lane.name);
  }
  hosts.insert(clients.begin(), clients.end());
  for (const auto& [at, pairs] : cut_pairs_) {
    const auto sides = sides_of(pairs, clients);
    if (!sides) continue;
    std::set<std::string> all = sides->first;
    all.insert(sides->second.begin(), sides->second.end());
    if (all.size() < 3 || all != hosts || draft_.scene.sides.size() + 2 > letters) continue;
    for (const auto* side : {&sides->first, &sides->second}) {
      const std::size_t number = draft_.scene.sides.size();
      const std::string name = std::string("side ") + static_cast<char>('A' + number);
      draft_.scene.sides.push_back({name, joined(*side)});
      for (const std::string& host : *side) name_side(at, host, number);
    }
    leave_to_sides(at);
  }
}

/// Which hosts it parts is told at each of them, and by the legend.
void SceneFaults::leave_to_sides(sim::TimeNs at) {
  for (Note& note : draft_.scene.notes) {
    const bool parts = draft_.scene.lanes[note.lane].kind == LaneKind::faults &&
                       draft_.trace.events[note.event].at == at && note.text.starts_with("part ");
    if (parts) note.text.clear();
  }
}

/// Of a host since an instant: what it says, and how its lane is marked.
void SceneFaults::name_side(sim::TimeNs at, const std::string& host, std::size_t number) {
  const auto& events = draft_.trace.events;
  const std::string name = draft_.scene.sides[number].name;
  const std::string others = number % 2 == 0
                                 ? std::string("side ") + static_cast<char>('B' + number)
                                 : std::string("side ") + static_cast<char>('@' + number);
  for (const LaneIndex lane : draft_.lane_map.lanes_of(host)) {
    std::optional<sim::TimeNs> until;
    for (Span& span : draft_.scene.spans) {
      const bool is_meant =
          span.kind == SpanKind::cut_off && span.lane == lane && events[span.from].at == at;
      if (!is_meant) continue;
      span.side = number;
      if (span.until) until = events[*span.until].at;
    }
    for (Note& note : draft_.scene.notes) {
      if (note.lane != lane) continue;
      const bool begins = events[note.event].at == at && note.text.starts_with("cut off from ");
      const bool ends =
          until && events[note.event].at == *until && note.text.starts_with("reaches ");
      if (!begins && !ends) continue;
      note.detail = note.text;
      note.text = begins ? "cut off: " + name : "reaches " + others + " again";
    }
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
  cut_pairs_[event.at].emplace_back(one, other);
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
