#include "reports/timeline/rows.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "model/trace_vocabulary.h"
#include "sim/trace_kinds.h"

namespace lockstep::reports {
namespace {

/// In how far a reader needs an instant.
enum class Need : std::uint8_t {
  routine,
  renewal,  ///< routine, or an effect where it is rare
  essential,
  step,    ///< a client begins what the scenario tells it, or fails at it; a read
  effect,  ///< the lock, its queue or the resource changes
  vital,   ///< a write, a belief that comes or goes, a message that is lost or is not read
  write,
  fault,
  strike,  ///< what the faults did, where that is little
  first,   ///< what went wrong
  kept,    ///< never folded: a crash, a promotion, what the violation consists of
};

struct Instant {
  sim::TimeNs at;
  Need need;
  bool is_common;  ///< all that happens at it happens again and again
  bool is_shown = true;
};

/// What is said more often is the daily round.
constexpr std::size_t common_min = 9;
constexpr std::size_t renewals_min = 3;

class Instants {
 public:
  enum class Messages : std::uint8_t { counted, left_out };

  Instants(const Scene& scene, const model::RecordedTrace& trace, Messages messages)
      : scene_(scene), trace_(trace), messages_(messages) {
    visit([&](sim::TimeNs /*at*/, Need /*need*/, std::string kind) { ++kinds_[std::move(kind)]; });
    find_told();
    visit([&](sim::TimeNs at, Need need, const std::string& kind) {
      if (at < scene.view_from_ns || at > scene.view_until_ns) return;
      const bool is_told = tells_all_ && (need == Need::first || need == Need::write);
      if (messages_ == Messages::counted && (is_kept(at) || is_told)) need = Need::kept;
      const std::size_t times = kind.empty() ? 1 : kinds_.at(kind);
      // Many are told by the one line that counts them.
      if (need == Need::renewal) need = times >= renewals_min ? Need::routine : Need::effect;
      show(at, need, times >= common_min);
    });
  }

  [[nodiscard]] std::vector<Instant> in_order() const {
    std::vector<Instant> instants;
    instants.reserve(shown_.size());
    for (const auto& [at, shown] : shown_) instants.push_back({at, shown.need, shown.is_common});
    return instants;
  }

 private:
  struct Shown {
    Need need = Need::routine;
    bool is_common = true;
  };

  /// Calls with the time, the need and the kind of all that a reader may need: things of one kind
  /// differ in their numbers only.
  template <typename Visitor>
  void visit(const Visitor& visitor) const {
    const auto at = [&](EventIndex event) { return trace_.events[event].at; };
    for (const Note& note : scene_.notes) {
      if (note.text.empty()) continue;
      visitor(at(note.event), need_of(note), kind_of(note.lane, note.lane, note.text));
    }
    for (const Flight& flight : scene_.flights) {
      if (messages_ == Messages::left_out && flight.fate != Fate::lost) continue;
      const Need need = need_of(flight);
      const std::string kind = kind_of(flight.from, flight.to, flight.label);
      visitor(at(flight.sent), need, kind);
      const bool arrived = flight.fate == Fate::arrived || flight.fate == Fate::waits;
      if (arrived) visitor(at(flight.ended), need, kind);
    }
    for (const Bar& bar : scene_.bars) {
      const bool is_belief = bar.kind == BarKind::belief;
      const Need need = is_belief ? Need::vital : Need::effect;
      const std::string kind = kind_of(bar.lane, bar.owner.value_or(bar.lane), "");
      visitor(at(bar.from), need, kind);
      // An end of which no event tells needs no row: it lies between two.
      const bool is_told = bar.until && end_of(bar, trace_) == at(*bar.until);
      if (is_told) visitor(at(*bar.until), need, kind);
    }
    if (!scene_.overlap) return;
    visitor(scene_.overlap->from_ns, Need::first, "");
    visitor(scene_.overlap->until_ns, Need::first, "");
  }

  /// Writes and what went wrong have rows of their own, unless there are too many of them to read.
  void find_told() {
    constexpr std::size_t told_max = 24;
    constexpr std::size_t strikes_max = 6;
    std::set<sim::TimeNs> told;
    visit([&](sim::TimeNs at, Need need, const std::string& /*kind*/) {
      if (need == Need::first || need == Need::write) told.insert(at);
    });
    tells_all_ = told.size() <= told_max;
    std::set<sim::TimeNs> strikes;
    for (const Note& note : scene_.notes) {
      const bool is_strike = scene_.lanes[note.lane].kind == LaneKind::faults && !note.text.empty();
      if (is_strike) strikes.insert(trace_.events[note.event].at);
    }
    are_strikes_few_ = strikes.size() <= strikes_max;
    kept_.insert(scene_.kept.begin(), scene_.kept.end());
    // What is drawn from here to there wants to be told at both ends.
    std::set<sim::TimeNs> ends;
    for (const Span& span : scene_.spans) {
      ends.insert(trace_.events[span.from].at);
      if (span.until) ends.insert(trace_.events[*span.until].at);
    }
    if (ends.size() <= strikes_max) kept_.insert(ends.begin(), ends.end());
  }

  [[nodiscard]] bool is_kept(sim::TimeNs at) const { return kept_.contains(at); }

  static std::string kind_of(LaneIndex one, LaneIndex other, std::string_view text) {
    constexpr std::string_view numbers = "0123456789.,";
    std::string kind = std::to_string(one) + ' ' + std::to_string(other) + ' ';
    for (const char character : text) {
      if (numbers.find(character) == std::string_view::npos) kind += character;
    }
    return kind;
  }

  [[nodiscard]] Need need_of(const Note& note) const {
    const std::string_view kind = trace_.events[note.event].kind;
    const bool is_told_always = kind == sim::trace_kind::process_crashed ||
                                kind == sim::trace_kind::process_restarted ||
                                kind == model::trace_kind::node_promoted;
    if (is_told_always) return Need::kept;
    if (note.tone == Tone::bad) return Need::first;
    const bool is_strike = scene_.lanes[note.lane].kind == LaneKind::faults;
    if (note.tone == Tone::fault) return is_strike && are_strikes_few_ ? Need::strike : Need::fault;
    if (note.kind == NoteKind::write) return Need::write;
    if (note.kind == NoteKind::read) return Need::step;  // what is written upon it matters more
    // Who had a majority releases in vain where it had nothing.
    if (note.kind == NoteKind::renewal) return Need::renewal;
    if (has_effect(note.kind) && note.kind != NoteKind::ineffective_call) return Need::effect;
    if (note.importance == Importance::routine) return Need::routine;
    const bool is_client = scene_.lanes[note.lane].kind == LaneKind::client_thread;
    return is_client ? Need::step : Need::essential;
  }

  static Need need_of(const Flight& flight) {
    if (flight.fate == Fate::lost || flight.fate == Fate::waits) return Need::vital;
    return flight.importance == Importance::essential ? Need::essential : Need::routine;
  }

  void show(sim::TimeNs at, Need need, bool is_common) {
    Shown& known = shown_[at];
    if (need != Need::routine) known.is_common = known.is_common && is_common;
    known.need = std::max(known.need, need);
  }

  const Scene& scene_;
  const model::RecordedTrace& trace_;
  Messages messages_;
  std::map<std::string, std::size_t> kinds_;
  std::set<sim::TimeNs> kept_;
  bool tells_all_ = true;
  bool are_strikes_few_ = false;
  std::map<sim::TimeNs, Shown> shown_;
};

/// Runs of instants that are not shown become one row each.
std::vector<Row> rows_of(const std::vector<Instant>& instants, std::size_t folded_min) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < instants.size();) {
    std::size_t end = i;
    while (end < instants.size() && !instants[end].is_shown) ++end;
    if (end - i >= folded_min) {
      rows.push_back({instants[i].at, instants[end - 1].at, end - i});
      i = end;
      continue;
    }
    end = std::max(end, i + 1);
    for (; i < end; ++i) rows.push_back({instants[i].at, instants[i].at});
  }
  return rows;
}

/// How far each of the places is from the middle, and how much that counts: what comes after it
/// counts more, how it all began less.
std::size_t distance_of(std::size_t place, std::size_t middle) {
  constexpr std::size_t later = 4;
  constexpr std::size_t since_start = 2;
  const std::size_t from_focus = place >= middle ? (place - middle) * later : middle - place;
  return std::min(from_focus, (place + 1) * since_start);
}

/// How soon it is folded where it is far away.
std::size_t weight_of(Need need) {
  switch (need) {
    case Need::kept:
    case Need::first:
    case Need::strike:
      return 0;
    case Need::fault:
    case Need::write:
      return 1;
    case Need::vital:
      return 6;
    case Need::effect:
      return 12;
    case Need::step:
      return 18;
    case Need::essential:
    case Need::renewal:
    case Need::routine:
      return 48;
  }
  return 48;
}

/// What is not routine, as indexes, those that a reader needs most first: what is near to the
/// focus, before it rather than after, and how it began; the daily round only from close by.
std::vector<std::size_t> by_need(const std::vector<Instant>& instants, sim::TimeNs focus) {
  constexpr std::size_t common_counts = 3;
  std::vector<std::pair<std::size_t, std::size_t>> ranked;  // distance, index
  for (const bool is_common : {false, true}) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < instants.size(); ++i) {
      const bool is_meant = instants[i].need != Need::routine && instants[i].is_common == is_common;
      if (is_meant) places.push_back(i);
    }
    const auto focused = std::find_if(places.begin(), places.end(),
                                      [&](std::size_t i) { return instants[i].at >= focus; });
    const auto middle = static_cast<std::size_t>(focused - places.begin());
    for (std::size_t place = 0; place < places.size(); ++place) {
      const std::size_t distance =
          (distance_of(place, middle) + 1) * weight_of(instants[places[place]].need);
      ranked.emplace_back(is_common ? distance * common_counts : distance, places[place]);
    }
  }
  std::sort(ranked.begin(), ranked.end());
  std::stable_partition(ranked.begin(), ranked.end(),
                        [&](const auto& each) { return instants[each.second].need == Need::kept; });
  std::vector<std::size_t> chosen;
  chosen.reserve(ranked.size());
  for (const auto& [distance, index] : ranked) chosen.push_back(index);
  return chosen;
}

/// Instants that have something to show whatever is folded, in order.
std::vector<sim::TimeNs> filled_always(const Scene& scene, const model::RecordedTrace& trace) {
  std::vector<sim::TimeNs> filled;
  const auto at = [&](EventIndex event) { return trace.events[event].at; };
  for (const Note& note : scene.notes) {
    if (!note.text.empty()) filled.push_back(at(note.event));
  }
  for (const Flight& flight : scene.flights) {
    const bool ends_unseen = flight.fate == Fate::lost || flight.fate == Fate::under_way;
    if (ends_unseen) filled.push_back(at(flight.sent));
  }
  for (const Bar& bar : scene.bars) {
    filled.push_back(at(bar.from));
    if (bar.until) filled.push_back(at(*bar.until));
  }
  if (scene.overlap) {
    filled.insert(filled.end(), {scene.overlap->from_ns, scene.overlap->until_ns});
  }
  std::sort(filled.begin(), filled.end());
  filled.erase(std::unique(filled.begin(), filled.end()), filled.end());
  return filled;
}

}  // namespace

sim::TimeNs focus_of(const Scene& scene, const model::RecordedTrace& trace) {
  if (scene.overlap) return scene.overlap->from_ns;
  for (auto note = scene.notes.rbegin(); note != scene.notes.rend(); ++note) {
    if (note->tone == Tone::bad) return trace.events[note->event].at;
  }
  return trace.events.empty() ? 0 : trace.events.back().at;
}

std::vector<sim::TimeNs> chosen_moments(const Scene& scene, const model::RecordedTrace& trace,
                                        std::size_t moments_max) {
  const std::vector<Instant> instants =
      Instants(scene, trace, Instants::Messages::left_out).in_order();
  std::vector<std::size_t> needed = by_need(instants, focus_of(scene, trace));
  if (needed.size() > moments_max) needed.resize(moments_max);
  std::vector<sim::TimeNs> moments;
  for (const std::size_t index : needed) moments.push_back(instants[index].at);
  std::sort(moments.begin(), moments.end());
  return moments;
}

Rows::Rows(const Scene& scene, const model::RecordedTrace& trace, std::size_t rows_max,
           std::size_t folded_min, SilentRows silent)
    : silent_(silent) {
  std::vector<Instant> instants = Instants(scene, trace, Instants::Messages::counted).in_order();
  if (instants.size() <= rows_max) {
    rows_ = rows_of(instants, folded_min);
    return;
  }
  const std::vector<std::size_t> needed = by_need(instants, focus_of(scene, trace));
  const std::vector<sim::TimeNs> filled = filled_always(scene, trace);
  const auto fits = [&](std::size_t count) {
    for (Instant& instant : instants) instant.is_shown = false;
    for (std::size_t i = 0; i < count; ++i) instants[needed[i]].is_shown = true;
    rows_ = rows_of(instants, folded_min);
    drop_empty(scene, trace, filled);
    return rows_.size() <= rows_max;
  };
  // As many as there is room for: what is left empty gives its room to others.
  constexpr std::size_t emptied_max = 3;
  // Those that are kept come first: nothing needs them less.
  const auto kept = static_cast<std::size_t>(
      std::count_if(instants.begin(), instants.end(),
                    [](const Instant& instant) { return instant.need == Need::kept; }));
  std::size_t low = kept;
  std::size_t high = std::max(kept, std::min(needed.size(), emptied_max * rows_max));
  while (low < high) {
    const std::size_t middle = (low + high + 1) / 2;
    if (fits(middle)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  static_cast<void>(fits(low));
  count_folded_notes(scene, trace);
  if (silent == SilentRows::left_out) leave_out_silent();
}

void Rows::leave_out_silent() {
  const auto is_silent = [](const Row& row) {
    return row.folded > 0 && std::ranges::all_of(row.folded_notes, [](const FoldedNotes& each) {
             return !has_effect(each.kind) && each.kind != NoteKind::refused_attempt;
           });
  };
  for (const Row& row : rows_) left_out_ += is_silent(row) ? row.folded : 0;
  std::erase_if(rows_, is_silent);
  dropped_ += left_out_;
}

void Rows::count_folded_notes(const Scene& scene, const model::RecordedTrace& trace) {
  if (rows_.empty()) return;
  const bool has_masters = std::ranges::count_if(scene.lanes, [](const Lane& lane) {
                             return lane.kind == LaneKind::redis && lane.name == lane.group;
                           }) > 1;
  for (const Note& note : scene.notes) {
    const sim::TimeNs at = trace.events[note.event].at;
    Row& row = rows_[row_at(at)];
    const bool is_in_it = row.folded > 0 && at >= row.from_ns && at <= row.until_ns;
    if (!is_in_it || note.kind == NoteKind::other) continue;
    const auto is_before = [](const FoldedNotes& one, const FoldedNotes& other) {
      return std::tie(one.kind, one.actor) < std::tie(other.kind, other.actor);
    };
    const FoldedNotes one{note.kind, note.actor, 0, at, at};
    auto place = std::lower_bound(row.folded_notes.begin(), row.folded_notes.end(), one, is_before);
    if (place == row.folded_notes.end() || is_before(one, *place))
      place = row.folded_notes.insert(place, one);
    ++place->times;
    place->last_ns = at;
    const Lane& lane = scene.lanes[note.lane];
    if (has_masters && lane.kind == LaneKind::redis) place->nodes.insert(lane.shown);
  }
  const auto mark = [&](sim::TimeNs at) {
    Row& row = rows_[row_at(at)];
    if (row.folded > 0 && at >= row.from_ns && at <= row.until_ns) row.has_messages = true;
  };
  for (const Flight& flight : scene.flights) {
    if (flight.importance != Importance::essential) continue;
    mark(trace.events[flight.sent].at);
    if (flight.fate == Fate::arrived || flight.fate == Fate::waits) {
      mark(trace.events[flight.ended].at);
    }
  }
}

/// A message with an end that is folded away is not drawn: a row that had nothing else is empty.
void Rows::drop_empty(const Scene& scene, const model::RecordedTrace& trace,
                      const std::vector<sim::TimeNs>& filled) {
  const auto at = [&](EventIndex event) { return trace.events[event].at; };
  std::vector<bool> has_flight(rows_.size(), false);
  for (const Flight& flight : scene.flights) {
    const bool ends_unseen = flight.fate == Fate::lost || flight.fate == Fate::under_way;
    if (ends_unseen || is_folded(at(flight.sent)) || is_folded(at(flight.ended))) continue;
    has_flight[row_at(at(flight.sent))] = true;
    has_flight[row_at(at(flight.ended))] = true;
  }
  std::vector<Row> kept;
  kept.reserve(rows_.size());
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const bool is_filled = rows_[row].folded > 0 || has_flight[row] ||
                           std::binary_search(filled.begin(), filled.end(), rows_[row].from_ns);
    if (is_filled) kept.push_back(std::move(rows_[row]));
  }
  dropped_ = rows_.size() - kept.size();
  rows_ = std::move(kept);
  join_folded();
}

/// Rows that are folded and have become neighbours are one.
void Rows::join_folded() {
  std::vector<Row> joined;
  for (const Row& row : rows_) {
    const bool goes_on = row.folded > 0 && !joined.empty() && joined.back().folded > 0;
    if (!goes_on) {
      joined.push_back(row);
      continue;
    }
    joined.back().until_ns = row.until_ns;
    joined.back().folded += row.folded;
  }
  rows_ = std::move(joined);
}

bool Rows::is_folded(sim::TimeNs at) const {
  const Row& row = rows_[row_at(at)];
  return row.folded > 0 || row.from_ns != at;
}

std::size_t Rows::folded() const {
  std::size_t count = dropped_;
  for (const Row& row : rows_) count += row.folded;
  return count;
}

std::size_t Rows::row_at(sim::TimeNs at) const {
  assert(!rows_.empty());
  const auto after =
      std::upper_bound(rows_.begin(), rows_.end(), at,
                       [](sim::TimeNs instant, const Row& row) { return instant < row.from_ns; });
  if (after == rows_.begin()) return 0;
  return static_cast<std::size_t>(after - rows_.begin()) - 1;
}

}  // namespace lockstep::reports
