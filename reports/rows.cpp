#include "reports/rows.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <map>
#include <set>

namespace lockstep::reports {
namespace {

constexpr std::size_t essential_rows_for_each_row = 4;
constexpr std::size_t folded_min = 3;  // fewer rows take no more room than the one for them

using Instants = std::map<sim::TimeNs, Importance>;

void show(Instants& instants, sim::TimeNs at, Importance importance) {
  Importance& known = instants.emplace(at, Importance::routine).first->second;
  if (importance == Importance::essential) known = importance;
}

Instants instants_of(const Scene& scene, const model::RecordedTrace& trace) {
  Instants instants;
  const auto at = [&](EventIndex event) { return trace.events[event].at; };
  for (const Note& note : scene.notes) {
    if (!note.text.empty()) show(instants, at(note.event), note.importance);
  }
  for (const Flight& flight : scene.flights) {
    show(instants, at(flight.sent), flight.importance);
    const bool arrived = flight.fate == Fate::arrived || flight.fate == Fate::waits;
    if (arrived) show(instants, at(flight.ended), flight.importance);
  }
  for (const Bar& bar : scene.bars) {
    show(instants, at(bar.from), Importance::essential);
    if (bar.until) show(instants, at(*bar.until), Importance::essential);
  }
  if (scene.overlap) {
    show(instants, scene.overlap->from_ns, Importance::essential);
    show(instants, scene.overlap->until_ns, Importance::essential);
  }
  return instants;
}

/// The moment that a reader came for: where the overlap begins, else the last bad news, else the
/// end.
sim::TimeNs focus_of(const Scene& scene, const model::RecordedTrace& trace) {
  if (scene.overlap) return scene.overlap->from_ns;
  for (auto note = scene.notes.rbegin(); note != scene.notes.rend(); ++note) {
    if (note->tone == Tone::bad) return trace.events[note->event].at;
  }
  return trace.events.empty() ? 0 : trace.events.back().at;
}

}  // namespace

Rows::Rows(const Scene& scene, const model::RecordedTrace& trace, std::size_t rows_max) {
  std::vector<Moment> moments;
  for (const auto& [at, importance] : instants_of(scene, trace)) {
    moments.push_back({at, importance});
  }
  if (moments.size() > rows_max) {
    narrow(moments, focus_of(scene, trace), essential_rows_for_each_row * rows_max);
    fold(moments);
    drop_empty(scene, trace);
  } else {
    for (const Moment& moment : moments) rows_.push_back({moment.at, moment.at});
  }
}

/// Leaves only the essential moments nearest to the focus essential.
void Rows::narrow(std::vector<Moment>& moments, sim::TimeNs focus, std::size_t essential_max) {
  const auto is_essential = [](const Moment& moment) {
    return moment.importance == Importance::essential;
  };
  const auto essential = std::count_if(moments.begin(), moments.end(), is_essential);
  if (static_cast<std::size_t>(essential) <= essential_max) return;
  const auto after_focus =
      std::find_if(moments.begin(), moments.end(), [&](const Moment& m) { return m.at > focus; });
  const auto keep = [&](auto begin, auto end, std::size_t count) {
    for (auto moment = begin; moment != end; ++moment) {
      if (!is_essential(*moment)) continue;
      if (count > 0) {
        --count;
      } else {
        moment->importance = Importance::routine;
      }
    }
  };
  // What led there matters more than what followed: three quarters before, the rest after.
  keep(std::make_reverse_iterator(after_focus), moments.rend(), essential_max - essential_max / 4);
  keep(after_focus, moments.end(), essential_max / 4);
}

void Rows::fold(const std::vector<Moment>& moments) {
  for (std::size_t i = 0; i < moments.size();) {
    std::size_t end = i;
    while (end < moments.size() && moments[end].importance == Importance::routine) ++end;
    if (end - i >= folded_min) {
      rows_.push_back({moments[i].at, moments[end - 1].at, end - i});
      i = end;
    } else {
      end = std::max(end, i + 1);
      for (; i < end; ++i) rows_.push_back({moments[i].at, moments[i].at});
    }
  }
}

/// A message with an end that is folded away is not drawn: a row that had nothing else is empty.
void Rows::drop_empty(const Scene& scene, const model::RecordedTrace& trace) {
  std::set<sim::TimeNs> filled;
  const auto at = [&](EventIndex event) { return trace.events[event].at; };
  for (const Note& note : scene.notes) {
    if (!note.text.empty()) filled.insert(at(note.event));
  }
  for (const Flight& flight : scene.flights) {
    const bool ends_unseen = flight.fate == Fate::lost || flight.fate == Fate::under_way;
    if (ends_unseen) {
      filled.insert(at(flight.sent));
    } else if (!is_folded(at(flight.sent)) && !is_folded(at(flight.ended))) {
      filled.insert({at(flight.sent), at(flight.ended)});
    }
  }
  for (const Bar& bar : scene.bars) {
    filled.insert(at(bar.from));
    if (bar.until) filled.insert(at(*bar.until));
  }
  if (scene.overlap) filled.insert({scene.overlap->from_ns, scene.overlap->until_ns});
  dropped_ = std::erase_if(
      rows_, [&](const Row& row) { return row.folded == 0 && !filled.contains(row.from_ns); });
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
